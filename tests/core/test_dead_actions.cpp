// Actions that no plan takes: what is seen, and that none is missed by a plan.
#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "analysis/dead_actions.hpp"
#include "check.hpp"

namespace test_dead_actions {

using namespace tacit;

namespace {

struct Act {
    Ints needs, adds, deletes;
};

StripsTask made(std::int32_t facts, const Ints &init, const Ints &goal,
                const std::vector<Act> &acts) {
    Rows pre, add, del;
    for (const Act &act : acts) {
        pre.append(act.needs);
        add.append(act.adds);
        del.append(act.deletes);
    }
    Ints ones(acts.size(), 1), zeros(acts.size(), 0);
    return StripsTask(facts, init, goal, pre, add, del, ones, zeros);
}

unsigned bits(Row row) {
    unsigned found = 0;
    for (std::int32_t fact : row)
        found |= 1u << fact;
    return found;
}

// Per action, whether it is in a plan: it leads from a state that can be reached to one with a way
// to the goal. Visits every state.
std::vector<std::uint8_t> in_plans(const StripsTask &task) {
    struct Step {
        unsigned from, to;
        std::size_t action;
    };
    std::map<unsigned, bool> has_way{{bits(task.init), false}};
    std::vector<unsigned> stack{bits(task.init)};
    std::vector<Step> steps;
    while (!stack.empty()) {
        unsigned state = stack.back();
        stack.pop_back();
        has_way[state] = (state & bits(task.goal)) == bits(task.goal);
        for (std::size_t a = 0; a < task.size(); ++a)
            if ((state & bits(task.pre[a])) == bits(task.pre[a])) {
                unsigned then = (state & ~bits(task.del[a])) | bits(task.add[a]);
                steps.push_back({state, then, a});
                if (has_way.emplace(then, false).second)
                    stack.push_back(then);
            }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (const Step &step : steps)
            if (has_way[step.to] && !has_way[step.from])
                has_way[step.from] = changed = true;
    }
    std::vector<std::uint8_t> found(task.size());
    for (const Step &step : steps)
        if (has_way[step.to])
            found[step.action] = 1;
    return found;
}

// A hand (0) takes a thing from the floor (1) or the shelf (2) and holds it (3); it is wanted on
// the shelf. What is taken from the shelf opens no hand.
CASE(what_cannot_be_undone_and_does_not_help_is_dead) {
    std::vector<Act> acts{
        {{0, 1}, {3}, {0, 1}}, {{3}, {0, 2}, {3}}, {{0, 2}, {}, {0, 2}}, {{4}, {2}, {}}};
    StripsTask task = made(5, {0, 1}, {2}, acts);
    CHECK(dead_actions(task) == (std::vector<std::uint8_t>{0, 0, 1, 1}));
    StripsTask rest = without_dead_actions(task);
    CHECK(rest.facts == 6 && rest.pre[2].back() == 5 && rest.pre[3].back() == 5);
    CHECK(std::ranges::equal(rest.pre[0], task.pre[0]) && rest.init == task.init);
}

// The second loses 0 for good, and without it nothing achieves 1 again, which the first deletes.
CASE(without_dead_actions_others_are_dead) {
    std::vector<Act> acts{{{0}, {2}, {1}}, {{2}, {3}, {0}}, {{3}, {1}, {}}};
    CHECK(dead_actions(made(4, {0, 1}, {0, 1}, acts)) == (std::vector<std::uint8_t>{1, 1, 0}));
}

CASE(no_action_of_a_plan_is_dead) {
    std::mt19937 random(5);
    auto below = [&](int n) { return static_cast<std::int32_t>(random() % n); };
    auto some = [&](int most) {
        Ints row;
        for (int n = below(most + 1); n > 0; --n)
            row.push_back(below(8));
        return row;
    };
    int dead = 0, needless = 0;
    for (int round = 0; round < 3000; ++round) {
        std::vector<Act> acts;
        for (int n = 2 + below(8); n > 0; --n)
            acts.push_back({some(3), some(2), some(3)});
        StripsTask task = made(8, some(6), some(3), acts);
        auto found = dead_actions(task), used = in_plans(task);
        for (std::size_t a = 0; a < task.size(); ++a) {
            CHECK(!(found[a] && used[a]));
            dead += found[a];
            needless += !used[a];
        }
    }
    CHECK(2 * dead > needless && needless > 1000);
}

}  // namespace

}  // namespace test_dead_actions
