// Could others have reached these facts, as far as everybody can tell? (party/asked_layers.py)
//
// A fact can have been reached in a round if another agent's action adds it whose public needs were
// reached before, or by other actions of the same agent in this round. Most facts have an action of
// the first kind, and one is enough; only for the rest does it matter what one agent can do on its
// own within a round.
#pragma once

#include <cstdint>
#include <span>

#include "ranking/public_projection.hpp"

namespace tacit {

// How many of the facts that were asked about nobody but `agent` can have reached, from those that
// were `reached` so far.
std::size_t count_impossible(const PublicProjection &projection, std::int32_t agent,
                             std::span<const std::uint8_t> reached, const Ints &asked);

}  // namespace tacit
