// One agent's part of an optimal forward search (MAD-A*).
//
// States, descents, what is sent and how it is checked are those of `Node`; the order is that of
// A*: g is what the way to a state cost, h what the rest costs at least, and f = g + h decides. A
// state is sent when it is expanded after an own action that shows, with g and h; its receiver
// takes the larger of that h and its own. A way that is cheaper, or supports other tokens, makes a
// new record: a state is superfluous only because of the same one that costs no more and supports
// as much, so nothing is lost where heuristics are inconsistent or actions cost nothing.
//
// A goal state is an *incumbent*, and what cannot be cheaper than the best incumbent of all agents
// (the *bound*) is not looked at. Agents expand no state beyond a common *horizon*, so that
// together they expand what one A* would. A node is idle when it has nothing below both. The
// coordinator raises the horizon, and ends the search by a consistent cut
// (`tacit.solvers.optimal_search`).
//
// A node is used by one thread at a time. `step` counts evaluations, never seconds.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mafs/bound.hpp"
#include "mafs/mailroom.hpp"
#include "mafs/node.hpp"
#include "util/open_list.hpp"

namespace tacit::mafs {

class AstarNode {
  public:
    static constexpr std::int32_t no_cost = INT32_MAX;

    // Throws std::invalid_argument if the task counts no costs, is not of one ledger, or sends
    // states as one; or if the heuristic is not admissible.
    AstarNode(NodeTask task, const std::string &heuristic);
    AstarNode(const AstarNode &) = delete;
    AstarNode &operator=(const AstarNode &) = delete;

    // Works until this many states are evaluated, a better incumbent is found, or nothing is left
    // below bound and horizon.
    void step(std::int64_t evaluations);
    // Throws MalformedFrame; the node is then as before, but for states already taken in.
    void receive(std::size_t sender, std::span<const std::uint8_t> frame);
    bool has_outgoing(std::size_t receiver) const { return mailroom_.has_frame(receiver); }
    Bytes take_outgoing(std::size_t receiver) { return mailroom_.take_frame(receiver); }

    // The cheapest incumbent of all agents, or `no_cost`, and how far to search. A bound never
    // rises.
    void limit(std::int32_t bound, std::int32_t horizon);
    // The smallest f of a state that is to be expanded, or `no_cost` if none is below the bound.
    std::int32_t lowest() const;
    // What the cheapest own incumbent costs, or `no_cost`.
    std::int32_t cost() const { return found_ == no_record ? no_cost : states_.cost(found_); }

    bool is_idle() const {
        return has_found() || (mailroom_.is_idle() && (lowest() == no_cost || lowest() > horizon_));
    }
    // Is there an incumbent that is better than any that this node was told of?
    bool has_found() const { return cost() < told_; }
    Segment trace_found() const { return trace(found_); }
    Segment trace_sent(std::uint32_t ref, std::int64_t own = -1) const {
        return trace(mailroom_.find_sent(ref, own));
    }

    Counters counters() const;
    std::size_t stored() const { return states_.size(); }
    std::size_t bytes() const {
        return states_.bytes() + open_.bytes() + mailroom_.bytes() + (tolls_ ? tolls_->bytes() : 0);
    }

  private:
    NodeTask task_;
    Layout layout_;
    OwnActions actions_;
    StateStore states_;
    std::unique_ptr<TollBook> tolls_;  // where private costs count
    Bound heuristic_;
    Mailroom mailroom_;
    OpenList open_;
    RecordId found_ = no_record;
    std::int32_t bound_ = no_cost, told_ = no_cost, horizon_ = 0;
    Counters counters_;
    std::vector<Word> view_;
    Ints applicable_;

    Segment trace(RecordId id) const;
    void take(RecordId id, std::int32_t estimate);
    bool evaluate(RecordId id);
    bool take_value_of_variant(RecordId id);
    void open(RecordId id);
    void expand(RecordId id);
    void generate(OpenEntry entry);
    bool note_goal(RecordId id);
    std::int32_t estimate(RecordId id) const { return states_.cost(id) + states_[id].value; }
};

}  // namespace tacit::mafs
