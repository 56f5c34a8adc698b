// Greedy best-first search that evaluates a state when it is expanded, not when it is generated.
//
// An entry of an open list is a state and an action to do there, under the state's own value. Each
// heuristic has two lists, one for all actions and one for those that some heuristic prefers; they
// take turns, and the preferred ones get extra turns whenever some value falls below all seen
// before. With `landmarks`, the number of landmarks left is one more value with two lists of
// its own; a state's notes are those that its path has visited.
#pragma once

#include "heuristics/landmarks.hpp"
#include "search/engine.hpp"
#include "util/bucket_queue.hpp"

namespace tacit {

class LazyGreedy : public Engine {
  public:
    LazyGreedy(const Space &space, std::vector<Heuristic *> heuristics, Landmarks *landmarks);

    Status run(Meter &meter) override;
    void restart() override;
    std::size_t bytes() const override;

  private:
    struct Entry {
        StateId state;
        std::int32_t action;
    };
    struct OpenList {
        BucketQueue<Entry> queue;
        std::int64_t turns = 0;
        bool only_preferred;
        std::size_t value;
    };

    const Space &space_;
    std::vector<Heuristic *> heuristics_;
    Landmarks *landmarks_;
    std::vector<OpenList> lists_;
    States states_;
    bool is_begun_ = false;
    Ints values_, best_, applicable_, preferred_;
    std::vector<std::uint8_t> is_preferred_;
    std::vector<Word> next_;

    OpenList *choose();
    bool evaluate(Meter &meter, StateId id);
    int landmarks_left(StateId id);
    void push_successors(Meter &meter, StateId id);
    Status visit(Meter &meter, StateId id);
};

}  // namespace tacit
