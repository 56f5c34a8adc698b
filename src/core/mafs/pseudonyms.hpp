// The numbers under which own private states are sent.
//
// Usually such a number is the own index itself, so an agent that comes back to a private state is
// seen to do so. Two hardenings change that. *Fresh*: a number belongs to a private state together
// with all that others see around it, public facts and tokens; elsewhere the same private state has
// another number. *Grouped*: what is sent as one stands for several private states, and has one
// number for them.
//
// New numbers are given for nothing else: an agent can only find out that a search has come to its
// end if whole states that are equal look equal to somebody (docs/privacy.md).
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "mafs/private_state_table.hpp"

namespace tacit::mafs {

class Pseudonyms {
  public:
    // `seen_words` is the size of what others see of a state.
    Pseudonyms(const PrivateStateTable &own, const Hardening &hardening, std::size_t seen_words);

    // The number for these own indices, in ascending order, in a state that others see so.
    Index name(const Word *seen, std::span<const Index> members);
    bool knows(Index number) const { return number < size(); }
    // Good until the next call of any method.
    std::span<const Index> members(Index number) const;
    std::size_t size() const { return is_plain_ ? own_.size() : ends_.size(); }
    std::size_t bytes() const;

  private:
    const PrivateStateTable &own_;
    bool is_plain_, is_fresh_;
    States seen_;
    std::vector<StateId> contexts_;  // per number
    std::vector<Index> flat_;        // members of all numbers, and where each ends
    std::vector<std::size_t> ends_;
    std::unordered_multimap<std::uint64_t, Index> found_;
    mutable Index single_ = 0;
};

}  // namespace tacit::mafs
