// Could a state that another agent sent have come about, as far as its receiver can tell?
//
// The descent of a state (`Lineage`) is replayed from its origin, which the receiver issued itself
// or has accepted before. Each action must be one that its agent published, and its public needs
// must hold. In the end the public facts must be those that were sent, the steps as many as were
// taken, and everybody's index the one that it was in the origin unless that agent has acted. So
// the receiver's own index is one that it gave out for this very way.
//
// Under the rule `supported` an action's tokens must have been achieved on the way by edges on the
// ledger, and an index means no token that was not. Other rules let agents use tokens that were not
// disclosed: there only what indices mean is checked. Where states are sent as one (`once`) their
// tokens are those of several ways of which the descent has one: each must be achieved by some edge
// on the ledger. The same for actions where a state stands for siblings (`secure`); indices have
// all tokens there. Threats on the ledger are not counted: no rule of this search looks at them.
//
// Where k grows, an action that was done long ago may achieve a token from now on. What is proved
// of an index is then behind, and the whole way is climbed once more before a state is refused.
#pragma once

#include <cstdint>
#include <vector>

#include "mafs/lineage.hpp"

namespace tacit::mafs {

class DescentCheck {
  public:
    DescentCheck(const NodeTask &task, const Layout &layout, StateStore &states,
                 const Lineage &lineage);

    // Throws MalformedFrame.
    void check(std::size_t sender, const SentState &state);
    // Does an agent say of another's index, or anew of its own, what it may? False if it is not to
    // be believed, though no fault. Throws MalformedFrame.
    bool check(std::size_t sender, const FrameReader::SentIndex &sent) const;
    // More is disclosed: facts of the projection, tokens that hold initially.
    void grow(const Ints &initial_tokens);

  private:
    struct Step {
        std::size_t agent;
        std::int32_t row;  // of the projection
    };

    const NodeTask &task_;
    const Layout &layout_;
    StateStore &states_;
    const Lineage &lineage_;
    bool counts_tokens_;
    std::vector<std::int32_t> first_row_, end_row_;  // per agent
    std::vector<Word> initial_, achieved_, facts_;   // of the projection
    std::vector<Step> steps_;                        // the last first
    std::vector<std::uint8_t> has_acted_;            // per agent
    std::vector<std::size_t> acted_;                 // those that have

    void read(std::size_t sender, const Descent &descent);
    void read_segment(std::size_t agent, std::span<const std::uint32_t> actions);
    void check_indices(const SentState &state, const Origin &origin) const;
    void check_cost(const SentState &state, const Origin &origin) const;
    bool replay(const SentState &state, const Origin &origin);
    bool has_proved_tokens(const SentState &state) const;
    void take_proved_tokens(const Origin &origin);
    void climb(std::size_t sender, const Descent &descent, const Origin &origin);
    bool holds(Row needs) const;
    Word *tokens_in(std::vector<Word> &facts, std::size_t agent) const {
        return facts.data() + layout_.token_at_in_projection(agent);
    }
};

}  // namespace tacit::mafs
