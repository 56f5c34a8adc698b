#include "mafs/send_once.hpp"

namespace tacit::mafs {

void SendOnce::add(const Word *key, RecordId record) {
    auto [id, is_new] = keys_.insert(key, no_state, -1);
    if (is_new)
        pairs_.emplace_back();
    Pair &pair = pairs_[id];
    pair.waiting.push_back(record);
    ++waiting_;
    if (!pair.is_sent && !std::exchange(pair.is_due, true))
        due_.push_back(id);
}

void SendOnce::send_again() {
    for (StateId id = 0; waiting_ > 0 && id < pairs_.size(); ++id)
        if (!pairs_[id].waiting.empty() && !std::exchange(pairs_[id].is_due, true))
            due_.push_back(id);
}

std::size_t SendOnce::bytes() const {
    if (pairs_.empty())
        return 0;
    return keys_.bytes() + pairs_.capacity() * sizeof(Pair) + waiting_ * 2 * sizeof(RecordId);
}

}  // namespace tacit::mafs
