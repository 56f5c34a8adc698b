// Proofs that there is no plan: what each argument sees, and that none is wrong.
#include <algorithm>
#include <deque>
#include <random>
#include <set>
#include <stdexcept>

#include "analysis/pairs.hpp"
#include "analysis/triples.hpp"
#include "analysis/unsolvability.hpp"
#include "check.hpp"

namespace test_unsolvability {

using namespace tacit;

namespace {

struct Act {
    Ints needs, adds, deletes;
    std::int32_t owner = 0;
    bool is_public = true;
};

struct Made {
    StripsTask task;
    std::vector<std::uint8_t> is_public;
};

Made made(std::int32_t facts, const Ints &init, const Ints &goal, const std::vector<Act> &acts) {
    Rows pre, add, del;
    Ints cost, group;
    std::vector<std::uint8_t> is_public;
    for (const Act &act : acts) {
        pre.append(act.needs);
        add.append(act.adds);
        del.append(act.deletes);
        cost.push_back(1);
        group.push_back(act.owner);
        is_public.push_back(act.is_public);
    }
    return {StripsTask(facts, init, goal, pre, add, del, cost, group), is_public};
}

UnsolvabilityProof why(const Made &m, std::int32_t public_facts, bool by_triples = true) {
    return prove_unsolvable(m.task, public_facts, m.is_public, by_triples);
}

// Visits every state.
bool has_plan(const StripsTask &task) {
    auto bits = [](Row row) {
        unsigned found = 0;
        for (std::int32_t fact : row)
            found |= 1u << fact;
        return found;
    };
    unsigned goal = bits(task.goal);
    std::set<unsigned> seen{bits(task.init)};
    std::deque<unsigned> queue(seen.begin(), seen.end());
    while (!queue.empty()) {
        unsigned state = queue.front();
        queue.pop_front();
        if ((state & goal) == goal)
            return true;
        for (std::size_t a = 0; a < task.size(); ++a) {
            unsigned needs = bits(task.pre[a]);
            if ((state & needs) != needs)
                continue;
            unsigned then = (state & ~bits(task.del[a])) | bits(task.add[a]);
            if (seen.insert(then).second)
                queue.push_back(then);
        }
    }
    return false;
}

// One thing, moved between places: of any n + 1 goals at n places, no two hold together.
Made carried(int places, const Ints &goal) {
    std::vector<Act> acts;
    for (std::int32_t from = 0; from < places; ++from)
        for (std::int32_t to = 0; to < places; ++to)
            if (from != to)
                acts.push_back({{from}, {to}, {from}});
    return made(places, {0}, goal, acts);
}

CASE(pairs_see_that_a_thing_is_in_one_place) {
    CHECK(why(carried(4, {3}), 4) == UnsolvabilityProof::none);
    CHECK(why(carried(4, {2, 3}), 4) == UnsolvabilityProof::pairs);
}

// Facts 0, 1, 2 are wanted; each agent has one token (3, 4) that every step uses up.
CASE(agents_that_consume_their_token_take_one_step_each) {
    auto task = [](std::int32_t agents, bool brings_back) {
        std::vector<Act> acts;
        Ints init;
        for (std::int32_t agent = 0; agent < agents; ++agent) {
            init.push_back(3 + agent);
            for (std::int32_t fact = 0; fact < 3; ++fact)
                acts.push_back({{3 + agent}, {fact}, {3 + agent}, agent});
        }
        if (brings_back)
            acts.push_back({{0}, {3}, {}, 0, false});
        return made(3 + agents, init, {0, 1, 2}, acts);
    };
    CHECK(why(task(2, false), 3, false) == UnsolvabilityProof::terminal_actions);
    CHECK(why(task(3, false), 3) == UnsolvabilityProof::none);
    CHECK(why(task(2, true), 3) == UnsolvabilityProof::none);
    CHECK(has_plan(task(3, false).task) && has_plan(task(2, true).task));
}

// Facts 0 and 1 take a terminal action each (3 and 4 hold until then), and 2 comes after
// both.
CASE(the_last_action_must_reach_the_goal) {
    auto task = [](std::int32_t agents) {
        std::vector<Act> acts;
        Ints init{3, 4};
        for (std::int32_t agent = 0; agent < agents; ++agent) {
            std::int32_t token = 5 + agent;
            init.push_back(token);
            acts.push_back({{3, token}, {0}, {3, token}, agent});
            acts.push_back({{0, 4, token}, {1}, {4, token}, agent});
            acts.push_back({{1, token}, {2}, {}, agent});
        }
        return made(5 + agents, init, {0, 1, 2}, acts);
    };
    CHECK(!has_plan(task(2).task) && has_plan(task(3).task));
    CHECK(why(task(2), 5, false) == UnsolvabilityProof::last_action);
    CHECK(why(task(3), 5) == UnsolvabilityProof::none);
}

// Any two of three facts can be had, as two tokens pay for them, but not all three.
CASE(triples_see_what_pairs_do_not) {
    std::vector<Act> acts;
    for (std::int32_t fact = 0; fact < 3; ++fact)
        for (std::int32_t coin = 3; coin < 5; ++coin)
            acts.push_back({{coin}, {fact}, {coin}});
    acts.push_back({{5}, {6}, {5}});  // there is always another step to take
    acts.push_back({{6}, {5}, {6}});
    Made task = made(7, {3, 4, 5}, {0, 1, 2}, acts);
    CHECK(why(task, 3, false) == UnsolvabilityProof::none);
    CHECK(why(task, 3) == UnsolvabilityProof::triples);
    CHECK(!has_plan(task.task));
}

CASE(nothing_with_a_plan_is_proved_unsolvable) {
    std::mt19937 random(7);
    auto below = [&](int n) { return static_cast<std::int32_t>(random() % n); };
    int proved[5] = {0, 0, 0, 0, 0}, missed = 0, solvable = 0;
    for (int round = 0; round < 3000; ++round) {
        constexpr std::int32_t publics = 4,
                               facts = 10;  // three private facts for each of two agents
        auto some = [&](std::int32_t owner, int most) {
            Ints row;
            for (int n = below(most + 1); n > 0; --n)
                row.push_back(below(2) ? below(publics) : publics + 3 * owner + below(3));
            return row;
        };
        std::vector<Act> acts;
        for (int n = 3 + below(6); n > 0; --n) {
            std::int32_t owner = below(2);
            Act act{some(owner, 3), some(owner, 2), some(owner, 2), owner};
            act.is_public = std::ranges::any_of(act.adds, [](auto f) { return f < publics; }) ||
                            std::ranges::any_of(act.deletes, [](auto f) { return f < publics; });
            acts.push_back(act);
        }
        Ints init, goal;
        for (std::int32_t fact = 0; fact < facts; ++fact)
            if (below(3) == 0)
                init.push_back(fact);
        for (std::int32_t fact = 0; fact < publics; ++fact)
            if (below(2))
                goal.push_back(fact);
        Made task = made(facts, init, goal, acts);
        UnsolvabilityProof found = why(task, publics);
        bool solved = has_plan(task.task);
        CHECK(!solved || found == UnsolvabilityProof::none);
        ++proved[static_cast<int>(found)];
        solvable += solved;
        missed += !solved && found == UnsolvabilityProof::none;
    }
    CHECK(solvable > 100 && proved[static_cast<int>(UnsolvabilityProof::pairs)] > 100);
    CHECK(missed < 100);
}

CASE(a_task_that_does_not_fit_together_is_refused) {
    Made task = carried(3, {1});
    CHECK_THROWS(std::invalid_argument, prove_unsolvable(task.task, 3, {1}, true));
}

}  // namespace

}  // namespace test_unsolvability
