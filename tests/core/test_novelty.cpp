// Novelty against sets of facts and pairs, and what it remembers of keys with few states.
#include <map>
#include <set>
#include <utility>

#include "check.hpp"
#include "search/novelty.hpp"
#include "util/random.hpp"

namespace test_novelty {

using namespace tacit;

namespace {

using Facts = std::set<int>;

std::vector<Word> packed(const Facts &facts, std::size_t words) {
    std::vector<Word> made(words);
    for (int fact : facts)
        made[static_cast<std::size_t>(fact) / 64] |= Word{1} << (fact % 64);
    return made;
}

struct ByBrute {
    std::set<int> facts;
    std::set<std::pair<int, int>> pairs;

    int measure(const Facts &state) {
        std::size_t before = facts.size(), pairs_before = pairs.size();
        facts.insert(state.begin(), state.end());
        for (int a : state)
            for (int b : state)
                pairs.emplace(a, b);
        return facts.size() > before ? 1 : pairs.size() > pairs_before ? 2 : Novelty::none;
    }
};

Facts random_state(Random &random, int facts, int size) {
    Facts made;
    for (int n = 0; n < size; ++n)
        made.insert(static_cast<int>(random(static_cast<std::size_t>(facts))));
    return made;
}

// One fact of a state is exchanged.
Facts moved(Random &random, Facts state, int facts) {
    auto gone = state.begin();
    std::advance(gone, static_cast<std::ptrdiff_t>(random(state.size())));
    state.erase(gone);
    state.insert(static_cast<int>(random(static_cast<std::size_t>(facts))));
    return state;
}

}  // namespace

CASE(novelty_is_that_of_sets_of_pairs) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Random random(seed);
        int facts = 10 + static_cast<int>(random(150));
        std::size_t words = static_cast<std::size_t>(facts + 63) / 64;
        Novelty novelty(words, SIZE_MAX);
        std::map<std::uint64_t, ByBrute> brute;
        std::map<std::uint64_t, Facts> last;
        for (int n = 0; n < 600; ++n) {
            std::uint64_t key = random(3) * random(3);
            bool has_parent = last.contains(key) && random(4) > 0;
            Facts state = has_parent ? moved(random, last[key], facts)
                                     : random_state(random, facts, 1 + static_cast<int>(random(9)));
            Facts fresh = state;
            if (has_parent)
                std::erase_if(fresh, [&](int fact) { return last[key].contains(fact); });
            int found =
                novelty.measure(key, packed(state, words).data(), packed(fresh, words).data());
            CHECK(found == brute[key].measure(state));
            last[key] = state;
        }
    }
}

// A matrix of all facts would take 2 MiB for each of these keys.
CASE(keys_with_few_states_take_little) {
    constexpr std::size_t words = 64;
    Random random(1);
    Novelty novelty(words, std::size_t{1} << 20);
    for (std::uint64_t key = 0; key < 100; ++key)
        for (int n = 0; n < 2; ++n) {
            auto state = packed(random_state(random, words * 64, 40), words);
            novelty.measure(key, state.data(), state.data());
        }
    CHECK(novelty.bytes() <= 100 * (1 + 2) * words * sizeof(Word));
}

CASE(a_matrix_that_grows_too_large_is_given_up) {
    constexpr std::size_t words = 64, limit = std::size_t{1} << 16;
    Random random(1);
    Novelty novelty(words, limit);
    for (int n = 0; n < 400; ++n) {
        auto state = packed(random_state(random, words * 64, 40), words);
        novelty.measure(0, state.data(), state.data());
    }
    CHECK(novelty.bytes() <= limit);
    auto again = packed(random_state(random, words * 64, 40), words);
    CHECK(novelty.measure(0, again.data(), again.data()) != 2);
}

CASE(past_its_limit_new_keys_know_no_pairs) {
    Novelty novelty(1, sizeof(Word));
    Word ab = 3, bc = 6, ac = 5;
    CHECK(novelty.measure(0, &ab, &ab) == 1);
    CHECK(novelty.measure(0, &bc, &bc) == 1);
    CHECK(novelty.measure(0, &ac, &ac) == 2);
    CHECK(novelty.measure(1, &ab, &ab) == 1);
    CHECK(novelty.measure(1, &bc, &bc) == 1);
    CHECK(novelty.measure(1, &ac, &ac) == Novelty::none);
}

}  // namespace test_novelty
