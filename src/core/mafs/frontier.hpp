// What one agent may do next, and whose turn it is.
//
// Three queues take turns. *By value*: states and actions from them, the most promising first, in
// two open lists; the list of preferred actions is boosted when the search comes nearer to a goal.
// *Arrived*: states that others sent, which this agent has yet to evaluate. *By novelty*: see
// `NoveltyQueue`; it gets every second turn, but the search by value alone decides when nothing is
// left. Before all of these come states on plans of the projection (`PlanGuidance`), those with
// the fewest steps left first.
//
// Where states never come to an end (`secure`), the best may always be new ones, and another would
// wait for ever. So the oldest record has a turn now and then, and every state is expanded some
// day.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "mafs/novelty_queue.hpp"
#include "mafs/plan_guidance.hpp"
#include "util/bucket_queue.hpp"

namespace tacit::mafs {

class Frontier {
  public:
    enum class Turn { by_novelty, arrived, by_value, by_age, none };
    struct Guided {
        RecordId record;
        PlanGuidance::Place place;
    };

    Frontier(const StateStore &states, std::vector<Word> wanted, std::size_t public_words,
             bool is_fair);

    // Takes out what is next; without action it is a state.
    Turn next(OpenEntry &entry);
    // Nothing is left by value, which the search must have expanded to be complete.
    bool empty() const {
        return all_.queue.empty() && preferred_.queue.empty() && arrived_.empty();
    }

    // A record that was just added: it waits by novelty and on plans.
    void add(RecordId id);
    void push(int value, OpenEntry entry, bool is_preferred);
    void push_arrived(RecordId id) { arrived_.push_back(id); }
    // A dead end that may be none any more.
    void revive(RecordId id);
    // Is this value better than those of all that wait in the open lists?
    bool would_lead(int value) const {
        return all_.queue.empty() || value < all_.queue.lowest_key();
    }
    void boost_preferred();

    void add_plan(const StripsTask &projection, const Ints &groups, const Ints &actions);
    const PlanGuidance &plans() const { return plans_; }
    bool has_guided() const { return !guided_.empty(); }
    Guided pop_guided() { return guided_.pop(); }
    // A step is one evaluation while a plan may be followed, so that the agent of its next step
    // comes to it soon.
    std::int64_t step_length(std::int64_t evaluations);

    std::size_t bytes() const;

  private:
    struct OpenList {
        BucketQueue<OpenEntry> queue;
        std::int64_t turns = 0;
    };

    const StateStore &states_;
    OpenList all_, preferred_;
    std::deque<RecordId> arrived_;
    NoveltyQueue novel_;
    std::int64_t guided_steps_ = 0;  // for which the last plan is likely to be followed
    bool is_novel_turn_ = false, is_fair_;
    int turns_ = 0;  // since the oldest had one
    RecordId oldest_ = 0;
    PlanGuidance plans_;
    BucketQueue<Guided> guided_;

    bool is_turn_of_oldest();
    bool pop(OpenEntry &entry);
    void push_guided(RecordId id, std::int32_t first_plan);
};

}  // namespace tacit::mafs
