// The states that one agent knows, each with how it was reached.
//
// The key of a state is its public facts, the others' indices and the number of the own private
// facts. What the path left behind is no part of the key: states with the same key are variants of
// each other, chained, and the search decides which of them it needs.
#pragma once

#include <cstdint>
#include <vector>

#include "mafs/key_tree.hpp"
#include "mafs/private_state_table.hpp"
#include "util/chunked.hpp"

namespace tacit::mafs {

using RecordId = std::uint32_t;
inline constexpr RecordId no_record = ~RecordId{0};
inline constexpr std::int32_t no_action = -1;
// A state that was received, in the order in which they were (`Lineage`).
using AcceptedId = std::uint32_t;
inline constexpr AcceptedId not_accepted = ~AcceptedId{0};

// An own action from a state, or, without action, the state itself.
struct OpenEntry {
    RecordId record;
    std::int32_t action;
};

struct Record {
    RecordId parent;      // no_record if the state was received or is the initial one
    std::int32_t action;  // own action that led here; -1: initial; -2 - agent: received from it
    std::uint32_t ref;    // its AcceptedId if it was received; this agent's number once it was sent
    Index own;
    RecordId variant;    // the next with the same key
    std::int32_t g;      // public steps so far
    std::int32_t value;  // how far from a goal, once it was evaluated
    KeyId key = 0;
};

class Records {
  public:
    explicit Records(std::size_t key_words) : keys_(key_words) {}

    // The number of a key, whether or not there is a record with it.
    KeyId number(const Word *key);
    // The latest record with this key, or none.
    RecordId latest(KeyId key) const { return latest_[key]; }
    RecordId add(KeyId key, const Record &record);

    // `count` words of a record's key from word `from` on.
    void copy_key(RecordId id, std::size_t from, std::size_t count, Word *to) const {
        keys_.copy(records_[id].key, from, count, to);
    }
    Record &operator[](RecordId id) { return records_[id]; }
    const Record &operator[](RecordId id) const { return records_[id]; }
    std::size_t size() const { return records_.size(); }
    std::size_t bytes() const;

  private:
    KeyTree keys_;
    std::vector<RecordId> latest_;  // per key
    Chunked<Record> records_;
};

}  // namespace tacit::mafs
