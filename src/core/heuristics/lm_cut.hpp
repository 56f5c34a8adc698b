// LM-cut (Helmert and Domshlak, 2009): what a plan costs at least, if nothing were ever deleted.
//
// By h_max each operator has one need that is hardest to achieve. Along these, facts from which the
// goal costs nothing more are the goal's zone; the operators that lead into it from outside are a
// *cut*, and every plan has one of them. The cost of the cheapest is subtracted from all of them,
// until the goal costs nothing. So a cost is counted once.
//
// Some operators have tolls (`Tolls`), which they need, too; each toll is an operator without
// needs. They are others at every evaluation, so they have the numbers behind all others.
//
// All arrays are flat. After a cut, h_max is not computed anew: costs have only become smaller, and
// the change is followed from the operators of the cut on.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "heuristics/tolls.hpp"
#include "util/bits.hpp"
#include "util/rows.hpp"

namespace tacit {

// Small numbers by cost, in an order that depends on what was pushed alone. What is pushed may cost
// as little as what was popped last.
class MonotoneQueue {
  public:
    void push(std::int64_t cost, std::int32_t item);
    bool pop(std::int64_t &cost, std::int32_t &item);

  private:
    static constexpr std::int64_t bucket_count = 1 << 12;

    std::vector<Ints> buckets_;
    std::vector<std::pair<std::int64_t, std::int32_t>> heap_;
    std::size_t at_ = 0, in_buckets_ = 0;
};

class LmCut {
  public:
    static constexpr std::int64_t unreachable = -1;
    static constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
    // What a cut is shown to: its operators, and what is counted for it.
    using Note = std::function<void(std::span<const std::int32_t>, std::int64_t)>;

    // Operators with needs, what they make true, and costs that are not negative; per owner,
    // the operators that may have its tolls, or -1.
    LmCut(std::int32_t facts, const Ints &goal, const Rows &needs, const Rows &adds, Ints cost,
          std::vector<Ints> owned = {});

    // What follows is about another goal, one fact; about other costs.
    void aim(std::int32_t fact) { goal_ = fact; }
    // What h_max says of a fact after an evaluation by it, or `no_limit`.
    std::int64_t max_cost(std::int32_t fact) const { return fact_cost_[fact]; }
    void set_costs(const Ints &cost);
    // Per owner its tolls from now on, or null.
    void set_tolls(std::span<const Tolls *const> tolls);
    // The bound from the facts that hold, or `unreachable`. It stops once it is `enough`.
    std::int64_t evaluate(std::span<const std::int32_t> holds, std::int64_t enough = no_limit,
                          const Note &note = {});
    // The same, by h_max.
    std::int64_t evaluate_max(std::span<const std::int32_t> holds);

  private:
    enum Side : std::uint8_t { unseen, in_zone, before };

    std::int32_t goal_, nothing_;  // artificial facts: all goals; the need of what needs nothing
    // What the inner loops need of an operator is next to each other.
    struct Operator {
        std::int64_t cost, at;          // what is left of its cost; what its hardest need costs
        std::int32_t missing, hardest;  // needs not reached yet; -1: not reached
    };
    struct Place {
        std::int32_t owner = -1, number = 0;
    };
    std::vector<Operator> made_, ops_;  // before an evaluation, and in it
    Rows needs_, adds_;                 // per operator; the last one is to reach the goal
    Rows needed_by_, added_by_;         // per fact
    std::vector<std::int64_t> fact_cost_;
    std::vector<std::uint8_t> side_;
    MonotoneQueue queue_;
    Ints stack_, cut_;
    std::vector<Ints> owned_;      // per owner
    std::vector<Place> place_of_;  // per operator
    std::vector<const Tolls *> tolls_;
    Ints first_tolls_;               // operators that need nothing
    Ints toll_needs_;                // per toll, the fact that it needs
    std::vector<Ints> tolls_after_;  // per toll, the operators that need that it is paid
    std::vector<Place> toll_at_;     // per toll of all owners
    Ints first_toll_;                // per owner
    Ints toll_ops_, toll_facts_;     // per toll, its operator, and the fact that it is paid

    void order_tolls();
    void explore(std::span<const std::int32_t> holds);
    void lower(std::int32_t fact, std::int64_t cost);
    void fire(std::int32_t op, std::int64_t at);
    void follow_cut();
    std::int32_t hardest_need(std::int32_t op) const;
    void mark_zone();
    void find_cut(std::span<const std::int32_t> holds);
    void enter(std::int32_t fact);
    bool leads_into_zone(std::int32_t op) const;

    std::int32_t toll_of(std::int32_t item, std::size_t static_count) const {
        return item - static_cast<std::int32_t>(static_count);
    }
    Row adds(std::int32_t op) const {
        std::int32_t toll = toll_of(op, adds_.size());
        return toll < 0 ? adds_[op] : Row(&toll_facts_[toll], 1);
    }
    Row added_by(std::int32_t fact) const {
        std::int32_t toll = toll_of(fact, added_by_.size());
        return toll < 0 ? added_by_[fact] : Row(&toll_ops_[toll], 1);
    }
    // The tolls of an operator, by its owner's numbers.
    Row tolls_at(std::int32_t op) const {
        auto [owner, number] = place_of_[op];
        const Tolls *tolls = owner < 0 ? nullptr : tolls_[owner];
        return tolls == nullptr ? Row() : tolls->at[number];
    }
    template <typename Use>
    void each_user(std::int32_t fact, Use use) const;
};

// Uses the operators that need the fact.
template <typename Use>
void LmCut::each_user(std::int32_t fact, Use use) const {
    std::int32_t toll = toll_of(fact, needed_by_.size());
    if (toll < 0) {
        for (std::int32_t op : needed_by_[fact])
            use(op);
        if (fact == nothing_)
            for (std::int32_t op : first_tolls_)
                use(op);
        return;
    }
    for (std::int32_t op : tolls_after_[toll])
        use(op);
    auto [owner, number] = toll_at_[toll];
    for (std::int32_t action : tolls_[owner]->actions[number])
        if (std::int32_t op = owned_[owner][action]; op >= 0)
            use(op);
}

}  // namespace tacit
