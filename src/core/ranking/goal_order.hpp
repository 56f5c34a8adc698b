// An order of one agent's edges that looks at the goal: which edge does a plan need next?
//
// The agent knows the projection of everybody's public actions (tokens are facts there), all edges
// published so far, and its own. It does not know the others' unpublished edges, so it *hopes*: a
// token of theirs comes after some action that looks likely to give it, or from the start, at a
// price. Its own unpublished edges have a price too, a lower one. (If they differ in price, it is
// the one in the middle that counts as much; what others would pay is not known.) For one goal
// after the other a plan without deletes is made of what earlier goals left and of what costs
// least; the first plan that takes an own unpublished edge decides, and the edge whose giver is
// cheapest is published. Goals that nobody else can reach come first, then those that cost least;
// among equals every agent begins with another one. Who is ahead with a goal is the cheapest to go
// on with it, so the others leave it alone.
//
// Where plans without deletes take nothing more, a real one is searched for (`goal_search.hpp`),
// until what is published is seen to suffice. If tokens end, all own edges of it are published:
// where agents guess each other right they all search the same task, so that they find the same
// plan, each for itself, and what they publish fits together. What is left then comes by plans that
// avoid the actions of earlier ones. Where no plan says more, the agent may count (a cheap edge
// into a token that has few), or `take` whichever edge it likes for other reasons.
//
// Planning for every edge would be too slow for agents with thousands of them. The first ones
// decide how small k can be, so only these are planned one by one; later there is a plan now and
// then.
#pragma once

#include <cstdint>
#include <vector>

#include "ranking/goal_search.hpp"
#include "ranking/priced_relaxation.hpp"
#include "strips/strips.hpp"
#include "util/rows.hpp"

namespace tacit {

// How the others' tokens may come about: per token its fact, the actions that look likely to give
// it, and whether it is likely to hold at the start.
struct Hopes {
    Ints token;
    Rows after;
    std::vector<std::uint8_t> is_likely_at_start;
};

class GoalOrder {
  public:
    // `turn` of `agents`: whose edges these are. Givers are actions of the task or `start`.
    GoalOrder(StripsTask task, std::int32_t turn, std::int32_t agents, OwnEdges edges, Hopes hopes);

    // Another agent published an edge: from now on this action, or the start, gives or ends the
    // token.
    void saw(std::int32_t giver, std::int32_t token, bool is_positive);
    // The position of the edge that a plan needs next, -1 when no plan says which. It is published.
    std::int32_t planned();
    // The position of the edge next by counting, -1 when all are published. It is published.
    std::int32_t counted();
    // The edge at this position is published, for a reason of somebody else.
    void take(std::int32_t edge) { publish(edge); }

  private:
    using Cost = PricedRelaxation::Cost;
    struct Use {
        std::int32_t edge;
        Cost giver_cost;
    };

    StripsTask task_;
    OwnEdges edges_;
    Hopes hopes_;
    Told told_;
    PricedRelaxation relaxation_;
    std::vector<Cost> edge_cost_;  // of each own edge while it is not published
    Ints goals_;                   // in the order in which this agent looks at equal ones
    Ints given_, ended_;           // per fact, the edges and threats published on it
    std::vector<std::uint8_t> is_given_at_start_;  // by the task or a published edge
    bool is_start_new_ = true;                     // has more been given there since the last plan?
    std::vector<std::uint8_t> is_for_others_;      // goals that need no further own edge
    bool is_reachable_[2] = {false, false};        // without hopes; with own edges, too
    std::vector<Ints>
        queues_;  // 2 * fact + positive: edges left, the first one last, cheap ones first
    Ints used_queues_;
    std::int64_t made_ = 0, next_plan_ = 0;
    std::int64_t evaluations_left_, evaluations_kept_;  // until one is worth it; for after that
    std::int64_t next_search_ = 0, pause_ = 0;          // longer after each that was in vain
    bool is_solved_ = false;                            // by what is published
    bool do_tokens_end_;                                // own ones
    Ints planned_edges_;                                // of the last real plan, the next one last
    Ints planned_;                                      // actions of the last relaxed plan
    std::vector<std::uint32_t> seen_;
    std::uint32_t stamp_ = 0;

    bool is_own(std::int32_t label) const {
        return label >= 0 && label < static_cast<std::int32_t>(edges_.size());
    }
    void index_edges();
    void index_prices();
    void index_hopes();
    void set_prices(bool with_own_edges, bool with_hopes);
    void find_for_others();
    std::int32_t by_plan();
    std::vector<Use> plan();
    void trace(std::int32_t goal, std::vector<Use> &uses, Ints &reached);
    bool is_sound() const;
    bool is_reachable(bool with_own_edges);
    Told hoped() const;
    std::int32_t by_search();
    void plan_for_real();
    void encourage();
    std::int32_t planned_edge();
    std::int32_t by_count();
    void publish(std::int32_t edge);
};

}  // namespace tacit
