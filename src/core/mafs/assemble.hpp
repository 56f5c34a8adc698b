// From what an agent holds and what everybody published to the task its node works on.
//
// Behind the public facts come two for each agent with private goals, "may still act" and "has
// finished": its finishing action, which shows that they are reached, turns the one into the other,
// and nothing of its own may follow. The joint goal is the public goals and that everybody has
// finished.
#pragma once

#include <vector>

#include "grounding/task.hpp"
#include "mafs/node_task.hpp"

namespace tacit::mafs {

// One agent's public actions as it published them, and what it disclosed so far.
struct Shown {
    Rows needs, tokens, adds, deletes;
    std::int32_t token_count = 0;
    bool has_private_goal = false;
    bool has_public_preconditions = false;  // has it private actions with such?
    Ints goal_tokens;
    Ints gains;          // pairs: action, token it achieves
    Ints initial_gains;  // tokens that hold initially
    Ints cost;           // per published action

    std::size_t rows() const { return needs.size() + has_private_goal; }
};

struct Parts {
    std::int32_t self = 0;
    const LocalTask &local;
    std::vector<Shown> shown;
    Rows needed_tokens;         // per own action, the finishing one included
    Ints published;             // per own action, its place among those published, or -1
    Ints own_gains;             // pairs: own action, own token it achieves
    Ints token_facts;           // per own token, the local fact that it stands for
    bool views_tokens = true;   // own actions need their tokens
    Costs costs = Costs::none;  // with none, every action costs 1; the finishing one is free else
    // Where agents that search together have their projections.
    std::shared_ptr<SharedTasks> projections = std::make_shared<SharedTasks>();
};

// Fills in everything but support bits and options. Rows of the view and of the projection that
// belong to an agent's published actions begin at `view_row[agent]` and `projection_row[agent]`.
struct Assembled {
    NodeTask task;
    Ints view_row, projection_row;
    Layout layout;
};
Assembled assemble(const Parts &parts);

}  // namespace tacit::mafs
