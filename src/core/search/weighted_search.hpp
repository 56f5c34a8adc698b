// Best-first search by cost so far plus weighted estimate, evaluated lazily, below a bound.
//
// It is for plans that are better than one that is known: nothing is kept that costs as much as the
// bound. A state that is reached at less cost than before is opened again.
//
// A weight of `to_optimality` means that the one heuristic never overestimates: the search goes on
// after it has found a plan, leaves out what cannot be cheaper, and is over when the best plan
// is proved to be one of least cost.
#pragma once

#include "search/engine.hpp"
#include "search/lazy_lists.hpp"

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
    const Space &space_;
    bool is_optimal_;
    int weight_;
    LazyLists lists_;
    States states_;
    std::vector<std::int64_t> cost_;  // per state, of the cheapest way there
    std::int64_t bound_ = 0;
    bool is_begun_ = false, has_plan_ = false;
    std::vector<Word> next_;

    Status take(Meter &meter, const LazyLists::Entry &entry);
    Status visit(Meter &meter, StateId id);
    bool is_below_bound(StateId id) const;
    int key(StateId id, int value) const;
};

}  // namespace tacit
