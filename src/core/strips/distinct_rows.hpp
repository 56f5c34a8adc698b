// Rows of words, packed, each once, numbered in the order in which they came.
//
// Rows are fixed numbers of words in chunks that never move, so a pointer to a row stays good
// while others are added. The hash table holds numbers and a piece of the hash; a row is compared
// word by word only where the pieces agree. Each row has room for notes: words that go with it and
// are no part of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "util/bits.hpp"

namespace tacit {

using StateId = std::uint32_t;
inline constexpr StateId no_state = ~StateId{0};

inline std::uint64_t hash_words(const Word *words, std::size_t count) {
    std::uint64_t h = 0x9e3779b97f4a7c15;
    for (std::size_t i = 0; i < count; ++i) {
        h = (h ^ words[i]) * 0xff51afd7ed558ccd;
        h ^= h >> 32;
    }
    return h;
}

class DistinctRows {
  public:
    explicit DistinctRows(std::size_t words, std::size_t note_words = 0);

    // The number of this row, and whether it is new.
    std::pair<StateId, bool> insert(const Word *row);
    StateId find(const Word *row) const { return slots_[slot(row, hash(row))].id; }

    const Word *operator[](StateId id) const {
        return chunks_[id >> chunk_bits].get() + (id & chunk_mask) * row_words_;
    }
    Word *notes(StateId id) { return const_cast<Word *>((*this)[id]) + words_; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const;
    void clear();

  private:
    static constexpr unsigned chunk_bits = 10;
    static constexpr StateId chunk_mask = (StateId{1} << chunk_bits) - 1;

    struct Slot {
        StateId id;
        std::uint32_t piece;
    };

    std::size_t words_, row_words_, size_ = 0;
    std::vector<std::unique_ptr<Word[]>> chunks_;
    std::vector<Slot> slots_;

    std::uint64_t hash(const Word *row) const { return hash_words(row, words_); }
    bool equal(const Word *a, const Word *b) const;
    // The slot that holds this row, or the empty one where it would go.
    std::size_t slot(const Word *row, std::uint64_t h) const;
    StateId store(const Word *row);
    void grow();
};

}  // namespace tacit
