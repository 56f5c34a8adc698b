// How much an action of another agent counts in an agent's own relaxed plans, where an own one
// counts 1.
//
// Others publish their actions without the private ones these need. Counted as published, they are
// cheap: every agent's relaxed plan leaves to others what it can do itself, and none of its private
// actions seems to bring it nearer to a goal. So an agent assumes that others are like itself: to
// each of their actions it adds private ones, in the proportion of its own effort.
#pragma once

#include <cstdint>

#include "mafs/node_task.hpp"

namespace tacit::mafs {

struct Others {
    int weight = 1;
    Ints plan;  // a relaxed plan from the initial state that leaves to others only what it must
};

Others weigh(const NodeTask &task, const Layout &layout);
// For a relaxation that uses costs: an action costs its cost plus 1.
void weigh_others(StripsTask &view, std::int32_t own_actions, int weight);

}  // namespace tacit::mafs
