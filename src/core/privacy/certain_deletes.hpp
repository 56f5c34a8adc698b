// Which private facts a public action certainly deletes.
//
// After the action its agent cannot achieve the fact without a further public action of its own.
// That is decided on the agent's private facts alone, by h²: public preconditions are assumed to
// hold, which errs towards "not certain" and never the other way.
#pragma once

#include <vector>

#include "grounding/task.hpp"
#include "privacy/mutex.hpp"
#include "util/bits.hpp"
#include "util/rows.hpp"

namespace tacit {

class CertainDeletes {
  public:
    explicit CertainDeletes(const LocalTask &task);

    // Public actions that private facts cannot tell apart are one kind.
    std::size_t kinds() const { return steps_.size(); }
    const PrivateStep &step(std::size_t kind) const { return steps_[kind]; }
    const Ints &actions(std::size_t kind) const { return actions_[kind]; }
    // Private facts are counted from the first private one.
    bool deletes(std::size_t kind, std::int32_t fact) const { return !possible_[kind][fact]; }

    // Per fact of `facts`, in the numbers of the task: the public actions that delete it, sorted.
    Rows of(const Ints &facts) const;

  private:
    std::int32_t public_facts_;
    std::vector<PrivateStep> steps_;
    std::vector<Ints> actions_;
    std::vector<Bits> possible_;
};

}  // namespace tacit
