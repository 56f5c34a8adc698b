// What the model of the others infers of all their tokens, as the numbers of a task.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ranking/peer_model.hpp"
#include "ranking/public_projection.hpp"
#include "util/rows.hpp"

namespace tacit {

// How the others' tokens may be achieved: per token its fact, the actions that are likely to
// achieve it, and whether it is likely to hold initially. And what actions are taken to delete
// beyond what the task says: (action, fact), sorted; own tokens among them.
struct InferredAchievers {
    Ints token;
    Rows after;
    std::vector<std::uint8_t> is_likely_initially;
    std::vector<std::pair<std::int32_t, std::int32_t>> deletes = {};
    // Do all tokens look like own ones, and would the own edges be inferred exactly?
    bool is_exact = false;
};

// What an agent with this graph infers of all others, in the numbers of the projection's task.
InferredAchievers infer_achievers(const PublicProjection &projection, std::int32_t agent,
                                  const OwnGraph &own, Likeness likeness);

}  // namespace tacit
