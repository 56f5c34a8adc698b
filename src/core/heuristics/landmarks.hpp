// Facts that every plan must make true on its way, and how many of them a path still has to visit.
//
// A fact is a landmark if without it the goal is out of reach even when nothing is ever deleted. All
// such facts occur in any one relaxed plan, so only these are tried, each by one exploration that may
// not use it. What has been visited belongs to the path: a state carries it along as notes. A
// landmark visited before counts again where it does not hold and is a goal, or is needed by all that
// may first achieve a landmark not visited yet. As heuristics do, this reads needs and adds only.
#pragma once

#include <vector>

#include "heuristics/relaxed_plan.hpp"

namespace tacit {

class Landmarks {
  public:
    // `relaxed` is for the same task, and shared with others.
    Landmarks(const StripsTask &task, RelaxedPlan &relaxed);

    // The landmarks of plans from this state on; nothing is done if they are known already.
    void find(const Word *state);
    void adds_changed() { is_known_ = false; }

    const Ints &facts() const { return facts_; }
    // What a path has visited that ends in this state, given what it had before (null: it starts).
    void visit(const Word *before, const Word *state, Word *visited) const;
    // How many landmarks are to be visited, or to be visited again.
    int left(const Word *state, const Word *visited) const;

  private:
    const StripsTask &task_;
    RelaxedPlan &relaxed_;
    bool is_known_ = false;
    std::size_t words_;
    Ints facts_;
    std::vector<Word> is_landmark_, is_goal_;
    // Per fact, the landmarks all of whose first achievers need it; it is a landmark itself then.
    Rows followers_;

    void take(std::int32_t fact, Row achievers, std::vector<Ints> &followers);
};

}  // namespace tacit
