// Which edges no plan can do without, if nothing were ever deleted.
//
// A projection without any private dependency is a task in which nothing achieves some facts, the
// tokens. An *edge* means that an action, or the initial state, achieves such a fact once the edge
// is disclosed. A set of edges is *open*; with it the goal is reachable or not. If it is not, `cut`
// adds edges for as long as the goal stays unreachable. One of the edges that remain, the *cut*,
// must be open in every set that reaches the goal, and no edge of the cut is superfluous in it.
//
// Facts are reached in a queue that remembers its order, so that a trial is undone at the price of
// what it touched.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "strips/strips.hpp"

namespace tacit {

// An achiever is an action, or -1 for the initial state.
struct PricedEdges {
    Ints achiever, fact, price;

    std::size_t size() const { return achiever.size(); }
};

class RelaxedCuts {
  public:
    // Throws std::invalid_argument if an edge names what the task does not have.
    RelaxedCuts(const StripsTask &task, PricedEdges edges);

    const PricedEdges &edges() const { return edges_; }

    // Whether the goal is reachable with these edges.
    bool reaches(const Ints &open);
    // A smallest (by inclusion) set of other edges one of which must be open as well; empty if the
    // goal is reachable. Edges that rank high are avoided where there is a choice.
    Ints cut(const Ints &open, const Ints &rank);

  private:
    PricedEdges edges_;
    std::int32_t facts_;
    Ints init_, goal_;
    Rows needs_, adds_, needed_by_;
    Rows edges_of_;    // per action, those of the initial state behind them
    Rows edges_into_;  // per fact

    std::vector<std::uint8_t> is_open_, is_reached_, is_goal_, is_seen_;
    Ints missing_, reached_, seen_;  // seen: facts that a closed edge could achieve
    std::size_t propagated_ =
        0;  // how many of `reached_` were counted in the actions that need them
    std::int32_t goals_left_ = 0;

    void begin(const Ints &open);
    void reach(std::int32_t fact);
    void fire(std::size_t action);
    bool spread();
    void take_back(std::size_t reached, std::size_t seen);
    void seek_more(const Ints &rank);
    bool is_achieved(std::int32_t achiever) const {
        return achiever < 0 || missing_[achiever] == 0;
    }
};

// Cuts by LM-cut: every one has an edge that must be opened, and `value` bounds what all of it
// costs. `price` is what each edge costs here; edges that cost nothing are in no cut. It stops once
// `value` is `enough`.
struct LandmarkCuts {
    std::vector<Ints> cuts;
    std::int64_t value = 0;
    bool has_plan = true;  // if nothing were ever deleted, with all edges
};
LandmarkCuts lm_cut(const StripsTask &task, const PricedEdges &edges, const Ints &price,
                    std::int64_t enough = std::numeric_limits<std::int64_t>::max());

}  // namespace tacit
