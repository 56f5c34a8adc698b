// What one agent's forward search works on: its own actions in full, the others' as published.
//
// Facts of the *view* come in segments that begin at multiples of 64, so that a state is put
// together by copying words: public facts, own private facts, then the tokens of every agent, its
// own included. The *projection* has the same segments without the private one; it is what
// everybody can see.
//
// A path matters only through bits that its public actions set and clear. A *support bit* stands
// for edges of the agent's own. With `any_disclosed` (rule `supported`) a token is supported if one
// of its disclosed bits is set. Without (rule `pairwise`) bits are those of the last public action
// alone, and a token prunes an action if one of its undisclosed bits is set. That is the paper's
// Algorithm 1, which is followed in two other ways then: the goal test comes before the test for
// tokens, and a state that is reached again by fewer public steps is reopened. *Shown bits* follow
// what the others can infer from the public steps: the tokens achieved so far. In a search at one k
// a bit is a token; where k may grow, it is an edge.
#pragma once

#include <cstdint>
#include <vector>

#include "heuristics/tolls.hpp"
#include "strips/shared_task.hpp"
#include "util/bits.hpp"

namespace tacit::mafs {

struct SupportBits {
    Ints token;  // per bit, the own token it is about
    std::vector<std::uint8_t> disclosed;
    Rows sets, clears;  // per own action
    Ints initial;
};

// How much less others are to see than they must (docs/privacy.md).
struct Hardening {
    bool fresh = false;  // a private state has another number wherever others see something else
    bool once = false;   // public facts with the others' indices are sent once
    bool pad = false;    // frames have one of few sizes
    bool sends_to_all = false;  // states go to everybody, not only to agents that can use them
    // They are sent once and never again, and what comes back is continued for siblings. An index
    // is that of one message, all tokens hold there, and no guidance looks at the own private part.
    bool secure = false;
};

// May a state that was sent stand for several, with different numbers of public steps?
inline bool stands_for_several(const Hardening &hardening) {
    return hardening.once || hardening.secure;
}

// Which costs count, where the cheapest plan is wanted (`AstarNode`).
enum class Costs : std::uint8_t { none, of_public, of_all };

struct NodeOptions {
    bool any_disclosed = true;
    bool grows = false;                // k may grow: keep what a disclosure could free
    bool expects_disclosures = false;  // values suppose, at a cost, that agents disclose more
    bool is_exact = true;              // a dead end of the heuristic is one, at this k
    bool sends_own_value = false;      // own values are sent, and the receiver keeps the larger one
    Hardening hardening = {};
    Costs costs = Costs::none;
};

struct NodeTask {
    std::int32_t self = 0;
    std::int32_t public_facts = 0, private_facts = 0;
    Ints token_counts;  // per agent
    // Per agent: does it have private actions with public preconditions?
    std::vector<std::uint8_t> has_public_preconditions;
    StripsTask view;        // own actions first
    SharedTask projection;  // equal for all agents, and one for those that share it
    Ints groups;            // per action of the projection, its agent
    // Per agent, where its tokens and published actions are in the view (not one's own) and in the
    // projection.
    std::vector<Gates> gates_in_view, gates_in_projection;
    std::int32_t own_actions = 0;
    std::int32_t finish_action = -1;  // the own one that shows that own private goals are reached
    Rows needed_tokens;               // per own action, own tokens
    Ints token_facts;                 // per own token, the own fact of the view that it stands for
    std::vector<std::uint8_t> is_public;
    Ints published;  // per own action, its place among those published, or -1 if it is private
    // Per own action: is the state behind it sent? It is behind public actions, and behind private
    // ones with public preconditions: others may delete these, so they must be able to go on from
    // behind the action.
    std::vector<std::uint8_t> is_sent;
    SupportBits support, shown;
    NodeOptions options;
};

// Where the segments are.
struct Layout {
    std::size_t self;
    std::size_t public_words, private_words;
    std::vector<std::size_t> token_words, token_at;  // in the view, per agent
    std::size_t view_words, projection_words;

    explicit Layout(const NodeTask &task);
    std::size_t agents() const { return token_at.size(); }
    std::size_t token_at_in_projection(std::size_t agent) const {
        return token_at[agent] - private_words;
    }
};

// The facts of the view that hold initially.
std::vector<Word> initial_view(const NodeTask &task, const Layout &layout);

// Throws std::invalid_argument if the parts do not fit together.
void check(const NodeTask &task);

}  // namespace tacit::mafs
