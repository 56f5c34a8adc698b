// What an agent's private actions cost it before its public ones (`Tolls`).
//
// The agent's own actions are relaxed to what is private: nothing is deleted, public facts hold and
// public actions cost nothing. From a private state, LM-cut finds cuts of private actions before
// each published action in turn, with what is left of their costs. A cut is a toll before all
// published actions that cannot be reached without it. A token is shut if it could only be reached
// by an action that visibly achieves it. (Proofs: docs/optimal.md.)
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "heuristics/lm_cut.hpp"
#include "mafs/node_task.hpp"

namespace tacit::mafs {

class OwnTolls {
  public:
    OwnTolls(const NodeTask &task, const Layout &layout);

    // From private facts that have this number, as they are in a state's view.
    const Tolls &at(std::uint32_t number, const Word *private_facts);
    std::size_t bytes() const { return bytes_; }

  private:
    std::int32_t facts_, published_;  // behind private facts, one for each published action
    Ints tokens_;                     // per token its fact, or -1 if it is never shut
    Rows needs_, adds_, needed_by_;
    Ints cost_;
    std::vector<std::vector<std::uint8_t>> is_hidden_;  // per token and operator
    LmCut cuts_;
    std::unordered_map<std::uint32_t, Tolls> made_;
    std::size_t bytes_ = 0;
    Ints holds_, rest_, missing_, queue_;
    std::vector<std::uint8_t> is_reached_;

    LmCut relaxed(const NodeTask &task, const Layout &layout);
    void note_tokens(const NodeTask &task, const Layout &layout);
    Tolls make();
    void add_tolls(std::int32_t published, std::map<Ints, std::int32_t> &to);
    template <typename Takes>
    void reach(Takes takes);
};

}  // namespace tacit::mafs
