// States that a member makes up: a receiver refuses what does not follow from its own states.
#include <string>

#include "nodes.hpp"

namespace test_descents {

using namespace relay;

namespace {

using Numbers = std::vector<std::uint32_t>;

// Batons 0 and 1, agents 0 to 2; the step from place i of baton b is agent (b + i) mod 3's. So
// agent 1 has, in the order of its published actions, (0 from 1), (0 from 4), (1 from 0) and (1
// from 3), and agent 2 (0 from 2), (0 from 5), (1 from 1) and (1 from 4).
struct Fixture {
    Problem problem;
    Shape shape;
    Nodes nodes;

    explicit Fixture(Options options)
        : problem(options), shape{static_cast<std::size_t>(problem.public_facts()), {2, 2, 2}},
          nodes(nodes_of(problem)) {}

    Word facts(int first, int second) const {
        return Word{1} << problem.at(0, first) | Word{1} << problem.at(1, second);
    }
    struct Made {
        Word facts;
        std::uint32_t ref, g;
        std::vector<Index> indices;
        std::uint32_t origin = 0, segments = 0;
        Numbers descent;
    };
    Bytes frame(const Made &made) const {
        FrameWriter writer(shape);
        writer.state({made.ref,
                      made.g,
                      0,
                      &made.facts,
                      made.indices.data(),
                      {made.origin, made.segments, made.descent}});
        return writer.take();
    }
    void accept(std::size_t sender, const Made &made) {
        std::int64_t received = nodes[0]->counters().received;
        nodes[0]->receive(sender, frame(made));
        CHECK(nodes[0]->counters().received == received + 1);
    }
    void refuse(std::size_t sender, const Made &made, const char *why) {
        std::int64_t received = nodes[0]->counters().received;
        std::string said;
        try {
            nodes[0]->receive(sender, frame(made));
        } catch (const MalformedFrame &error) {
            said = error.what();
        }
        CHECK(said.find(why) != std::string::npos);
        CHECK(nodes[0]->counters().received == received);
    }
    Bytes meaning(std::size_t agent, Index index, Word tokens) const {
        FrameWriter writer(shape);
        writer.index(agent, index, &tokens);
        return writer.take();
    }
};

}  // namespace

CASE(a_state_must_come_about_by_its_descent) {
    Fixture at({.agents = 3, .length = 6});
    at.accept(1, {at.facts(0, 1), 1, 1, {0, 0, 0}, 0, 0, {1, 2}});
    at.refuse(1, {at.facts(0, 2), 2, 1, {0, 0, 0}, 0, 0, {1, 2}}, "come about");  // other facts
    at.refuse(1, {at.facts(2, 0), 2, 1, {0, 0, 0}, 0, 0, {1, 0}}, "come about");  // needs
    at.refuse(1, {at.facts(0, 1), 2, 1, {0, 0, 0}, 0, 0, {1, 4}}, "not publish");
    at.refuse(1, {at.facts(0, 1), 2, 2, {0, 0, 0}, 0, 0, {1, 2}}, "other steps");
    at.refuse(1, {at.facts(0, 0), 2, 0, {0, 0, 0}, 0, 0, {0}}, "without public action");
    at.refuse(1, {at.facts(1, 1), 2, 2, {0, 0, 0}, 0, 1, {1, 2, 0, 1, 1, 0}}, "cannot have one");
    at.refuse(1, {at.facts(1, 1), 2, 2, {0, 0, 0}, 0, 1, {1, 2, 3, 1, 1, 0}}, "cannot have one");
    // Agent 2 goes on from what agent 1 did, and then agent 1 again.
    at.accept(2, {at.facts(0, 2), 1, 2, {0, 0, 0}, 0, 1, {1, 2, 1, 1, 1, 2}});
    at.refuse(1, {at.facts(0, 2), 2, 2, {0, 0, 0}, 3, 0, {1, 2}}, "come about");
}

CASE(a_state_must_descend_from_one_that_its_receiver_has) {
    Fixture at({.agents = 3, .length = 6});
    at.refuse(1, {at.facts(0, 1), 2, 1, {0, 0, 0}, 2, 0, {1, 2}}, "descends from none");
    at.refuse(1, {at.facts(0, 1), 2, 1, {0, 0, 0}, 3, 0, {1, 2}}, "descends from none");
    work_alone(*at.nodes[0],
               3);  // its first step, baton 0 from place 0, is its state 1 with index 1
    at.accept(1, {at.facts(2, 0), 2, 2, {1, 0, 0}, 2, 0, {1, 0}});
    at.refuse(1, {at.facts(2, 0), 3, 2, {0, 0, 0}, 2, 0, {1, 0}}, "another index of its receiver");
    at.refuse(1, {at.facts(2, 0), 3, 2, {1, 0, 0}, 0, 0, {1, 0}}, "another index of its receiver");
    at.accept(1, {at.facts(2, 1), 3, 3, {1, 0, 0}, 5, 0, {1, 2}});  // from what it sent before
    at.refuse(1, {at.facts(2, 1), 4, 3, {0, 0, 0}, 5, 0, {1, 2}}, "another index of its receiver");
    at.refuse(2, {at.facts(2, 1), 4, 3, {1, 0, 0}, 5, 0, {1, 2}}, "descends from none");
    at.refuse(1, {at.facts(2, 1), 4, 3, {1, 0, 0}, 9, 0, {1, 2}}, "descends from none");
}

CASE(an_agent_that_has_not_acted_keeps_its_index) {
    Fixture at({.agents = 3, .length = 6});
    at.nodes[0]->receive(2, at.meaning(2, 4, 1));
    at.refuse(1, {at.facts(0, 1), 1, 1, {0, 0, 4}, 0, 0, {1, 2}}, "has not acted");
    at.accept(2, {at.facts(0, 2), 1, 2, {0, 0, 4}, 0, 1, {1, 2, 1, 1, 1, 2}});
}

CASE(tokens_of_a_descent_must_be_on_the_ledger) {
    // Agent 1's last step needs the key, which its first achieves by an edge that may be disclosed.
    for (bool discloses : {true, false}) {
        Fixture at({.agents = 3, .length = 6, .discloses_key = discloses, .grows = true});
        work_alone(*at.nodes[0], 3);  // baton 0 from place 0
        at.accept(1, {at.facts(2, 0), 1, 2, {1, 0, 0}, 2, 0, {1, 0}});
        at.accept(1, {at.facts(2, 1), 2, 3, {1, 0, 0}, 3, 0, {1, 2}});
        at.accept(2, {at.facts(2, 2), 1, 4, {1, 0, 0}, 2, 1, {1, 2, 1, 2, 2, 2, 0}});
        at.nodes[0]->receive(1, at.meaning(1, 3, 0b11));
        Fixture::Made made{at.facts(2, 1), 3, 3, {1, 3, 0}, 3, 0, {1, 2}};
        if (discloses)
            at.accept(1, made);
        else
            at.refuse(1, made, "come about");  // its index means more than was achieved
    }
}

CASE(what_an_index_means_is_its_owners_to_say) {
    for (bool grows : {true, false}) {
        Fixture at({.agents = 3, .length = 6, .discloses_key = !grows, .grows = grows});
        at.nodes[0]->receive(1, at.meaning(1, 3, 0b01));
        at.nodes[0]->receive(2, at.meaning(1, 3, 0b01));
        CHECK_THROWS(MalformedFrame, at.nodes[0]->receive(1, at.meaning(1, 3, 0b11)));
        CHECK_THROWS(MalformedFrame, at.nodes[0]->receive(2, at.meaning(1, 3, 0b11)));
        CHECK_THROWS(MalformedFrame, at.nodes[0]->receive(1, at.meaning(0, 0, 0b01)));
        at.accept(1, {at.facts(0, 1), 1, 1, {0, 3, 0}, 0, 0, {1, 2}});
        if (!grows)
            continue;
        at.problem.grow(*at.nodes[0], 0);
        at.nodes[0]->receive(2, at.meaning(1, 3, 0b11));  // not believed
        at.nodes[0]->receive(1, at.meaning(1, 3, 0b11));
        at.refuse(1, {at.facts(0, 1), 2, 1, {0, 3, 0}, 0, 0, {1, 2}}, "come about");
    }
}

CASE(a_disclosure_counts_for_steps_that_were_taken_before) {
    Fixture at({.agents = 3, .length = 6, .discloses_key = false, .grows = true});
    work_alone(*at.nodes[0], 3);                                    // baton 0 from place 0
    at.accept(1, {at.facts(2, 0), 1, 2, {1, 0, 0}, 2, 0, {1, 0}});  // achieves the key
    at.nodes[0]->receive(1, at.meaning(1, 3, 0b01));
    Fixture::Made made{at.facts(2, 1), 2, 3, {1, 3, 0}, 3, 0, {1, 2}};
    at.accept(1, made);
    at.problem.grow(*at.nodes[0], 0);
    at.nodes[0]->receive(1, at.meaning(1, 4, 0b11));
    made.ref = 3;
    made.indices = {1, 4, 0};
    at.accept(1, made);
}

CASE(where_tokens_do_not_count_the_rest_of_a_descent_does) {
    for (bool pairwise : {true, false}) {
        Fixture at({.agents = 3,
                    .length = 6,
                    .discloses_key = false,
                    .is_exact = false,
                    .any_disclosed = !pairwise});
        at.accept(1, {at.facts(0, 1), 1, 1, {0, 0, 0}, 0, 0, {1, 2}});
        at.refuse(1, {at.facts(0, 2), 2, 1, {0, 0, 0}, 0, 0, {1, 2}}, "come about");
        at.nodes[0]->receive(1, at.meaning(1, 3, 0b11));
        at.refuse(1, {at.facts(0, 1), 2, 1, {0, 3, 0}, 0, 0, {1, 2}}, "come about");
    }
}

CASE(what_is_made_up_of_a_third_agent_is_refused_by_that_agent) {
    Fixture at({.agents = 3, .length = 6});
    // Agent 2 claims that agent 1, which has sent nothing, took its baton's first step.
    at.accept(2, {at.facts(0, 2), 1, 2, {0, 0, 0}, 0, 1, {1, 2, 1, 1, 1, 2}});
    bool is_refused = false;
    for (int round = 0; round < 100 && !is_refused; ++round) {
        at.nodes[0]->step(10);
        if (!at.nodes[0]->has_outgoing(1))
            continue;
        try {
            at.nodes[1]->receive(0, at.nodes[0]->take_outgoing(1));
        } catch (const MalformedFrame &error) {
            is_refused = std::string(error.what()).find("descends from none") != std::string::npos;
        }
    }
    CHECK(is_refused);
}

}  // namespace test_descents
