// A real plan, deletes included, with what is published and what an agent could publish: which of
// its own edges does it use?
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "strips/strips.hpp"
#include "util/rows.hpp"

namespace tacit {

// One agent's edges, in the order in which ties break. An achiever is an action, or -1 for the
// initial state.
// `price` is empty if each costs 1.
struct OwnEdges {
    Ints achiever, token;
    std::vector<std::uint8_t> is_positive, is_published;
    Ints price = {};

    std::size_t size() const { return achiever.size(); }
};

// Effects that a task has beyond its own: (action, or -1 for the initial state; fact).
struct Disclosed {
    std::vector<std::pair<std::int32_t, std::int32_t>> achieves, deletes;
};

// Whether there is a plan with what was disclosed, as far as these evaluations show; subtracts
// those that it used.
bool is_solvable(const StripsTask &task, const Disclosed &disclosed, std::int64_t &evaluations);

// A plan if these achievers, all own edges and what was disclosed were known to everybody, and the
// edges of it that are not disclosed yet: of several plans one with few. Agents that suppose the
// same search the same task, and find the same plan; in one process it is searched once.
struct RealPlan {
    bool is_found = false;
    Ints own_edges;  // not published, in the order in which the plan needs them
};
RealPlan find_real_plan(const StripsTask &task, const Disclosed &disclosed,
                        const Disclosed &supposed, const OwnEdges &edges,
                        std::int64_t &evaluations);

}  // namespace tacit
