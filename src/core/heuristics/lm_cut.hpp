// LM-cut (Helmert and Domshlak, 2009): what a plan costs at least, if nothing were ever deleted.
//
// By h_max each operator has one need that is hardest to achieve. Along these, facts from which the
// goal costs nothing more are the goal's zone; the operators that lead into it from outside are a
// *cut*, and every plan has one of them. The cost of the cheapest is subtracted from all of them,
// until the goal costs nothing. So a cost is counted once, and sums over some of the cuts are
// bounds too: those cuts that consist of *marked* operators alone bound what these cost.
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

    // Operators with needs, what they make true, and costs that are not negative.
    LmCut(std::int32_t facts, const Ints &goal, const Rows &needs, const Rows &adds, Ints cost);

    void mark(const std::vector<std::uint8_t> &is_marked);
    // The bound from the facts that hold, or `unreachable`. It stops once it is `enough`.
    std::int64_t evaluate(std::span<const std::int32_t> holds, std::int64_t enough = no_limit,
                          const Note &note = {});
    // The same, by h_max.
    std::int64_t evaluate_max(std::span<const std::int32_t> holds);
    // Of the last bound, what marked operators alone account for.
    std::int64_t marked_share() const { return marked_share_; }

  private:
    enum Side : std::uint8_t { unseen, in_zone, before };

    std::int32_t goal_, nothing_;  // artificial facts: all goals; the need of what needs nothing
    // What the inner loops need of an operator is next to each other.
    struct Operator {
        std::int64_t cost, at;          // what is left of its cost; what its hardest need costs
        std::int32_t missing, hardest;  // needs not reached yet; -1: not reached
    };
    std::vector<Operator> made_, ops_;  // before an evaluation, and in it
    std::vector<std::uint8_t> is_marked_;
    Rows needs_, adds_;          // per operator; the last one is to reach the goal
    Rows needed_by_, added_by_;  // per fact
    std::vector<std::int64_t> fact_cost_;
    std::vector<std::uint8_t> side_;
    MonotoneQueue queue_;
    Ints stack_, cut_;
    std::int64_t marked_share_ = 0;

    void explore(std::span<const std::int32_t> holds);
    void lower(std::int32_t fact, std::int64_t cost);
    void fire(std::int32_t op, std::int64_t at);
    void follow_cut();
    std::int32_t hardest_need(std::int32_t op) const;
    void mark_zone();
    void find_cut(std::span<const std::int32_t> holds);
    void enter(std::int32_t fact);
    bool leads_into_zone(std::int32_t op) const;
};

}  // namespace tacit
