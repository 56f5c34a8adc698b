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
// Ways are those of one agent, by its own edges, and those that it infers of others: the label of
// the latter is twice the token's place, plus 1 for the initial state, behind the own labels. The
// task and what is inferred are shared with other relaxations. What an exploration needs is as
// large as the task and can be given back after it (`release`), since there is one relaxation per
// agent.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ranking/inferred_achievers.hpp"
#include "ranking/public_projection.hpp"
#include "util/bits.hpp"
#include "util/rows.hpp"

namespace tacit {

class PricedRelaxation {
  public:
    using Cost = std::int32_t;
    static constexpr std::int32_t initial = -1;  // the achiever of what holds initially
    static constexpr std::int32_t free = -1;     // the label of a way without a price
    static constexpr Cost unreached = Cost{1} << 30;

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
    std::vector<Cost> price;  // per label; `unreached` for a way that is closed

    // From the initial state, with prices as they are now, as far as these goals, or to the end if
    // some cannot be reached; all actions cost 1.
    void explore(const Ints &goals);
    // The same again after actions became more expensive by what was added to them.
    void explore_again(const Ints &goals);
    void make_dearer(std::int32_t action, std::int32_t by);
    // These facts hold from now on.
    void reach(const Ints &facts);
    // What can be reached at all, with prices as they are now: per fact. Costs nothing to speak of
    // beyond that, and leaves no costs.
    std::vector<std::uint8_t> reachable();
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
        if (action != initial)
            for (std::int32_t fact : task_->task.add[static_cast<std::size_t>(action)])
                called(Way{fact, free});
        for (const Way &way : own_ways(action))
            called(way);
        const InferredAchievers &inferred = inference_->all();
        auto call = [&](std::size_t place, std::int32_t label) {
            if (std::int32_t fact = inferred.token[place]; fact < own_from_ || fact >= own_to_)
                called(Way{fact, own_labels_ + label});
        };
        if (action == initial)
            for (std::size_t place = 0; place < inferred.token.size(); ++place)
                call(place, 2 * static_cast<std::int32_t>(place) + 1);
        else
            for (std::int32_t place : inference_->places_after(action))
                call(static_cast<std::size_t>(place), 2 * place);
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
        std::uint16_t cost, missing;
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
    std::vector<FactState> facts_;
    std::vector<ActionState> actions_;
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
    void lower(std::int32_t fact, Cost cost, Support support);
    void follow_ways(std::int32_t action, Cost cost);
    void spread();
    void spread_to(const Ints &goals);
    void pass_on(std::int32_t fact);
    bool is_known(std::int32_t fact) const {
        return facts_[fact].cost < unreached && facts_[fact].propagated == facts_[fact].cost;
    }
};

}  // namespace tacit
