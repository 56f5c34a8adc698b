// Nodes that search together, by hand and on threads.
#include "check.hpp"
#include "nodes.hpp"

namespace test_mafs {

using namespace tacit;
using namespace tacit::mafs;
using namespace relay;

CASE(nodes_find_a_plan_together) {
    for (int agents = 1; agents <= 3; ++agents)
        for (bool private_goals : {false, true})
            for (bool is_exact : {true, false}) {
                Problem problem({agents, 2, 4, true, private_goals, false, is_exact, true});
                for (const char *heuristic : {"ff", "add", "goalcount"}) {
                    Nodes nodes = nodes_of(problem, heuristic);
                    int finder = search(nodes);
                    CHECK(finder >= 0 && holds(problem, nodes, finder));
                    CHECK(agents == 1 || nodes[0]->counters().sent > 0);
                }
            }
}

CASE(hardened_nodes_find_a_plan_or_exhaust_their_states) {
    for (int choice = 0; choice < 32; ++choice) {
        Hardening hardening{(choice & 1) != 0, (choice & 2) != 0, (choice & 4) != 0,
                            (choice & 8) != 0, (choice & 16) != 0};
        for (bool private_goals : {false, true}) {
            Problem problem({3, 2, 3, true, private_goals, false, true, true, hardening});
            Nodes nodes = nodes_of(problem);
            int finder = search(nodes);
            CHECK(finder >= 0 && holds(problem, nodes, finder));
        }
        Problem unsolvable({2, 2, 3, false, false, true, false, true, hardening});
        Nodes idle = nodes_of(unsolvable);
        CHECK(search(idle) == -1);
        for (std::size_t agent = 0; agent < idle.size(); ++agent)
            unsolvable.grow(*idle[agent], agent);
        int finder = search(idle);
        CHECK(finder >= 0 && holds(unsolvable, idle, finder));
    }
}

CASE(the_slice_does_not_change_whether_a_plan_is_found) {
    for (std::int64_t slice : {1, 2, 7, 1000}) {
        Problem problem({.agents = 3, .batons = 3, .length = 3});
        Nodes nodes = nodes_of(problem);
        int finder = search(nodes, slice);
        CHECK(finder >= 0 && holds(problem, nodes, finder));
    }
}

CASE(nodes_are_idle_once_nothing_is_left) {
    for (bool is_exact : {true, false}) {
        Problem problem({.discloses_key = false, .is_exact = is_exact});
        Nodes nodes = nodes_of(problem);
        CHECK(search(nodes) == -1);
        for (const auto &node : nodes) {
            CHECK(node->is_idle() && !node->has_found());
            CHECK_THROWS(std::invalid_argument, node->trace_found());
            CHECK_THROWS(std::invalid_argument, node->trace_sent(0));
            CHECK_THROWS(std::invalid_argument, node->trace_sent(1u << 30));
            CHECK(node->bytes() > node->stored() * sizeof(Record));
        }
        CHECK(is_exact || nodes[0]->counters().deferred + nodes[1]->counters().deferred > 0);
    }
}

CASE(a_disclosure_frees_what_was_deferred) {
    for (bool is_exact : {true, false})
        for (bool private_goals : {false, true}) {
            Problem problem({2, 2, 3, false, private_goals, true, is_exact, true});
            Nodes nodes = nodes_of(problem);
            CHECK(search(nodes) == -1);
            std::int64_t before = stored(nodes);
            for (std::size_t agent = 0; agent < nodes.size(); ++agent)
                problem.grow(*nodes[agent], agent);
            int finder = search(nodes);
            CHECK(finder >= 0 && holds(problem, nodes, finder));
            CHECK(stored(nodes) > before);
        }
}

CASE(an_agent_with_tokens_to_send_is_not_idle_before_they_are_sent) {
    Problem problem({.discloses_key = false, .grows = true});
    Nodes nodes = nodes_of(problem);
    CHECK(search(nodes) == -1);
    problem.grow(*nodes[1], 1);
    nodes[1]->step(many_rounds);
    CHECK(nodes[1]->has_outgoing(0) && !nodes[1]->has_found() && !nodes[1]->is_idle());
    nodes[1]->take_outgoing(0);
    CHECK(nodes[1]->is_idle());
}

CASE(a_public_plan_is_followed) {
    for (int choice = 0; choice < 5; ++choice)
        for (bool private_goals : {false, true}) {
            Hardening hardening{(choice & 1) != 0, (choice & 2) != 0, false, false, choice == 4};
            Problem problem({3, 4, 5, true, private_goals, false, true, true, hardening});
            Nodes plain = nodes_of(problem), guided = nodes_of(problem);
            for (const auto &node : guided)
                node->follow_plan(problem.public_plan());
            int finder = search(plain), follower = search(guided);
            CHECK(finder >= 0 && follower >= 0 && holds(problem, guided, follower));
            CHECK(stored(guided) < stored(plain) / 2);
        }
}

CASE(a_plan_that_cannot_be_executed_changes_nothing_but_the_way) {
    for (bool knows_key : {false, true}) {
        Problem problem({.batons = 3, .length = 3, .discloses_key = knows_key, .is_exact = false});
        Nodes nodes = nodes_of(problem);
        Ints plan = problem.public_plan(), backwards(plan.rbegin(), plan.rend());
        for (const Ints &steps : {Ints{}, backwards, Ints(200, plan[0]), plan})
            for (const auto &node : nodes)
                if (knows_key)
                    node->follow_plan(
                        Ints(steps.begin(),
                             steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2)));
                else
                    node->follow_plan(steps);
        CHECK((search(nodes) >= 0) == knows_key);
    }
}

CASE(a_plan_may_come_late_and_k_may_grow_after_it) {
    Problem problem({2, 2, 4, false, false, true, true, true});
    Nodes nodes = nodes_of(problem);
    CHECK(search(nodes) == -1);
    for (std::size_t agent = 0; agent < nodes.size(); ++agent) {
        std::size_t before = nodes[agent]->bytes();
        nodes[agent]->follow_plan(problem.public_plan());
        CHECK(nodes[agent]->bytes() > before);
    }
    CHECK(search(nodes) == -1);
    for (std::size_t agent = 0; agent < nodes.size(); ++agent)
        problem.grow(*nodes[agent], agent);
    int finder = search(nodes);
    CHECK(finder >= 0 && holds(problem, nodes, finder));
    CHECK_THROWS(std::invalid_argument, nodes[0]->follow_plan({-1}));
    CHECK_THROWS(std::invalid_argument, nodes[0]->follow_plan({1000}));
}

CASE(pairwise_takes_an_action_unless_an_edge_to_it_is_withheld) {
    // The last own step of each agent does not follow its first directly, so nothing is pruned.
    Problem problem({.batons = 2,
                     .length = 4,
                     .discloses_key = false,
                     .is_exact = false,
                     .any_disclosed = false});
    Nodes nodes = nodes_of(problem);
    int finder = search(nodes);
    CHECK(finder >= 0 && holds(problem, nodes, finder));
    // With two steps each it does.
    Problem direct({.batons = 1,
                    .length = 4,
                    .discloses_key = false,
                    .is_exact = false,
                    .any_disclosed = false});
    Nodes held = nodes_of(direct);
    CHECK(search(held) == -1 && held[0]->counters().deferred > 0);
}

CASE(a_state_that_comes_again_by_fewer_steps_is_taken_up_again_under_pairwise) {
    Options options{
        .agents = 3, .batons = 1, .length = 4, .is_exact = false, .any_disclosed = false};
    Problem problem(options);
    Shape shape{static_cast<std::size_t>(problem.public_facts()), {2, 2, 2}};
    Nodes nodes = nodes_of(problem);
    auto frame = [&](int place, std::uint32_t ref, std::uint32_t g, std::vector<Index> indices,
                     Descent descent) {
        Word facts = Word{1} << problem.at(0, place);
        FrameWriter writer(shape);
        writer.state({ref, g, 0, &facts, indices.data(), descent});
        return writer.take();
    };
    const std::vector<std::uint32_t> two_steps{1, 0, 0, 1, 1, 0}, later_steps{1, 0, 1, 1, 1, 0};
    const Descent from_start{0, 1, two_steps}, from_first{2, 1, later_steps};
    Node &last = *nodes[2];  // it has not acted
    last.receive(1, frame(2, 7, 6, {0, 0, 0}, from_start));
    work_alone(last, 3);
    std::int64_t expanded = last.counters().expanded;
    last.receive(1, frame(2, 8, 6, {0, 0, 0}, from_start));
    CHECK(last.is_idle());
    last.receive(1, frame(2, 9, 2, {0, 0, 0}, from_start));
    CHECK(!last.is_idle());
    work_alone(last, 3);
    CHECK(last.counters().expanded > expanded);
    CHECK_THROWS(MalformedFrame, last.receive(1, frame(2, 10, 1, {0, 0, 0}, from_start)));

    options.length = 3;
    problem = Problem(options);
    shape.public_facts = static_cast<std::size_t>(problem.public_facts());
    nodes = nodes_of(problem);
    Node &first = *nodes[0];
    work_alone(first, 3);  // its first state has its index 1
    for (auto [ref, g] : {std::pair{7u, 6u}, {8u, 4u}, {9u, 5u}})
        first.receive(2, frame(3, ref, g, {1, 0, 0}, from_first));
    CHECK(first.has_found());
    CHECK(first.trace_found().sender == 2 && first.trace_found().ref == 8);
    CHECK(first.trace_found().g == 4);
}

CASE(the_larger_of_two_values_counts_where_values_are_sent) {
    for (bool sends : {true, false}) {
        Problem problem({.agents = 3, .batons = 1, .length = 3});
        NodeTask task = problem.assembled(2).task;
        task.options.sends_own_value = sends;
        Node node(std::move(task), "ff");
        work_alone(node, 3);
        int first = node.best_shown_value();
        const Shape shape{static_cast<std::size_t>(problem.public_facts()), {2, 2, 2}};
        const std::vector<Index> indices{0, 0, 0};
        const std::vector<std::uint32_t> descent{1, 0};
        Word facts = Word{1} << problem.at(0, 1);  // nearer to the goal, and another agent's turn
        for (std::uint32_t sent : {1000u, 0u}) {   // the second time it is known
            FrameWriter writer(shape);
            writer.state({1, 1, sent, &facts, indices.data(), {0, 0, descent}});
            node.receive(0, writer.take());
            work_alone(node, 3);
            CHECK((node.best_shown_value() < first) == !sends);
        }
    }
}

CASE(under_pairwise_the_goal_is_asked_for_before_tokens_are) {
    for (bool private_goals : {false, true}) {
        // The only agent's second step needs the key of its first, and reaches the goal.
        Problem problem({.agents = 1,
                         .batons = 1,
                         .length = 2,
                         .discloses_key = false,
                         .private_goals = private_goals,
                         .is_exact = false,
                         .any_disclosed = false});
        Nodes nodes = nodes_of(problem);
        int finder = search(nodes);
        // It is tired then; its private goal is to be ready, which takes another action.
        CHECK((finder >= 0) == !private_goals);
        CHECK(finder < 0 || holds(problem, nodes, finder));
    }
}

CASE(nodes_on_threads_find_a_plan) {
    for (int round = 0; round < 5; ++round) {
        Problem problem({.agents = 2 + round % 2, .batons = 3, .length = 4});
        Nodes nodes = nodes_of(problem);
        int finder = search_on_threads(nodes);
        CHECK(finder >= 0 && holds(problem, nodes, finder));
    }
}

CASE(nodes_on_threads_exhaust_their_states) {
    Problem problem({.batons = 4, .length = 3, .discloses_key = false, .is_exact = false});
    Nodes by_hand = nodes_of(problem), on_threads = nodes_of(problem);
    CHECK(search(by_hand) == -1 && search_on_threads(on_threads) == -1);
    CHECK(by_hand[0]->counters().received > 100);
    CHECK(stored(by_hand) > 300 && stored(on_threads) > 300);
    for (std::size_t i = 0; i < by_hand.size(); ++i)
        CHECK(by_hand[i]->is_idle() && on_threads[i]->is_idle());
}

CASE(a_node_refuses_what_cannot_be_a_state) {
    Problem problem({.agents = 3});
    Nodes nodes = nodes_of(problem);
    const Shape shape{static_cast<std::size_t>(problem.public_facts()), {2, 2, 2}};
    Word facts = Word{1} << problem.at(0, 0) | Word{1} << problem.at(1, 1);
    const std::vector<std::uint32_t> descent{1, 1};  // agent 1 takes the other baton's first step
    auto frame = [&](std::uint32_t ref, std::uint32_t g, std::uint32_t value,
                     std::vector<Index> indices) {
        FrameWriter writer(shape);
        writer.state({ref, g, value, &facts, indices.data(), {0, 0, descent}});
        return writer.take();
    };
    nodes[1]->step(10);
    nodes[0]->receive(1, nodes[1]->take_outgoing(0));
    std::int64_t received = nodes[0]->counters().received;
    CHECK(received > 0);
    CHECK_THROWS(MalformedFrame, nodes[0]->receive(0, frame(1, 1, 0, {0, 0, 0})));
    CHECK_THROWS(MalformedFrame, nodes[0]->receive(3, frame(1, 1, 0, {0, 0, 0})));
    for (const Bytes &bad : {frame(0, 1, 0, {0, 0, 0}), frame(1, 1u << 31, 0, {0, 0, 0}),
                             frame(1, INT32_MAX, 0, {0, 0, 0}), frame(1, 1, 1u << 31, {0, 0, 0}),
                             frame(1, 1, 0, {9, 0, 0}), frame(1, 1, 0, {0, 99, 0}),
                             frame(1, 1, 0, {0, 0, ~Index{0}}), Bytes{}})
        CHECK_THROWS(MalformedFrame, nodes[0]->receive(1, bad));
    CHECK(nodes[0]->counters().received == received);
    int finder = search(nodes);
    CHECK(finder >= 0 && holds(problem, nodes, finder));
}

CASE(parts_that_do_not_fit_are_refused) {
    Problem problem({});
    LocalTask local = problem.local(0);
    NodeTask good = problem.assembled(0).task;
    mafs::check(good);
    auto refused = [&](auto &&spoil) {
        NodeTask task = good;
        spoil(task);
        CHECK_THROWS(std::invalid_argument, mafs::check(task));
    };
    refused([](NodeTask &task) { task.self = 2; });
    refused([](NodeTask &task) { task.self = -1; });
    refused([](NodeTask &task) { task.public_facts += 64; });
    refused([](NodeTask &task) { task.token_counts[1] = 65; });
    refused([](NodeTask &task) { task.is_public.pop_back(); });
    refused([](NodeTask &task) { task.published.pop_back(); });
    refused([](NodeTask &task) { task.published[0] = 0; });
    refused([](NodeTask &task) { task.published[1] = 99; });
    refused([](NodeTask &task) { task.needed_tokens.items.back() = 2; });
    refused([](NodeTask &task) { task.groups.pop_back(); });
    refused([](NodeTask &task) { task.groups[0] = 7; });
    refused([](NodeTask &task) { task.support.token[0] = 2; });
    refused([](NodeTask &task) { task.support.disclosed.pop_back(); });
    refused([](NodeTask &task) { task.shown.sets.items[0] = -1; });
    refused([](NodeTask &task) { task.shown.initial = {99}; });
    CHECK_THROWS(std::invalid_argument, Node(good, "nonesuch"));
    mafs::Parts parts{0, local, {}, {}, {}, {}, {}, true};
    CHECK_THROWS(std::invalid_argument, assemble(parts));
    parts.shown.resize(1);
    CHECK_THROWS(std::invalid_argument, assemble(parts));  // no row of tokens per own action
}

}  // namespace test_mafs
