// The delete relaxation: what each fact costs if nothing is ever deleted (h_add).
//
// A condition's counter of needs not reached and its cost so far share one 32-bit word, the counter
// in the low bits: reaching a fact of cost c adds (c << shift) - 1 to every condition that needs
// it, and a condition whose counter has come down to 0 is put into the queue under its cost. Costs
// come out of the queue in ascending order, so a fact is reached once, at its final cost, by its
// cheapest supporter; nothing is ever put into the queue twice. An action costs 1 at least, so what
// has the same cost is taken out together. A choice is reached with the first of its facts. The
// goal is one more condition, and exploration ends as soon as its counter is 0.
#pragma once

#include <cstdint>
#include <vector>

#include "heuristics/conditions.hpp"
#include "heuristics/cost_queue.hpp"
#include "strips/states.hpp"

namespace tacit {

class Relaxation {
  public:
    // With `use_costs`, an action costs what it costs plus 1, else 1.
    Relaxation(const StripsTask &task, bool use_costs);

    // Whether the goal can be reached from this state, if asked without ever making a fact true.
    bool explore(const Word *state, std::int32_t without = -1);
    void adds_changed();

    // After `explore`, for facts that it reached.
    std::int32_t cost(std::int32_t fact) const { return cost_[fact]; }
    std::int32_t supporter(std::int32_t fact) const { return supporter_[fact]; }
    bool is_reached(std::int32_t fact) const { return cost_[fact] >= 0; }
    std::int32_t action_cost(std::int32_t action) const { return action_cost_[action]; }

  private:
    const StripsTask &task_;
    std::size_t words_;
    Ints action_cost_;
    Conditions conditions_;
    std::int32_t goal_condition_ = 0;
    unsigned shift_ = 1;
    std::uint32_t counter_mask_ = 1;
    std::int32_t max_cost_ = 0;
    Ints free_;         // conditions without needs
    Rows needed_by_;    // fact or choice -> conditions
    Rows choices_of_;   // fact -> choices it belongs to and its position there
    Ints effect_fact_;  // the facts of `conditions_.effects`, which are read most
    std::vector<std::uint32_t> initial_words_, word_;
    Ints cost_, supporter_;  // of a choice, the position of the fact chosen
    CostQueue queue_;

    void choose_layout();
    void index_needs();
    bool reach(std::int32_t fact, std::int32_t cost);
    bool count_down(std::int32_t fact, std::int32_t cost);
    bool explore_queue();
    bool support(std::int32_t condition, std::int32_t effect, std::int32_t cost);
};

}  // namespace tacit
