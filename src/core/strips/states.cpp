#include "strips/states.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace tacit {

namespace {

constexpr std::size_t first_slots = 1024;

}  // namespace

States::States(std::size_t words, std::size_t note_words)
    : words_(words), row_words_(words + note_words), slots_(first_slots, {no_state, 0}) {}

std::uint64_t States::hash(const Word *state) const { return hash_words(state, words_); }

bool States::equal(const Word *a, const Word *b) const {
    return std::memcmp(a, b, words_ * sizeof(Word)) == 0;
}

std::size_t States::slot(const Word *state, std::uint64_t h) const {
    auto piece = static_cast<std::uint32_t>(h >> 32);
    std::size_t mask = slots_.size() - 1;
    std::size_t at = h & mask;
    while (slots_[at].id != no_state &&
           (slots_[at].piece != piece || !equal((*this)[slots_[at].id], state)))
        at = (at + 1) & mask;
    return at;
}

std::pair<StateId, bool> States::insert(const Word *state, StateId parent, std::int32_t action) {
    std::uint64_t h = hash(state);
    std::size_t at = slot(state, h);
    if (slots_[at].id != no_state)
        return {slots_[at].id, false};
    StateId id = store(state, parent, action);
    slots_[at] = {id, static_cast<std::uint32_t>(h >> 32)};
    if (size() * 2 > slots_.size())
        grow();
    return {id, true};
}

StateId States::store(const Word *state, StateId parent, std::int32_t action) {
    if (size() == no_state)
        throw std::bad_alloc();
    auto id = static_cast<StateId>(size());
    if (id >> chunk_bits == chunks_.size())
        chunks_.push_back(std::make_unique_for_overwrite<Word[]>(row_words_ << chunk_bits));
    origin_.push_back({parent, action});
    std::memcpy(const_cast<Word *>((*this)[id]), state, words_ * sizeof(Word));
    return id;
}

void States::grow() {
    std::vector<Slot> old(slots_.size() * 2, {no_state, 0});
    old.swap(slots_);
    std::size_t mask = slots_.size() - 1;
    for (StateId id = 0; id < size(); ++id) {
        std::uint64_t h = hash((*this)[id]);
        std::size_t at = h & mask;
        while (slots_[at].id != no_state)
            at = (at + 1) & mask;
        slots_[at] = {id, static_cast<std::uint32_t>(h >> 32)};
    }
}

std::size_t States::bytes() const {
    return chunks_.size() * (row_words_ * sizeof(Word) << chunk_bits) +
           origin_.capacity() * sizeof(Origin) + slots_.capacity() * sizeof(Slot);
}

void States::clear() {
    // The table shrinks, so that clearing costs no more than filling did.
    std::size_t wanted = first_slots;
    while (wanted < size() * 2)
        wanted *= 2;
    slots_.assign(std::min(wanted, slots_.size()), {no_state, 0});
    chunks_.resize(std::min<std::size_t>(chunks_.size(), 64));
    origin_.clear();
}

void States::trace(StateId id, Ints &plan) const {
    std::size_t first = plan.size();
    for (; origin_[id].parent != no_state; id = origin_[id].parent)
        plan.push_back(origin_[id].action);
    std::reverse(plan.begin() + static_cast<std::ptrdiff_t>(first), plan.end());
}

}  // namespace tacit
