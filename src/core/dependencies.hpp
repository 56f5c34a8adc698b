// Private dependencies of one agent (DESIGN §1.2), in numbers.
//
// A *token* stands for one private fact that some public action, or the agent's private goal,
// needs. `givers` lists, per token, the public actions that facilitate the fact: they add it, or
// add something from which a chain of private actions leads to it (`init` is one more giver). A
// fact with no giver but `init` is no token and goes to `left_out`.
//
// A *direct threat* on a token is a public action that deletes its fact and does not facilitate
// it. A *certain threat* on a needed private fact, token or left out, is a public action after
// which the agent cannot have the fact again without a further public action of its own. That is
// decided on the agent's private facts alone: public preconditions are taken to hold, which errs
// towards "not certain" and never the other way.
#pragma once

#include <cstdint>
#include <vector>

#include "rows.hpp"
#include "task.hpp"

namespace tacit {

struct DependencyGraph {
    static constexpr std::int32_t init = -1;

    Ints tokens;    // per token: the number of its fact
    Ints left_out;  // needed private facts that are no tokens
    Rows needs;     // per action of the agent: the tokens it needs (private actions: none)
    Ints goal;      // the tokens of the private goal
    Rows givers;    // per token: sorted actions, `init` first
    Rows direct;    // per token: sorted actions
};

// Edges in the order in which ties are broken: by the layer of the giver, `init` first, then by
// its number, positive before negative, then by token.
struct EdgeList {
    Ints giver, token;
    std::vector<std::uint8_t> positive;
};

// `threats`: per token, the actions that end it; no rows for none. `number`: per action of the
// agent, the public action it is part of; actions with one number are one giver.
EdgeList edges_in_order(const DependencyGraph &graph, const Rows &threats, const Ints &layer,
                        const Ints &number);

// `group`: per fact, the number of its first argument; a chain stays within its fact's group
// unless `any_chain`. `drop_noop`: an add of a fact that the action also needs gives nothing.
DependencyGraph dependencies(const LocalTask &task, const Ints &group, bool any_chain,
                             bool drop_noop);

// Per fact of `facts`: the public actions that certainly end it, sorted.
Rows certain_threats(const LocalTask &task, const Ints &facts);

// Per action of the agent: the layer of relaxed reachability in which it first can be applied, in
// the agent's own view (its own actions and the others' projections); -1 if it never can.
Ints relaxed_layers(const LocalTask &task, const std::vector<const Projection *> &others);

}  // namespace tacit
