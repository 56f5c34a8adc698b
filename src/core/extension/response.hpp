// An agent does its part of a joint plan anew, while the others keep theirs: as a classical task
// that has only what concerns this.
//
// The others' steps are *given*: they keep their order, and their effects are certain. Of the
// agent's own actions those are left out that can never be applied, and those that make nothing
// true that the goal, a given step or another action needs. A fact that none of the rest changes is
// as the given steps make it, whatever the agent does. So what a given step needs of such facts
// holds; and a step without any fact that the agent changes or needs is of no interest here: it can
// be anywhere between its neighbours. What is left is as large as the agent's part, not as the plan
// of all.
#pragma once

#include <cstdint>

#include "grounding/task.hpp"
#include "privacy/certain_deletes.hpp"
#include "privacy/dependencies.hpp"
#include "strips/strips.hpp"
#include "util/rows.hpp"

namespace tacit {

// What is disclosed: `token[i]` is achieved by the local action `achiever[i]`, or from the start if
// that is `DependencyGraph::init`.
struct DisclosedTokens {
    Ints achiever, token;
};

// All that an agent can do with what is disclosed. Tokens are facts behind those of the local task:
// public actions need them, achieve the disclosed ones, and delete what they certainly delete.
StripsTask supported_task(const LocalTask &local, const DependencyGraph &graph,
                          const CertainDeletes &deletes, const DisclosedTokens &disclosed,
                          Ints cost);

struct GivenSteps {
    Rows needs, adds, deletes;
    Ints cost;  // of each step, if steps may be left out; else nothing
};

// `meaning`: per action of the task, one of the agent's own; or their number plus that of a given
// step; or -1: the next given step is left out.
struct Response {
    StripsTask task;
    Ints meaning;
};

Response response(const StripsTask &own, const GivenSteps &given);

}  // namespace tacit
