// An order of one agent's edges that looks at the goal: which edge does a plan need next?
//
// The agent knows the projection of everybody's public actions (tokens are facts there), what anybody
// has published so far, and its own edges. Of the others' tokens it does not know who gives them, so
// it *hopes*: a token that nobody can have yet comes after some action that looks plausible, or just
// so, at a price. Its own unpublished edges have a price as well. A plan without deletes is made for
// one goal after the other, cheap in what is not published yet; of the own edges in it, the one
// whose giver comes first is published.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "priced_relaxation.hpp"
#include "rows.hpp"
#include "search/strips.hpp"

namespace tacit {

// One agent's edges, in the order in which ties break. A giver is an action or `start`.
struct OwnEdges {
    Ints giver, token;
    std::vector<std::uint8_t> positive;
};

// How the others' tokens might come about: per token, its fact, its owner's group, actions after
// which one may hope for it, and whether it may be hoped for just so.
struct Hopes {
    Ints token, group;
    Rows after;
    std::vector<std::uint8_t> is_vague;
};

class GoalOrder {
  public:
    using Cost = PricedRelaxation::Cost;

    GoalOrder(StripsTask task, std::int32_t own_group, OwnEdges edges, Hopes hopes, Ints options);

    // Another agent published an edge: from now on this action, or the start, gives the token.
    void saw(std::int32_t giver, std::int32_t token);
    // The position of the edge to publish next, -1 when all are published.
    std::int32_t next();
    std::int64_t planned() const { return planned_; }
    std::int64_t searched() const { return searched_; }

  private:
    struct Step {
        std::int32_t edge;
        Cost source;
    };

    StripsTask task_;
    std::int32_t own_group_;
    OwnEdges edges_;
    Hopes hopes_;
    Ints options_;
    PricedRelaxation relaxation_;
    std::vector<std::uint8_t> is_published_;
    Ints given_;               // per fact, the edges published into it
    Ints hope_of_;             // per fact, the hope for it or -1
    std::vector<Ints> queues_; // per token, edges left, the first one last
    Ints queue_of_;            // per fact, its queue or -1
    Ints load_;                // per group, what the plan at hand expects of it
    std::size_t left_ = 0;
    Ints pending_;             // edges to publish next, the first one last
    std::int64_t planned_ = 0, searched_ = 0, made_ = 0, due_ = 0;
    Ints plan_actions_;
    std::vector<std::uint32_t> seen_;
    std::uint32_t stamp_ = 0;

    std::int32_t option(std::size_t n) const { return options_[n]; }
    void set_prices();
    bool plan(std::vector<Step> &used);
    void trace(std::int32_t goal, std::vector<Step> &used, Ints &reached);
    std::int32_t by_plan();
    bool by_search();
    std::int32_t by_count();
    void publish(std::int32_t edge);
};

}  // namespace tacit
