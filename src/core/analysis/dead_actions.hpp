// Actions that no plan contains.
//
// An action is dead if pairs (h²) never allow what it needs, or if the goal is unreachable behind
// it: of all facts only those are left that pairs allow there, and the others are not achieved
// again by actions that are not dead, even if nothing more is deleted. An action that is dead
// without another dead one stays so, and its absence may make others dead.
//
// A search hardly gains by this where everything can be undone. Where it cannot, as with hands that
// nothing opens again, relaxed plans take such actions for a way out, and searches that follow them
// end in states that cannot be left.
#pragma once

#include <cstdint>
#include <vector>

#include "strips/strips.hpp"

namespace tacit {

// Per action. Where it would take long to find out, none is reported as dead.
std::vector<std::uint8_t> dead_actions(const StripsTask &task);

// The same task, but dead actions need one more fact, the last, which never holds.
StripsTask without_dead_actions(const StripsTask &task);

}  // namespace tacit
