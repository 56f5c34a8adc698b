// One agent's part of the multi-agent forward search (MAFS).
//
// The agent expands states by its own actions only, the most promising first, and evaluates a state
// when it expands it (lazy greedy search with a boosted list of preferred actions). A state that it
// reaches by a public action is sent to the agents that can go on from it, and each of them
// evaluates it with its own heuristic before it waits in the open lists. An action whose tokens are
// not supported on the path is *pruned*.
//
// `StateStore` keeps the states, `Frontier` decides which is next, `Mailroom` sends and receives;
// the node joins them. Where k may grow, `grow` takes up what was deferred; dead ends are revived
// once more when another agent sends what its indices mean from then on, in a later frame.
//
// A node is used by one thread at a time. `step` counts evaluations, never seconds.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mafs/evaluator.hpp"
#include "mafs/frontier.hpp"
#include "mafs/mailroom.hpp"
#include "mafs/node_task.hpp"
#include "mafs/own_actions.hpp"
#include "mafs/state_store.hpp"

namespace tacit::mafs {

struct Counters {
    std::int64_t expanded = 0, evaluated = 0, generated = 0, sent = 0, received = 0, deferred = 0;
};

class Node {
  public:
    Node(NodeTask task, const std::string &heuristic);
    Node(const Node &) = delete;
    Node &operator=(const Node &) = delete;

    // Works until this many states are evaluated, or expanded without, which takes about as long; a
    // goal is found; or nothing is left to do.
    void step(std::int64_t evaluations);
    // Throws MalformedFrame; the node is then as before, but for states already taken in.
    void receive(std::size_t sender, std::span<const std::uint8_t> frame);
    bool has_outgoing(std::size_t receiver) const { return mailroom_.has_frame(receiver); }
    Bytes take_outgoing(std::size_t receiver) { return mailroom_.take_frame(receiver); }

    // Nobody can go on: what `once` withheld is sent after all, once this agent cannot either.
    void send_again() { mailroom_.send_again(); }
    // More is disclosed from now on: own bits, and effects (pairs of action and fact) that actions
    // of the view and of the projection gain.
    // `initial_tokens` are facts of the projection that hold initially.
    void grow(const Ints &support_bits, const Ints &shown_bits, const Ints &view_gains,
              const Ints &projection_gains, const Ints &initial_tokens);
    // A plan of the projection, by its actions: the search expands states on it first.
    void follow_plan(const Ints &actions);

    // The search by value is complete; what the one by novelty has left does not matter then. An
    // agent that has something to send is not idle: where k grows, others wait for what indices
    // mean now.
    bool is_idle() const { return has_found() || (frontier_.empty() && mailroom_.is_idle()); }
    bool has_found() const { return found_ != no_record; }
    Segment trace_found() const { return trace(found_); }
    // Of the states that were sent as one, that with this own index; any if it is negative.
    Segment trace_sent(std::uint32_t ref, std::int64_t own = -1) const {
        return trace(mailroom_.find_sent(ref, own));
    }

    // Where k grows: the own bit, of those that are available, whose disclosure would free the most
    // promising action that was pruned (-1: none), and whether that action is as promising as the
    // best state so far.
    struct Wish {
        std::int32_t bit;
        bool is_promising;
    };
    Wish wish(const std::vector<std::uint8_t> &is_available) const;

    Counters counters() const;
    int best_shown_value() const { return best_shown_; }
    std::size_t stored() const { return states_.size(); }
    std::size_t bytes() const {
        return states_.bytes() + frontier_.bytes() + mailroom_.bytes() + evaluator_.bytes();
    }

  private:
    NodeTask task_;
    Layout layout_;
    OwnActions actions_;
    StateStore states_;
    Evaluator evaluator_;
    Frontier frontier_;
    Mailroom mailroom_;
    RecordId found_ = no_record;
    int best_ = INT32_MAX, best_shown_ = INT32_MAX;
    Counters counters_;
    std::int64_t work_ = 0;  // states evaluated, and states expanded without
    std::vector<Word> view_;
    Ints applicable_, preferred_;
    std::vector<std::uint8_t> is_preferred_;

    Segment trace(RecordId id) const;
    RecordId admit(StateStore::Admitted admitted);
    void step_by_value(OpenEntry entry);
    void step_by_novelty(RecordId id);
    void step_by_age(RecordId id);
    void take_in(RecordId id);
    bool visit(RecordId id);
    bool evaluate(RecordId id, int &value);
    void note_best(RecordId id, int value);
    void go_on(RecordId id, int value);
    void expand(RecordId id, int value);
    template <typename Keep>
    void generate_all(RecordId id, Keep keep);
    void find_applicable();
    bool finish(OpenEntry entry);
    bool is_sent(RecordId id) const;
    void send(RecordId id, int value);
    bool send_unevaluated(RecordId id);
    void follow(Frontier::Guided at);
    void take_up(OpenEntry entry, bool is_preferred);
    void revive(RecordId id);
};

}  // namespace tacit::mafs
