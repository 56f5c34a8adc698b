// A local task in which public actions share no private precondition: the paper's first reading.
//
// Each private fact that a public action needs has a copy of its own for it, and the action needs
// the copy. A copy is added and deleted with its fact, so that both are always equal, and the same
// plans are plans. Actions with the same public part share a copy: else it would show how many of
// them there are.
#pragma once

#include "grounding/task.hpp"
#include "util/rows.hpp"

namespace tacit {

struct PerUse {
    LocalTask task;  // copies are its last private facts
    Ints user;       // per copy, the first action that needs it
};

PerUse per_use(const LocalTask &task);

}  // namespace tacit
