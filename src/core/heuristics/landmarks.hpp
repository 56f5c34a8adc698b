// Facts that every plan must make true on its way, and how many of them a path still has to visit.
//
// A fact is a landmark if without it the goal is unreachable even when nothing is ever deleted.
// All of them are found together: before a fact, what every action that adds it has before it
// (Keyder, Richter and Helmert, 2010). What has been visited belongs to the path: a state carries
// it along as notes. A landmark visited before counts again where it does not hold and is a goal,
// or is needed by all that may first achieve a landmark not visited yet. As heuristics do, this
// reads needs and adds only. What comes before what takes the square of the facts: if that is more
// than `max_bytes`, goals alone are landmarks.
#pragma once

#include <vector>

#include "strips/states.hpp"
#include "strips/strips.hpp"
#include "util/tuning.hpp"

namespace tacit {

class Landmarks {
  public:
    explicit Landmarks(const StripsTask &task, std::size_t max_bytes = tuning::table_bytes);

    // The landmarks of plans from this state on; nothing is done if they are known already.
    void find(const Word *state);

    const Ints &facts() const { return facts_; }
    // What a path to this state has visited, given what it had before (null: it begins here).
    void visit(const Word *past, const Word *state, Word *visited) const;
    // How many landmarks are to be visited, or to be visited again.
    int left(const Word *state, const Word *visited) const;

  private:
    const StripsTask &task_;
    Rows needed_by_;
    bool is_known_ = false, is_small_;
    std::size_t words_;
    Ints facts_;
    std::vector<Word> before_;  // per fact reached, the facts before it and itself
    std::vector<std::uint8_t> is_reached_;
    std::vector<Word> is_landmark_, is_goal_;
    // Per fact, the landmarks all of whose first achievers need it; it is a landmark itself then.
    Rows followers_;

    Word *before(std::size_t fact) { return before_.data() + fact * words_; }
    const Word *before(std::size_t fact) const { return before_.data() + fact * words_; }
    void explore(const Word *state);
    bool unite_needs(std::int32_t action, std::vector<Word> &united) const;
    bool narrow(std::int32_t fact, const std::vector<Word> &united);
    void find_followers(const Word *state);
};

}  // namespace tacit
