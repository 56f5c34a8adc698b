// What one agent can make true, turn by turn, if nothing is ever deleted.
//
// In each turn the agent goes on with the facts that it was told. An action's layer is the turn in
// which it comes within reach and, inside a turn, how many own new actions come before it. Every
// action and every fact is looked at once, however many turns there are.
#pragma once

#include <cstdint>
#include <vector>

#include "grounding/task.hpp"
#include "util/rows.hpp"

namespace tacit {

class WithinReach {
  public:
    explicit WithinReach(const LocalTask &task);

    // Go on with these facts; the facts that own actions newly make true, sorted.
    Ints extend(const Ints &facts);
    bool is_reached(std::int32_t fact) const { return reached_.at(fact) != 0; }
    // Per own action; what is never within reach comes last.
    Ints layers() const;

  private:
    Ints init_;
    Rows adds_, needed_by_;
    Ints missing_, layer_;
    std::vector<std::uint8_t> reached_;  // per fact
    std::int32_t depth_ = 0;
    bool is_begun_ = false;
    bool has_actions_ = false, has_later_ = false;  // actions within reach; not from the start

    void enter(const Ints &facts, Ints &frontier);
    Ints applicable(const Ints &frontier);
    Ints taken(const Ints &actions, std::int32_t layer, Ints &news);
};

}  // namespace tacit
