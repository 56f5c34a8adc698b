// The delete relaxation against its definition, on random tasks.
#include <algorithm>
#include <set>

#include "check.hpp"
#include "heuristics/relaxed_plan.hpp"
#include "util/random.hpp"

namespace test_relaxation {

using namespace tacit;

namespace {

constexpr std::int64_t none = INT64_MAX;

Ints some_facts(Random &random, std::int32_t facts, std::size_t most) {
    Ints made;
    for (std::size_t i = random(most + 1); i > 0; --i)
        made.push_back(static_cast<std::int32_t>(random(facts)));
    return made;
}

// Few facts and many actions, so that many have the same needs or differ in one.
StripsTask random_task(Random &random) {
    auto facts = static_cast<std::int32_t>(4 + random(80));
    Rows pre, add, del;
    Ints cost;
    for (std::size_t a = 3 + random(120); a > 0; --a) {
        pre.append(some_facts(random, facts, 3));
        add.append(some_facts(random, facts, 4));
        del.append(Ints{});
        cost.push_back(static_cast<std::int32_t>(random(8) == 0 ? random(40'000) : random(4)));
    }
    Ints group(cost.size());
    return {facts, {}, some_facts(random, facts, 5), pre, add, del, cost, group};
}

// What each fact costs, by going over all actions until nothing changes; `without` never holds.
std::vector<std::int64_t> additive_costs(const StripsTask &task, const Word *state, bool use_costs,
                                         std::int32_t without) {
    std::vector<std::int64_t> cost(task.facts, none);
    for (std::int32_t fact = 0; fact < task.facts; ++fact)
        if (has(state, fact) && fact != without)
            cost[fact] = 0;
    for (bool changes = true; changes;) {
        changes = false;
        for (std::size_t a = 0; a < task.size(); ++a) {
            std::int64_t sum = use_costs ? task.cost[a] + 1 : 1;
            for (std::int32_t need : task.pre[a])
                sum = sum == none || cost[need] == none ? none : sum + cost[need];
            for (std::int32_t fact : task.add[a])
                if (fact != without && sum < cost[fact]) {
                    cost[fact] = sum;
                    changes = true;
                }
        }
    }
    return cost;
}

// Every action of the plan is a cheapest supporter, and the plan leads to the goal.
void check_plan(const StripsTask &task, RelaxedPlan &plan, const Word *state,
                const std::vector<std::int64_t> &cost) {
    std::set<std::int32_t> reached;
    for (std::int32_t fact = 0; fact < task.facts; ++fact)
        if (has(state, fact))
            reached.insert(fact);
    std::set<std::int32_t> left(plan.actions().begin(), plan.actions().end());
    CHECK(left.size() == plan.actions().size());
    auto is_reached = [&](std::int32_t fact) { return reached.contains(fact); };
    for (std::size_t before = left.size() + 1; left.size() < before;) {
        before = left.size();
        std::erase_if(left, [&](std::int32_t action) {
            if (!std::ranges::all_of(task.pre[action], is_reached))
                return false;
            reached.insert(task.add[action].begin(), task.add[action].end());
            return true;
        });
    }
    CHECK(left.empty() && std::ranges::all_of(task.goal, is_reached));
    for (std::int32_t fact : task.goal)
        CHECK(plan.relaxation().cost(fact) == cost[fact]);
    for (std::int32_t action : plan.applicable())
        for (std::int32_t need : task.pre[action])
            CHECK(has(state, need));
}

}  // namespace

CASE(the_relaxation_is_that_of_its_definition) {
    Random random(11);
    for (int round = 0; round < 400; ++round) {
        StripsTask task = random_task(random);
        bool use_costs = random(2);
        RelaxedPlan plan(task, use_costs);
        for (int i = 0; i < 4; ++i) {
            if (i == 2 && task.gain_add(static_cast<std::int32_t>(random(task.size())),
                                        static_cast<std::int32_t>(random(task.facts))))
                plan.adds_changed();
            std::vector<Word> state(words_for(task.facts));
            for (std::int32_t fact : some_facts(random, task.facts, 8))
                put(state.data(), fact);
            auto without = static_cast<std::int32_t>(random(task.facts + 1)) - 1;
            auto costs = additive_costs(task, state.data(), use_costs, without);
            auto is_reached = [&](std::int32_t fact) { return costs[fact] != none; };
            CHECK(plan.relaxation().explore(state.data(), without) ==
                  std::ranges::all_of(task.goal, is_reached));
            costs = additive_costs(task, state.data(), use_costs, -1);
            bool is_solvable = plan.make(state.data());
            CHECK(is_solvable == std::ranges::all_of(task.goal, is_reached));
            if (is_solvable)
                check_plan(task, plan, state.data(), costs);
        }
    }
}

}  // namespace test_relaxation
