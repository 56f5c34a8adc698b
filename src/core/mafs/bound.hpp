// What a plan from a state costs at least, as one agent can tell.
//
// The agent's own view has its own actions in full and the others' as they published them: its
// bound counts what public actions and own private ones cost. The projection's bound counts public
// actions alone. What private actions cost the others is added: with each state comes every agent's
// *share*, which bounds what its private actions will cost it from there on. Nothing but its own
// actions can make that less, and these are counted in its own share, so a share holds until its
// agent acts (docs/optimal.md has the proof).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "mafs/state_store.hpp"

namespace tacit::mafs {

class Bound {
  public:
    // Throws std::invalid_argument if there is no such heuristic, or it is not admissible.
    Bound(const NodeTask &task, const Layout &layout, const std::string &heuristic);

    // `dead_end` or a value; it may stop once that is `enough`. Notes the own share.
    int evaluate(StateStore &states, RecordId id, int enough);

  private:
    const NodeTask &task_;
    std::size_t self_;
    Scope scope_;
    std::unique_ptr<AdmissibleHeuristic> own_, shown_;
    std::vector<Word> view_, projected_;
};

}  // namespace tacit::mafs
