// Proofs that agents have no plan together, for a user who sees all their secrets.
//
// The task has everybody's facts and actions, support included (a token is a fact). Four arguments
// are tried. *Pairs*: two facts of the goal can never hold together, by h². *Terminal actions*:
// after some public actions their agent cannot take another one, since it has consumed a token that
// no disclosed edge achieves again. Every agent takes at most one of these in a plan. If more of
// them are needed, by LM-cut, than there are agents that have any, there is no plan. *The last
// action*: if as many are needed as there are agents, the last public action of a plan is one of
// them, so one of them must reach the public goals. *Triples*: as pairs, by h³, which takes a
// hundred times as long.
//
// A task without such a proof may still have no plan. A proof stays valid if actions add less.
#pragma once

#include <cstdint>
#include <vector>

#include "strips/strips.hpp"

namespace tacit {

enum class UnsolvabilityProof { none, pairs, terminal_actions, last_action, triples };

// `task.group` is the agent of an action. Facts from `public_facts` on are private to the agent
// that uses them. Triples are tried if asked for, unless the task is too large for it.
UnsolvabilityProof prove_unsolvable(const StripsTask &task, std::int32_t public_facts,
                                    const std::vector<std::uint8_t> &is_public, bool by_triples);

}  // namespace tacit
