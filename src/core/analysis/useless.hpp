// Actions that no plan takes.
//
// An action is useless if pairs (h²) never allow what it needs, or if the goal is out of reach
// behind it: of all facts only those are left that pairs allow there, and the others do not come
// back by actions that are of use, even if nothing more is deleted. What is useless without a
// useless action stays so, and its absence may make others useless.
//
// A search hardly gains by this where all can be undone. Where it cannot, as with hands that have
// nothing that opens them again, relaxed plans take such steps for a way out, and searches that
// follow them end in places that nobody leaves.
#pragma once

#include <cstdint>
#include <vector>

#include "strips/strips.hpp"

namespace tacit {

// Per action. Where it would take long to find out, none is said to be useless.
std::vector<std::uint8_t> useless_actions(const StripsTask &task);

// The same task, but useless actions need one more fact, the last, which never holds.
StripsTask without_useless_actions(const StripsTask &task);

}  // namespace tacit
