// An order of one agent's edges by the goal: which edge does a plan need next?
//
// The agent knows the projection of everybody's public actions (tokens are facts there), all edges
// published so far, and its own. It does not know the others' unpublished edges, so it *infers*
// achievers: some action that is likely to achieve a token of theirs, or the initial state, at a
// cost. Its own unpublished edges have a cost too, a lower one. (If they differ in price, the
// median price counts as that cost; what others would pay is not known.) For one goal after the
// other a plan without deletes is made of what earlier goals left and of what costs least; the
// first plan that uses an own unpublished edge decides, and the edge whose achiever is cheapest is
// published. Goals that nobody else can reach come first, then those that cost least; among equals
// every agent begins with another one. The agent that is ahead with a goal is the cheapest to go on
// with it, so the others leave it alone.
//
// An agent none of whose edges leads anywhere (`promise.hpp`) passes without a plan, which is what
// most agents do most of the time. Where the task falls into parts (`parts.hpp`), plans for the
// goals of a part are remembered until an edge into it is published, so that a turn costs what is
// new and not what there is. What comes of it is the same (`goal_parts.cpp`). Nor does each agent
// find out what all of them suppose: in one process that is explored once (`visit.cpp`).
//
// Where plans without deletes need nothing more, a real plan is searched for (`goal_search.hpp`),
// until what is published is seen to suffice. If tokens are deleted, all own edges of it are
// published: where agents infer each other's achievers correctly they all search the same task, so
// that they find the same plan, each for itself, and what they publish fits together. The remaining
// edges come from plans that avoid the actions of earlier ones. Where no plan needs more, the agent
// may count (a cheap edge into a token that has few), or `take` any edge for other reasons.
//
// Planning for every edge would be too slow for agents with thousands of them. The first ones
// decide how small k can be, so only these are planned one by one whatever comes of it. Later, an
// agent that may pass skips more and more turns after plans in vain, and one that must disclose
// plans now and then.
#pragma once

#include <cstdint>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ranking/goal_search.hpp"
#include "ranking/inferred_achievers.hpp"
#include "ranking/parts.hpp"
#include "ranking/priced_relaxation.hpp"
#include "ranking/public_projection.hpp"
#include "strips/strips.hpp"
#include "util/bits.hpp"
#include "util/rows.hpp"

namespace tacit {

class GoalOrder {
  public:
    // `turn` of `agents`: whose edges these are. Achievers are actions of the task or
    // `PricedRelaxation::initial`.
    GoalOrder(std::shared_ptr<const IndexedTask> task, std::int32_t turn, std::int32_t agents,
              OwnEdges edges, Inferred inferred);

    // Another agent published an edge: from now on this action, or the initial state, achieves or
    // deletes the token. One of an earlier run may be of no use today, so it is no reason to take
    // another edge on the same token for less likely.
    void saw(std::int32_t achiever, std::int32_t token, bool is_positive, bool is_recalled = false);
    // The position of the edge that a plan needs next, -1 if no plan needs one; `is_anew` if the
    // plans so far did not do. It is published.
    std::int32_t planned(bool is_anew = true);
    // Whether it did not plan though there was news. Asked again without any, it does.
    bool has_skipped() const { return has_skipped_; }
    // The position of the edge next by counting, -1 when all are published. It is published.
    std::int32_t counted();
    // What real searches may still cost; it grows again only if one found a use for an own edge.
    std::int64_t evaluations_left() const { return evaluations_left_; }
    // The edge at this position is published, for other reasons.
    void take(std::int32_t edge) { publish(edge); }
    // It was published in an earlier run, which is free and counts for nothing.
    void recall(std::int32_t edge) { publish(edge, true); }
    // What it supposes that the others achieve and delete, besides what was disclosed.
    Disclosed supposed() const;
    // The edge at this position has another price from now on.
    void reprice(std::int32_t edge, std::int32_t price);
    // From now on all edges of a plan are published in the order of their numbers, which are drawn,
    // and not in that of the plan.
    void hide_order() { hides_order_ = true; }

  private:
    using Cost = PricedRelaxation::Cost;
    static constexpr auto initial = PricedRelaxation::initial;
    struct Use {
        std::int32_t edge;
        Cost achiever_cost;
    };
    // When a goal's turn comes: whether others may reach it, its cost, its place among the goals.
    using Rank = std::tuple<bool, Cost, std::int32_t>;
    // What is known of a part of the task; anything, until an edge into it is published.
    struct PartPlan {
        std::uint64_t version = 0;  // all that was published into it
        bool is_planned = false;
        std::vector<Use> uses;  // of the first goal whose plan has any
        Rank last;              // when that goal's turn has come, and those of all before it
        Ints actions;           // of the plan for all goals, if it uses nothing
        bool is_for_others_known = false;
        enum class Reach : std::uint8_t { unknown, no, yes } reach[2] = {};
    };

    std::shared_ptr<const IndexedTask> shared_;
    OwnEdges edges_;
    Inferred inferred_;
    Disclosed disclosed_;
    std::int32_t first_own_label_;
    PricedRelaxation relaxation_;
    std::int64_t middle_ = 1;      // the price in the middle, at the beginning
    std::vector<Cost> edge_cost_;  // of each own edge while it is not published
    Ints goals_;                   // in the order in which this agent plans for equal ones
    // Per fact, the edges and threats published in this run. There is one order per agent, and a
    // task has many facts, so nothing is kept of most.
    std::unordered_map<std::int32_t, std::int32_t> achieved_, threatened_;
    Bits holds_initially_;  // by the task or a published edge
    Bits is_for_others_;    // goals that need no further own edge
    std::shared_ptr<const Parts> parts_;
    std::shared_ptr<SharedCosts> costs_;
    std::vector<PartPlan> part_plans_;
    Rows goals_of_part_, edges_of_part_;  // by their places
    // 2 * fact + positive: edges left, the first one last, cheap ones first
    std::unordered_map<std::int32_t, Ints> queues_;
    Ints used_queues_;
    std::int64_t made_ = 0, recalled_ = 0, next_plan_ = 0;
    std::int64_t turns_skipped_ = 0, turns_to_skip_ = 0;  // without a plan, after one in vain
    bool has_news_ = true, has_skipped_ = false;
    std::int64_t evaluations_left_;                     // until one is worth it
    std::int64_t next_search_ = 0, pause_ = 0;          // longer after each that was in vain
    bool is_search_in_vain_ = false;                    // the last one, for own edges
    bool is_solved_ = false;                            // by what is published
    bool is_begun_ = false, needs_real_plans_ = false;  // since plans without deletes do not do
    bool has_real_plan_ = false;  // as far as is known, and all own edges of it are published
    bool are_tokens_deleted_;     // own ones
    bool hides_order_ = false;    // of the edges of a plan
    Bits is_deleted_;             // per fact, by some action
    Ints promising_, straight_;   // edges that may be of use, and those that are not circular
    Ints planned_edges_;          // of the last real plan, the next one last
    Ints planned_;                // actions of the last relaxed plan
    Ints supposed_initially_;     // others' tokens that it supposes there
    Bits seen_;                   // while a plan is traced

    static std::int32_t count(const std::unordered_map<std::int32_t, std::int32_t> &counts,
                              std::int32_t fact) {
        auto found = counts.find(fact);
        return found == counts.end() ? 0 : found->second;
    }
    const StripsTask &task() const { return shared_->task; }
    bool is_own(std::int32_t label) const { return label >= first_own_label_; }
    PricedRelaxation::Effect effect(std::int32_t edge) const {
        return {edges_.achiever[edge], {edges_.token[edge], first_own_label_ + edge}};
    }
    void index_edges();
    void index_prices();
    Cost cost_of(std::int64_t price) const;
    std::vector<PricedRelaxation::Effect> effects() const;
    void divide(Inference::Division division);
    void note_way(std::int32_t achiever, std::int32_t token, bool is_recalled, bool is_own);
    void set_prices(bool with_own_edges, bool with_inferred);
    void set_prices(std::int32_t part, bool with_own_edges, bool with_inferred);
    void find_for_others();
    void find_for_others(std::int32_t part);
    void allow_own_edges(std::int32_t part, PricedRelaxation::Visit &visit, const Ints &goals);
    std::vector<Use> plan_by_parts();
    void plan_part(std::int32_t part);
    bool is_part_reachable(std::int32_t part, bool with_own_edges);
    bool can_reach(std::int32_t part, bool with_own_edges);
    bool can_all_reach(std::int32_t part);
    bool is_any_left(Ints &edges) const;
    bool is_plan_due(bool is_anew);
    void pace(bool is_anew, bool is_found);
    std::int32_t by_plan(bool is_anew);
    std::vector<Use> plan(bool is_whole = false);
    void trace(std::int32_t goal, std::vector<Use> &uses, Ints &reached);
    bool is_sound() const;
    bool is_reachable(bool with_own_edges);
    bool deletes_what_is_needed(std::int32_t action,
                                const std::vector<std::int32_t> &needed_by) const;
    Disclosed known() const;
    Disclosed inferred() const;
    bool needs_real_plans();
    std::int32_t by_real_plan(bool is_anew);
    std::int32_t by_search();
    void search_real_plan(const Disclosed &supposed);
    void plan_for_real();
    void encourage();
    std::int32_t planned_edge();
    std::int32_t by_count();
    void publish(std::int32_t edge, bool is_recalled = false);
};

}  // namespace tacit
