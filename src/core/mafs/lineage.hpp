// From which states a state descends, and by which public actions.
//
// A state that is sent has a *descent*: the last state of its receiver's own on the way to it, and
// the others' public actions since. With it the receiver can check the state (`DescentCheck`). If
// the sender sent this receiver a later state on the same way, that one is the *origin* of the
// descent: its receiver knows how that one came about, and descents stay short.
//
// So an agent remembers what it *issued*, under its own numbers, and what it *accepted* from others
// with the descents. Both together are a tree in which every way leads back to the initial state;
// `descent_for` climbs it as far as a receiver has not been. A descent says after whose actions
// which agent issued a state of which number, because the next agent must know that to write its
// own.
//
// Others know of siblings (`Siblings`) only the one that was sent. So a way that leads over another
// one is told as if it led over that one, and has its steps.
//
// The way of a record that is reopened (`StateStore::reopen`) changes, and leads round no circle,
// because the steps in a state are checked to be no fewer than those on its way.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mafs/state_store.hpp"
#include "mafs/wire.hpp"

namespace tacit::mafs {

// A state that a descent begins with.
struct Origin {
    RecordId record;  // has its public facts and the others' indices
    Index own;        // the own index in it, as it was sent
    std::int32_t g;
    std::int32_t cost;
};

class Lineage {
  public:
    Lineage(const NodeTask &task, const Layout &layout, StateStore &states);

    // The number under which states are sent as one with this own index; the descent is that of the
    // first.
    std::uint32_t issue(std::span<const RecordId> states, Index own);
    std::span<const RecordId> issued(std::uint32_t number) const;
    bool is_issued(std::uint32_t number) const { return number > 0 && number <= ends_.size(); }
    // A state is sent to an agent, with the descent that was made for it.
    void note_sent(std::uint32_t number, std::size_t receiver);
    // How the first of the states with this number came about; good until the next call.
    Descent descent_for(std::size_t receiver, std::uint32_t number);

    // Where a descent begins that an agent sent; false if there is no such state.
    bool find_origin(std::size_t sender, const Descent &descent, Origin &origin) const;
    // The same state as before, if the agent has sent it, or not_accepted.
    AcceptedId find_again(std::size_t sender, const SentState &state) const;
    // A state whose descent holds. Its record is named when there is one.
    AcceptedId accept(std::size_t sender, const SentState &state);
    void name_record(AcceptedId id, RecordId record) { accepted_[id].record = record; }
    std::uint32_t sender_number(AcceptedId id) const { return accepted_[id].ref; }
    RecordId record(AcceptedId id) const { return accepted_[id].record; }
    // The record of a state that was accepted, if its own index were this one.
    Record received(AcceptedId id, Index own) const;

    // Uses every public action of others on the way to a descent's origin: agent, action.
    template <typename Use>
    void each_action_before(std::size_t sender, const Descent &descent, Use use) const;

    std::size_t bytes() const;

  private:
    struct Accepted {
        std::uint32_t ref, sender;
        std::uint32_t origin;   // twice an own number, or twice an AcceptedId plus 1
        std::uint32_t numbers;  // where those of its descent begin
        RecordId record;
        Index own;
        std::int32_t g, cost;
    };
    struct Numbered {
        std::uint32_t number;
        AcceptedId id;
    };
    // Reads the numbers of a descent, segment by segment, the last first.
    struct Cursor;

    const NodeTask &task_;
    const Layout &layout_;
    StateStore &states_;
    std::vector<RecordId> issued_;  // and where those of each number end
    std::vector<std::uint32_t> ends_;
    std::vector<Index> issued_own_;
    std::vector<bool> is_sent_to_;          // number, receiver
    std::vector<std::uint32_t> last_sent_;  // per receiver
    Chunked<Accepted> accepted_;
    Bytes numbers_;                                 // of all descents, as in frames
    std::vector<std::vector<Numbered>> by_sender_;  // by growing number
    std::vector<std::uint32_t> made_;               // the descent under construction
    std::uint32_t made_segments_ = 0;
    std::size_t made_agent_ = 0, made_count_at_ = 0;

    AcceptedId find_accepted(std::size_t sender, std::uint32_t number) const;
    bool is_origin(std::uint32_t number, std::size_t receiver) const;
    RecordId shown(RecordId id) const;
    std::uint32_t first_origin(std::size_t receiver, std::uint32_t number);
    void begin_segment(std::size_t agent, std::uint32_t number);
    void add_action(std::uint32_t action);
    std::span<const std::uint8_t> numbers_of(AcceptedId id) const {
        std::size_t from = accepted_[id].numbers;
        std::size_t end = id + 1 < accepted_.size() ? accepted_[id + 1].numbers : numbers_.size();
        return std::span(numbers_).subspan(from, end - from);
    }
};

struct Lineage::Cursor {
    const std::uint8_t *at, *end;
    std::size_t agent;
    std::uint32_t number;

    Cursor(const Accepted &accepted, std::span<const std::uint8_t> numbers)
        : at(numbers.data()), end(at + numbers.size()), agent(accepted.sender),
          number(accepted.ref) {}
    // Uses the actions of the segment at which it is, once.
    template <typename Use>
    void each_action(Use use) {
        for (std::uint32_t left = take_number(at); left > 0; --left)
            use(take_number(at));
    }
    bool next() {
        if (at == end)
            return false;
        agent = take_number(at);
        number = take_number(at);
        return true;
    }
};

template <typename Use>
void Lineage::each_action_before(std::size_t sender, const Descent &descent, Use use) const {
    auto use_accepted = [&](AcceptedId id) {
        Cursor cursor(accepted_[id], numbers_of(id));
        do
            cursor.each_action([&](std::uint32_t action) { use(cursor.agent, action); });
        while (cursor.next());
        return accepted_[id].origin;
    };
    std::uint32_t origin = descent.origin;
    if (origin & 1)
        origin = use_accepted(find_accepted(sender, origin >> 1));
    while (origin != 0) {
        if (origin & 1) {
            origin = use_accepted(origin >> 1);
            continue;
        }
        RecordId root = states_.root(issued(origin >> 1).front());
        if (states_[root].action == no_action)
            return;
        origin = use_accepted(states_[root].ref);
    }
}

}  // namespace tacit::mafs
