#include "search/novelty.hpp"

#include <bit>

namespace tacit {

namespace {

constexpr std::int32_t no_row = -1;

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
        if (bytes_ < max_bytes_)
            made.row_of.assign(words_ * 64, no_row);
        bytes_ += made.facts.size() * sizeof(Word) + made.row_of.size() * sizeof(std::int32_t);
    }
    return made;
}

// The facts seen together with this one.
inline Word *Novelty::row(Table &seen, std::size_t fact) {
    std::int32_t &number = seen.row_of[fact];
    if (number == no_row) {
        number = static_cast<std::int32_t>(seen.rows.size() / words_);
        std::size_t before = seen.rows.capacity();
        seen.rows.resize(seen.rows.size() + words_);
        bytes_ += (seen.rows.capacity() - before) * sizeof(Word);
    }
    return &seen.rows[static_cast<std::size_t>(number) * words_];
}

int Novelty::measure(std::uint64_t key, const Word *state, const Word *fresh) {
    Table &seen = table(key);
    bool has_new_fact = false;
    for (std::size_t w = 0; w < words_; ++w) {
        has_new_fact |= (fresh[w] & ~seen.facts[w]) != 0;
        seen.facts[w] |= fresh[w];
    }
    bool has_new_pair = !seen.row_of.empty() && add_pairs(seen, state, fresh);
    return has_new_fact ? 1 : has_new_pair ? 2 : none;
}

bool Novelty::add_pairs(Table &seen, const Word *state, const Word *fresh) {
    bool is_new = false;
    each_fact(fresh, words_, [&](std::size_t fact) {
        Word *known = row(seen, fact);
        for (std::size_t w = 0; w < words_; ++w) {
            is_new |= (state[w] & ~known[w]) != 0;
            known[w] |= state[w];
        }
    });
    if (is_new)  // the same pairs, seen from the other fact
        each_fact(state, words_, [&](std::size_t fact) {
            Word *known = row(seen, fact);
            for (std::size_t w = 0; w < words_; ++w)
                known[w] |= fresh[w];
        });
    return is_new;
}

void Novelty::clear() {
    tables_.clear();
    bytes_ = 0;
}

}  // namespace tacit
