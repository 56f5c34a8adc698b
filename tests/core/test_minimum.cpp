#include <algorithm>
#include <random>
#include <stdexcept>

#include "check.hpp"
#include "minimum/hitting_set.hpp"
#include "minimum/relaxed_cuts.hpp"

namespace test_minimum {

using namespace tacit;

namespace {

// Edges with groups and prices, and cuts over them; small enough to try every choice.
struct Puzzle {
    Ints group, price;
    std::vector<Ints> cuts;

    explicit Puzzle(std::mt19937 &random, std::int32_t unit = 1) {
        auto below = [&](int n) { return static_cast<std::int32_t>(random() % n); };
        int edges = 1 + below(9), groups = 1 + below(3);
        for (int e = 0; e < edges; ++e) {
            group.push_back(below(groups));
            price.push_back(unit * (1 + below(3)) + below(unit));
        }
        for (int count = below(9); count > 0; --count) {
            Ints cut;
            for (int size = 1 + below(4); size > 0; --size)
                cut.push_back(below(edges));
            cuts.push_back(cut);
        }
    }

    std::pair<std::int64_t, std::int64_t> loads(unsigned chosen) const {
        std::int64_t sum = 0, load[3] = {0, 0, 0};
        for (std::size_t e = 0; e < group.size(); ++e)
            if (chosen >> e & 1) {
                sum += price[e];
                load[group[e]] += price[e];
            }
        return {sum, *std::max_element(load, load + 3)};
    }
    bool hits(unsigned chosen) const {
        return std::ranges::all_of(cuts, [&](const Ints &cut) {
            return std::ranges::any_of(cut, [&](std::int32_t e) { return chosen >> e & 1; });
        });
    }
};

unsigned bits(const Ints &chosen) {
    unsigned made = 0;
    for (std::int32_t e : chosen)
        made |= 1u << e;
    return made;
}

// The initial state achieves fact 0 by edge 0 or 1; action 0 turns it into 1, which edge 2 turns
// into the goal 2.
StripsTask chain() {
    Rows needs, adds, deletes;
    needs.append(Ints{0});
    adds.append(Ints{1});
    deletes.append(Ints{});
    needs.append(Ints{1});
    adds.append(Ints{});
    deletes.append(Ints{});
    return StripsTask(3, {}, {2}, needs, adds, deletes, {1, 1}, {0, 0});
}

}  // namespace

CASE(hitting_sets_are_the_cheapest) {
    std::mt19937 random(3);
    for (int round = 0; round < 600; ++round) {
        Puzzle puzzle(random, round < 400 ? 1 : 1000);
        HittingSet hitting(puzzle.group, puzzle.price);
        for (const Ints &cut : puzzle.cuts)
            hitting.add(cut);
        std::int64_t sum = 1 << 20, most = 1 << 20;
        for (unsigned chosen = 0; chosen < 1u << puzzle.group.size(); ++chosen)
            if (puzzle.hits(chosen)) {
                sum = std::min(sum, puzzle.loads(chosen).first);
                most = std::min(most, puzzle.loads(chosen).second);
            }
        HittingSet::Answer by_sum = hitting.least_sum(100'000),
                           by_max = hitting.least_max(100'000, 0);
        CHECK(by_sum.is_exact && by_sum.lower == sum && puzzle.hits(bits(by_sum.chosen)));
        CHECK(puzzle.loads(bits(by_sum.chosen)).first == sum);
        CHECK(by_max.is_exact && by_max.lower == most && puzzle.hits(bits(by_max.chosen)));
        CHECK(puzzle.loads(bits(by_max.chosen)).second == most);
        for (std::int64_t few : {1, 3}) {  // it gives up, and its bounds are still true
            by_sum = hitting.least_sum(few), by_max = hitting.least_max(few, 0);
            CHECK(by_sum.lower <= sum && puzzle.hits(bits(by_sum.chosen)));
            CHECK(by_max.lower <= most && puzzle.hits(bits(by_max.chosen)));
        }
        CHECK(puzzle.hits(bits(hitting.some(false))) && puzzle.hits(bits(hitting.some(true))));
    }
}

CASE(hitting_sets_refuse_what_cannot_be) {
    CHECK_THROWS(std::invalid_argument, HittingSet({0}, {0}));
    CHECK_THROWS(std::invalid_argument, HittingSet({0}, {1}).add({}));
    CHECK_THROWS(std::invalid_argument, HittingSet({0, 1}, {1}));
}

CASE(cuts_of_a_chain) {
    StripsTask task = chain();
    PricedEdges edges{{-1, -1, 1}, {0, 0, 2}, {2, 3, 5}};
    RelaxedCuts cuts(task, edges);
    CHECK(cuts.reaches({0, 2}) && cuts.reaches({1, 2}) && !cuts.reaches({0, 1}));
    CHECK(cuts.cut({0, 2}, {}).empty());
    CHECK(cuts.cut({0}, {}) == Ints{2});
    CHECK((cuts.cut({2}, {}) == Ints{0, 1}));
    LandmarkCuts found = lm_cut(task, edges, edges.price);
    CHECK(found.has_plan && found.value == 7 && found.cuts.size() == 2);
    CHECK(!lm_cut(task, {{-1}, {0}, {1}}, {1}).has_plan);
    CHECK_THROWS(std::invalid_argument, RelaxedCuts(task, {{7}, {0}, {1}}));
}

}  // namespace test_minimum
