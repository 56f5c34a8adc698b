// A heuristic that is asked only once about a state.
//
// Engines that take turns begin in the same place, and a search that starts again after a change of
// deletes sees mostly the states it saw before: their values are the same, as no heuristic reads
// deletes. Past `max_bytes` what is known is kept and nothing new is remembered.
#pragma once

#include <memory>

#include "heuristics/heuristic.hpp"

namespace tacit {

class Remembered : public Heuristic {
  public:
    Remembered(std::unique_ptr<Heuristic> heuristic, std::size_t fact_words, std::size_t max_bytes);

    int evaluate(const Word *state) override;
    void preferred(Ints &found) const override;
    void adds_changed() override;
    RelaxedPlan *unit_plan() override { return heuristic_->unit_plan(); }
    std::size_t bytes() const override;

  private:
    std::unique_ptr<Heuristic> heuristic_;
    std::size_t max_bytes_;
    States states_;
    Ints values_;
    Rows preferred_;
    StateId last_ = no_state;  // the state last evaluated, if it is remembered
};

}  // namespace tacit
