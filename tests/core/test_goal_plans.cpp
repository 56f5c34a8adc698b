// Real plans of the ranking by goals: which are searched first, and what they may cost in vain.
#include <memory>

#include "check.hpp"
#include "ranking/goal_order.hpp"
#include "tasks.hpp"

namespace test_goal_plans {

using namespace tacit;

namespace {

std::shared_ptr<const IndexedTask> shared(StripsTask task) {
    return std::make_shared<const IndexedTask>(std::move(task));
}

// Facts 0 and 6 hold, goals are 1 and 5. Own: 0 to 4 achieve a token each (7 to 11), and 5 consumes
// them for fact 4. The other agent: 6 (needs 4) may achieve its token 3, 7 needs it for goal 1, and
// 8 achieves goal 5 and deletes what 7 needs.
StripsTask long_way() {
    return {12,
            {0, 6},
            {1, 5},
            rows({{0}, {0}, {0}, {0}, {0}, {7, 8, 9, 10, 11}, {4}, {3, 6}, {0}}),
            rows({{}, {}, {}, {}, {}, {4}, {}, {1}, {5}}),
            rows({{}, {}, {}, {}, {}, {7, 8, 9, 10, 11}, {}, {}, {6}}),
            Ints(9, 1),
            {0, 0, 0, 0, 0, 0, 1, 1, 1}};
}

const OwnEdges five_edges{{0, 1, 2, 3, 4}, {7, 8, 9, 10, 11}, {1, 1, 1, 1, 1}, {}};

CASE(what_a_relaxed_plan_supposes_of_others_comes_after_what_all_agents_infer) {
    // That the other's token holds initially is the cheaper guess, but no agent infers it.
    Inferred inferred(InferredAchievers{{3}, rows({{6}}), {0}});
    inferred.is_exact = true;
    GoalOrder order(shared(long_way()), 0, 2, five_edges, inferred);
    for (std::int32_t edge = 0; edge < 5; ++edge)
        CHECK(order.planned(false) == edge);
    CHECK(order.planned(false) == -1);
}

CASE(searches_that_find_no_use_for_own_edges_are_bounded) {
    // With the other's token there initially, no own edge is needed, whatever is disclosed.
    InferredAchievers inferred{{3}, rows({{6}}), {1}};
    GoalOrder order(shared(long_way()), 0, 2, five_edges, inferred);
    std::int64_t left = order.evaluations_left();
    for (int turn = 0; turn < 10; ++turn) {
        CHECK(order.planned(false) == -1);
        CHECK(order.evaluations_left() <= left);
        left = order.evaluations_left();
        order.saw(8, 4, false);
    }
    CHECK(left < GoalOrder(shared(long_way()), 0, 2, five_edges, {}).evaluations_left());
}

CASE(what_holds_initially_is_no_effect_of_others_actions) {
    // Own edges: the initial state and action 4. Actions before it, of others, have their effects
    // alone.
    PricedRelaxation relaxation(shared(long_way()),
                                {{PricedRelaxation::initial, {7, 0}}, {4, {8, 1}}});
    for (std::int32_t action = 0; action < 9; ++action) {
        Ints facts;
        relaxation.for_each_way(action,
                                [&](PricedRelaxation::Way way) { facts.push_back(way.fact); });
        StripsTask task = long_way();
        Row added = task.add[static_cast<std::size_t>(action)];
        Ints expected(added.begin(), added.end());
        if (action == 4)
            expected.push_back(8);
        CHECK(facts == expected);
    }
}

}  // namespace

}  // namespace test_goal_plans
