#include "mafs/others.hpp"

#include <algorithm>

#include "heuristics/relaxed_plan.hpp"
#include "util/tuning.hpp"

namespace tacit::mafs {

namespace {

// A relaxed plan from the initial state; empty if there is none.
Ints own_plan(const NodeTask &task, const Layout &layout) {
    RelaxedPlan plan(task.view, false);
    return plan.make(initial_view(task, layout).data()) ? plan.actions() : Ints();
}

}  // namespace

void weigh_others(StripsTask &view, std::int32_t own_actions, int weight) {
    for (std::size_t action = 0; action < view.size(); ++action)
        view.cost[action] = static_cast<std::int32_t>(action) < own_actions ? 0 : weight - 1;
}

Others weigh(const NodeTask &task, const Layout &layout) {
    Others others{1, own_plan(task, layout)};
    int shown = 0, hidden = 0;
    for (std::int32_t action : others.plan)
        if (action < task.own_actions)
            ++(task.is_public[action] ? shown : hidden);
    if (shown > 0) {
        others.weight = std::min(1 + (hidden + shown / 2) / shown, tuning::mafs_largest_weight);
    }
    return others;
}

}  // namespace tacit::mafs
