// What the facts of a task cost where everybody's tokens are inferred and nobody's edges are known
// but those that are published. Agents that infer the same suppose the same, but for their own
// tokens and edges. So in one process it is explored once for all of them (`visit.hpp`), part by
// part, and again once something of a part was published.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "util/for_overwrite.hpp"

namespace tacit {

// An exploration of the relaxation (`priced_relaxation.hpp`).
struct Exploration {
    struct Support {
        std::int32_t action, label;
    };
    struct Fact {
        std::int32_t cost, propagated;  // propagated: the cost known to the actions that need it
        Support support;
    };
    struct Action {
        std::int32_t sum;  // over the needs reached so far
        std::int32_t missing;
    };

    Scratch<Fact> facts;
    Scratch<Action> actions;
};

struct SharedCosts {
    // What is known of a part, with what was published when this was its version.
    struct Part {
        bool is_explored = false;
        std::uint64_t version = 0;
        bool is_reach_known = false, has_goals = false;  // by what was published alone
        std::uint64_t version_of_reach = 0;
    };

    explicit SharedCosts(std::int32_t count) : parts(count) {}

    std::mutex mutex;  // whoever reads or writes any of it holds it
    std::vector<Part> parts;
    Exploration costs;

    // Gives back the memory.
    void release() {
        costs = {};
        for (Part &part : parts)
            part.is_explored = false;
    }
};

}  // namespace tacit
