// What one agent sends to the others: states, to those that can go on from them, and what indices
// mean.
//
// A state is relevant to another agent only if one of its public actions may be applicable there,
// by its public needs and, where that is known for good, by its tokens, or if it has private
// actions with public preconditions, which only it knows. The agent of the next step of any plan is
// one of these. With `sends_to_all` every state is sent to everybody all the same.
#pragma once

#include <cstdint>
#include <vector>

#include "mafs/private_state_table.hpp"
#include "mafs/wire.hpp"
#include "strips/successors.hpp"

namespace tacit::mafs {

class Outbox {
  public:
    Outbox(const NodeTask &task, const Layout &layout);

    // The agents to which a state is relevant, given as the projection sees it.
    const Ints &relevant(const Word *projected);
    // What indices mean is read off the projected state, and off the tolls per agent, if any.
    void send(std::size_t receiver, const SentState &state, const Word *projected,
              std::span<const Tolls *const> tolls);
    // Sends everybody again what an own index means, if it was ever sent.
    void resend_index(Index index, const Word *tokens, const Tolls *tolls = nullptr);

    bool empty() const;
    bool empty(std::size_t receiver) const { return writers_[receiver].empty(); }
    Bytes take(std::size_t receiver) { return writers_[receiver].take(); }
    const Shape &shape() const { return shape_; }
    std::size_t bytes() const;

  private:
    std::size_t self_;
    const Layout &layout_;
    Shape shape_;
    std::vector<FrameWriter> writers_;
    std::vector<std::vector<std::vector<bool>>> sent_;  // receiver, agent, index
    std::vector<bool> is_sent_;                         // own indices, to anybody
    Ints get_all_;
    Successors successors_{StripsTask()};  // of the kinds of needs that others have
    Rows agents_of_;                       // per kind, who has it
    std::vector<std::uint8_t> is_relevant_;
    Ints relevant_, applicable_;
};

}  // namespace tacit::mafs
