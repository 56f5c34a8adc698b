// All states a search has seen, packed, each once, with how it was first reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "strips/distinct_rows.hpp"
#include "util/rows.hpp"

namespace tacit {

class States {
  public:
    explicit States(std::size_t words, std::size_t note_words = 0) : rows_(words, note_words) {}

    // The id of this state, and whether it is new. A new one remembers its parent and action.
    std::pair<StateId, bool> insert(const Word *state, StateId parent, std::int32_t action);

    bool contains(const Word *state) const { return find(state) != no_state; }
    StateId find(const Word *state) const { return rows_.find(state); }

    const Word *operator[](StateId id) const { return rows_[id]; }
    Word *notes(StateId id) { return rows_.notes(id); }
    // Remember another way to a state that is known.
    void reach_by(StateId id, StateId parent, std::int32_t action) {
        origin_[id] = {parent, action};
    }
    StateId parent(StateId id) const { return origin_[id].parent; }
    std::size_t size() const { return origin_.size(); }
    std::size_t bytes() const { return rows_.bytes() + origin_.capacity() * sizeof(Origin); }
    void clear();

    // The actions that lead from the first ancestor to this state, appended to `plan`.
    void trace(StateId id, Ints &plan) const;

  private:
    struct Origin {
        StateId parent;
        std::int32_t action;
    };

    DistinctRows rows_;
    std::vector<Origin> origin_;
};

}  // namespace tacit
