#include "mafs/records.hpp"

#include <new>

namespace tacit::mafs {

KeyId Records::number(const Word *key) {
    auto [id, is_new] = keys_.insert(key);
    if (is_new)
        latest_.push_back(no_record);
    return id;
}

RecordId Records::add(KeyId key, const Record &record) {
    if (records_.size() == no_record)
        throw std::bad_alloc();
    auto id = static_cast<RecordId>(records_.size());
    records_.push_back(record);
    records_[id].key = key;
    records_[id].variant = latest_[key];
    latest_[key] = id;
    return id;
}

std::size_t Records::bytes() const {
    return keys_.bytes() + records_.bytes() + latest_.capacity() * sizeof(RecordId);
}

}  // namespace tacit::mafs
