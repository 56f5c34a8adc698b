#include "strips/distinct_rows.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace tacit {

namespace {

constexpr std::size_t first_slots = 64;

}  // namespace

DistinctRows::DistinctRows(std::size_t words, std::size_t note_words)
    : words_(words), row_words_(words + note_words), slots_(first_slots, {no_state, 0}) {}

bool DistinctRows::equal(const Word *a, const Word *b) const {
    return std::memcmp(a, b, words_ * sizeof(Word)) == 0;
}

std::size_t DistinctRows::slot(const Word *row, std::uint64_t h) const {
    auto piece = static_cast<std::uint32_t>(h >> 32);
    std::size_t mask = slots_.size() - 1;
    std::size_t at = h & mask;
    while (slots_[at].id != no_state &&
           (slots_[at].piece != piece || !equal((*this)[slots_[at].id], row)))
        at = (at + 1) & mask;
    return at;
}

std::pair<StateId, bool> DistinctRows::insert(const Word *row) {
    std::uint64_t h = hash(row);
    std::size_t at = slot(row, h);
    if (slots_[at].id != no_state)
        return {slots_[at].id, false};
    StateId id = store(row);
    slots_[at] = {id, static_cast<std::uint32_t>(h >> 32)};
    if (size_ * 2 > slots_.size())
        grow();
    return {id, true};
}

StateId DistinctRows::store(const Word *row) {
    if (size_ == no_state)
        throw std::bad_alloc();
    auto id = static_cast<StateId>(size_);
    if (id >> chunk_bits == chunks_.size())
        chunks_.push_back(std::make_unique_for_overwrite<Word[]>(row_words_ << chunk_bits));
    std::memcpy(const_cast<Word *>((*this)[id]), row, words_ * sizeof(Word));
    ++size_;
    return id;
}

void DistinctRows::grow() {
    std::vector<Slot> old(slots_.size() * 2, {no_state, 0});
    old.swap(slots_);
    std::size_t mask = slots_.size() - 1;
    for (StateId id = 0; id < size_; ++id) {
        std::uint64_t h = hash((*this)[id]);
        std::size_t at = h & mask;
        while (slots_[at].id != no_state)
            at = (at + 1) & mask;
        slots_[at] = {id, static_cast<std::uint32_t>(h >> 32)};
    }
}

std::size_t DistinctRows::bytes() const {
    return chunks_.size() * (row_words_ * sizeof(Word) << chunk_bits) +
           slots_.capacity() * sizeof(Slot);
}

void DistinctRows::clear() {
    // The table shrinks, so that clearing costs no more than filling did.
    std::size_t wanted = first_slots;
    while (wanted < size_ * 2)
        wanted *= 2;
    slots_.assign(std::min(wanted, slots_.size()), {no_state, 0});
    chunks_.resize(std::min<std::size_t>(chunks_.size(), 64));
    size_ = 0;
}

}  // namespace tacit
