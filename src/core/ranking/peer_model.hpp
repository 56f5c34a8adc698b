// A model of the other agents: achievers of their tokens, inferred from public data and own edges.
//
// Nobody knows another agent's undisclosed edges. Two things help to infer them. Agents are often
// made alike: a token of another agent whose users look like those of an own token is probably
// achieved in the same way, by the initial state or by actions of the same kind, and deleted in the
// same way. And actions that achieve a token tend to have the same objects as the actions that
// need it. What looks alike is up to `shapes.hpp`.
#pragma once

#include <cstdint>
#include <vector>

#include "ranking/shapes.hpp"
#include "util/rows.hpp"

namespace tacit {

// What one agent knows of itself, in the numbers of the shapes. `tokens` are its own, in the order
// in which ties between looks break; an achiever is an action, or -1 for the initial state.
struct OwnGraph {
    Ints tokens;
    Ints achiever, token;
    std::vector<std::uint8_t> is_positive;
    Ints deleter, deleted;
};

struct InferredToken {
    Ints after;  // actions that probably achieve it, ascending
    bool initially = false;
    Ints deleters;
};

class PeerModel {
  public:
    // Tokens are alike if they have more than this share of their users' kinds in common.
    PeerModel(const Shapes &shapes, const OwnGraph &own, double alike);

    InferredToken infer(std::int32_t token);

    // Would it infer all own edges and no others, and do the others' tokens all look like own ones?
    // Where agents are made alike, the others' edges are as good as known then.
    bool is_exact(const OwnGraph &own);

    // What achieves own tokens of one look: mostly the initial state, or actions of these patterns.
    struct Origin {
        std::int32_t look;
        std::int32_t tokens = 0, started = 0;
        std::vector<Pattern> patterns = {}, deletes = {};

        bool is_initial() const { return 2 * started >= tokens; }
        // What holds initially and is never deleted need not be achieved again.
        bool stays() const { return is_initial() && deletes.empty(); }
        // Is the same inferred from both?
        bool operator==(const Origin &other) const {
            return look == other.look && is_initial() == other.is_initial() &&
                   patterns == other.patterns && deletes == other.deletes;
        }
    };
    using Origins = std::vector<Origin>;
    // All that inferences depend on.
    const Origins &origins() const { return origins_; }

  private:
    static constexpr std::int32_t unknown = -2, none = -1;

    const Shapes &shapes_;
    double alike_;
    Origins origins_;
    Ints origin_of_;  // per look, that of own tokens with this very look
    Ints nearest_;    // per look, the origin of own tokens most like it, once it is known

    void count(const OwnGraph &own);
    void find_patterns(const OwnGraph &own);
    std::int32_t nearest(std::int32_t look);
    std::int32_t find_nearest(std::int32_t look) const;
    double likeness(std::int32_t one, std::int32_t other) const;
};

}  // namespace tacit
