// What one agent's forward search works on: its own actions in full, the others' as they are shown.
//
// Facts of the *view* come in segments that begin at multiples of 64, so that a state is put
// together by copying words: public facts, own private facts, then the tokens of every agent, its
// own included. The *projection* has the same segments without the private one; it is what
// everybody can see.
//
// A path matters only through marks. A *support mark* stands for edges of the agent's own: an
// action gives marks and ends marks, the start gives some. With `any_disclosed` (rule `supported`)
// a token is supported if a disclosed mark of it is there. Without (rule `pairwise`) marks are
// those of the last public action alone, and a token holds an action back if an undisclosed mark of
// it is there. That is the paper's Algorithm 1, which is followed in two other ways then: the goal
// is asked for before tokens are, and a state that comes again by fewer public steps is taken up
// again. *Shown marks* follow what the others can work out of the public steps: tokens given so
// far. In a search at one k a mark is a token; where k may grow, it is an edge.
#pragma once

#include <cstdint>
#include <vector>

#include "mafs/words.hpp"
#include "strips/strips.hpp"

namespace tacit::mafs {

struct Marks {
    Ints token;  // per mark, the own token it is about
    std::vector<std::uint8_t> disclosed;
    Rows gives, ends;  // per own action
    Ints initial;
};

// How much less others are to see than they must (docs/privacy.md).
struct Hardening {
    bool fresh = false;  // a private state has another number wherever others see something else
    bool once = false;   // public facts with the others' indices are sent once
    bool pad = false;    // frames have one of few sizes
    bool tells_all = false;  // states go to everybody, not only to those who can go on from them
};

struct NodeTask {
    std::int32_t self = 0;
    std::int32_t public_facts = 0, private_facts = 0;
    Ints token_counts;  // per agent
    std::vector<std::uint8_t>
        looks;        // per agent: has it private actions that look at public facts?
    StripsTask view;  // own actions first
    StripsTask projection;
    Ints groups;  // per action of the projection, its agent
    std::int32_t own_actions = 0;
    std::int32_t last_action = -1;  // the own one that says that own private goals are reached
    Rows needed_tokens;             // per own action, own tokens
    std::vector<std::uint8_t> is_public;
    // Per own action: does it show? Public ones do. So do private ones that look at public facts:
    // the others may end these, so they must be able to go on from behind the action.
    std::vector<std::uint8_t> is_told;
    Marks support, shown;
    bool any_disclosed = true;
    bool grows = false;    // k may grow: keep what a disclosure could free
    bool is_exact = true;  // a dead end of the heuristic is one, at this k
    bool sends_own_value =
        false;  // own values cross, and who receives a state takes the larger one
    Hardening hardening;
};

// Where the segments are.
struct Layout {
    std::size_t public_words, private_words;
    std::vector<std::size_t> token_words, token_at;  // in the view, per agent
    std::size_t view_words, projection_words;

    explicit Layout(const NodeTask &task);
    std::size_t token_at_in_projection(std::size_t agent) const {
        return token_at[agent] - private_words;
    }
};

// The facts of the view that hold at the start.
std::vector<Word> start_of(const NodeTask &task, const Layout &layout);

// Throws std::invalid_argument if the parts do not fit together.
void check(const NodeTask &task);

}  // namespace tacit::mafs
