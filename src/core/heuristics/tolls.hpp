// What somebody else's private actions cost, where only their owner knows them.
//
// An owner has actions and facts of a task, both by numbers of their own. Tolls are due before some
// of these actions, each of them once for all that have it. Facts that are *shut* are as if they
// did not hold.
#pragma once

#include <vector>

#include "util/rows.hpp"

namespace tacit {

// Where an owner's facts and actions are in a task.
struct Gates {
    std::int32_t first_fact = 0, first_action = 0, actions = 0;
};

struct Tolls {
    Ints shut;
    Ints cost;     // per toll, more than 0
    Rows actions;  // per toll, those that have it
    // Follows from the above: per toll, the last of the tolls that all its actions have as well,
    // which is paid before, or -1; and per action, its tolls without those that others of them have
    // before.
    Ints before;
    Rows at;

    void complete(std::int32_t action_count);

    bool operator==(const Tolls &other) const {
        return shut == other.shut && cost == other.cost && actions.items == other.actions.items &&
               actions.start == other.actions.start;
    }
};

}  // namespace tacit
