// Greedy best-first search that evaluates a state when it is expanded, not when it is generated.
#pragma once

#include "search/engine.hpp"
#include "search/lazy_lists.hpp"

namespace tacit {

class LazyGreedy : public Engine {
  public:
    LazyGreedy(const Space &space, std::vector<Heuristic *> heuristics, Landmarks *landmarks);

    Status run(Meter &meter) override;
    void restart() override;
    std::size_t bytes() const override { return states_.bytes() + lists_.bytes(); }

  private:
    const Space &space_;
    LazyLists lists_;
    States states_;
    bool is_begun_ = false;
    std::vector<Word> next_;

    Status visit(Meter &meter, StateId id);
};

}  // namespace tacit
