#include "heuristics/relaxation.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace tacit {

namespace {

constexpr std::int32_t unreached = -1, barred = -2;

}  // namespace

Relaxation::Relaxation(const StripsTask &task, bool use_costs)
    : task_(task), words_(words_for(task.facts)), action_cost_(task.size(), 1) {
    if (use_costs)
        for (std::size_t a = 0; a < task.size(); ++a)
            action_cost_[a] = task.cost[a] < (1 << 20) ? task.cost[a] + 1 : 1 << 20;
    adds_changed();
}

void Relaxation::adds_changed() {
    conditions_ = conditions_of(task_, action_cost_);
    goal_condition_ = static_cast<std::int32_t>(conditions_.size());
    choose_layout();
    index_needs();
    effect_fact_.clear();
    for (const Conditions::Effect &effect : conditions_.effects)
        effect_fact_.push_back(effect.fact);
    cost_.resize(task_.facts + conditions_.choices.size());
    supporter_.resize(cost_.size());
}

void Relaxation::choose_layout() {
    std::size_t most = 1;
    for (std::size_t c = 0; c < conditions_.size(); ++c)
        most = std::max(most, conditions_.needs[c].size());
    shift_ = std::bit_width(std::max(most, task_.goal.size()));
    counter_mask_ = (std::uint32_t{1} << shift_) - 1;
    // No sum of costs of needs and action may leave the word; the goal's sum is not read.
    max_cost_ = static_cast<std::int32_t>((~std::uint32_t{0} >> shift_) / (most + 1));
    initial_words_.clear();
    for (std::size_t c = 0; c < conditions_.size(); ++c) {
        auto base = static_cast<std::uint32_t>(std::min(conditions_.cost[c], max_cost_));
        auto count = static_cast<std::uint32_t>(conditions_.needs[c].size());
        initial_words_.push_back(base << shift_ | count);
    }
    initial_words_.push_back(static_cast<std::uint32_t>(task_.goal.size()));
    word_.resize(initial_words_.size());
}

void Relaxation::index_needs() {
    std::vector<Ints> needed(task_.facts + conditions_.choices.size()), member(task_.facts);
    free_.clear();
    for (std::size_t c = 0; c < conditions_.size(); ++c) {
        if (conditions_.needs[c].empty())
            free_.push_back(static_cast<std::int32_t>(c));
        for (std::int32_t fact : conditions_.needs[c])
            needed[fact].push_back(static_cast<std::int32_t>(c));
    }
    for (std::int32_t fact : task_.goal)
        needed[fact].push_back(goal_condition_);
    for (std::size_t choice = 0; choice < conditions_.choices.size(); ++choice)
        for (std::int32_t position = 0; std::int32_t fact : conditions_.choices[choice]) {
            member[fact].push_back(static_cast<std::int32_t>(task_.facts + choice));
            member[fact].push_back(position++);
        }
    needed_by_ = choices_of_ = Rows();
    for (const Ints &row : needed)
        needed_by_.append(row);
    for (const Ints &row : member)
        choices_of_.append(row);
}

// True once the goal is complete.
inline bool Relaxation::count_down(std::int32_t fact, std::int32_t cost) {
    cost_[fact] = cost;
    const unsigned shift = shift_;
    const std::uint32_t mask = counter_mask_,
                        step = (static_cast<std::uint32_t>(cost) << shift) - 1;
    const std::int32_t goal = goal_condition_;
    std::uint32_t *words = word_.data();
    for (std::int32_t c : needed_by_[fact]) {
        std::uint32_t word = words[c] += step;
        if (word & mask)
            continue;
        if (c == goal)
            return true;
        queue_.push(word >> shift, c);
    }
    return false;
}

inline bool Relaxation::reach(std::int32_t fact, std::int32_t cost) {
    Row choices = choices_of_[fact];
    for (std::size_t i = 0; i < choices.size(); i += 2)
        if (cost_[choices[i]] == unreached) {
            supporter_[choices[i]] = choices[i + 1];
            count_down(choices[i], cost);  // no choice is a goal
        }
    return count_down(fact, cost);
}

bool Relaxation::explore(const Word *state, std::int32_t without) {
    std::copy(initial_words_.begin(), initial_words_.end(), word_.begin());
    std::fill(cost_.begin(), cost_.end(), unreached);
    queue_.clear();
    if (without >= 0)
        cost_[without] = barred;
    if (task_.goal.empty())
        return true;
    for (std::int32_t c : free_)
        queue_.push(word_[c] >> shift_, c);
    for (std::size_t w = 0; w < words_; ++w)
        for (Word bits = state[w]; bits; bits &= bits - 1) {
            auto fact = static_cast<std::int32_t>(w * 64 + std::countr_zero(bits));
            if (fact != without && reach(fact, 0))
                return true;
        }
    return explore_queue();
}

bool Relaxation::explore_queue() {
    std::uint32_t popped;
    std::span<const std::int32_t> complete;
    const std::int32_t *start = conditions_.effect_start.data(), *facts = effect_fact_.data();
    const std::int32_t *costs = cost_.data();
    while (queue_.pop(popped, complete)) {
        std::int32_t cost = std::min(static_cast<std::int32_t>(popped), max_cost_);
        for (std::int32_t c : complete)
            for (std::int32_t i = start[c], end = start[c + 1]; i < end; ++i)
                if (costs[facts[i]] == unreached && support(c, i, cost))
                    return true;
    }
    return false;
}

// True once the goal is complete.
bool Relaxation::support(std::int32_t condition, std::int32_t effect, std::int32_t cost) {
    auto [fact, action] = conditions_.effects[effect];
    if (action < 0) {
        std::int32_t chosen = supporter_[task_.facts + conditions_.choice[condition]];
        action = conditions_.alternatives[~action + chosen];
    }
    supporter_[fact] = action;
    return reach(fact, cost);
}

}  // namespace tacit
