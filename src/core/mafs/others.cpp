#include "mafs/others.hpp"

#include <algorithm>
#include <vector>

#include "heuristics/relaxed_plan.hpp"
#include "mafs/words.hpp"

namespace tacit::mafs {

namespace {

constexpr int dear = 10;   // while own effort is looked at, so that a plan uses own actions if it can
constexpr int share = 3;   // a relaxed plan has a private action once for all that need it
constexpr int most = 8;

struct Effort {
    int all = 0, shown = 0;
};

// How many own actions a relaxed plan from the start has, and how many of them are public.
Effort own_effort(const NodeTask &task, const Layout &layout) {
    StripsTask view = task.view;
    weigh_others(view, task.own_actions, dear);
    std::vector<Word> start(layout.view_words);
    for (std::int32_t fact : view.init)
        put(start.data(), fact);
    Effort effort;
    RelaxedPlan plan(view, true);
    if (!plan.make(start.data()))
        return effort;
    for (std::int32_t action : plan.actions())
        if (action < task.own_actions) {
            ++effort.all;
            effort.shown += task.is_public[action];
        }
    return effort;
}

}  // namespace

void weigh_others(StripsTask &view, std::int32_t own_actions, int weight) {
    for (std::size_t action = 0; action < view.size(); ++action)
        view.cost[action] = static_cast<std::int32_t>(action) < own_actions ? 0 : weight - 1;
}

int weight_of_others(const NodeTask &task, const Layout &layout) {
    Effort effort = own_effort(task, layout);
    if (effort.shown == 0)
        return 1;
    int hidden = (share * (effort.all - effort.shown) + effort.shown / 2) / effort.shown;
    return std::min(1 + hidden, most);
}

}  // namespace tacit::mafs
