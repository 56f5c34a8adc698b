#include <memory>
#include <vector>

#include "check.hpp"
#include "ranking/goal_order.hpp"
#include "ranking/promise.hpp"
#include "tasks.hpp"

namespace test_promise {

using namespace tacit;

namespace {

CASE(an_edge_that_leads_back_to_where_it_began_has_no_promise) {
    // Action 0 takes a parcel (fact 0, token 1), action 1 puts it back, action 2 brings it to fact
    // 2, which action 3 of another agent needs.
    auto task = [](std::int32_t group) {
        return StripsTask(4, {0}, {3}, rows({{0}, {1}, {1}, {2}}), rows({{}, {0}, {2}, {3}}),
                          rows({{0}, {}, {}, {}}), {1, 1, 1, 1}, {0, 0, 0, group});
    };
    IndexedTask there(task(1));
    OwnEdges edges{{0, PricedRelaxation::initial}, {1, 1}, {1, 0}, {}};
    CHECK(Promise(there, 0, edges).has(0));
    CHECK(!Promise(there, 0, edges).has(1));  // a threat
    StripsTask without = task(1);
    without.add = rows({{}, {0}, {}, {3}});
    CHECK(!Promise(IndexedTask(without), 0, edges).has(0));
    StripsTask goal = without;
    goal.goal = {0};  // what it needed held before
    CHECK(!Promise(IndexedTask(goal), 0, edges).has(0));
    goal.add = rows({{3}, {0}, {}, {3}});  // it is of use, and deletes the goal
    CHECK(Promise(IndexedTask(goal), 0, edges).has(0));
}

CASE(an_edge_is_circular_if_its_achiever_comes_after_its_token) {
    // Action 0 needs fact 0, which action 1 alone adds, and that needs token 1.
    StripsTask task(3, {}, {2}, rows({{0}, {1}}), rows({{}, {0, 2}}), rows({{}, {}}), {1, 1},
                    {0, 0});
    OwnEdges edges{{0, PricedRelaxation::initial}, {1, 1}, {1, 1}, {}};
    CHECK(Promise(IndexedTask(task), 0, edges).is_circular(0));
    CHECK(!Promise(IndexedTask(task), 0, edges).is_circular(1));
    task.init = {0};
    CHECK(!Promise(IndexedTask(task), 0, edges).is_circular(0));
}

CASE(an_agent_with_many_edges_goes_on_as_long_as_plans_need_them) {
    // As many goals as edges, each by an action of its own that needs a token of its own.
    constexpr std::int32_t count = 96;
    std::vector<Ints> needs, adds;
    OwnEdges edges;
    Ints goal;
    for (std::int32_t n = 0; n < count; ++n) {
        needs.push_back({n});
        adds.push_back({count + n});
        goal.push_back(count + n);
        edges.achiever.push_back(PricedRelaxation::initial);
        edges.token.push_back(n);
        edges.is_positive.push_back(1);
    }
    StripsTask task(2 * count, {}, goal, rows(needs), rows(adds), rows(std::vector<Ints>(count)),
                    Ints(count, 1), Ints(count, 0));
    GoalOrder order(std::make_shared<const IndexedTask>(task), 0, 1, edges, {});
    std::int32_t made = 0;
    while (order.planned(false) >= 0)
        ++made;
    CHECK(made == count);
}

}  // namespace

}  // namespace test_promise
