// What one agent says to the others: states, to those who can go on from them, and what indices
// mean.
//
// A state helps another agent only if one of its public actions may be applicable there, by its
// public needs and, where that is known for good, by its tokens, or if it has private actions that
// look at public facts, which only it knows. The agent whose turn is next in any plan is one of
// these. With `tells_all` everybody is told all the same.
#pragma once

#include <cstdint>
#include <vector>

#include "mafs/privates.hpp"
#include "mafs/wire.hpp"
#include "strips/successors.hpp"

namespace tacit::mafs {

class Outbox {
  public:
    Outbox(const NodeTask &task, const Layout &layout);

    // The agents to whom a state helps, given as the projection sees it.
    const Ints &relevant(const Word *projected);
    // What indices mean is read off the projected state.
    void send(std::size_t receiver, const Told &state, const Word *projected);
    // Tells everybody anew what an own index means, if anybody knows it.
    void retell(Index index, const Word *tokens);

    bool empty() const;
    bool empty(std::size_t receiver) const { return writers_[receiver].empty(); }
    Bytes take(std::size_t receiver) { return writers_[receiver].take(); }
    const Shape &shape() const { return shape_; }
    std::size_t bytes() const;

  private:
    struct Other {
        StripsTask needs;  // one action per kind of needs
        Successors successors;
        bool gets_all;
    };

    std::size_t self_;
    const Layout &layout_;
    Shape shape_;
    std::vector<FrameWriter> writers_;
    std::vector<std::vector<std::vector<bool>>> told_;  // receiver, agent, index
    std::vector<bool> is_out_;                          // own indices that somebody was told
    std::vector<Other> others_;
    Ints relevant_, applicable_;
};

}  // namespace tacit::mafs
