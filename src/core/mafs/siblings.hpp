// States of which the others have seen one: Secure-MAFS, the hardening `secure`.
//
// Public facts together with the others' indices are a *pair*. The first state of a pair is sent,
// under an index of its own, which is also the number of the pair; it stands for all. What this
// agent reaches of the pair later is never sent: it is a *sibling*. Others went on from the pair by
// its public facts and by their own private parts alone, so whatever they made of the first state
// they would have made of any sibling. Therefore every state that comes back with the index of the
// pair (an *arrival*) is continued once for each member, with that member's private part: for those
// that are known when it arrives, and for those that join later.
//
// Number 0 is the initial state's. Everybody has it and nobody sent it, so it has no siblings: the
// way to one would begin before it, where no trace leads.
//
// Pairs of different states never share an index, or members of one would be continued from what
// descends from the other. So no index ever comes again in another message, states that are equal
// are not recognised as such by anybody, and a search without a plan goes on for ever wherever
// something can be done and undone (docs/privacy.md).
#pragma once

#include <cstdint>
#include <vector>

#include "mafs/records.hpp"

namespace tacit::mafs {

class Siblings {
  public:
    explicit Siblings(std::size_t key_words) : pairs_(key_words) {}

    struct Joined {
        std::uint32_t pair;
        bool is_first;  // it is to be sent
    };
    // A state of this pair: its key without the own part. Throws std::bad_alloc if there are more
    // pairs than indices.
    Joined join(const Word *pair, RecordId id);
    std::uint32_t newest() const { return static_cast<std::uint32_t>(heads_.size()) - 1; }
    RecordId first(std::uint32_t pair) const { return heads_[pair].first; }
    // A state came back with the index of this pair.
    void add_arrival(std::uint32_t pair, AcceptedId id) { link(heads_[pair].arrivals, id); }

    template <typename Use>
    void each_member(std::uint32_t pair, Use use) const {
        use(heads_[pair].first);
        each(heads_[pair].siblings, use);
    }
    template <typename Use>
    void each_arrival(std::uint32_t pair, Use use) const {
        each(heads_[pair].arrivals, use);
    }
    std::size_t bytes() const;

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct Head {
        RecordId first;
        std::uint32_t siblings = none, arrivals = none;  // the last link of each
    };
    struct Link {
        std::uint32_t item, before;
    };

    States pairs_;
    std::vector<Head> heads_;
    std::vector<Link> links_;

    void link(std::uint32_t &last, std::uint32_t item);
    template <typename Use>
    void each(std::uint32_t last, Use use) const {
        for (std::uint32_t at = last; at != none; at = links_[at].before)
            use(links_[at].item);
    }
};

}  // namespace tacit::mafs
