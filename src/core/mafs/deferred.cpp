#include "mafs/deferred.hpp"

#include <algorithm>

namespace tacit::mafs {

// False if there is none.
bool Deferred::sort_gained() {
    bool has_any = false;
    for (std::vector<Index> &indices : gained_) {
        std::ranges::sort(indices);
        has_any |= !indices.empty();
    }
    return has_any;
}

bool Deferred::has_gained(std::size_t agent, Index index) const {
    return std::ranges::binary_search(gained_[agent], index);
}

std::size_t Deferred::bytes() const {
    std::size_t sum = duplicates_.capacity() * sizeof(OpenEntry) +
                      dormant_.capacity() * sizeof(Record) +
                      dead_ends_.capacity() * sizeof(RecordId);
    for (const auto &entries : actions_)
        sum += entries.capacity() * sizeof(OpenEntry);
    return sum;
}

}  // namespace tacit::mafs
