// Best-first width search (BFWS, f5): new states first, among equally new ones those with fewest
// landmarks left.
//
// No heuristic is computed for most states. A state's key is the number of landmarks left and the
// number of relaxed-plan facts made true on its path since that number last changed; the relaxed
// plan is made there, once. Novelty is measured among states of the same key. Cheap per state and
// blind where heuristics mislead, it complements them. An expansion counts as one evaluation: it
// takes about as long. States that are not new at all, most of them, are stored only when their
// turn comes.
#pragma once

#include "heuristics/landmarks.hpp"
#include "search/engine.hpp"
#include "search/novelty.hpp"
#include "util/bucket_queue.hpp"

namespace tacit {

class WidthSearch : public Engine {
  public:
    WidthSearch(const Space &space, RelaxedPlan &relaxed, Landmarks &landmarks);

    Status run(Meter &meter) override;
    void restart() override;
    std::size_t bytes() const override;

  private:
    // A state to expand, or (action >= 0) a state's successor that is not stored yet.
    struct Entry {
        StateId state;
        std::int32_t action;
    };
    // Which facts of its relaxed plan a state still has to see is noted with the state, and behind
    // that which landmarks its path has visited.
    struct Node {
        std::int32_t left, reached;  // landmarks left, relaxed-plan facts reached
        std::int16_t novelty;
        bool needs_plan;  // made when the state is expanded
    };

    const Space &space_;
    RelaxedPlan &relaxed_;
    Landmarks &landmarks_;
    States states_;
    std::vector<Node> nodes_;
    BucketQueue<Entry> open_;
    Novelty novelty_;
    bool is_begun_ = false;
    Ints applicable_;
    std::vector<Word> next_, fresh_, visited_;

    Status begin();
    Status generate(StateId parent, std::int32_t action);
    StateId take();
    Node describe(StateId parent);
    Node measure(StateId parent);
    StateId store(StateId parent, std::int32_t action, Node node);
    bool make_relaxed_plan(StateId id);
};

}  // namespace tacit
