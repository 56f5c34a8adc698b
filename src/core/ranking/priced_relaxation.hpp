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
// the latter is twice the token's place, plus 1 for the initial state; own labels come behind them.
// The task and what is inferred are shared with other relaxations. What an exploration needs is as
// large as the task and can be given back after it (`release`), since there is one relaxation per
// agent. Nor does each of them explore all of it: a `Visit` begins with what they all have in
// common.
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ranking/inferred_achievers.hpp"
#include "ranking/parts.hpp"
#include "ranking/public_projection.hpp"
#include "ranking/shared_costs.hpp"
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
    using Support = Exploration::Support;

    // Labels of `effects` are no smaller than `first_own_label`.
    PricedRelaxation(std::shared_ptr<const IndexedTask> task, const std::vector<Effect> &effects,
                     const Inferred &inferred = {});

    std::int32_t first_own_label() const {
        return 2 * static_cast<std::int32_t>(inference_->all().token.size());
    }
    // One more way, without a price.
    void add_way(std::int32_t action, std::int32_t fact);
    Scratch<Cost> price;  // per label; `unreached` for a way that is closed
    // No way leads from one of these parts to another; without, everything is one.
    void divide(Inference::Division division) {
        parts_ = std::move(division.parts);
        shared_ = std::move(division.costs);
    }

    // From the initial state, with prices as they are now, as far as these goals, or to the end if
    // some cannot be reached; all actions cost 1. In one part, only its prices and goals matter.
    void explore(const Ints &goals, std::int32_t part = everything);
    // These facts hold from now on.
    void reach(const Ints &facts);
    // What can be reached at all, with prices as they are now (`is_reached`). It leaves no costs.
    void find_reachable(std::int32_t part = everything);
    // Gives back the memory of the exploration.
    void release();

    // What one agent changes in what all of them have in common (`visit.cpp`). While there is one,
    // the relaxation has the costs of its part; then all is as it was before.
    class Visit;

    Cost cost(std::int32_t fact) const { return at().facts[fact].cost; }
    bool is_reached(std::int32_t fact) const { return at().facts[fact].cost < unreached; }
    // Of the action alone: what its needs cost, `unreached` if some cannot be achieved.
    Cost cost_of_needs(std::int32_t action) const;
    // For a reached fact that costs something.
    inline Support support(std::int32_t fact) const;
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
    using FactState = Exploration::Fact;
    using ActionState = Exploration::Action;

    std::shared_ptr<const IndexedTask> task_;
    std::shared_ptr<const Inference> inference_;
    std::int32_t own_from_, own_to_;
    bool infers_own_ = false;  // own tokens, too, as the others do
    Cost dearest_;             // what a fact may cost, so that the needs of no action overflow
    std::int32_t first_own_;   // of the actions with own ways
    Ints start_;               // per action from there on; those of the initial state come first
    std::vector<Way> ways_;
    Bits has_more_;
    std::unordered_map<std::int32_t, Ints> more_;       // free ways that came later
    std::vector<Effect> effects_;                       // by fact
    std::unordered_map<std::int32_t, Ints> more_into_;  // the later ways, per fact
    std::shared_ptr<const Parts> parts_;
    std::shared_ptr<SharedCosts> shared_;
    Exploration own_;
    Visit *visit_ = nullptr;
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
        if (infers_own_ || !is_own(fact))
            called(Way{fact, label});
    }
    bool is_own(std::int32_t fact) const { return fact >= own_from_ && fact < own_to_; }
    inline Exploration &at();
    const Exploration &at() const { return const_cast<PricedRelaxation *>(this)->at(); }
    inline FactState &changed_fact(std::int32_t fact);
    inline ActionState &changed_action(std::int32_t action);
    bool is_in(std::int32_t part, std::int32_t fact) const {
        return part == everything || parts_->of_fact(fact) == part;
    }
    template <typename Called>
    void for_each_initial_way(std::int32_t part, Called &&called) const;
    template <typename Called>
    void for_each_action(std::int32_t part, Called &&called) const;
    template <typename Called>
    void for_each_way_into(std::int32_t fact, Called &&called) const;
    void begin(std::int32_t part);
    void start(std::int32_t part);
    void lower(std::int32_t fact, Cost cost, Support support);
    void follow(std::int32_t action, Way way, Cost cost);
    void follow_ways(std::int32_t action, Cost cost);
    void spread();
    void spread_to(const Ints &goals);
    void pass_on(std::int32_t fact);
    bool is_known(std::int32_t fact) const {
        const FactState &state = at().facts[fact];
        return state.cost < unreached && state.propagated == state.cost;
    }
};

// It holds the costs that are shared, and no other agent uses them. What the agent changes is noted
// and undone at the end, so that a visit costs what differs and not what there is.
class PricedRelaxation::Visit {
  public:
    // With prices as they are, own edges that are not published being closed. The part is explored
    // for all if nobody has done so since this version of what was published.
    Visit(PricedRelaxation &of, std::int32_t part, std::uint64_t version);
    ~Visit();
    Visit(const Visit &) = delete;
    Visit &operator=(const Visit &) = delete;

    // Own tokens are not inferred.
    void infer_nothing_own();
    // These own effects have other prices than before, lower ones; costs are known as far as the
    // goals.
    void lower_prices(const std::vector<Effect> &effects, const Ints &goals);

  private:
    friend class PricedRelaxation;
    struct Best {
        Cost cost = unreached;
        Support support{initial, free};
        std::tuple<Cost, std::int32_t, std::int32_t> turn;  // when an exploration comes to it
    };

    PricedRelaxation &of_;
    std::unique_lock<std::mutex> lock_;
    std::int32_t part_;
    bool is_noting_ = false, is_settled_ = false;
    std::unordered_set<std::int32_t> later_;  // facts that changed since costs were settled
    std::vector<std::pair<std::int32_t, FactState>> facts_;
    std::vector<std::pair<std::int32_t, ActionState>> actions_;

    void explore(std::uint64_t version);
    void end();
    Best best_into(std::int32_t fact) const;
    Support support(std::int32_t fact) const;
    void raise(std::vector<std::pair<Cost, std::int32_t>> suspects);
    void take_back(std::int32_t fact, std::vector<std::pair<Cost, std::int32_t>> &suspects);
};

inline Exploration &PricedRelaxation::at() { return visit_ ? shared_->costs : own_; }

inline PricedRelaxation::FactState &PricedRelaxation::changed_fact(std::int32_t fact) {
    FactState &state = at().facts[fact];
    if (visit_ && visit_->is_noting_) {
        visit_->facts_.emplace_back(fact, state);
        if (visit_->is_settled_)
            visit_->later_.insert(fact);
    }
    return state;
}

inline PricedRelaxation::Support PricedRelaxation::support(std::int32_t fact) const {
    return visit_ ? visit_->support(fact) : own_.facts[fact].support;
}

inline PricedRelaxation::ActionState &PricedRelaxation::changed_action(std::int32_t action) {
    ActionState &state = at().actions[action];
    if (visit_ && visit_->is_noting_)
        visit_->actions_.emplace_back(action, state);
    return state;
}

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
