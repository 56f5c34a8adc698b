#include "mafs/frontier.hpp"

#include <algorithm>
#include <utility>

#include "util/tuning.hpp"

namespace tacit::mafs {

Frontier::Frontier(const StateStore &states, std::vector<Word> wanted, std::size_t public_words,
                   bool is_fair)
    : states_(states), novel_(states, std::move(wanted), public_words), is_fair_(is_fair),
      plans_(public_words) {}

// Of those that were not expanded in both ways.
bool Frontier::is_turn_of_oldest() {
    if (!is_fair_ || ++turns_ < tuning::mafs_turns_per_oldest)
        return false;
    turns_ = 0;
    while (oldest_ < states_.size() && states_.has_any(oldest_, StateStore::by_value) &&
           states_.has_any(oldest_, StateStore::by_novelty))
        ++oldest_;
    return oldest_ < states_.size();
}

Frontier::Turn Frontier::next(OpenEntry &entry) {
    if (is_turn_of_oldest()) {
        entry = {oldest_++, no_action};
        return Turn::by_age;
    }
    is_novel_turn_ = !is_novel_turn_;
    if (is_novel_turn_ && !novel_.empty() && !all_.queue.empty()) {
        entry = {novel_.pop(), no_action};
        return Turn::by_novelty;
    }
    if (!arrived_.empty()) {
        entry = {arrived_.front(), no_action};
        arrived_.pop_front();
        return Turn::arrived;
    }
    return pop(entry) ? Turn::by_value : Turn::none;
}

bool Frontier::pop(OpenEntry &entry) {
    bool take_preferred =
        !preferred_.queue.empty() && (all_.queue.empty() || preferred_.turns <= all_.turns);
    OpenList &list = take_preferred ? preferred_ : all_;
    if (list.queue.empty())
        return false;
    ++list.turns;
    entry = list.queue.pop();
    return true;
}

void Frontier::add(RecordId id) {
    novel_.push(id);
    push_guided(id, 0);
}

void Frontier::push(int value, OpenEntry entry, bool is_preferred) {
    all_.queue.push(value, entry);
    if (is_preferred)
        preferred_.queue.push(value, entry);
}

void Frontier::revive(RecordId id) {
    novel_.push_first(id);
    arrived_.push_back(id);
}

void Frontier::boost_preferred() { preferred_.turns -= tuning::preferred_boost; }

void Frontier::add_plan(const StripsTask &projection, const Ints &groups, const Ints &actions) {
    std::int32_t number = plans_.add(projection, groups, actions);
    for (RecordId id = 0; id < states_.size(); ++id)
        push_guided(id, number);
    guided_steps_ = static_cast<std::int64_t>(actions.size());
}

void Frontier::push_guided(RecordId id, std::int32_t first_plan) {
    if (plans_.empty())
        return;
    plans_.each_place(states_.key(id), [&](PlanGuidance::Place place) {
        if (place.plan >= first_plan && plans_.steps_left(place) > 0)
            guided_.push(plans_.steps_left(place), {id, place});
    });
}

std::int64_t Frontier::step_length(std::int64_t evaluations) {
    if (guided_steps_ == 0)
        return evaluations;
    --guided_steps_;
    return std::min<std::int64_t>(evaluations, 1);
}

std::size_t Frontier::bytes() const {
    return all_.queue.bytes() + preferred_.queue.bytes() + arrived_.size() * sizeof(RecordId) +
           novel_.bytes() + plans_.bytes() + guided_.bytes();
}

}  // namespace tacit::mafs
