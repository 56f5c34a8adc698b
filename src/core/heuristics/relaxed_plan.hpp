// One plan without deletes, made of the cheapest supporters (h_add) from the goals backwards.
#pragma once

#include <cstdint>
#include <vector>

#include "heuristics/relaxation.hpp"

namespace tacit {

class RelaxedPlan {
  public:
    RelaxedPlan(const StripsTask &task, bool use_costs);

    // False if there is none from this state.
    bool make(const Word *state);
    void adds_changed() { relaxation_.adds_changed(); }
    Relaxation &relaxation() { return relaxation_; }

    // Of the last one made: its actions, its cost, and those of its actions applicable at once.
    const Ints &actions() const { return actions_; }
    int cost() const { return cost_; }
    const Ints &applicable() const { return applicable_; }

  private:
    const StripsTask &task_;
    Relaxation relaxation_;
    Ints open_, actions_, applicable_;
    int cost_ = 0;
    std::vector<std::uint32_t> fact_seen_, action_seen_;
    std::uint32_t stamp_ = 0;

    bool open(std::int32_t fact);
    void next_stamp();
};

}  // namespace tacit
