#include "mafs/siblings.hpp"

#include <new>

namespace tacit::mafs {

Siblings::Joined Siblings::join(const Word *pair, RecordId id) {
    auto [number, is_first] = pairs_.insert(pair, no_state, -1);
    if (!is_first) {
        link(heads_[number].siblings, id);
    } else {
        if (number >= ForeignStateTable::max_index)
            throw std::bad_alloc();
        heads_.push_back({id});
    }
    return {number, is_first};
}

void Siblings::link(std::uint32_t &last, std::uint32_t item) {
    if (links_.size() >= none)
        throw std::bad_alloc();
    links_.push_back({item, last});
    last = static_cast<std::uint32_t>(links_.size() - 1);
}

std::size_t Siblings::bytes() const {
    if (heads_.empty())
        return 0;
    return pairs_.bytes() + heads_.capacity() * sizeof(Head) + links_.capacity() * sizeof(Link);
}

}  // namespace tacit::mafs
