// Novelty against its definition: sets of facts and of pairs per key.
#include <map>
#include <set>
#include <utility>

#include "check.hpp"
#include "search/novelty.hpp"
#include "util/random.hpp"

using namespace tacit;

namespace {

struct Seen {
    std::set<std::size_t> facts;
    std::set<std::pair<std::size_t, std::size_t>> pairs;

    int measure(const std::set<std::size_t> &state) {
        int found = Novelty::none;
        for (std::size_t a : state)
            for (std::size_t b : state)
                if (pairs.insert({a, b}).second)
                    found = 2;
        for (std::size_t fact : state)
            if (facts.insert(fact).second)
                found = 1;
        return found;
    }
};

}  // namespace

CASE(novelty_is_that_of_its_definition) {
    Random random(5);
    for (int round = 0; round < 20; ++round) {
        std::size_t words = 1 + random(3);
        Novelty novelty(words, std::size_t{1} << 20);
        std::map<std::uint64_t, Seen> seen;
        for (int i = 0; i < 300; ++i) {
            std::vector<Word> state(words);
            std::set<std::size_t> facts;
            for (std::size_t n = random(6); n > 0; --n)
                facts.insert(random(round % 2 ? 12 : words * 64));
            for (std::size_t fact : facts)
                put(state.data(), fact);
            std::uint64_t key = random(3);
            CHECK(novelty.measure(key, state.data(), state.data()) == seen[key].measure(facts));
        }
    }
}

CASE(novelty_without_room_for_pairs_is_of_facts_alone) {
    Novelty novelty(1, 0);
    Word one = 0b0011, other = 0b1100, mixed = 0b0110;
    CHECK(novelty.measure(0, &one, &one) == 1);
    CHECK(novelty.measure(0, &other, &other) == 1);
    CHECK(novelty.measure(0, &mixed, &mixed) == Novelty::none);
    CHECK(novelty.bytes() == sizeof(Word));
}
