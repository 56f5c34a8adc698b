// Which public actions achieve a private fact of their agent: they add it, or a chain of private
// actions leads from one of their effects to it. Four rules decide which chains count.
//
// `object` regresses from the fact through private actions and stays on facts with the same first
// argument; `any` follows every fact. Both consider one fact at a time, so neither asks what else a
// private action on the way needs. `object` is the paper's count and may miss achievers.
//
// `last` goes forward from the action: what it adds and did not need is marked; a private action
// marks what it adds if something it needs is marked and the public action certainly deletes
// nothing that it needs. The action achieves what is marked and not certainly deleted. No plan is
// missed: trace a fact back through its last achievers; the latest public step among those that
// contribute has all further ones, private actions, behind it, so it marks the fact.
//
// `tight` is `object` over private facts where that misses no plan either, and `last` elsewhere.
// With the chain's facts C of a fact f: (a) what certainly deletes f certainly deletes all of C;
// (b) a private action that achieves a fact of C which it does not itself need uses one of C; (c) C
// has an initially true fact only if the initial state achieves f. Then some fact of C holds at
// every moment from the step that first brought one, an achiever, to the use of f, and by (a) no
// step between deleted f.
#pragma once

#include <cstdint>
#include <vector>

#include "grounding/task.hpp"
#include "privacy/certain_deletes.hpp"
#include "util/bits.hpp"
#include "util/rows.hpp"

namespace tacit {

enum class ChainRule : std::uint8_t { object, any, tight, last };

class Achievers {
  public:
    // `group`: per fact, the number of its first argument. `drop_noop`: an add of a fact that the
    // action also needs achieves nothing. `deletes` may be missing for `object` and `any`.
    Achievers(const LocalTask &task, const Ints &group, ChainRule rule, bool drop_noop,
              const CertainDeletes *deletes);

    // The public actions that achieve a private fact, sorted.
    Ints of(std::int32_t fact);
    // Do private actions alone reach it from the initial state, deletes ignored? Their public
    // preconditions are assumed to hold.
    bool from_init(std::int32_t fact) const { return from_init_[fact]; }

  private:
    bool is_private(std::int32_t fact) const { return fact >= task_.public_facts; }
    void index_adders();
    void reach_from_init();
    Ints chain(std::int32_t fact);
    Ints adders(const Ints &chain);
    bool is_tight(std::int32_t fact, const Ints &chain) const;
    bool brings_from_outside(std::int32_t action, std::int32_t added) const;
    void mark_all();
    Ints last(std::int32_t fact);

    const LocalTask &task_;
    const Ints &group_;
    const ChainRule rule_;
    const bool drop_noop_;
    const CertainDeletes *deletes_;
    const std::size_t facts_;
    std::vector<Ints> by_public_, by_private_;  // per fact: the actions that add it
    Bits initial_, from_init_;
    std::vector<Bits> marked_;  // per kind of public action, private facts from 0; made when asked
    Ints seen_fact_, seen_action_;  // stamps: the fact for which something was last met
};

}  // namespace tacit
