// Real plans of the ranking by goals: which are searched first, and what they may cost in vain.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "check.hpp"
#include "ranking/goal_order.hpp"
#include "ranking/goal_search.hpp"
#include "search/search.hpp"
#include "tasks.hpp"
#include "util/random.hpp"
#include "util/tuning.hpp"

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

// Tiles to be pushed along a ring of places, one of which is empty: plans are easy, and engines
// differ in how long they look for one.
StripsTask ring(Random &random, std::int32_t places) {
    std::int32_t tiles = places - 1;
    auto at = [&](std::int32_t tile, std::int32_t place) { return tile * places + place; };
    auto is_empty = [&](std::int32_t place) { return tiles * places + place; };
    Ints start, goal;
    for (std::int32_t tile = 0; tile < tiles; ++tile)
        start.push_back(tile);
    goal = start;
    random.shuffle(goal);
    Ints init{is_empty(tiles)}, wanted{at(goal[0], 0), at(goal[1], 1)};
    for (std::int32_t tile : start)
        init.push_back(at(tile, tile));
    std::ranges::sort(init);
    std::ranges::sort(wanted);
    std::vector<Ints> pre, add, del;
    for (std::int32_t tile = 0; tile < tiles; ++tile)
        for (std::int32_t from = 0; from < places; ++from)
            for (std::int32_t step : {1, 2, places - 1}) {
                std::int32_t to = (from + step) % places;
                pre.push_back({at(tile, from), is_empty(to)});
                add.push_back({at(tile, to), is_empty(from)});
                del.push_back({at(tile, from), is_empty(to)});
            }
    std::size_t actions = pre.size();
    return {(tiles + 1) * places, init, wanted, rows(pre), rows(add), rows(del), Ints(actions, 1),
            Ints(actions, 0)};
}

CASE(once_there_is_a_plan_no_engine_looks_much_longer) {
    Random random(3);
    bool has_saved = false;
    for (int round = 0; round < 12; ++round) {
        StripsTask task = ring(random, 7 + round % 3);
        std::int64_t most = tuning::goal_plan_evaluations, each = most, bound = 0, whole = 0;
        for (const char *engine : {"climb", "lazy", "width", "landmarks"}) {
            Search search(task, 0, {engine}, {"ff"}, false);
            bool is_solved = search.run({most, 1e9, SIZE_MAX}) == Outcome::solved;
            std::int64_t taken = search.meter().evaluated + 1;
            whole += taken;
            bound += std::min(taken, each + 1);
            if (is_solved)
                each = std::min(each, tuning::growth * tuning::growth * taken);
        }
        has_saved |= bound < whole;
        std::int64_t before = 50 * most, left = before;
        CHECK(find_real_plan(task, {}, {}, {}, left).is_found);
        CHECK(before - left <= bound);
    }
    CHECK(has_saved);
}

}  // namespace

}  // namespace test_goal_plans
