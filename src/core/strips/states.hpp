// All states a search has seen, packed, each once.
//
// States are fixed numbers of words in chunks that never move, so a pointer to a state stays good
// while others are added. The hash table holds ids and a piece of the hash; a state is compared
// word by word only where the pieces agree. Each state remembers how it was first reached, and has
// room for notes: words that go with a state and are no part of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "util/bits.hpp"
#include "util/rows.hpp"

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

class States {
  public:
    explicit States(std::size_t words, std::size_t note_words = 0);

    // The id of this state, and whether it is new. A new one remembers its parent and action.
    std::pair<StateId, bool> insert(const Word *state, StateId parent, std::int32_t action);

    bool contains(const Word *state) const { return find(state) != no_state; }
    StateId find(const Word *state) const { return slots_[slot(state, hash(state))].id; }

    const Word *operator[](StateId id) const {
        return chunks_[id >> chunk_bits].get() + (id & chunk_mask) * row_words_;
    }
    Word *notes(StateId id) { return const_cast<Word *>((*this)[id]) + words_; }
    // Remember another way to a state that is known.
    void reach_by(StateId id, StateId parent, std::int32_t action) {
        origin_[id] = {parent, action};
    }
    StateId parent(StateId id) const { return origin_[id].parent; }
    std::size_t size() const { return origin_.size(); }
    std::size_t bytes() const;
    void clear();

    // The actions that lead from the first ancestor to this state, appended to `plan`.
    void trace(StateId id, Ints &plan) const;

  private:
    static constexpr unsigned chunk_bits = 10;
    static constexpr StateId chunk_mask = (StateId{1} << chunk_bits) - 1;

    struct Origin {
        StateId parent;
        std::int32_t action;
    };
    struct Slot {
        StateId id;
        std::uint32_t piece;
    };

    std::size_t words_, row_words_;
    std::vector<std::unique_ptr<Word[]>> chunks_;
    std::vector<Origin> origin_;
    std::vector<Slot> slots_;

    std::uint64_t hash(const Word *state) const;
    bool equal(const Word *a, const Word *b) const;
    // The slot that holds this state, or the empty one where it would go.
    std::size_t slot(const Word *state, std::uint64_t h) const;
    StateId store(const Word *state, StateId parent, std::int32_t action);
    void grow();
};

}  // namespace tacit
