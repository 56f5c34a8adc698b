// Public actions after which their agent cannot take another one.
//
// An agent that consumes a token, and has nothing left that achieves it again, has taken its last
// public action: whatever the others do, its own private facts and tokens allow no further one.
// Only facts from `public_facts` on are considered, which their owner alone changes; public ones
// are assumed to hold. Pairs decide what may hold together behind an action.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/pairs.hpp"
#include "strips/strips.hpp"

namespace tacit {

// Per action. `task.group` is its agent; actions that pairs never allow are not terminal.
std::vector<std::uint8_t> terminal_actions(const StripsTask &task, std::int32_t public_facts,
                                           const std::vector<std::uint8_t> &is_public,
                                           const Pairs &pairs);

}  // namespace tacit
