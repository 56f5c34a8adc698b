// Best-first width search (BFWS, f5): new states first, among equally new ones those with more goals.
//
// No heuristic is computed for most states. A state's key is the number of open goals and the number
// of relaxed-plan facts made true on its path since the number of open goals last changed; the
// relaxed plan is made there, once. Novelty is measured among states of the same key. Cheap per
// state and blind where heuristics mislead, it complements them. An expansion counts as one
// evaluation: it takes about as long.
#pragma once

#include "heuristics/relaxed_plan.hpp"
#include "search/bucket_queue.hpp"
#include "search/engine.hpp"
#include "search/novelty.hpp"

namespace tacit {

class WidthSearch : public Engine {
  public:
    explicit WidthSearch(const Space &space);

    Status run(Meter &meter) override;
    void restart() override;
    std::size_t bytes() const override;

  private:
    static constexpr std::size_t max_novelty_bytes = std::size_t{1} << 28;

    // Which of the facts of its relaxed plan a state still has to see is noted with the state.
    struct Node {
        std::int32_t open_goals;
        std::int32_t reached : 31;
        bool needs_plan : 1;  // made when the state is expanded
    };

    const Space &space_;
    RelaxedPlan relaxed_;
    States states_;
    std::vector<Node> nodes_;
    BucketQueue<StateId> open_;
    Novelty novelty_;
    bool is_begun_ = false;
    Ints applicable_;
    std::vector<Word> next_, fresh_;

    Status begin();
    Status generate(Meter &meter, StateId parent, std::int32_t action);
    void enter(StateId id, StateId parent);
    bool make_relaxed_plan(StateId id);
    std::int32_t count_open_goals(const Word *state) const;
};

}  // namespace tacit
