// The tolls of all agents at the private states that this one knows of: its own, and those that
// were sent with the others' indices. Of an index that nobody told of there are none.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "mafs/own_tolls.hpp"
#include "mafs/state_store.hpp"

namespace tacit::mafs {

class TollBook {
  public:
    TollBook(const NodeTask &task, const Layout &layout) : layout_(layout), own_(task, layout) {
        others_.resize(layout.agents());
        row_.resize(layout.agents());
    }

    // Per agent its tolls in this state, or null; good until the next call.
    std::span<const Tolls *const> in(const StateStore &states, RecordId id, bool with_own);
    // The first who tells counts.
    void learn(std::size_t agent, Index index, const Tolls &tolls);
    std::size_t bytes() const { return own_.bytes() + bytes_; }

  private:
    struct Other {
        std::unordered_map<Index, const Tolls *> at;
        std::unordered_multimap<std::uint64_t, Tolls> made;
    };

    const Layout &layout_;
    OwnTolls own_;
    std::vector<Other> others_;
    std::vector<const Tolls *> row_;
    std::size_t bytes_ = 0;
};

}  // namespace tacit::mafs
