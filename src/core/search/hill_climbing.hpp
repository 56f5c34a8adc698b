// Enforced hill climbing, after FF.
//
// Breadth-first search from the current state until a state with a better value is found; that is
// the current state from then on. First only preferred actions are tried, then all. Where
// breadth-first search ends without a better state, the climb has failed; the next one starts from
// the initial state again with its actions in another, random order.
#pragma once

#include "search/engine.hpp"
#include "util/random.hpp"

namespace tacit {

class HillClimbing : public Engine {
  public:
    HillClimbing(const Space &space, Heuristic &heuristic, std::uint64_t seed);

    Status run(Meter &meter) override;
    void restart() override;
    std::size_t bytes() const override;

  private:
    const Space &space_;
    Heuristic &heuristic_;
    std::uint64_t seed_;
    Random random_;
    int climbs_ = 0;
    bool is_begun_ = false, only_preferred_ = true;
    int value_ = 0;     // of the state that breadth-first search started from
    States states_;     // in the order of breadth-first search
    StateId next_ = 0;  // the state to expand
    Rows preferred_;    // of each state
    Ints actions_;
    std::vector<Word> state_, start_;

    Status begin(Meter &meter);
    void start_from(const Word *state);
    void remember_preferred();
    Status expand(Meter &meter);
    Status give_up();
};

}  // namespace tacit
