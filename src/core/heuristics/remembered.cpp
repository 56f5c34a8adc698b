#include "heuristics/remembered.hpp"

#include <utility>

namespace tacit {

Remembered::Remembered(std::unique_ptr<Heuristic> heuristic, std::size_t fact_words,
                       std::size_t max_bytes)
    : heuristic_(std::move(heuristic)), max_bytes_(max_bytes), states_(fact_words) {}

int Remembered::evaluate(const Word *state) {
    if (bytes() > max_bytes_) {
        last_ = states_.find(state);
        return last_ == no_state ? heuristic_->evaluate(state) : values_[last_];
    }
    auto [id, is_new] = states_.insert(state, no_state, -1);
    last_ = id;
    if (!is_new)
        return values_[id];
    int value = heuristic_->evaluate(state);
    values_.push_back(value);
    if (value != dead_end)
        heuristic_->preferred(preferred_.items);
    preferred_.close();
    return value;
}

void Remembered::preferred(Ints &found) const {
    if (last_ == no_state)
        return heuristic_->preferred(found);
    Row row = preferred_[last_];
    found.insert(found.end(), row.begin(), row.end());
}

void Remembered::adds_changed() {
    heuristic_->adds_changed();
    states_.clear();
    values_.clear();
    preferred_ = Rows();
    last_ = no_state;
}

std::size_t Remembered::bytes() const {
    return states_.bytes() +
           (values_.capacity() + preferred_.items.capacity() + preferred_.start.capacity()) *
               sizeof(std::int32_t);
}

}  // namespace tacit
