#include "search/novelty.hpp"

#include <algorithm>
#include <bit>

#include "util/bits.hpp"
#include "util/tuning.hpp"

namespace tacit {

namespace {

// Calls back with each fact until that returns false; whether it never did.
template <typename Use>
bool each_fact(const Word *facts, std::size_t words, Use &&use) {
    for (std::size_t w = 0; w < words; ++w)
        for (Word bits = facts[w]; bits; bits &= bits - 1)
            if (!use(w * 64 + static_cast<std::size_t>(std::countr_zero(bits))))
                return false;
    return true;
}

std::size_t count(const std::vector<Word> &facts) {
    std::size_t found = 0;
    for (Word bits : facts)
        found += static_cast<std::size_t>(std::popcount(bits));
    return found;
}

}  // namespace

std::size_t Novelty::bytes_of(const Table &table) {
    return (table.facts.capacity() + table.states.capacity() + table.rows.capacity()) *
               sizeof(Word) +
           table.places.capacity() * sizeof(std::uint32_t);
}

Novelty::Table &Novelty::table(std::uint64_t key) {
    auto [found, is_new] = tables_.try_emplace(key);
    if (is_new) {
        found->second.knows_pairs = bytes_ <= max_bytes_;
        found->second.facts.resize(words_);
        bytes_ += bytes_of(found->second);
    }
    return found->second;
}

int Novelty::measure(std::uint64_t key, const Word *state, const Word *fresh) {
    Table &seen = table(key);
    bool has_new_fact = false;
    for (std::size_t w = 0; w < words_; ++w) {
        has_new_fact |= (fresh[w] & ~seen.facts[w]) != 0;
        seen.facts[w] |= fresh[w];
    }
    bool is_pair_new = seen.knows_pairs && (has_new_fact || has_new_pair(seen, state, fresh));
    if (is_pair_new && bytes_ > 2 * max_bytes_)
        give_up_pairs(seen);
    else if (is_pair_new)  // a new fact makes a pair with itself
        keep(seen, state, fresh);
    return has_new_fact ? 1 : is_pair_new ? 2 : none;
}

bool Novelty::has_new_pair(const Table &seen, const Word *state, const Word *fresh) {
    return !each_fact(fresh, words_,
                      [&](std::size_t fact) { return is_in_row(seen, fact, state); });
}

// Was this fact seen with all facts of the state?
bool Novelty::is_in_row(const Table &seen, std::size_t fact, const Word *state) {
    if (!seen.places.empty()) {
        const Word *row = seen.rows.data() + seen.places[fact] * words_;
        return is_subset(state, row, words_);
    }
    std::ranges::fill(row_, 0);
    for (const Word *kept = seen.states.data(), *end = kept + seen.states.size(); kept != end;
         kept += words_) {
        if (!(kept[fact / 64] >> (fact % 64) & 1))
            continue;
        Word missing = 0;
        for (std::size_t w = 0; w < words_; ++w) {
            row_[w] |= kept[w];
            missing |= state[w] & ~row_[w];
        }
        if (!missing)
            return true;
    }
    return false;
}

void Novelty::keep(Table &seen, const Word *state, const Word *fresh) {
    bytes_ -= bytes_of(seen);
    if (seen.places.empty()) {
        seen.states.insert(seen.states.end(), state, state + words_);
        if (seen.states.size() >= std::min(count(seen.facts) + 1, tuning::novelty_states) * words_)
            make_matrix(seen);
    } else {
        enter(seen, state, fresh);
    }
    bytes_ += bytes_of(seen);
}

void Novelty::give_up_pairs(Table &seen) {
    bytes_ -= bytes_of(seen);
    seen = {.facts = std::move(seen.facts)};
    bytes_ += bytes_of(seen);
}

void Novelty::make_matrix(Table &seen) {
    seen.places.resize(words_ * 64, 0);
    seen.rows.resize(words_, 0);
    for (const Word *kept = seen.states.data(), *end = kept + seen.states.size(); kept != end;
         kept += words_)
        enter(seen, kept, kept);
    std::vector<Word>().swap(seen.states);
}

// All pairs of a fresh fact and another.
void Novelty::enter(Table &seen, const Word *state, const Word *fresh) {
    auto add = [&](std::size_t fact, const Word *others) {
        Word *at = row(seen, fact);
        for (std::size_t w = 0; w < words_; ++w)
            at[w] |= others[w];
        return true;
    };
    each_fact(fresh, words_, [&](std::size_t fact) { return add(fact, state); });
    each_fact(state, words_, [&](std::size_t fact) { return add(fact, fresh); });
}

Word *Novelty::row(Table &seen, std::size_t fact) {
    if (seen.places[fact] == 0) {
        seen.places[fact] = static_cast<std::uint32_t>(seen.rows.size() / words_);
        seen.rows.resize(seen.rows.size() + words_, 0);
    }
    return seen.rows.data() + seen.places[fact] * words_;
}

void Novelty::clear() {
    tables_.clear();
    bytes_ = 0;
}

}  // namespace tacit
