// From what an agent holds and what everybody published to the task its node works on.
//
// Behind the public facts come two for each agent with private goals, "may still act" and "has
// finished": its last action, which shows that they are reached, turns the one into the other, and
// nothing of its own may follow. The goal of all is the public goals and that everybody has
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
    bool looks = false;  // has it private actions that look at public facts?
    Ints goal_tokens;
    Ints gains;        // pairs: action, token it gives
    Ints start_gains;  // tokens given at the start

    std::size_t rows() const { return needs.size() + has_private_goal; }
};

struct Parts {
    std::int32_t self = 0;
    const LocalTask &local;
    std::vector<Shown> shown;
    Rows needed_tokens;        // per own action, its last one included
    Ints own_gains;            // pairs: own action, own token it gives
    bool views_tokens = true;  // own actions need their tokens
};

// Fills in everything but marks and flags. Rows of the view and of the projection that belong to an
// agent's published actions begin at `view_row[agent]` and `projection_row[agent]`.
struct Assembled {
    NodeTask task;
    Ints view_row, projection_row;
    Layout layout;
};
Assembled assemble(const Parts &parts);

}  // namespace tacit::mafs
