#include "strips/states.hpp"

#include <algorithm>

namespace tacit {

std::pair<StateId, bool> States::insert(const Word *state, StateId parent, std::int32_t action) {
    auto [id, is_new] = rows_.insert(state);
    if (is_new)
        origin_.push_back({parent, action});
    return {id, is_new};
}

void States::clear() {
    rows_.clear();
    origin_.clear();
}

void States::trace(StateId id, Ints &plan) const {
    std::size_t first = plan.size();
    for (; origin_[id].parent != no_state; id = origin_[id].parent)
        plan.push_back(origin_[id].action);
    std::reverse(plan.begin() + static_cast<std::ptrdiff_t>(first), plan.end());
}

}  // namespace tacit
