#include "search/novelty.hpp"

#include <bit>

namespace tacit {

namespace {

template <typename Use>
void each_fact(const Word *facts, std::size_t words, Use &&use) {
    for (std::size_t w = 0; w < words; ++w)
        for (Word bits = facts[w]; bits; bits &= bits - 1)
            use(w * 64 + std::countr_zero(bits));
}

}  // namespace

Novelty::Table &Novelty::table(std::uint64_t key) {
    auto [found, is_new] = tables_.try_emplace(key);
    Table &made = found->second;
    if (is_new) {
        made.facts.resize(words_);
        std::size_t pairs = words_ * words_ * 64;
        if (bytes_ + pairs * sizeof(Word) <= max_bytes_)
            made.pairs.resize(pairs);
        bytes_ += (made.facts.size() + made.pairs.size()) * sizeof(Word);
    }
    return made;
}

int Novelty::measure(std::uint64_t key, const Word *state, const Word *fresh) {
    Table &seen = table(key);
    bool has_new_fact = false;
    for (std::size_t w = 0; w < words_; ++w) {
        has_new_fact |= (fresh[w] & ~seen.facts[w]) != 0;
        seen.facts[w] |= fresh[w];
    }
    bool has_new_pair = !seen.pairs.empty() && add_pairs(seen, state, fresh);
    return has_new_fact ? 1 : has_new_pair ? 2 : none;
}

bool Novelty::add_pairs(Table &seen, const Word *state, const Word *fresh) const {
    bool is_new = false;
    each_fact(fresh, words_, [&](std::size_t fact) {
        Word *row = &seen.pairs[fact * words_];
        for (std::size_t w = 0; w < words_; ++w) {
            is_new |= (state[w] & ~row[w]) != 0;
            row[w] |= state[w];
        }
    });
    if (is_new)  // the same pairs, seen from the other fact
        each_fact(state, words_, [&](std::size_t fact) {
            Word *row = &seen.pairs[fact * words_];
            for (std::size_t w = 0; w < words_; ++w)
                row[w] |= fresh[w];
        });
    return is_new;
}

void Novelty::clear() {
    tables_.clear();
    bytes_ = 0;
}

}  // namespace tacit
