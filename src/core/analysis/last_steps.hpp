// Public actions after which their agent cannot take another one.
//
// An agent that gives a token away, and has nothing left that brings it back, has taken its last
// step: whatever the others do, its own private facts and tokens allow no further public action. Of
// the task only facts from `public_facts` on are looked at, which their owner alone changes; public
// ones are taken to hold. Pairs say what may hold together behind an action.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/pairs.hpp"
#include "strips/strips.hpp"

namespace tacit {

// Per action. `task.group` says whose it is; actions that pairs never allow are nobody's last.
std::vector<std::uint8_t> last_steps(const StripsTask &task, std::int32_t public_facts,
                                     const std::vector<std::uint8_t> &is_public,
                                     const Pairs &pairs);

}  // namespace tacit
