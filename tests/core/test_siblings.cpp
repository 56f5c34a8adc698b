// Secure-MAFS: one state of a pair is sent, the others are continued from what comes back.
#include <map>
#include <set>

#include "check.hpp"
#include "mafs/evaluator.hpp"
#include "nodes.hpp"

namespace test_siblings {

using namespace tacit;
using namespace tacit::mafs;
using namespace relay;

namespace {

constexpr Hardening secure{.secure = true};

Options with_agents(int agents, bool private_goals = false) {
    return {.agents = agents,
            .batons = 2,
            .length = 4,
            .private_goals = private_goals,
            .hardening = secure};
}

// Everything that nodes send each other until one of them has found a goal.
struct Sent {
    std::size_t sender, receiver;
    std::uint32_t ref;
    std::vector<Word> facts;
    std::vector<Index> indices;
};

std::vector<Sent> watch(const Problem &problem, Nodes &nodes) {
    const Shape shape{static_cast<std::size_t>(problem.public_facts()),
                      std::vector<std::size_t>(nodes.size(), 2)};
    std::vector<Sent> seen;
    auto is_found = [&] {
        return std::ranges::any_of(nodes, [](const auto &node) { return node->has_found(); });
    };
    for (int round = 0; round < many_rounds && !is_found(); ++round)
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            nodes[i]->step(2);
            for (std::size_t to = 0; to < nodes.size(); ++to) {
                if (!nodes[i]->has_outgoing(to))
                    continue;
                Bytes frame = nodes[i]->take_outgoing(to);
                FrameReader reader(shape, frame);
                FrameReader::SentIndex index{};
                while (reader.next_index(index))
                    CHECK(index.tokens[0] == 0b11);  // both, always
                SentState state{};
                while (reader.next_state(state))
                    seen.push_back(
                        {i, to, state.ref,
                         std::vector<Word>(state.facts,
                                           state.facts + words_for(shape.public_facts)),
                         std::vector<Index>(state.indices, state.indices + nodes.size())});
                nodes[to]->receive(i, frame);
            }
        }
    return seen;
}

}  // namespace

CASE(a_pair_is_sent_once_and_an_index_is_that_of_one_state) {
    for (int agents : {2, 3}) {
        Problem problem(with_agents(agents));
        Nodes nodes = nodes_of(problem);
        std::set<std::tuple<std::size_t, std::size_t, std::vector<Word>, std::vector<Index>>> pairs;
        std::map<std::pair<std::size_t, Index>, std::uint32_t> refs;
        std::vector<Sent> sent = watch(problem, nodes);
        CHECK(sent.size() > 10);
        for (Sent &one : sent) {
            Index own = std::exchange(one.indices[one.sender], 0);
            CHECK(own > 0 && refs.try_emplace({one.sender, own}, one.ref).first->second == one.ref);
            CHECK(pairs.emplace(one.sender, one.receiver, one.facts, one.indices).second);
        }
    }
}

CASE(siblings_are_found_in_the_plan_and_on_threads) {
    for (int round = 0; round < 6; ++round) {
        Problem problem(with_agents(2 + round % 2, round > 2));
        Nodes nodes = nodes_of(problem);
        int finder = search_on_threads(nodes);
        CHECK(finder >= 0 && holds(problem, nodes, finder));
        CHECK_THROWS(std::invalid_argument, nodes[0]->trace_sent(1, 1 << 20));
    }
}

CASE(a_frame_that_says_which_tokens_an_index_has_is_refused) {
    Problem problem(with_agents(2));
    const Shape shape{static_cast<std::size_t>(problem.public_facts()), {2, 2}};
    Nodes nodes = nodes_of(problem);
    for (Word tokens : {Word{0}, Word{1}, Word{2}, Word{3}}) {
        FrameWriter writer(shape);
        writer.index(1, 1, &tokens);
        if (tokens == 3)
            nodes[0]->receive(1, writer.take());
        else
            CHECK_THROWS(MalformedFrame, nodes[0]->receive(1, writer.take()));
    }
}

CASE(values_do_not_depend_on_the_own_private_part) {
    for (bool is_secure : {false, true}) {
        Options options = with_agents(2);
        options.hardening.secure = is_secure;
        NodeTask task = Problem(options).assembled(0).task;
        Layout layout(task);
        Evaluator evaluator(task, layout, "ff");
        std::vector<Word> view = initial_view(task, layout), other = view;
        std::fill_n(other.begin() + static_cast<std::ptrdiff_t>(layout.public_words),
                    layout.view_words - layout.public_words, 0);
        Ints preferred, preferred_there;
        int here = evaluator.evaluate(view.data());
        evaluator.preferred(preferred);
        int there = evaluator.evaluate(other.data());
        evaluator.preferred(preferred_there);
        CHECK(here > 0 && (here == there) == is_secure);
        CHECK((preferred == preferred_there) == is_secure);
        CHECK(evaluator.wanted_facts().size() ==
              layout.public_words + (is_secure ? 0 : layout.private_words));
        other[0] = 0;  // other public facts
        CHECK(evaluator.evaluate(other.data()) != here);
    }
}

}  // namespace test_siblings
