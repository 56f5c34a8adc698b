// States that wait to be expanded by how new they are, whatever the heuristic says.
//
// New means new among states of the same kind: with as many open goals and as many facts reached
// of those that a relaxed plan from the initial state makes true. Every new record passes through
// here, in the order of their numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "mafs/state_store.hpp"
#include "search/novelty.hpp"
#include "util/bucket_queue.hpp"

namespace tacit::mafs {

class NoveltyQueue {
  public:
    // `wanted` are public and private facts, or public ones alone; no others are looked at.
    NoveltyQueue(const StateStore &states, std::vector<Word> wanted, std::size_t public_words);

    // A record that was just added.
    void push(RecordId id);
    // One that is expanded once more, before all others.
    void push_first(RecordId id) { queue_.push(0, id); }
    bool empty() const { return queue_.empty(); }
    RecordId pop() { return queue_.pop(); }
    std::size_t bytes() const;

  private:
    const StateStore &states_;
    std::size_t public_words_;
    std::vector<Word> wanted_;
    BucketQueue<RecordId> queue_;
    Novelty novelty_;
    std::vector<std::uint32_t> kinds_;  // per record
    std::vector<Word> facts_, fresh_, before_;

    void look_at(RecordId id, Word *facts) const;
};

}  // namespace tacit::mafs
