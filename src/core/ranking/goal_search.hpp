// A real plan, deletes and all, on what is published and on what an agent could publish: which of
// its own edges does it use?
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "strips/strips.hpp"
#include "util/rows.hpp"

namespace tacit {

// One agent's edges, in the order in which ties break. A giver is an action, or -1 for the start.
// `price` is empty if each costs 1.
struct OwnEdges {
    Ints giver, token;
    std::vector<std::uint8_t> is_positive, is_published;
    Ints price = {};

    std::size_t size() const { return giver.size(); }
};

// Effects that a task has beyond its own: (action, or -1 for the start; fact).
struct Told {
    std::vector<std::pair<std::int32_t, std::int32_t>> gives, ends;
};

// Whether there is a plan with what was told, as far as these evaluations tell; takes what it used
// off them.
bool is_solvable(const StripsTask &task, const Told &told, std::int64_t &evaluations);

// The unpublished own edges that a plan uses if all of them and what is hoped for were told, in the
// order in which it needs them. Empty if no plan was found; if it is known to be hard, more is
// tried.
Ints edges_of_plan(const StripsTask &task, const Told &told, const Told &hoped,
                   const OwnEdges &edges, bool is_hard, std::int64_t &evaluations);

}  // namespace tacit
