// One agent's part of the multi-agent forward search (MAFS).
//
// The agent expands states by its own actions only, the most promising first, and evaluates a state
// when it takes it up (lazy greedy search with a boosted list of preferred actions). A state that
// it reaches by a public action goes to the agents who can go on from it, and each of them
// evaluates it on its own scale before it waits with the others. An action whose tokens are not
// supported on the path is *held back*: it leads nowhere, and where k may grow it is parked until a
// disclosure supports them.
//
// Variants of a state (see `Records`) are kept only if no other supports as much. Where k may grow,
// a state that is dropped so, though its path could support something that the kept one cannot, is
// parked as well.
//
// A dead end of the heuristic is one only as long as no tokens are added. Where k may grow, dead
// ends are kept, and looked at again when this agent hears of a disclosure, and once more when
// another tells what its indices mean from then on: that comes later, as a frame of its own.
//
// A node is used by one thread at a time. `step` counts evaluations, never seconds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "mafs/aliases.hpp"
#include "mafs/node_task.hpp"
#include "mafs/others.hpp"
#include "mafs/outbox.hpp"
#include "mafs/pairs.hpp"
#include "mafs/public_plans.hpp"
#include "mafs/records.hpp"
#include "search/novelty.hpp"
#include "util/bucket_queue.hpp"

namespace tacit::mafs {

struct Counters {
    std::int64_t expanded = 0, evaluated = 0, generated = 0, sent = 0, received = 0, parked = 0;
};

// Own actions up to a state, from where it came in; `own` is the own index there.
struct Segment {
    Ints actions;
    std::int32_t sender = -1;  // -1: from the start
    std::uint32_t ref = 0;
    std::int32_t g = 0;  // public steps before them
    Index own = 0;
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
    bool has_outgoing(std::size_t receiver) const { return !outbox_.empty(receiver); }
    Bytes take_outgoing(std::size_t receiver) { return outbox_.take(receiver); }

    // Nobody can go on: what `once` kept back is sent after all, once this agent cannot either.
    void send_again() { is_called_ = pairs_.keeps_any(); }

    // More is disclosed from now on: own marks, and effects (pairs of action and fact) that actions
    // of the view and of the projection gain.
    void grow(const Ints &support_marks, const Ints &shown_marks, const Ints &view_gains,
              const Ints &projection_gains);

    // A plan of the projection, by its actions: the search looks at states on it first.
    void follow_plan(const Ints &actions);

    // The search by value is complete; what the one by novelty has left does not matter then. Who
    // has something to send is not idle: where k grows, others wait for what indices mean now.
    bool is_idle() const {
        return found_ != no_record || (has_no_entries() && !is_called_ && outbox_.empty());
    }
    bool has_found() const { return found_ != no_record; }
    Segment trace_found() const { return trace_record(found_); }
    // Of the states that were sent as one, that with this own index; any if it is negative.
    Segment trace_sent(std::uint32_t ref, std::int64_t own = -1) const;

    const Counters &counters() const { return counters_; }
    int best_shown_value() const { return best_shown_; }
    std::size_t stored() const { return records_.size(); }
    std::size_t bytes() const;

  private:
    static constexpr int boost = 1000;
    static constexpr int hopeless = 1 << 24;  // behind all others, where a dead end is no proof
    static constexpr int not_valued = hopeless + 1;  // was not evaluated before it was sent
    static constexpr std::int64_t hurried = 4;  // evaluations in a step while a plan is followed
    static constexpr std::uint32_t max_steps = 1u << 30;
    static constexpr std::size_t max_novelty_bytes = std::size_t{1} << 27;

    struct Entry {
        RecordId record;
        std::int32_t action;  // -1: take up the record itself
    };
    struct OpenList {
        BucketQueue<Entry> queue;
        std::int64_t turns = 0;
    };
    struct Following {
        RecordId record;
        PublicPlans::Place place;
    };
    // A state that two searches share: each takes it up once.
    enum Taken : std::uint8_t { by_value = 1, by_novelty = 2, told_value = 4, told_state = 8 };
    struct Dormant {
        std::vector<Word> key;
        Record record;
    };

    NodeTask task_;
    Layout layout_;
    OwnIndices own_;
    std::vector<ForeignIndices> foreign_;
    Aliases aliases_;
    Pairs pairs_;
    Outbox outbox_;
    StripsTask bare_;  // own actions without their tokens
    Successors successors_;
    Others others_;
    std::string heuristic_name_;
    std::unique_ptr<Heuristic> heuristic_, shown_heuristic_;  // the second once it is asked for
    std::vector<Word> goal_;
    Records records_;
    std::vector<std::uint8_t> taken_;  // per record
    OpenList all_, preferred_;
    std::deque<RecordId> arrived_;  // told by others, not evaluated yet
    BucketQueue<RecordId> novel_;
    Novelty novelty_;
    PublicPlans plans_;
    BucketQueue<Following> following_;  // on public plans, those with fewest steps left first
    std::int64_t hurry_ = 0;            // steps for which the last plan is likely to be followed
    bool novel_turn_ = false, is_called_ = false;
    std::vector<std::uint32_t> kinds_;  // per record: open goals, wanted facts reached
    std::vector<Word>
        wanted_;  // public and private facts that a relaxed plan from the start makes true
    std::vector<RecordId> sent_;  // and where those of each number that was sent end
    std::vector<std::uint32_t> sent_ends_;
    std::vector<std::vector<Entry>> parked_;  // by a token that is missing
    std::vector<Entry> parked_duplicates_;
    std::vector<Dormant> dormant_;
    std::vector<RecordId> dead_;
    std::vector<std::vector<Index>> gained_;  // per agent, indices that mean more than they did
    RecordId found_ = no_record;
    int best_ = INT32_MAX, best_shown_ = INT32_MAX;
    Counters counters_;
    std::int64_t work_ = 0;  // states evaluated, and states expanded without
    std::vector<Word> view_, projected_, key_, pair_, facts_, fresh_, before_;
    std::vector<Index> indices_, members_;
    Ints applicable_, liked_;
    std::vector<std::uint8_t> is_liked_;

    std::size_t agents() const { return task_.token_counts.size(); }
    std::size_t key_words() const { return layout_.public_words + (agents() + 1) / 2; }
    std::size_t fact_words() const {
        return layout_.public_words + std::max<std::size_t>(1, layout_.private_words);
    }
    bool has_no_entries() const {
        return all_.queue.empty() && preferred_.queue.empty() && arrived_.empty();
    }
    Index index_of(const Word *key, std::size_t agent) const;
    void set_index(Word *key, std::size_t agent, Index index) const;
    void begin();
    void note_wanted();
    void push(int value, Entry entry, bool is_liked);
    bool pop(Entry &entry);
    void step_by_value(Entry entry);
    void take_in(RecordId id);
    void step_by_novelty(RecordId id);
    bool tell_unvalued(RecordId id);
    void follow_for(std::int64_t evaluations);
    void push_following(RecordId id, std::int32_t first_plan);
    void follow(Following at);
    bool leads_to(Entry entry, PublicPlans::Place place);
    RecordId generate(Entry entry);
    RecordId admit(const Record &record, Entry entry);
    void push_novel(RecordId id);
    bool is_dominated(Index by, Index index) const;
    bool visit(RecordId id);
    void go_on(RecordId id, int value);
    bool evaluate(RecordId id, int &value);
    bool is_telling(RecordId id) const;
    void tell(RecordId id, int value);
    void send_due();
    void send(std::span<const RecordId> states, const Ints &receivers, int value);
    std::uint32_t number_of(std::span<const RecordId> states);
    void note_best(RecordId id, int value);
    int shown_value();
    void expand(RecordId id, int value);
    void find_applicable(RecordId id);
    std::int32_t missing_token(Index own, std::int32_t action) const;
    bool hold_back(Entry entry);
    bool finishes(Entry entry);
    bool finish(Entry entry);
    void reopen(RecordId id, const Record &shorter);
    void compose_facts(RecordId id, Word *to) const;
    void compose_facts_after(Entry entry);
    void compose_view(RecordId id);
    void compose_projection(RecordId id);
    void add_shown_tokens(RecordId id);
    bool is_goal(const Word *key) const;
    void retell();
    void release_parked(const Ints &marks);
    void revive(RecordId dead);
    void revive_where_gained();
    Segment trace_record(RecordId id) const;
};

}  // namespace tacit::mafs
