#include "mafs/records.hpp"

#include <cstring>
#include <new>

namespace tacit::mafs {

std::uint64_t Records::hash(const Word *key) const { return hash_words(key, words_); }

std::size_t Records::slot(const Word *key, std::uint64_t h) const {
    auto piece = static_cast<std::uint32_t>(h >> 32);
    std::size_t mask = slots_.size() - 1, at = h & mask;
    while (slots_[at].id != no_record &&
           (slots_[at].piece != piece ||
            std::memcmp(this->key(slots_[at].id), key, words_ * sizeof(Word)) != 0))
        at = (at + 1) & mask;
    return at;
}

RecordId Records::find(const Word *key) const { return slots_[slot(key, hash(key))].id; }

RecordId Records::add(const Word *key, const Record &record) {
    if (records_.size() == no_record)
        throw std::bad_alloc();
    auto id = static_cast<RecordId>(records_.size());
    if (id >> chunk_bits == chunks_.size())
        chunks_.push_back(std::make_unique_for_overwrite<Word[]>(words_ << chunk_bits));
    records_.push_back(record);
    std::memcpy(const_cast<Word *>(this->key(id)), key, words_ * sizeof(Word));
    std::uint64_t h = hash(key);
    Slot &place = slots_[slot(key, h)];
    records_[id].variant = place.id;
    keys_ += place.id == no_record;
    place = {id, static_cast<std::uint32_t>(h >> 32)};
    if (keys_ * 2 > slots_.size())
        grow();
    return id;
}

void Records::grow() {
    std::vector<Slot> old(slots_.size() * 2, {no_record, 0});
    old.swap(slots_);
    std::size_t mask = slots_.size() - 1;
    for (const Slot &taken : old) {
        if (taken.id == no_record)
            continue;
        std::size_t at = hash(key(taken.id)) & mask;
        while (slots_[at].id != no_record)
            at = (at + 1) & mask;
        slots_[at] = taken;
    }
}

std::size_t Records::bytes() const {
    return chunks_.size() * (words_ * sizeof(Word) << chunk_bits) +
           records_.capacity() * sizeof(Record) + slots_.capacity() * sizeof(Slot);
}

}  // namespace tacit::mafs
