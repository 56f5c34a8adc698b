// What a plan from a state costs at least, as one agent can tell.
//
// The agent's own view has its own actions in full and the others' as they published them: its
// bound counts what public actions and own private ones cost. The projection's bound counts public
// actions alone. What private actions cost the others is counted by their tolls, where these cross
// (docs/optimal.md has the proof).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "mafs/toll_book.hpp"

namespace tacit::mafs {

class Bound {
  public:
    // Throws std::invalid_argument if there is no such heuristic, or it is not admissible.
    Bound(const NodeTask &task, const Layout &layout, const std::string &heuristic,
          TollBook *tolls);

    // `dead_end` or a value; it may stop once that is `enough`.
    int evaluate(const StateStore &states, RecordId id, int enough);

  private:
    TollBook *tolls_;
    std::unique_ptr<AdmissibleHeuristic> own_, shown_;
    std::vector<Word> view_, projected_;

    std::span<const Tolls *const> tolls_in(const StateStore &states, RecordId id, bool with_own);
};

}  // namespace tacit::mafs
