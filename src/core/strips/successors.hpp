// Which actions are applicable in a state.
//
// Every action is watched by one of the facts it needs, the one that the fewest actions need. Only
// the actions watched by a fact that holds are considered, and the rest of their needs is tested
// bit by bit, the rarest first.
#pragma once

#include "strips/states.hpp"
#include "strips/strips.hpp"

namespace tacit {

class Successors {
  public:
    explicit Successors(const StripsTask &task);

    // Appends the applicable actions, in an order that depends on the task alone.
    void applicable(const Word *state, Ints &found) const;

  private:
    std::size_t words_;
    Ints free_;     // actions that need nothing
    Rows watched_;  // per fact: action, number of other needs, other needs, action, …
};

}  // namespace tacit
