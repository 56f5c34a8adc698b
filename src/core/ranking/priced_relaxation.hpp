// The delete relaxation of a task in which some ways to have a fact have a price.
//
// A *way* is an effect of an action, or of the start: it gives a fact, and what it costs is the
// cost of the action (its own, plus the costs of all its needs, as in h_add) and the price of its
// label. Ways without a label are free. Costs are kept by correcting labels: whoever gets cheaper
// tells those that need it. Actions cost at least 1, so what supports a fact is always cheaper than
// the fact itself.
//
// `reach` says that facts hold from now on. Costs only fall by that, so it goes on from where it
// was; that is how one plan is made for many goals: whatever was done for one is there for the
// next.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "util/rows.hpp"

namespace tacit {

class PricedRelaxation {
  public:
    using Cost = std::int64_t;
    static constexpr std::int32_t start = -1;  // the giver of what holds at the start
    static constexpr std::int32_t free = -1;   // the label of a way without a price
    static constexpr Cost unreached = Cost{1} << 40;

    struct Way {
        std::int32_t fact, label;
    };
    struct Support {
        std::int32_t action, label;
    };

    PricedRelaxation(std::int32_t facts, Rows needs);

    void add_way(std::int32_t action, std::int32_t fact, std::int32_t label);
    // Forget the ways of actions to facts that hold at the start for nothing, from now on and
    // always.
    void forget_ways_to(const std::vector<std::uint8_t> &is_there);

    std::vector<Cost> action_cost;  // at least 1 each
    std::vector<Cost> price;        // per label; `unreached` for a way that is closed

    // From the start, with costs and prices as they are now.
    void explore();
    // These facts hold from now on.
    void reach(const Ints &facts);

    Cost cost(std::int32_t fact) const { return cost_[fact]; }
    bool is_reached(std::int32_t fact) const { return cost_[fact] < unreached; }
    // Of the action alone: what its needs cost, `unreached` if some cannot be had.
    Cost cost_of_needs(std::int32_t action) const;
    // For a reached fact that costs something.
    Support support(std::int32_t fact) const { return support_[fact]; }
    Row needs(std::int32_t action) const {
        return action == start ? Row() : needs_[static_cast<std::size_t>(action)];
    }
    const std::vector<Way> &ways(std::int32_t action) const {
        return ways_[action == start ? needs_.size() : static_cast<std::size_t>(action)];
    }

  private:
    Rows needs_;
    std::vector<Ints> needed_by_;
    std::vector<std::vector<Way>> ways_;  // per action, those of the start behind them
    std::vector<Cost> cost_, told_;       // told: the cost that those who need the fact know of
    std::vector<Support> support_;
    std::vector<Cost> sum_;  // per action, over the needs reached so far
    Ints missing_;
    std::vector<std::pair<Cost, std::int32_t>> heap_;

    void lower(std::int32_t fact, Cost cost, Support support);
    void follow_ways(std::int32_t action, Cost cost);
    void spread();
};

}  // namespace tacit
