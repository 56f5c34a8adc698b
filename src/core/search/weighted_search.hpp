// Best-first search by cost so far plus weighted estimate, evaluated lazily, below a bound.
//
// It is for plans that are better than one that is known: nothing is kept that costs as much as the
// bound. A state that is reached at less cost than before is opened again. As in `LazyGreedy`, an
// entry of an open list is a state and an action to do there, under the state's own estimate; lists
// of preferred actions take turns with lists of all.
//
// A weight of `to_optimality` means that the first heuristic never overestimates: the search goes
// on after it has found a plan, leaves out what cannot be cheaper, and is over when the best plan
// is proved to be one of least cost.
#pragma once

#include "heuristics/landmarks.hpp"
#include "search/engine.hpp"
#include "util/bucket_queue.hpp"

namespace tacit {

class WeightedSearch : public Engine {
  public:
    static constexpr int to_optimality = 0;

    WeightedSearch(const Space &space, std::vector<Heuristic *> heuristics, Landmarks *landmarks,
                   int weight);

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
    bool is_optimal_;
    int weight_;
    std::vector<OpenList> lists_;
    States states_;
    std::vector<std::int64_t> cost_;  // per state, of the cheapest way there
    std::int64_t bound_ = 0;
    bool is_begun_ = false, has_plan_ = false;
    Ints values_, best_, applicable_, preferred_;
    std::vector<std::uint8_t> is_preferred_;
    std::vector<Word> next_;

    OpenList *choose();
    Status take(Meter &meter, const Entry &entry);
    Status visit(Meter &meter, StateId id);
    bool evaluate(Meter &meter, StateId id);
    void boost_preferred();
    void push_successors(Meter &meter, StateId id);
    int key(std::size_t value, StateId id) const;
};

}  // namespace tacit
