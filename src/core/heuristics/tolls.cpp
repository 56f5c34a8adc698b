#include "heuristics/tolls.hpp"

#include <algorithm>

namespace tacit {

// Of tolls with the same actions the first counts as larger.
void Tolls::complete(std::int32_t action_count) {
    auto count = static_cast<std::int32_t>(cost.size());
    auto comes_before = [this](std::int32_t a, std::int32_t b) {
        return (actions[a].size() > actions[b].size() ||
                (actions[a].size() == actions[b].size() && a < b)) &&
               std::ranges::includes(actions[a], actions[b]);
    };
    before.assign(cost.size(), -1);
    for (std::int32_t toll = 0; toll < count; ++toll)
        for (std::int32_t other = 0; other < count; ++other)
            if (comes_before(other, toll) &&
                (before[toll] < 0 || comes_before(before[toll], other)))
                before[toll] = other;
    Rows all = inverted(actions, action_count);
    at = {};
    for (std::int32_t action = 0; action < action_count; ++action) {
        for (std::int32_t toll : all[action])
            if (std::ranges::none_of(all[action],
                                     [&](std::int32_t other) { return before[other] == toll; }))
                at.push(toll);
        at.close();
    }
}

}  // namespace tacit
