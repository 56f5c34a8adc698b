// What all agents published, as one classical task with nothing disclosed, and its shapes.
//
// Facts are the public facts, then agent by agent its tokens and, if it has private goals, "may
// still act" and "has finished". Actions are those of the agents, each agent's followed by its last
// one if it has private goals. There is nothing private in it. Agents of one process share it, and
// nobody changes it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ranking/shapes.hpp"
#include "strips/strips.hpp"
#include "util/rows.hpp"

namespace tacit {

// A task, and per fact the actions that need it and those that add it.
struct IndexedTask {
    explicit IndexedTask(StripsTask of)
        : task(std::move(of)), needed_by(inverted(task.pre, task.facts)),
          added_by(inverted(task.add, task.facts)) {}

    StripsTask task;
    Rows needed_by, added_by;
};

// What a task is made of beyond the actions.
struct PublicRest {
    Ints init, goal;                             // public facts
    Ints cost;                                   // per action
    std::vector<std::uint8_t> has_private_goal;  // per agent
    Rows goal_tokens;                            // per agent, the tokens of its private goals
};

class PublicProjection {
  public:
    PublicProjection(PublicActions published, const PublicRest &rest);

    const Shapes &shapes() const { return shapes_; }
    const IndexedTask &indexed() const { return task_; }
    // Per action and token of the shapes, its number in the task.
    const Ints &actions() const { return actions_; }
    const Ints &facts() const { return facts_; }

  private:
    Shapes shapes_;
    Ints actions_, facts_;
    IndexedTask task_;

    StripsTask make_task(const PublicRest &rest);
};

}  // namespace tacit
