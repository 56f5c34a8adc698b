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

// The unpublished own edges that a plan uses if all of them and the inferred achievers were
// disclosed, in the order in which it needs them. Empty if no plan was found; if it is known to be
// hard, more is tried.
Ints edges_of_plan(const StripsTask &task, const Disclosed &disclosed, const Disclosed &inferred,
                   const OwnEdges &edges, bool is_hard, std::int64_t &evaluations);

}  // namespace tacit
