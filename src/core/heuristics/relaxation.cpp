#include "heuristics/relaxation.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tacit {

namespace {

constexpr std::int32_t unreached = -1;

}  // namespace

Relaxation::Relaxation(const StripsTask &task, bool use_costs)
    : task_(task), words_((static_cast<std::size_t>(task.facts) + 63) / 64),
      action_cost_(task.size(), 1), cost_(task.facts), supporter_(task.facts) {
    if (use_costs)
        for (std::size_t a = 0; a < task.size(); ++a)
            action_cost_[a] = task.cost[a] < (1 << 20) ? task.cost[a] + 1 : 1 << 20;
    group_actions();
    adds_changed();
}

void Relaxation::group_actions() {
    auto less = [&](std::int32_t a, std::int32_t b) {
        Row x = task_.pre[a], y = task_.pre[b];
        if (!std::ranges::equal(x, y))
            return std::ranges::lexicographical_compare(x, y);
        return action_cost_[a] != action_cost_[b] ? action_cost_[a] < action_cost_[b] : a < b;
    };
    Ints order(task_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), less);
    Ints first_action;  // of each condition
    condition_of_.resize(task_.size());
    for (std::int32_t a : order) {
        bool same = !first_action.empty() &&
                    std::ranges::equal(task_.pre[a], task_.pre[first_action.back()]) &&
                    action_cost_[a] == action_cost_[first_action.back()];
        if (!same)
            first_action.push_back(a);
        condition_of_[a] = static_cast<std::int32_t>(first_action.size()) - 1;
    }
    goal_condition_ = static_cast<std::int32_t>(first_action.size());
    choose_layout(first_action);
}

void Relaxation::choose_layout(const Ints &first_action) {
    std::size_t most = 1;
    for (std::int32_t a : first_action)
        most = std::max(most, task_.pre[a].size());
    shift_ = std::bit_width(std::max(most, task_.goal.size()));
    counter_mask_ = (std::uint32_t{1} << shift_) - 1;
    // No sum of costs of needs and action may leave the word; the goal's sum is not read.
    max_cost_ = static_cast<std::int32_t>((~std::uint32_t{0} >> shift_) / (most + 1));
    std::vector<Ints> needed(task_.facts);
    for (std::size_t c = 0; c < first_action.size(); ++c) {
        Row needs = task_.pre[first_action[c]];
        auto base = static_cast<std::uint32_t>(std::min(action_cost_[first_action[c]], max_cost_));
        initial_words_.push_back(base << shift_ | static_cast<std::uint32_t>(needs.size()));
        if (needs.empty())
            free_.push_back(static_cast<std::int32_t>(c));
        for (std::int32_t fact : needs)
            needed[fact].push_back(static_cast<std::int32_t>(c));
    }
    initial_words_.push_back(static_cast<std::uint32_t>(task_.goal.size()));
    for (std::int32_t fact : task_.goal)
        needed[fact].push_back(goal_condition_);
    for (const Ints &row : needed)
        needed_by_.append(row);
    word_.resize(initial_words_.size());
}

void Relaxation::adds_changed() {
    effect_start_.assign(goal_condition_ + 1, 0);
    auto each_effect = [&](auto &&use) {
        for (std::size_t a = 0; a < task_.size(); ++a)
            for (std::int32_t fact : task_.add[a])
                if (!std::ranges::binary_search(task_.pre[a], fact))
                    use(condition_of_[a], Effect{fact, static_cast<std::int32_t>(a)});
    };
    each_effect([&](std::int32_t c, Effect) { ++effect_start_[c + 1]; });
    std::partial_sum(effect_start_.begin(), effect_start_.end(), effect_start_.begin());
    effects_.resize(effect_start_.back());
    Ints at(effect_start_.begin(), effect_start_.end() - 1);
    each_effect([&](std::int32_t c, Effect effect) { effects_[at[c]++] = effect; });
}

// True once the goal is complete.
inline bool Relaxation::reach(std::int32_t fact, std::int32_t cost) {
    cost_[fact] = cost;
    std::uint32_t step = (static_cast<std::uint32_t>(cost) << shift_) - 1;
    for (std::int32_t c : needed_by_[fact]) {
        std::uint32_t word = word_[c] += step;
        if (word & counter_mask_)
            continue;
        if (c == goal_condition_)
            return true;
        queue_.push(word >> shift_, c);
    }
    return false;
}

bool Relaxation::explore(const Word *state) {
    std::copy(initial_words_.begin(), initial_words_.end(), word_.begin());
    std::fill(cost_.begin(), cost_.end(), unreached);
    queue_.clear();
    if (task_.goal.empty())
        return true;
    for (std::int32_t c : free_)
        queue_.push(word_[c] >> shift_, c);
    for (std::size_t w = 0; w < words_; ++w)
        for (Word bits = state[w]; bits; bits &= bits - 1)
            if (reach(static_cast<std::int32_t>(w * 64 + std::countr_zero(bits)), 0))
                return true;
    return explore_queue();
}

bool Relaxation::explore_queue() {
    std::uint32_t popped;
    std::int32_t condition;
    while (queue_.pop(popped, condition)) {
        std::int32_t cost = std::min(static_cast<std::int32_t>(popped), max_cost_);
        for (std::int32_t i = effect_start_[condition]; i < effect_start_[condition + 1]; ++i) {
            if (cost_[effects_[i].fact] != unreached)
                continue;
            supporter_[effects_[i].fact] = effects_[i].action;
            if (reach(effects_[i].fact, cost))
                return true;
        }
    }
    return false;
}

}  // namespace tacit
