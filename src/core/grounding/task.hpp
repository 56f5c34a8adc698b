// Ground tasks in flat arrays.
//
// In a `GroundTask` the public facts come first, in the order all agents agree on (ranks of
// names), then the private facts agent by agent, in the order of declaration. Actions are sorted
// by agent, schema and arguments, all in the order of declaration. The order in which the grounder
// happened to find things leaves no trace.
//
// A `LocalTask` is what one agent may hold: all public facts, its own private facts behind them,
// its own actions. `Projection` is what of its public actions everybody may see.
#pragma once

#include <cstdint>
#include <vector>

#include "util/rows.hpp"

namespace tacit {

struct Actions {
    Ints schema, cost;
    Rows args, pre, add, del;  // del never contains what add does
    std::vector<std::uint8_t> is_public;

    std::size_t size() const { return schema.size(); }
};

struct Projection {
    Ints action;  // which of the agent's actions
    Ints cost;
    Rows pre, add, del;
};

struct LocalTask {
    std::int32_t public_facts = 0;
    Rows private_facts;  // predicate, 1 or 0 (negated), arguments
    Ints init, goal;
    Actions actions;

    Projection project() const;
};

struct GroundTask {
    std::int32_t public_facts = 0;
    Rows facts;  // predicate, 1 or 0 (negated), arguments
    Ints owner;  // per fact, -1 for the public ones
    Ints init, goal;
    Ints action_agent;  // sorted
    Actions actions;

    // One agent's part. `public_ids` renames the public facts, of which there are `public_count`
    // then; a negative count means that they keep their numbers.
    LocalTask local(int agent, const Ints &public_ids, int public_count) const;
};

}  // namespace tacit
