// h² on the private facts of one agent: which of them can ever hold together.
//
// Actions are projected to private facts, so that what the others do cannot matter and the pairs
// are few. Row f of the matrix has a bit for every fact that can hold together with f, f included
// if f can hold at all.
#pragma once

#include <vector>

#include "bits.hpp"
#include "rows.hpp"
#include "task.hpp"

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
    Bits possible_after(const PrivateStep &step) const;
    bool together(std::size_t f, std::size_t g) const { return compatible_[f][g]; }

    static PrivateStep project(const LocalTask &task, std::size_t action);

private:
    bool can_be_applied(const Ints &pre) const;
    bool apply(const PrivateStep &step);
    Bits compatible_with(const Ints &facts) const;
    void index_private_steps();
    void close(Bits &facts) const;

    std::size_t facts_;
    std::vector<PrivateStep> steps_;  // each kind once
    std::vector<Bits> compatible_;
    Bits reached_;
    // Private steps that can ever be applied, by the facts they need.
    std::vector<Ints> needed_by_;
    Ints missing_, unconditional_;
};

}  // namespace tacit
