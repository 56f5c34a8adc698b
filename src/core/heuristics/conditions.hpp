// The actions of a task, arranged for the delete relaxation.
//
// Without deletes many actions are equivalent. Those with the same needs are one condition with all
// their effects: a drive from A to B, C or D. Conditions that differ in one need and have the same
// effects are one condition that needs a *choice*, any one of those facts: a parcel is loaded by
// whichever driver sits in the truck. The costs that come out are those of the actions; only the
// work is less.
#pragma once

#include <cstdint>
#include <vector>

#include "strips/strips.hpp"

namespace tacit {

struct Conditions {
    struct Effect {
        std::int32_t fact;
        std::int32_t action;  // if negative, alternatives[~action + position of the fact chosen]
    };

    Ints cost;
    Rows needs;   // facts; behind them, from task.facts on, choices
    Ints choice;  // per condition, -1 for none
    Ints effect_start{0};
    std::vector<Effect> effects;
    Rows choices;  // per choice its facts, sorted
    Ints alternatives;

    std::size_t size() const { return cost.size(); }
};

Conditions conditions_of(const StripsTask &task, const Ints &action_cost);

}  // namespace tacit
