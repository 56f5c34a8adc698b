#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "check.hpp"
#include "ranking/goal_order.hpp"
#include "ranking/greedy_order.hpp"
#include "ranking/priced_relaxation.hpp"
#include "tasks.hpp"
#include "util/random.hpp"

namespace test_goal {

using namespace tacit;

namespace {

using Cost = PricedRelaxation::Cost;
constexpr Cost none = PricedRelaxation::unreached;

std::shared_ptr<const IndexedTask> shared(StripsTask task) {
    return std::make_shared<const IndexedTask>(std::move(task));
}

std::int32_t below(Random &random, std::int32_t bound) {
    return static_cast<std::int32_t>(random.next() % static_cast<std::uint64_t>(bound));
}

struct Way {
    std::int32_t action, fact, label;
};

// A small relaxed task at random, and its costs by going round until nothing changes.
struct Sample {
    std::int32_t facts, actions;
    std::vector<Ints> needs;
    std::vector<Way> ways;
    std::vector<Cost> price;

    explicit Sample(Random &random)
        : facts(2 + below(random, 7)), actions(1 + below(random, 8)), needs(actions) {
        for (Ints &row : needs)
            for (std::int32_t fact = 0; fact < facts; ++fact)
                if (below(random, 4) == 0)
                    row.push_back(fact);
        std::int32_t labels = below(random, 5);
        for (std::int32_t label = 0; label < labels; ++label)
            price.push_back(below(random, 6) == 0 ? none : Cost(below(random, 9)));
        std::int32_t count = 2 + below(random, 14);
        for (std::int32_t n = 0; n < count; ++n)
            ways.push_back({below(random, actions + 1) - 1, below(random, facts),
                            below(random, labels + 1) - 1});
    }

    std::vector<Cost> costs(const Ints &reached) const {
        std::vector<Cost> cost(facts, none);
        for (std::int32_t fact : reached)
            cost[fact] = 0;
        for (bool is_new = true; is_new;) {
            is_new = false;
            for (const Way &way : ways) {
                std::int64_t sum = way.action < 0 ? 0 : 1;
                if (way.action >= 0)
                    for (std::int32_t fact : needs[way.action])
                        sum = std::min<std::int64_t>(none, sum + cost[fact]);
                sum += way.label < 0 ? 0 : price[way.label];
                if (sum < cost[way.fact]) {
                    cost[way.fact] = static_cast<Cost>(sum);
                    is_new = true;
                }
            }
        }
        return cost;
    }

    Ints all() const {
        Ints made;
        for (std::int32_t fact = 0; fact < facts; ++fact)
            made.push_back(fact);
        return made;
    }

    // Explored to the end. Ways without a label are effects of the task, or come later.
    PricedRelaxation relaxation() const {
        std::vector<Ints> adds(actions);
        std::vector<PricedRelaxation::Effect> effects;
        for (const Way &way : ways)
            if (way.label < 0 && way.action >= 0 && way.fact % 2)
                adds[way.action].push_back(way.fact);
            else if (way.label >= 0)
                effects.push_back({way.action, {way.fact, way.label}});
        std::vector<std::int32_t> costs(actions, 1), group(actions, 0);
        StripsTask task(facts, {}, {}, rows(needs), rows(adds), rows(std::vector<Ints>(actions)),
                        costs, group);
        PricedRelaxation made(shared(task), effects);
        for (const Way &way : ways)
            if (way.label < 0 && (way.action < 0 || way.fact % 2 == 0))
                made.add_way(way.action, way.fact);
        made.price.assign(price.begin(), price.end());
        made.explore(all());
        return made;
    }
};

bool agree(const PricedRelaxation &relaxation, const std::vector<Cost> &cost) {
    for (std::size_t fact = 0; fact < cost.size(); ++fact)
        if (relaxation.cost(static_cast<std::int32_t>(fact)) != cost[fact])
            return false;
    return true;
}

// Supports lead from a fact to cheaper ones only.
bool supports_descend(const PricedRelaxation &relaxation, std::int32_t facts) {
    for (std::int32_t fact = 0; fact < facts; ++fact) {
        if (!relaxation.is_reached(fact) || relaxation.cost(fact) == 0)
            continue;
        for (std::int32_t need : relaxation.needs(relaxation.support(fact).action))
            if (relaxation.cost(need) >= relaxation.cost(fact))
                return false;
    }
    return true;
}

// Do both take the same ways to a goal, at the same costs?
bool same_ways(const PricedRelaxation &one, const PricedRelaxation &other, std::int32_t goal) {
    Ints open{goal};
    while (!open.empty()) {
        std::int32_t fact = open.back();
        open.pop_back();
        if (one.cost(fact) != other.cost(fact))
            return false;
        if (!one.is_reached(fact) || one.cost(fact) == 0)
            continue;
        auto mine = one.support(fact), theirs = other.support(fact);
        if (mine.action != theirs.action || mine.label != theirs.label ||
            one.cost_of_needs(mine.action) != other.cost_of_needs(mine.action))
            return false;
        for (std::int32_t need : one.needs(mine.action))
            open.push_back(need);
    }
    return true;
}

// Two parcels; the agent's actions: 0 takes parcel A (needs fact 0, achieves token 2), 1 brings it
// (needs token 2, achieves goal 3); 2 and 3 the same for parcel B, which is no goal (1, token 4,
// fact 5).
StripsTask two_parcels() {
    return {6,
            {0, 1},
            {3},
            rows({{0}, {2}, {1}, {4}}),
            rows({{}, {3}, {}, {5}}),
            rows({{0}, {}, {1}, {}}),
            {1, 1, 1, 1},
            {0, 0, 0, 0}};
}

std::int32_t next(GoalOrder &order) {
    std::int32_t edge = order.planned();
    return edge >= 0 ? edge : order.counted();
}

Ints all_of(GoalOrder &order) {
    Ints made;
    for (std::int32_t edge; (edge = next(order)) >= 0;)
        made.push_back(edge);
    return made;
}

CASE(priced_costs_are_those_of_going_round) {
    Random random(1);
    for (int n = 0; n < 2000; ++n) {
        Sample sample(random);
        PricedRelaxation relaxation = sample.relaxation();
        CHECK(agree(relaxation, sample.costs({})));
        CHECK(supports_descend(relaxation, sample.facts));
        PricedRelaxation reachable = relaxation;
        reachable.find_reachable();
        for (std::int32_t fact = 0; fact < sample.facts; ++fact)
            CHECK(reachable.is_reached(fact) == relaxation.is_reached(fact));
    }
}

CASE(an_exploration_may_end_where_its_goals_are_known) {
    // Costs of goals, and supports on the way to them, are as after one to the end; also after
    // facts were reached.
    Random random(3);
    for (int n = 0; n < 2000; ++n) {
        Sample sample(random);
        PricedRelaxation whole = sample.relaxation(), part = sample.relaxation();
        Ints goals{below(random, sample.facts), below(random, sample.facts)}, reached;
        std::erase_if(goals, [&](std::int32_t fact) { return !whole.is_reached(fact); });
        part.explore(goals);
        for (int step = 0; step < 3; ++step) {
            for (std::int32_t goal : goals)
                CHECK(same_ways(whole, part, goal));
            std::int32_t fact = below(random, sample.facts);
            whole.reach({fact});
            part.reach({fact});
        }
    }
}

CASE(reaching_facts_later_is_as_if_they_had_held_before) {
    Random random(2);
    for (int n = 0; n < 2000; ++n) {
        Sample sample(random);
        PricedRelaxation relaxation = sample.relaxation();
        Ints reached;
        for (int step = 0; step < 3; ++step) {
            std::int32_t fact = below(random, sample.facts);
            reached.push_back(fact);
            relaxation.reach(Ints{fact});
            CHECK(agree(relaxation, sample.costs(reached)));
            CHECK(supports_descend(relaxation, sample.facts));
        }
    }
}

CASE(what_the_goal_needs_comes_first) {
    GoalOrder order(shared(two_parcels()), 0, 1, {{2, 0}, {4, 2}, {1, 1}, {}}, {});
    CHECK(all_of(order) == (Ints{1, 0}));
}

CASE(a_plan_takes_the_cheaper_way) {
    // Two edges into the token that the goal needs; that of the initial state is dear.
    OwnEdges edges{{PricedRelaxation::initial, 0}, {2, 2}, {1, 1}, {}, {9, 1}};
    GoalOrder order(shared(two_parcels()), 0, 1, edges, {});
    CHECK(all_of(order) == (Ints{1, 0}));
    edges.price = {};
    GoalOrder plain(shared(two_parcels()), 0, 1, edges, {});
    CHECK(all_of(plain) == (Ints{0, 1}));
}

CASE(what_no_plan_needs_comes_by_price) {
    StripsTask task = two_parcels();
    task.goal = {};
    GoalOrder order(shared(task), 0, 1, {{2, 3, 0}, {4, 4, 2}, {1, 1, 1}, {}, {8, 2, 3}}, {});
    CHECK(all_of(order) == (Ints{1, 2, 0}));
}

CASE(threats_come_last) {
    GoalOrder order(shared(two_parcels()), 0, 1, {{3, 2, 0, 1}, {4, 4, 2, 2}, {0, 1, 1, 0}, {}},
                    {});
    CHECK(all_of(order) == (Ints{2, 1, 0, 3}));
}

CASE(what_another_achieves_is_not_achieved_again) {
    // Both parcels are goals; another agent discloses that the token of the first one holds
    // initially.
    StripsTask task = two_parcels();
    task.goal = {3, 5};
    GoalOrder order(shared(task), 0, 2, {{0, 2}, {2, 4}, {1, 1}, {}}, {});
    order.saw(PricedRelaxation::initial, 2, true);
    CHECK(next(order) == 1);
}

CASE(what_was_taken_is_not_published_again) {
    // Three ways to parcel A's token; the goal needs one of them.
    OwnEdges edges{{PricedRelaxation::initial, 2, 0, 2}, {2, 2, 2, 4}, {1, 1, 1, 1}, {}};
    GoalOrder order(shared(two_parcels()), 0, 1, edges, {});
    order.take(1);
    order.take(0);
    CHECK(order.planned() == -1);
    CHECK(order.counted() == 3);
    CHECK(order.counted() == 2);
    CHECK(order.counted() == -1);
}

CASE(a_greedy_order_goes_on_after_what_was_taken) {
    // One action needs both tokens, another one the second.
    GreedyOrder order({0, 0, 1, 1}, {1, 1, 1, 0}, {}, {0, 0}, 0, rows({{0, 1}, {1}}),
                      rows({{0}, {1}}), {1, 1});
    order.take(1);
    CHECK(order.next() == 2);  // enables both
    order.take(3);
    CHECK(order.next() == 0);
    CHECK(order.next() == -1);
}

CASE(a_goal_out_of_reach_is_no_obstacle) {
    StripsTask task = two_parcels();
    task.goal = {5, 3};
    GoalOrder order(shared(task), 0, 1, {{0}, {2}, {1}, {}}, {});
    CHECK(all_of(order) == (Ints{0}));
    GoalOrder nothing(shared(task), 0, 1, {}, {});
    CHECK(next(nothing) == -1);
}

CASE(edges_of_a_real_plan) {
    OwnEdges edges{{2, 0}, {4, 2}, {1, 1}, {0, 0}};
    std::int64_t evaluations = 1000;
    CHECK(!is_solvable(two_parcels(), {}, evaluations));
    RealPlan plan = find_real_plan(two_parcels(), {}, {}, edges, evaluations);
    CHECK(plan.is_found);
    CHECK(plan.own_edges == (Ints{1}));
    edges.is_published[1] = 1;
    Disclosed disclosed{{{0, 2}}, {}};
    CHECK(is_solvable(two_parcels(), disclosed, evaluations));
    plan = find_real_plan(two_parcels(), disclosed, {}, edges, evaluations);
    CHECK(plan.is_found);
    CHECK(plan.own_edges.empty());
    CHECK(evaluations < 1000);
    evaluations = 0;
    CHECK(!is_solvable(two_parcels(), disclosed, evaluations));
}

}  // namespace

}  // namespace test_goal
