// The delete relaxation of a task in which some ways to achieve a fact have a price.
//
// A *way* is an effect of an action, or of the initial state: it achieves a fact, and what it costs
// is the cost of the action (its own, plus the costs of all its needs, as in h_add) and the price
// of its label. Ways without a label are free. A fact that becomes cheaper is propagated to the
// actions that need it. Actions cost at least 1, so what supports a fact is always cheaper than the
// fact itself.
//
// `reach` makes facts hold from now on. Costs only fall by that, so it goes on from where it was;
// that is how one plan is made for many goals: what was done for one is there for the next.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "util/rows.hpp"

namespace tacit {

class PricedRelaxation {
  public:
    using Cost = std::int64_t;
    static constexpr std::int32_t initial = -1;  // the achiever of what holds initially
    static constexpr std::int32_t free = -1;     // the label of a way without a price
    static constexpr Cost unreached = Cost{1} << 40;

    struct Way {
        std::int32_t fact, label;
    };
    struct Support {
        std::int32_t action, label;
    };

    PricedRelaxation(std::int32_t facts, Rows needs);

    void add_way(std::int32_t action, std::int32_t fact, std::int32_t label);
    // Drops for good the ways of actions to facts that hold initially at no cost.
    void forget_ways_to(const std::vector<std::uint8_t> &is_there);

    std::vector<Cost> action_cost;  // at least 1 each
    std::vector<Cost> price;        // per label; `unreached` for a way that is closed

    // From the initial state, with costs and prices as they are now.
    void explore();
    // These facts hold from now on.
    void reach(const Ints &facts);

    Cost cost(std::int32_t fact) const { return cost_[fact]; }
    bool is_reached(std::int32_t fact) const { return cost_[fact] < unreached; }
    // Of the action alone: what its needs cost, `unreached` if some cannot be achieved.
    Cost cost_of_needs(std::int32_t action) const;
    // For a reached fact that costs something.
    Support support(std::int32_t fact) const { return support_[fact]; }
    Row needs(std::int32_t action) const {
        return action == initial ? Row() : needs_[static_cast<std::size_t>(action)];
    }
    const std::vector<Way> &ways(std::int32_t action) const {
        return ways_[action == initial ? needs_.size() : static_cast<std::size_t>(action)];
    }

  private:
    Rows needs_;
    std::vector<Ints> needed_by_;
    std::vector<std::vector<Way>> ways_;  // per action, those of the initial state behind them
    std::vector<Cost> cost_,
        propagated_;  // propagated: the cost that is known to the actions that need it
    std::vector<Support> support_;
    std::vector<Cost> sum_;  // per action, over the needs reached so far
    Ints missing_;
    std::vector<std::pair<Cost, std::int32_t>> heap_;

    void lower(std::int32_t fact, Cost cost, Support support);
    void follow_ways(std::int32_t action, Cost cost);
    void spread();
};

}  // namespace tacit
