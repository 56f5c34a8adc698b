#include "mafs/bound.hpp"

#include <algorithm>

namespace tacit::mafs {

Bound::Bound(const NodeTask &task, const Layout &layout, const std::string &heuristic,
             TollBook *tolls)
    : tolls_(tolls), view_(layout.view_words), projected_(layout.projection_words) {
    const HeuristicEntry &entry = find_admissible(heuristic);
    if (entry.scope != Scope::shown)
        own_ = entry.make_admissible(task.view, task.gates_in_view);
    if (entry.scope != Scope::own)
        shown_ = entry.make_admissible(task.projection, task.gates_in_projection);
}

int Bound::evaluate(const StateStore &states, RecordId id, int enough) {
    int value = 0;
    if (own_) {
        states.compose_view(id, view_.data());
        value = own_->evaluate(view_.data(), enough, tolls_in(states, id, false));
    }
    if (value == dead_end || !shown_ || value >= enough)
        return value;
    states.compose_projection(id, projected_.data());
    int shown = shown_->evaluate(projected_.data(), enough, tolls_in(states, id, true));
    return shown == dead_end ? dead_end : std::max(value, shown);
}

std::span<const Tolls *const> Bound::tolls_in(const StateStore &states, RecordId id,
                                              bool with_own) {
    return tolls_ == nullptr ? std::span<const Tolls *const>{} : tolls_->in(states, id, with_own);
}

}  // namespace tacit::mafs
