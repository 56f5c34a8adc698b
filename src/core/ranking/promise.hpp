// Could an edge be of use at all? It leads from its achiever to a token, from there to the own
// actions that need the token, and on to what these achieve. If all of that ends without a goal and
// without a fact that another agent's action needs, but for facts that the achiever itself needed,
// no plan has to take this way: a truck that loads a parcel only to unload it where it was. What
// else these actions need is taken to hold, so an edge without promise has none whatever is
// disclosed later.
//
// An edge is *circular* if its achiever needs something that comes from the token alone, so that
// the token was achieved before. No plan without deletes has it; a real one may achieve a token
// again.
#pragma once

#include <cstdint>
#include <vector>

#include "ranking/goal_search.hpp"
#include "ranking/public_projection.hpp"
#include "util/bits.hpp"
#include "util/rows.hpp"

namespace tacit {

class Promise {
  public:
    Promise(const IndexedTask &indexed, std::int32_t agent, const OwnEdges &edges);

    // Of positive edges; a threat promises nothing.
    bool has(std::int32_t edge) const;
    bool is_circular(std::int32_t edge) const;

  private:
    const IndexedTask &indexed_;
    std::int32_t agent_;
    const OwnEdges &edges_;
    Rows tokens_after_;  // per action, the tokens that own edges lead to
    Bits is_goal_, is_initial_, is_token_;

    bool leads_on(std::int32_t action, Row before, Ints &reached) const;
    Ints left_by(std::int32_t achiever, std::int32_t token) const;
};

}  // namespace tacit
