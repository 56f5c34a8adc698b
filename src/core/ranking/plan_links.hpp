// Which edges does a plan use, and which of its steps does it need?
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "ranking/goal_search.hpp"
#include "strips/strips.hpp"

namespace tacit {

// A token is given by this action, or by the initial state (-1), and needed later.
struct PlanLink {
    std::int32_t achiever, token;
    auto operator<=>(const PlanLink &) const = default;
};

struct PlanLinks {
    std::vector<PlanLink> links;  // without those that are known, in the order of their use
    std::size_t steps = 0;
};

// The links of a plan of `whole` that are not in `known`, which has the same actions.
PlanLinks links_of(const StripsTask &whole, const StripsTask &known, const Ints &plan);

// The plan without steps that can be left out together with all that depend on them.
Ints without_useless_steps(const StripsTask &task, const Ints &plan);

// Unpublished own edges among the links.
Ints own_edges(const PlanLinks &plan, const OwnEdges &edges);

}  // namespace tacit
