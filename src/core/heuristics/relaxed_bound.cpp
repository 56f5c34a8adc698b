#include "heuristics/relaxed_bound.hpp"

#include <algorithm>

namespace tacit {

namespace {

constexpr std::int64_t largest_bound = 1 << 30;

// Per fact, whether the goal may need it.
std::vector<std::uint8_t> needed_facts(const StripsTask &task) {
    std::vector<std::uint8_t> is_needed(task.facts);
    std::vector<Ints> achievers(task.facts);
    for (std::size_t a = 0; a < task.size(); ++a)
        for (std::int32_t fact : task.add[a])
            achievers[fact].push_back(static_cast<std::int32_t>(a));
    Ints stack;
    auto need = [&](std::int32_t fact) {
        if (!is_needed[fact]) {
            is_needed[fact] = 1;
            stack.push_back(fact);
        }
    };
    std::ranges::for_each(task.goal, need);
    while (!stack.empty()) {
        std::int32_t fact = stack.back();
        stack.pop_back();
        for (std::int32_t action : achievers[fact])
            std::ranges::for_each(task.pre[action], need);
    }
    return is_needed;
}

// The facts that may be needed, those of most actions first. Of equally hard needs LM-cut takes the
// last one: cuts at facts that few actions need leave more for the next ones.
Ints by_users(const StripsTask &task, const std::vector<std::uint8_t> &is_needed) {
    Ints users(task.facts), facts;
    for (std::int32_t fact : task.pre.items)
        ++users[fact];
    for (std::int32_t fact = 0; fact < task.facts; ++fact)
        if (is_needed[fact])
            facts.push_back(fact);
    std::ranges::stable_sort(facts, std::greater<>(), [&](std::int32_t f) { return users[f]; });
    return facts;
}

}  // namespace

RelaxedBound::RelaxedBound(const StripsTask &task, const Ints &cost, By by,
                           const std::vector<Gates> &gates)
    : words_(words_for(task.facts)), by_(by), gates_(gates), number_(task.facts, -1),
      is_shut_(task.facts), cuts_(relevant_part(task, cost)) {}

LmCut RelaxedBound::relevant_part(const StripsTask &task, const Ints &cost) {
    std::vector<std::uint8_t> is_needed = needed_facts(task);
    Ints order = by_users(task, is_needed);
    for (std::size_t i = 0; i < order.size(); ++i)
        number_[order[i]] = static_cast<std::int32_t>(i);
    auto facts = static_cast<std::int32_t>(order.size());
    Rows needs, adds;
    Ints row, costs, goal, op_of(task.size(), -1);
    auto numbers = [&](Row of) {
        row.clear();
        for (std::int32_t fact : of)
            if (number_[fact] >= 0)
                row.push_back(number_[fact]);
    };
    for (std::size_t a = 0; a < task.size(); ++a) {
        numbers(task.add[a]);
        if (row.empty())
            continue;
        op_of[a] = static_cast<std::int32_t>(adds.size());
        adds.append(row);
        numbers(task.pre[a]);
        needs.append(row);
        costs.push_back(cost[a]);
    }
    for (std::int32_t fact : task.goal)
        goal.push_back(number_[fact]);
    std::vector<Ints> owned;
    for (const Gates &of : gates_) {
        auto first = op_of.begin() + of.first_action;
        owned.emplace_back(first, first + of.actions);
    }
    return LmCut(facts, goal, needs, adds, std::move(costs), std::move(owned));
}

void RelaxedBound::shut(std::span<const Tolls *const> tolls, bool is_shut) {
    for (std::size_t owner = 0; owner < tolls.size(); ++owner)
        if (tolls[owner] != nullptr)
            for (std::int32_t fact : tolls[owner]->shut)
                is_shut_[gates_[owner].first_fact + fact] = is_shut;
}

int RelaxedBound::evaluate(const Word *state, int enough, std::span<const Tolls *const> tolls) {
    shut(tolls, true);
    holds_.clear();
    each_in(state, words_, [this](std::size_t fact) {
        if (number_[fact] >= 0 && !is_shut_[fact])
            holds_.push_back(number_[fact]);
    });
    shut(tolls, false);
    if (!tolls.empty())
        cuts_.set_tolls(tolls);
    std::int64_t value =
        by_ == By::max ? cuts_.evaluate_max(holds_) : cuts_.evaluate(holds_, enough);
    return value == LmCut::unreachable ? dead_end
                                       : static_cast<int>(std::min(value, largest_bound));
}

template <RelaxedBound::By by>
int RelaxedGuide<by>::evaluate(const Word *state) {
    return bound_->evaluate(state, static_cast<int>(largest_bound));
}

template <RelaxedBound::By by>
void RelaxedGuide<by>::adds_changed() {
    Ints cost(task_.size(), 1);
    for (std::size_t a = 0; use_costs_ && a < task_.size(); ++a)
        cost[a] = std::clamp(task_.cost[a], 1, 1 << 20);
    bound_ = std::make_unique<RelaxedBound>(task_, cost, by);
}

template class RelaxedGuide<RelaxedBound::By::lm_cut>;
template class RelaxedGuide<RelaxedBound::By::max>;

}  // namespace tacit
