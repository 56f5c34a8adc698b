// The delete relaxation of a task in which some ways to achieve a fact have a price.
//
// A *way* is an effect of an action, or of the initial state: it achieves a fact, and what it costs
// is the cost of the action (its own, plus the costs of all its needs, as in h_add) and the price
// of its label. Ways without a label are free, and so are the effects that the task has itself. A
// fact that becomes cheaper is propagated to the actions that need it. Actions cost at least 1, so
// what supports a fact is always cheaper than the fact itself.
//
// Costs are found in ascending order, so an exploration can end where all goals are known: what
// costs more is on no way to them. Until then `cost` of other facts is only a bound.
//
// `reach` makes facts hold from now on. Costs only fall by that, so it goes on from where it was;
// that is how one plan is made for many goals: what was done for one is there for the next.
//
// A task may fall into parts (`parts.hpp`); one of them can be explored without the others.
//
// Ways are those of one agent, by its own edges, and those that it infers of others: the label of
// the latter is twice the token's place, plus 1 for the initial state, behind the own labels. The
// task and what is inferred are shared with other relaxations. What an exploration needs is as
// large as the task and can be given back after it (`release`), since there is one relaxation per
// agent.
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ranking/inferred_achievers.hpp"
#include "ranking/parts.hpp"
#include "ranking/public_projection.hpp"
#include "util/bits.hpp"
#include "util/for_overwrite.hpp"
#include "util/rows.hpp"

namespace tacit {

class PricedRelaxation {
  public:
    using Cost = std::int32_t;
    static constexpr std::int32_t initial = -1;  // the achiever of what holds initially
    static constexpr std::int32_t free = -1;     // the label of a way without a price
    static constexpr Cost unreached = Cost{1} << 30;
    static constexpr std::int32_t everything = -1;  // all parts together

    struct Way {
        std::int32_t fact, label;
    };
    struct Effect {
        std::int32_t action;
        Way way;
    };
    struct Support {
        std::int32_t action, label;
    };

    // Labels of `effects` are smaller than `own_labels`.
    PricedRelaxation(std::shared_ptr<const IndexedTask> task, const std::vector<Effect> &effects,
                     std::int32_t own_labels = 0, const Inferred &inferred = {});

    // One more way, without a price.
    void add_way(std::int32_t action, std::int32_t fact);
    Scratch<Cost> price;  // per label; `unreached` for a way that is closed
    // No way leads from one of these parts to another; without, everything is one.
    void divide(std::shared_ptr<const Parts> parts) { parts_ = std::move(parts); }

    // From the initial state, with prices as they are now, as far as these goals, or to the end if
    // some cannot be reached; all actions cost 1. In one part, only its prices and goals matter.
    void explore(const Ints &goals, std::int32_t part = everything);
    // These facts hold from now on.
    void reach(const Ints &facts);
    // What can be reached at all, with prices as they are now (`is_reached`). It leaves no costs.
    void find_reachable(std::int32_t part = everything);
    // Gives back the memory of the exploration.
    void release();

    Cost cost(std::int32_t fact) const { return facts_[fact].cost; }
    bool is_reached(std::int32_t fact) const { return facts_[fact].cost < unreached; }
    // Of the action alone: what its needs cost, `unreached` if some cannot be achieved.
    Cost cost_of_needs(std::int32_t action) const;
    // For a reached fact that costs something.
    Support support(std::int32_t fact) const { return facts_[fact].support; }
    Row needs(std::int32_t action) const {
        return action == initial ? Row() : task_->task.pre[static_cast<std::size_t>(action)];
    }
    // Calls back with each way of an action.
    template <typename Called>
    void for_each_way(std::int32_t action, Called &&called) const {
        if (action == initial)
            return for_each_initial_way(everything, called);
        for (std::int32_t fact : task_->task.add[static_cast<std::size_t>(action)])
            called(Way{fact, free});
        for (const Way &way : own_ways(action))
            called(way);
        for (std::int32_t place : inference_->places_after(action))
            call_inferred(place, 2 * place, called);
        if (has_more_[row_of(action)])
            for (std::int32_t fact : more_.at(action))
                called(Way{fact, free});
    }

  private:
    struct FactState {
        Cost cost, propagated;  // propagated: the cost that is known to the actions that need it
        Support support;
    };
    struct ActionState {
        Cost sum;  // over the needs reached so far
        std::int32_t missing;
    };

    std::shared_ptr<const IndexedTask> task_;
    std::shared_ptr<const Inference> inference_;
    std::int32_t own_from_, own_to_, own_labels_;
    Cost dearest_;            // what a fact may cost, so that the needs of no action overflow
    std::int32_t first_own_;  // of the actions with own ways
    Ints start_;              // per action from there on; those of the initial state come first
    std::vector<Way> ways_;
    Bits has_more_;
    std::unordered_map<std::int32_t, Ints> more_;  // free ways that came later
    std::shared_ptr<const Parts> parts_;
    Scratch<FactState> facts_;
    Scratch<ActionState> actions_;
    std::vector<std::pair<Cost, std::int32_t>> heap_;
    Cost limit_ = unreached;  // what the last goal costs: nothing dearer matters

    std::size_t row_of(std::int32_t action) const {
        return action == initial ? task_->task.size() : static_cast<std::size_t>(action);
    }
    std::span<const Way> own_ways(std::int32_t action) const {
        if (action != initial && action < first_own_)
            return {};
        auto row = static_cast<std::size_t>(action == initial ? 0 : action - first_own_ + 1);
        if (row + 1 >= start_.size())
            return {};
        return std::span(ways_).subspan(start_[row], start_[row + 1] - start_[row]);
    }
    template <typename Called>
    void call_inferred(std::int32_t place, std::int32_t label, Called &&called) const {
        std::int32_t fact = inference_->all().token[static_cast<std::size_t>(place)];
        if (fact < own_from_ || fact >= own_to_)
            called(Way{fact, own_labels_ + label});
    }
    bool is_in(std::int32_t part, std::int32_t fact) const {
        return part == everything || parts_->of_fact(fact) == part;
    }
    template <typename Called>
    void for_each_initial_way(std::int32_t part, Called &&called) const;
    template <typename Called>
    void for_each_action(std::int32_t part, Called &&called) const;
    void begin(std::int32_t part);
    void lower(std::int32_t fact, Cost cost, Support support);
    void follow(std::int32_t action, Way way, Cost cost);
    void follow_ways(std::int32_t action, Cost cost);
    void spread();
    void spread_to(const Ints &goals);
    void pass_on(std::int32_t fact);
    bool is_known(std::int32_t fact) const {
        return facts_[fact].cost < unreached && facts_[fact].propagated == facts_[fact].cost;
    }
};

template <typename Called>
void PricedRelaxation::for_each_initial_way(std::int32_t part, Called &&called) const {
    for (const Way &way : own_ways(initial))
        if (is_in(part, way.fact))
            called(way);
    if (part == everything)
        for (std::int32_t place = 0; place < std::ssize(inference_->all().token); ++place)
            call_inferred(place, 2 * place + 1, called);
    else
        for (std::int32_t place : parts_->places(part))
            call_inferred(place, 2 * place + 1, called);
    if (has_more_[row_of(initial)])
        for (std::int32_t fact : more_.at(initial))
            if (is_in(part, fact))
                called(Way{fact, free});
}

}  // namespace tacit
