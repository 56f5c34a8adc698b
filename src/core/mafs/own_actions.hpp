// The agent's own actions, over its public and private facts alone: what they need, what they
// change, and which tokens they ask for.
//
// Tokens are kept apart because they are not part of a state but follow from its path.
#pragma once

#include "mafs/node_task.hpp"
#include "strips/successors.hpp"

namespace tacit::mafs {

class OwnActions {
  public:
    OwnActions(const NodeTask &task, const Layout &layout);

    // Appends the actions whose needs hold, whatever their tokens.
    void applicable(const Word *view, Ints &found) const { successors_.applicable(view, found); }
    bool is_public(std::int32_t action) const { return task_.is_public[action]; }
    // Makes the facts before an action those behind it.
    void apply(std::int32_t action, Word *facts) const;
    // Takes the finishing action after all others, where there is one; false if it is not
    // applicable.
    bool finish(Word *facts) const;
    std::int32_t finish_action() const { return task_.finish_action; }

    // Where these tokens are supported (rule `pairwise`: prune), does this one prune an action?
    bool is_missing(const Word *tokens, std::int32_t token) const {
        return has(tokens, token) != task_.options.any_disclosed;
    }
    // A token because of which the action must not be taken, or -1.
    std::int32_t missing_token(const Word *tokens, std::int32_t action) const;
    Row needed_tokens(std::int32_t action) const { return task_.needed_tokens[action]; }

  private:
    const NodeTask &task_;
    StripsTask bare_;  // own actions without their tokens
    Successors successors_;
};

}  // namespace tacit::mafs
