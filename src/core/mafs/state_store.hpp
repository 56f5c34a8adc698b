// The states that one agent knows, and which of them it keeps.
//
// A state comes in by an own action or in a frame. It is kept unless a variant of it (see
// `Records`) supports as much. An own action is pruned if one of its tokens is not supported. Where
// k may grow, what is dropped or pruned so is deferred if a disclosure could free it (`Deferred`).
//
// Where costs count (`AstarNode`), a state is superfluous only because of one that costs no more. A
// way that is cheaper makes a new record, so that ways never change.
//
// Every record carries flags: two searches share the states, and each expands a state once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mafs/deferred.hpp"
#include "mafs/own_actions.hpp"
#include "mafs/private_state_table.hpp"
#include "mafs/records.hpp"
#include "mafs/wire.hpp"

namespace tacit::mafs {

// Own actions up to a state, from where it was received; `own` is the own index there.
struct Segment {
    Ints actions;
    std::int32_t sender = -1;  // -1: from the initial state
    std::uint32_t ref = 0;
    std::int32_t g = 0;  // public steps before them
    Index own = 0;
};

class StateStore {
  public:
    // A sibling is not sent: others have another state with its public facts and their indices.
    enum Flag : std::uint8_t {
        by_value = 1,
        by_novelty = 2,
        sent_value = 4,
        sent_state = 8,
        sibling = 16,
        evaluated = 32
    };
    struct Admitted {
        RecordId id;  // the state, or one that makes it superfluous
        bool is_new;
    };

    StateStore(const NodeTask &task, const Layout &layout, const OwnActions &actions);

    std::size_t size() const { return records_.size(); }
    const Record &operator[](RecordId id) const { return records_[id]; }
    Record &operator[](RecordId id) { return records_[id]; }
    std::size_t key_words() const { return key_.size(); }
    // Good until the next call of a method that is about one state.
    const Word *key(RecordId id) const {
        records_.copy_key(id, 0, unpacked_.size(), unpacked_.data());
        return unpacked_.data();
    }
    Index index_of(const Word *key, std::size_t agent) const;
    void set_index(Word *key, std::size_t agent, Index index) const;
    const PrivateStateTable &own() const { return own_; }
    const ForeignStateTable &foreign(std::size_t agent) const { return foreign_[agent]; }
    ForeignStateTable &foreign(std::size_t agent) { return foreign_[agent]; }
    const Word *goal() const { return goal_.data(); }
    bool is_goal(const Word *facts) const {
        return is_subset(goal_.data(), facts, layout_.public_words);
    }

    bool has_any(RecordId id, int flags) const { return flags_[id] & flags; }
    void set(RecordId id, int flags) { flags_[id] |= static_cast<std::uint8_t>(flags); }
    void clear(RecordId id, int flags) { flags_[id] &= static_cast<std::uint8_t>(~flags); }

    // Where costs count: of the way to a state.
    std::int32_t cost(RecordId id) const { return costs_.empty() ? 0 : costs_[id]; }
    // Is a state superfluous because of one that was added later?
    bool is_superseded(RecordId id) const;

    Admitted add_initial();
    Admitted generate(OpenEntry entry);
    Admitted receive(std::size_t sender, const SentState &state, Index own, AcceptedId accepted);
    // Like a record that was received, with another own index.
    Admitted receive_like(RecordId like, const Record &received);
    Admitted readmit(const Record &dormant);

    std::size_t fact_words() const { return facts_.size(); }
    void compose_facts(RecordId id, Word *to) const;
    void compose_view(RecordId id, Word *to) const;
    void compose_projection(RecordId id, Word *to) const;
    // What holds behind an own action; good until the next call.
    const Word *facts_behind(OpenEntry entry);
    // Does an action lead to a goal, with the finishing action where there are private goals?
    bool finishes(OpenEntry entry);

    bool is_pruned(OpenEntry entry) const {
        return actions_.missing_token(own_.tokens(records_[entry.record].own), entry.action) >= 0;
    }
    // Whether the action must not be taken; it is deferred if a disclosure may change that.
    bool prune(OpenEntry entry);
    // Actions that are pruned, and states that are deferred, so far.
    std::int64_t pruned() const { return pruned_; }
    Deferred &deferred() { return deferred_; }
    const Deferred &deferred() const { return deferred_; }

    // Own bits are disclosed; the deferred actions that this frees are deferred no more.
    std::vector<OpenEntry> disclose(const Ints &support_bits, const Ints &shown_bits);
    // Another agent's index has these tokens.
    void learn(std::size_t agent, Index index, const Word *tokens);

    // The state that was received, or the initial one, from which own actions lead to this one.
    RecordId root(RecordId id) const;
    // `ref` is an AcceptedId.
    Segment trace(RecordId id) const;
    std::size_t bytes() const;

  private:
    const NodeTask &task_;
    const Layout &layout_;
    const OwnActions &actions_;
    PrivateStateTable own_;
    std::vector<ForeignStateTable> foreign_;
    std::vector<Word> goal_;
    Records records_;
    std::vector<std::uint8_t> flags_;
    Deferred deferred_;
    std::int64_t pruned_ = 0;
    std::vector<Word> key_, facts_;
    mutable std::vector<Word> unpacked_;
    bool counts_costs_;
    Ints costs_;

    Admitted admit(KeyId key, const Record &record, OpenEntry entry, std::int32_t cost);
    bool is_dearer(RecordId id, std::int32_t cost) const {
        return counts_costs_ && costs_[id] > cost;
    }
    bool is_dominated(Index by, Index index) const;
    void reopen(RecordId id, const Record &shorter);
};

inline Index StateStore::index_of(const Word *key, std::size_t agent) const {
    return static_cast<Index>(key[layout_.public_words + agent / 2] >> (agent % 2 * 32));
}

inline void StateStore::set_index(Word *key, std::size_t agent, Index index) const {
    Word &word = key[layout_.public_words + agent / 2];
    unsigned shift = agent % 2 * 32;
    word = (word & ~(Word{0xffffffff} << shift)) | Word{index} << shift;
}

}  // namespace tacit::mafs
