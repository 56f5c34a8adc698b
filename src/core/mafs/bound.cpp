#include "mafs/bound.hpp"

#include <algorithm>
#include <numeric>

namespace tacit::mafs {

Bound::Bound(const NodeTask &task, const Layout &layout, const std::string &heuristic)
    : task_(task), self_(layout.self), scope_(find_admissible(heuristic).scope),
      view_(layout.view_words), projected_(layout.projection_words) {
    auto make = find_admissible(heuristic).make_admissible;
    if (scope_ != Scope::shown) {
        own_ = make(task.view);
        std::vector<std::uint8_t> is_private(task.view.size());
        for (std::int32_t action = 0; action < task.own_actions; ++action)
            is_private[action] = !task.is_public[action];
        own_->mark(is_private);
    }
    if (scope_ != Scope::own)
        shown_ = make(task.projection);
}

int Bound::evaluate(StateStore &states, RecordId id, int enough) {
    std::span<std::int32_t> shares = states.shares(id);
    int others = std::accumulate(shares.begin(), shares.end(), 0);
    if (!shares.empty())
        others -= std::exchange(shares[self_], 0);
    int value = 0;
    if (own_) {
        states.compose_view(id, view_.data());
        value = own_->evaluate(view_.data(), enough - others);
        if (value == dead_end)
            return dead_end;
        if (!shares.empty())
            shares[self_] = own_->marked_share();
    }
    if (shown_ && value + others < enough) {
        int share = shares.empty() ? 0 : shares[self_];
        states.compose_projection(id, projected_.data());
        int shown = shown_->evaluate(projected_.data(), enough - others - share);
        if (shown == dead_end)
            return dead_end;
        value = std::max(value, shown + share);
    }
    return value + others;
}

}  // namespace tacit::mafs
