// Private dependencies of one agent (docs/solving.md), in numbers.
//
// A *token* stands for one private fact that some public action, or the agent's private goal,
// needs. `achievers` lists, per token, the public actions that achieve the fact (achievers.hpp),
// and `init` if private actions alone reach it from the initial state. A fact that no public action
// achieves is no token and goes to `static_facts`.
//
// A *direct threat* on a token is a public action that deletes its fact and does not achieve it.
#pragma once

#include <cstdint>
#include <vector>

#include "grounding/task.hpp"
#include "privacy/achievers.hpp"
#include "privacy/certain_deletes.hpp"
#include "util/rows.hpp"

namespace tacit {

struct DependencyGraph {
    static constexpr std::int32_t init = -1;

    Ints tokens;        // per token: the number of its fact
    Ints static_facts;  // needed private facts that are no tokens
    Rows needs;         // per action of the agent: the tokens it needs (private actions: none)
    Ints goal;          // the tokens of the private goal
    Rows achievers;     // per token: sorted actions, `init` first
    Rows direct;        // per token: sorted actions
};

// Edges in the order in which ties are broken: by the layer of the achiever, `init` first, then by
// its number, positive before negative, then by token.
struct EdgeList {
    Ints achiever, token;
    std::vector<std::uint8_t> positive;
};

// `threats`: per token, the actions that delete it; no rows for none. `number`: per action of the
// agent, the public action it is part of; actions with one number are one achiever.
EdgeList edges_in_order(const DependencyGraph &graph, const Rows &threats, const Ints &layer,
                        const Ints &number);

// `group`: per fact, the number of its first argument. `deletes` may be missing for the chain rules
// that do not need it.
DependencyGraph dependencies(const LocalTask &task, const Ints &group, ChainRule rule,
                             bool drop_noop, const CertainDeletes *deletes);

}  // namespace tacit
