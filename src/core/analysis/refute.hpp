// Proofs that agents have no plan together, for who sees all their secrets.
//
// The task has everybody's facts and actions, support included (a token is a fact). Four arguments
// are tried. *Pairs*: two facts of the goal can never hold together, by h². *Last steps*: after
// some public actions their agent cannot take another one, since it has given away a token that no
// edge that was disclosed brings back. Every agent takes at most one of these in a plan. If more of
// them are needed, by LM-cut, than there are agents who have any, there is no plan. *The last of
// all*: if as many are needed as there are agents, the last public action of a plan is one of them,
// so one of them must end with the public goals. *Triples*: as pairs, by h³, which takes a hundred
// times as long.
//
// What is not refuted may still have no plan. What is refuted stays so if actions add less.
#pragma once

#include <cstdint>
#include <vector>

#include "strips/strips.hpp"

namespace tacit {

enum class Refutation { none, pairs, last_steps, last_of_all, triples };

// `task.group` says whose an action is. Facts from `public_facts` on are private to who uses them.
// Triples are tried if asked for, and where the task is not too large for it.
Refutation refute(const StripsTask &task, std::int32_t public_facts,
                  const std::vector<std::uint8_t> &is_public, bool by_triples);

}  // namespace tacit
