// How far a state is from a goal: as the agent itself sees it, and as everybody could.
//
// The first value takes into account own private facts and guides the search. The second is that of
// the projection; it is for progress that is shown to others, and its heuristic is made when it is
// first needed.
//
// Under the hardening `secure` neither looks at the own private part, nor at anybody's tokens: all
// private facts and all tokens are taken to hold. Then a value is one of public facts alone, and is
// remembered by them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "mafs/others.hpp"
#include "mafs/state_store.hpp"

namespace tacit::mafs {

class Evaluator {
  public:
    // Weighs the actions of others in the view. Throws std::invalid_argument if there is no such
    // heuristic.
    Evaluator(NodeTask &task, const Layout &layout, const std::string &heuristic);

    // The facts, public or own, that a relaxed plan from the initial state makes true.
    std::vector<Word> wanted_facts();
    // `dead_end` or a value.
    int evaluate(const Word *view);
    // Appends the preferred actions of the state last evaluated.
    void preferred(Ints &actions) const { heuristic_->preferred(actions); }
    int shown_value(const StateStore &states, RecordId id);
    void adds_changed();
    std::size_t bytes() const { return heuristic_->bytes(); }

  private:
    const NodeTask &task_;
    const Layout &layout_;
    std::string name_;
    Others others_;
    std::unique_ptr<Heuristic> heuristic_, shown_heuristic_;
    std::vector<Word> projected_, blind_;

    const Word *seen(const Word *view);
};

}  // namespace tacit::mafs
