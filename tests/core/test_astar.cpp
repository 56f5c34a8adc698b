// Nodes that search for the cheapest plan, and the bounds that guide them.
#include <map>
#include <random>

#include "check.hpp"
#include "heuristics/lm_cut.hpp"
#include "heuristics/relaxed_bound.hpp"
#include "mafs/astar_node.hpp"
#include "nodes.hpp"
#include "tasks.hpp"

namespace test_astar {

using namespace tacit;
using namespace tacit::mafs;
using namespace relay;

namespace {

// A small task at random: ten facts, costs from 0 to 3.
StripsTask random_task(std::mt19937 &random) {
    auto below = [&](int n) { return static_cast<std::int32_t>(random() % n); };
    std::vector<Ints> pre, add, del;
    Ints cost;
    for (int a = 0; a < 16; ++a) {
        pre.push_back({below(10)});
        if (below(2))
            pre.back().push_back((pre.back()[0] + 1 + below(9)) % 10);
        add.push_back({below(10)});
        std::int32_t deleted = below(10);
        del.push_back(deleted == add.back()[0] ? Ints{} : Ints{deleted});
        cost.push_back(below(4));
    }
    return StripsTask(10, {0, 1, 2, 3}, {7, 8 + below(2)}, rows(pre), rows(add), rows(del), cost,
                      Ints(16, 0));
}

// What a plan costs, by Dijkstra's algorithm over all states; -1 if there is none.
int cheapest(const StripsTask &task) {
    std::multimap<int, unsigned> open;
    std::map<unsigned, int> best;
    auto set_of = [](Row facts) {
        unsigned set = 0;
        for (std::int32_t fact : facts)
            set |= 1u << fact;
        return set;
    };
    open.emplace(0, set_of(task.init));
    while (!open.empty()) {
        auto [cost, state] = *open.begin();
        open.erase(open.begin());
        if (best.contains(state))
            continue;
        best[state] = cost;
        if ((set_of(task.goal) & ~state) == 0)
            return cost;
        for (std::size_t a = 0; a < task.size(); ++a)
            if ((set_of(task.pre[a]) & ~state) == 0)
                open.emplace(cost + task.cost[a],
                             (state & ~set_of(task.del[a])) | set_of(task.add[a]));
    }
    return -1;
}

std::vector<std::unique_ptr<AstarNode>> astar_nodes(const Problem &problem, Costs costs,
                                                    const char *heuristic) {
    std::vector<std::unique_ptr<AstarNode>> nodes;
    for (std::size_t agent = 0; agent < problem.agents(); ++agent) {
        NodeTask task = problem.assembled(agent).task;
        task.options.costs = costs;
        if (costs == Costs::of_public)
            task.view.cost[0] = 0;  // to rest is private
        nodes.push_back(std::make_unique<AstarNode>(std::move(task), heuristic));
    }
    return nodes;
}

// Lets everybody work in turn until nothing below the best incumbent is left; what it costs.
std::int32_t search_all(std::vector<std::unique_ptr<AstarNode>> &nodes, std::int64_t slice) {
    std::int32_t bound = AstarNode::no_cost;
    for (int round = 0; round < many_rounds; ++round) {
        bool is_quiet = true;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            nodes[i]->limit(bound, AstarNode::no_cost - 1);
            nodes[i]->step(slice);
            bound = std::min(bound, nodes[i]->cost());
            for (std::size_t other = 0; other < nodes.size(); ++other)
                if (nodes[i]->has_outgoing(other)) {
                    nodes[other]->receive(i, nodes[i]->take_outgoing(other));
                    is_quiet = false;
                }
        }
        for (const auto &node : nodes) {
            node->limit(bound, AstarNode::no_cost - 1);
            is_quiet &= node->is_idle() && node->lowest() == AstarNode::no_cost;
        }
        if (is_quiet)
            return bound;
    }
    CHECK(!"a search that ends");
    return -1;
}

}  // namespace

CASE(bounds_are_bounds_and_lm_cut_is_at_least_h_max) {
    std::mt19937 random(5);
    int solvable = 0, better = 0;
    for (int round = 0; round < 400; ++round) {
        StripsTask task = random_task(random);
        std::vector<Word> state(1);
        for (std::int32_t fact : task.init)
            put(state.data(), static_cast<std::size_t>(fact));
        int exact = cheapest(task);
        int cut =
            find_admissible("lmcut").make_admissible(task, {})->evaluate(state.data(), 1 << 20);
        int max =
            find_admissible("hmax").make_admissible(task, {})->evaluate(state.data(), 1 << 20);
        CHECK((cut == dead_end) == (max == dead_end));
        CHECK(exact < 0 || (cut >= max && cut <= exact));
        solvable += exact >= 0;
        better += cut > max;
    }
    CHECK(solvable > 40 && better > 5);
}

CASE(lm_cut_counts_no_cost_twice) {
    std::mt19937 random(11);
    for (int round = 0; round < 200; ++round) {
        StripsTask task = random_task(random);
        LmCut cuts(task.facts, task.goal, task.pre, task.add, task.cost);
        Ints counted(task.size(), 0);
        std::int64_t sum = 0;
        std::int64_t value = cuts.evaluate(
            task.init, LmCut::no_limit, [&](std::span<const std::int32_t> cut, std::int64_t cost) {
                sum += cost;
                for (std::int32_t op : cut)
                    counted[op] += static_cast<std::int32_t>(cost);
            });
        if (value == LmCut::unreachable)
            continue;
        CHECK(sum == value);
        for (std::size_t a = 0; a < task.size(); ++a)
            CHECK(counted[a] <= task.cost[a]);
    }
}

// A toll is as good as an action that costs as much and that its actions need.
CASE(tolls_are_paid_once_for_all_actions_that_have_them) {
    std::mt19937 random(17);
    int higher = 0;
    for (int round = 0; round < 300; ++round) {
        StripsTask task = random_task(random);
        auto count = static_cast<std::int32_t>(task.size());
        Tolls tolls;
        Rows pre, add = task.add, del = task.del;
        std::vector<Ints> needs;
        for (std::int32_t a = 0; a < count; ++a)
            needs.emplace_back(task.pre[a].begin(), task.pre[a].end());
        Ints cost = task.cost;
        for (std::int32_t toll = 0; toll < 3; ++toll) {
            Ints before;
            for (std::int32_t a = 0; a < count; ++a)
                if (random() % 2) {
                    before.push_back(a);
                    needs[a].push_back(10 + toll);
                }
            tolls.cost.push_back(1 + static_cast<std::int32_t>(random() % 3));
            tolls.actions.append(before);
            needs.push_back({});
            add.append(Ints{10 + toll});
            del.append({});
            cost.push_back(tolls.cost.back());
        }
        tolls.complete(count);
        tolls.shut = {task.init[0]};
        StripsTask paid(13, Ints(task.init.begin() + 1, task.init.end()), task.goal, rows(needs),
                        add, del, cost, Ints(cost.size(), 0));
        int exact = cheapest(paid);
        std::vector<Word> state(1);
        for (std::int32_t fact : task.init)
            put(state.data(), static_cast<std::size_t>(fact));
        const Tolls *due[] = {&tolls};
        for (const char *name : {"lmcut", "hmax"}) {
            auto bound = find_admissible(name).make_admissible(task, {{0, 0, count}});
            int with = bound->evaluate(state.data(), 1 << 20, due);
            int without = bound->evaluate(state.data(), 1 << 20, std::vector<const Tolls *>(1));
            CHECK(exact < 0 || (with != dead_end && with <= exact));
            CHECK(without ==
                  find_admissible(name).make_admissible(task, {})->evaluate(state.data(), 1 << 20));
            higher += with > without;
        }
    }
    CHECK(higher > 100);
}

CASE(inadmissible_heuristics_are_refused) {
    CHECK_THROWS(std::invalid_argument, find_admissible("ff"));
    CHECK_THROWS(std::invalid_argument, find_admissible("nothing"));
    Problem problem({});
    CHECK_THROWS(std::invalid_argument, AstarNode(problem.assembled(0).task, "lmcut"));
    CHECK_THROWS(std::invalid_argument, astar_nodes(problem, Costs::of_all, "ff"));
    Problem growing({.grows = true});
    CHECK_THROWS(std::invalid_argument, astar_nodes(growing, Costs::of_all, "lmcut"));
}

CASE(nodes_find_the_cheapest_plan_together) {
    for (int agents = 1; agents <= 3; ++agents)
        for (bool private_goals : {false, true})
            for (std::int64_t slice : {1, 7, 1000})
                for (const char *heuristic : {"lmcut", "lmcut-projection", "lmcut-both", "hmax"}) {
                    Problem problem({agents, 2, 4, true, private_goals, false, true, true});
                    auto publics = astar_nodes(problem, Costs::of_public, heuristic);
                    CHECK(search_all(publics, slice) == 8 + (private_goals ? agents : 0));
                    auto all = astar_nodes(problem, Costs::of_all, heuristic);
                    std::int32_t cost = search_all(all, slice);
                    // Everybody rests between its steps, and after the last one if it must.
                    int rests = 8 - agents + (private_goals ? agents : 0);
                    CHECK(cost == 8 + rests + (private_goals ? agents : 0));
                }
}

CASE(nodes_prove_that_there_is_no_plan) {
    Problem problem({.discloses_key = false});
    for (const char *heuristic : {"lmcut", "hmax"}) {
        auto nodes = astar_nodes(problem, Costs::of_all, heuristic);
        CHECK(search_all(nodes, 3) == AstarNode::no_cost);
        CHECK_THROWS(std::invalid_argument, nodes[0]->trace_found());
    }
}

CASE(a_horizon_holds_a_node_back_and_a_bound_ends_it) {
    Problem problem({.agents = 1});
    auto nodes = astar_nodes(problem, Costs::of_all, "lmcut");
    AstarNode &node = *nodes[0];
    std::int32_t first = node.lowest();
    CHECK(first > 0 && first < AstarNode::no_cost && node.is_idle());
    node.limit(AstarNode::no_cost, first);
    CHECK(!node.is_idle());
    node.step(1);
    CHECK(node.counters().expanded == 1);
    node.limit(first, AstarNode::no_cost - 1);
    CHECK(node.is_idle() && node.lowest() == AstarNode::no_cost);
}

CASE(the_initial_state_is_evaluated_again_with_tolls) {
    Problem problem({.agents = 2});
    std::int64_t evaluated[2];
    for (bool is_told : {false, true}) {
        auto nodes = astar_nodes(problem, Costs::of_all, "lmcut");
        CHECK(nodes[1]->has_outgoing(0));
        if (is_told)
            nodes[0]->receive(1, nodes[1]->take_outgoing(0));
        nodes[0]->limit(AstarNode::no_cost, nodes[0]->lowest());
        nodes[0]->step(1);
        evaluated[is_told] = nodes[0]->counters().evaluated;
    }
    CHECK(evaluated[true] > evaluated[false]);
    auto publics = astar_nodes(problem, Costs::of_public, "lmcut");
    CHECK(!publics[1]->has_outgoing(0));
}

CASE(a_state_that_costs_less_than_its_descent_is_refused) {
    Problem problem({.agents = 2});
    for (Costs costs : {Costs::of_public, Costs::of_all}) {
        auto nodes = astar_nodes(problem, costs, "hmax");
        nodes[0]->limit(AstarNode::no_cost, AstarNode::no_cost - 1);
        nodes[0]->step(50);
        CHECK(nodes[0]->has_outgoing(1));
        Bytes frame = nodes[0]->take_outgoing(1);
        NodeTask task = problem.assembled(1).task;
        task.options.costs = costs;
        task.projection.change([](StripsTask &projection) {  // as if published so
            std::ranges::fill(projection.cost, 1000);
        });
        AstarNode other(std::move(task), "hmax");
        CHECK_THROWS(MalformedFrame, other.receive(0, frame));
    }
}

}  // namespace test_astar
