#include "mafs/pseudonyms.hpp"

#include <algorithm>
#include <new>

namespace tacit::mafs {

Pseudonyms::Pseudonyms(const PrivateStateTable &own, const Hardening &hardening,
                       std::size_t seen_words)
    : own_(own), is_plain_(!hardening.fresh && !hardening.once), is_fresh_(hardening.fresh),
      seen_(std::max<std::size_t>(1, seen_words)) {}

Index Pseudonyms::name(const Word *seen, std::span<const Index> members) {
    if (is_plain_)
        return members.front();
    StateId context = is_fresh_ ? seen_.insert(seen, no_state, -1).first : 0;
    std::uint64_t hash = context;
    for (Index member : members)
        hash = (hash ^ member) * 0x9e3779b97f4a7c15;
    auto [from, to] = found_.equal_range(hash);
    for (auto same = from; same != to; ++same)
        if (contexts_[same->second] == context &&
            std::ranges::equal(this->members(same->second), members))
            return same->second;
    if (ends_.size() >= ForeignStateTable::max_index)
        throw std::bad_alloc();
    auto number = static_cast<Index>(ends_.size());
    contexts_.push_back(context);
    flat_.insert(flat_.end(), members.begin(), members.end());
    ends_.push_back(flat_.size());
    found_.emplace(hash, number);
    return number;
}

std::span<const Index> Pseudonyms::members(Index number) const {
    if (is_plain_) {
        single_ = number;
        return {&single_, 1};
    }
    std::size_t from = number == 0 ? 0 : ends_[number - 1];
    return std::span(flat_).subspan(from, ends_[number] - from);
}

std::size_t Pseudonyms::bytes() const {
    return (is_plain_ ? 0 : seen_.bytes()) + contexts_.capacity() * sizeof(StateId) +
           flat_.capacity() * sizeof(Index) + ends_.capacity() * sizeof(std::size_t) +
           found_.size() * 32;
}

}  // namespace tacit::mafs
