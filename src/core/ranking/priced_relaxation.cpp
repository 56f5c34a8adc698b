#include "ranking/priced_relaxation.hpp"

#include <algorithm>
#include <functional>

#include "util/pulse.hpp"
#include "util/tuning.hpp"

namespace tacit {

PricedRelaxation::PricedRelaxation(std::int32_t facts, Rows needs)
    : action_cost(needs.size(), 1), needs_(std::move(needs)), needed_by_(facts),
      ways_(needs_.size() + 1), cost_(facts, unreached), propagated_(facts, unreached),
      support_(facts, Support{initial, free}), sum_(needs_.size(), 0), missing_(needs_.size(), 0) {
    for (std::size_t a = 0; a < needs_.size(); ++a)
        for (std::int32_t fact : needs_[a])
            needed_by_.at(fact).push_back(static_cast<std::int32_t>(a));
}

void PricedRelaxation::add_way(std::int32_t action, std::int32_t fact, std::int32_t label) {
    ways_.at(action == initial ? needs_.size() : static_cast<std::size_t>(action))
        .push_back({fact, label});
}

void PricedRelaxation::forget_ways_to(const std::vector<std::uint8_t> &is_there) {
    for (std::size_t a = 0; a < needs_.size(); ++a)
        std::erase_if(ways_[a], [&](Way way) { return is_there[way.fact]; });
}

void PricedRelaxation::explore() {
    std::ranges::fill(cost_, unreached);
    std::ranges::fill(propagated_, unreached);
    heap_.clear();
    for (std::size_t a = 0; a < needs_.size(); ++a) {
        sum_[a] = 0;
        missing_[a] = static_cast<std::int32_t>(needs_[a].size());
        if (missing_[a] == 0)
            follow_ways(static_cast<std::int32_t>(a), action_cost[a]);
    }
    follow_ways(initial, 0);
    spread();
}

void PricedRelaxation::reach(const Ints &facts) {
    for (std::int32_t fact : facts)
        lower(fact, 0, {initial, free});
    spread();
}

PricedRelaxation::Cost PricedRelaxation::cost_of_needs(std::int32_t action) const {
    if (action == initial)
        return 0;
    return missing_[action] == 0 ? sum_[action] : unreached;
}

inline void PricedRelaxation::lower(std::int32_t fact, Cost cost, Support support) {
    if (cost >= cost_[fact])
        return;
    cost_[fact] = cost;
    support_[fact] = support;
    heap_.emplace_back(cost, fact);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

inline void PricedRelaxation::follow_ways(std::int32_t action, Cost cost) {
    for (Way way : ways(action)) {
        if (cost >= cost_[way.fact])
            continue;
        Cost more = way.label == free ? 0 : price[way.label];
        if (more < unreached)
            lower(way.fact, std::min(cost + more, unreached - 1), {action, way.label});
    }
}

void PricedRelaxation::spread() {
    Ticks tick;
    while (!heap_.empty()) {
        tick(tuning::rounds_of_heavy_one);
        auto [cost, fact] = heap_.front();
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        heap_.pop_back();
        if (cost != cost_[fact] || cost == propagated_[fact])
            continue;
        bool is_first = propagated_[fact] == unreached;
        Cost change = is_first ? cost : cost - propagated_[fact];
        propagated_[fact] = cost;
        for (std::int32_t a : needed_by_[fact]) {
            sum_[a] += change;
            missing_[a] -= is_first;
            if (missing_[a] == 0)
                follow_ways(a, sum_[a] + action_cost[a]);
        }
    }
}

}  // namespace tacit
