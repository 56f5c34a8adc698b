// A classical task for the search: facts 0 .. n-1, actions with needs, adds and deletes.
//
// Rows are sorted and without repetition, and no action deletes what it adds. Effects may be gained
// after construction, needs may not: all structures that depend on needs alone stay valid.
#pragma once

#include <cstddef>
#include <cstdint>

#include "util/rows.hpp"

namespace tacit {

struct StripsTask {
    std::int32_t facts = 0;
    Ints init, goal;
    Rows pre, add, del;
    Ints cost;
    Ints group;  // the agent of the action; forbidden prefixes are per group

    StripsTask() = default;
    // Throws std::invalid_argument on numbers out of range and on arrays of unequal length.
    StripsTask(std::int32_t fact_count, Ints initial, Ints goals, Rows needs, Rows adds,
               Rows deletes, Ints costs, Ints groups);

    bool operator==(const StripsTask &) const = default;
    std::size_t size() const { return cost.size(); }

    // False if nothing changes. An add wins over a delete of the same fact.
    bool gain_add(std::int32_t action, std::int32_t fact);
    bool gain_delete(std::int32_t action, std::int32_t fact);
};

// The task without the facts that nothing needs. `number` maps old facts to new ones or to -1.
struct Relevant {
    StripsTask task;
    Ints number;
};
Relevant without_irrelevant_facts(const StripsTask &task);

}  // namespace tacit
