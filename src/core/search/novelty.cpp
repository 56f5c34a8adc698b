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

std::size_t count(Word facts) { return static_cast<std::size_t>(std::popcount(facts)); }

std::size_t count(const std::vector<Word> &facts) {
    std::size_t found = 0;
    for (Word word : facts)
        found += count(word);
    return found;
}

}  // namespace

std::size_t Novelty::bytes_of(const Table &table) {
    return (table.facts.capacity() + table.states.capacity() + table.placed.capacity() +
            table.rows.capacity()) *
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
    if (!seen.has_matrix())
        return !each_fact(fresh, words_,
                          [&](std::size_t fact) { return was_seen_with(seen, fact, state); });
    if (!is_subset(state, seen.placed.data(), words_))
        return true;
    find_columns(seen, state);
    bool has_new = false;
    each_place(seen, fresh, [&](std::uint32_t place) {
        const Word *row = seen.rows.data() + place * seen.stride;
        return !(has_new = !is_subset(columns_.data(), row, seen.stride));
    });
    return has_new;
}

// By the states of a key that has no matrix: was this fact seen with all facts of the state?
bool Novelty::was_seen_with(const Table &seen, std::size_t fact, const Word *state) {
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
    if (!seen.has_matrix()) {
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
    seen.placed.resize(words_);
    seen.stride = 1;
    for (const Word *kept = seen.states.data(), *end = kept + seen.states.size(); kept != end;
         kept += words_)
        enter(seen, kept, kept);
    std::vector<Word>().swap(seen.states);
}

// All pairs of a fresh fact and another.
void Novelty::enter(Table &seen, const Word *state, const Word *fresh) {
    place(seen, state);
    fresh_places_.clear();
    each_place(seen, fresh, [this](std::uint32_t place) {
        fresh_places_.push_back(place);
        return true;
    });
    find_columns(seen, state);
    for (std::uint32_t place : fresh_places_)
        for (std::size_t w = 0; w < seen.stride; ++w)
            seen.rows[place * seen.stride + w] |= columns_[w];
    each_place(seen, state, [&](std::uint32_t place) {
        for (std::uint32_t column : fresh_places_)
            put(seen.rows.data() + place * seen.stride, column);
        return true;
    });
}

// Gives a row and a column to facts that have none.
void Novelty::place(Table &seen, const Word *facts) {
    for (std::size_t w = 0, before = 0; w < words_; ++w) {
        for (Word bits = facts[w] & ~seen.placed[w]; bits; bits &= bits - 1) {
            Word bit = bits & -bits;
            std::size_t rank = before + count(seen.placed[w] & (bit - 1));
            seen.places.insert(seen.places.begin() + static_cast<std::ptrdiff_t>(rank),
                               static_cast<std::uint32_t>(seen.places.size()));
            seen.placed[w] |= bit;
        }
        before += count(seen.placed[w]);
    }
    if (seen.places.size() > seen.stride * 64) {
        std::size_t stride = words_for(seen.places.size() + seen.places.size() / 4);
        std::vector<Word> wider(seen.places.size() * stride);
        for (std::size_t row = 0; row * seen.stride < seen.rows.size(); ++row)
            std::copy_n(seen.rows.begin() + static_cast<std::ptrdiff_t>(row * seen.stride),
                        seen.stride, wider.begin() + static_cast<std::ptrdiff_t>(row * stride));
        seen.rows.swap(wider);
        seen.stride = stride;
    }
    seen.rows.resize(seen.places.size() * seen.stride);
}

// The columns of the facts of a state.
void Novelty::find_columns(const Table &seen, const Word *state) {
    columns_.assign(seen.stride, 0);
    each_place(seen, state, [this](std::uint32_t place) {
        put(columns_.data(), place);
        return true;
    });
}

// Calls back with the places of facts, all of which have one, until that returns false.
template <typename Use>
void Novelty::each_place(const Table &seen, const Word *facts, Use use) const {
    for (std::size_t w = 0, before = 0; w < words_; ++w) {
        for (Word bits = facts[w]; bits; bits &= bits - 1)
            if (!use(seen.places[before + count(seen.placed[w] & ((bits & -bits) - 1))]))
                return;
        before += count(seen.placed[w]);
    }
}

void Novelty::clear() {
    tables_.clear();
    bytes_ = 0;
}

}  // namespace tacit
