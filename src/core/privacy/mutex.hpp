// h² on the private facts of one agent: which of them can ever hold together.
//
// Actions are projected to private facts, so that what the others do cannot matter and the pairs
// are few.
#pragma once

#include <map>
#include <vector>

#include "analysis/pairs.hpp"
#include "grounding/task.hpp"
#include "util/bits.hpp"
#include "util/rows.hpp"

namespace tacit {

// An action as its owner's private facts see it; facts are counted from the first private one.
struct PrivateStep {
    Ints pre, add, del;
    bool is_public;

    auto operator<=>(const PrivateStep &) const = default;
};

class PrivateMutexes {
  public:
    explicit PrivateMutexes(const LocalTask &task);

    // The private facts that the agent may have after a step, with any private actions behind it.
    Bits possible_after(const PrivateStep &step);
    bool together(std::size_t f, std::size_t g) const { return pairs_.together(f, g); }

    static PrivateStep project(const LocalTask &task, std::size_t action);

  private:
    void index_private_steps();
    const Bits &closure(const Bits &facts);
    void close(Bits &facts) const;

    std::size_t facts_;
    std::vector<PrivateStep> steps_;  // each kind once
    Pairs pairs_;
    // Private steps that can ever be applied, by the facts they need.
    std::vector<Ints> needed_by_;
    Ints missing_, unconditional_;
    Bits enabling_;                  // the facts that such steps need
    std::map<Bits, Bits> closures_;  // of those among them; they are the same after most steps
};

}  // namespace tacit
