#include "mafs/novelty_queue.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "util/tuning.hpp"

namespace tacit::mafs {

NoveltyQueue::NoveltyQueue(const StateStore &states, std::vector<Word> wanted,
                           std::size_t public_words)
    : states_(states), public_words_(public_words), wanted_(std::move(wanted)),
      novelty_(states.fact_words(), tuning::table_bytes), facts_(states.fact_words()),
      fresh_(states.fact_words()), before_(states.fact_words()) {}

void NoveltyQueue::look_at(RecordId id, Word *facts) const {
    states_.compose_facts(id, facts);
    std::fill(facts + wanted_.size(), facts + facts_.size(), 0);
}

// What its parent had too cannot be new, if both are of the same kind.
void NoveltyQueue::push(RecordId id) {
    const Word *goal = states_.goal();
    const Record &record = states_[id];
    look_at(id, facts_.data());
    std::uint32_t open_goals = 0, reached = 0;
    for (std::size_t w = 0; w < public_words_; ++w)
        open_goals += static_cast<std::uint32_t>(std::popcount(goal[w] & ~facts_[w]));
    for (std::size_t w = 0; w < wanted_.size(); ++w)
        reached += static_cast<std::uint32_t>(std::popcount(wanted_[w] & facts_[w]));
    std::uint32_t kind = open_goals << 16 | (reached & 0xffff);
    kinds_.push_back(kind);
    fresh_ = facts_;
    if (record.parent != no_record && kinds_[record.parent] == kind) {
        look_at(record.parent, before_.data());
        for (std::size_t w = 0; w < fresh_.size(); ++w)
            fresh_[w] &= ~before_[w];
    }
    int novelty = novelty_.measure(kind, facts_.data(), fresh_.data());
    queue_.push(novelty << 16 | static_cast<int>(open_goals), id);
}

std::size_t NoveltyQueue::bytes() const {
    return kinds_.capacity() * sizeof(std::uint32_t) + queue_.bytes() + novelty_.bytes();
}

}  // namespace tacit::mafs
