// What actions of others weigh, on tasks of one agent's own making.
#include "check.hpp"
#include "mafs/others.hpp"

namespace test_others {

using namespace tacit;
using namespace tacit::mafs;

namespace {

// One goal that another can reach in one shown action, and the agent itself by `hidden` private
// actions and a public one.
NodeTask errand(int hidden, bool other_can = true) {
    NodeTask task;
    task.public_facts = 1;
    task.private_facts = hidden;
    task.token_counts = {0, 0};
    auto at = [](int place) { return 64 + place; };
    for (int step = 0; step < hidden; ++step) {
        task.view.pre.append(step ? Ints{at(step - 1)} : Ints{});
        task.view.add.append(Ints{at(step)});
        task.is_public.push_back(0);
    }
    task.view.pre.append(hidden ? Ints{at(hidden - 1)} : Ints{});
    task.view.add.append(Ints{0});
    task.is_public.push_back(1);
    task.own_actions = hidden + 1;
    task.view.pre.append(Ints{});  // the other's
    task.view.add.append(other_can ? Ints{0} : Ints{});
    std::size_t actions = task.view.pre.size();
    for (std::size_t a = 0; a < actions; ++a)
        task.view.del.append(Ints{});
    task.view.cost.assign(actions, 1);
    task.view.group.assign(actions, 0);
    task.view.facts = static_cast<std::int32_t>(Layout(task).view_words * 64);
    task.view.goal = {0};
    return task;
}

Others weighed(const NodeTask &task) { return weigh(task, Layout(task)); }

}  // namespace

CASE(others_count_as_shown_if_own_actions_take_nothing_more) {
    CHECK(weighed(errand(0)).weight == 1);
}

CASE(others_weigh_more_the_more_an_own_action_takes) {
    CHECK(weighed(errand(1, false)).weight == 2);
    CHECK(weighed(errand(2, false)).weight == 3);
    CHECK(weighed(errand(20, false)).weight == 8);  // no more than that
}

CASE(others_count_as_shown_where_they_do_it_all) {
    CHECK(weighed(errand(5, false)).plan.size() == 6);
    Others others = weighed(errand(5));
    CHECK(others.weight == 1);  // nothing is known of the own effort
    CHECK(others.plan == Ints{6});
}

CASE(weights_are_costs_of_others_alone) {
    NodeTask task = errand(2);
    weigh_others(task.view, task.own_actions, 5);
    CHECK(task.view.cost == (Ints{0, 0, 0, 4}));
}

}  // namespace test_others
