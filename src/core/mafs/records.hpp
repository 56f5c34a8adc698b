// The states that one agent knows, packed in one arena, with how each was reached.
//
// The key of a state is its public facts, the others' indices and the number of the own private
// facts. What the path left behind is no part of the key: states with the same key are variants of
// each other, chained, and the search decides which of them it needs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mafs/private_state_table.hpp"

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
};

class Records {
  public:
    explicit Records(std::size_t key_words) : words_(key_words), slots_(1024, {no_record, 0}) {}

    // The latest record with this key, or none.
    RecordId find(const Word *key) const;
    RecordId add(const Word *key, const Record &record);

    const Word *key(RecordId id) const {
        return chunks_[id >> chunk_bits].get() + (id & chunk_mask) * words_;
    }
    Record &operator[](RecordId id) { return records_[id]; }
    const Record &operator[](RecordId id) const { return records_[id]; }
    std::size_t size() const { return records_.size(); }
    std::size_t bytes() const;

  private:
    static constexpr unsigned chunk_bits = 10;
    static constexpr RecordId chunk_mask = (RecordId{1} << chunk_bits) - 1;
    struct Slot {
        RecordId id;
        std::uint32_t piece;
    };

    std::size_t words_;
    std::vector<std::unique_ptr<Word[]>> chunks_;
    std::vector<Record> records_;
    std::vector<Slot> slots_;
    std::size_t keys_ = 0;

    std::uint64_t hash(const Word *key) const;
    std::size_t slot(const Word *key, std::uint64_t h) const;
    void grow();
};

}  // namespace tacit::mafs
