// What one agent sends to the others, and what it remembers of that.
//
// A state that shows is sent to the agents that can go on from it (`Outbox`), under a number by
// which its path is asked for later, with a pseudonym for its private part (`Pseudonyms`) and a
// descent, by which its receiver can check it (`Lineage`). Under the
// hardening `once`, states that look alike to the others wait and are sent as one (`SendOnce`);
// under `secure` one of them is sent, ever (`Siblings`).
// Frames that come in are checked here against what this agent could have been sent
// (`DescentCheck`).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mafs/descent_check.hpp"
#include "mafs/lineage.hpp"
#include "mafs/outbox.hpp"
#include "mafs/pseudonyms.hpp"
#include "mafs/send_once.hpp"
#include "mafs/siblings.hpp"
#include "mafs/state_store.hpp"
#include "mafs/toll_book.hpp"

namespace tacit::mafs {

class Mailroom {
  public:
    // A record that was received before, and what it would be with another own index.
    struct Returned {
        RecordId like;
        Record record;
    };

    // What indices mean is sent with tolls if there are any.
    Mailroom(const NodeTask &task, const Layout &layout, StateStore &states,
             TollBook *tolls = nullptr);

    // The initial state has number 0 with everybody.
    void name_initial(RecordId initial);
    // Tells everybody the own tolls in it.
    void send_initial_tolls(RecordId initial);
    void send(RecordId id, int value);
    // Under `secure`: what came back of the state that was sent in place of this one, to be
    // continued for this one too; as records. Good until the next call.
    std::span<const Returned> returned_for(RecordId id);
    // Sends what waits. What was withheld is sent as well if that was asked for and nothing else
    // is left to do.
    void send_waiting(bool is_exhausted);
    // Nobody can go on: what `once` withheld is sent after all, once this agent cannot either.
    void send_again() { must_send_again_ = send_once_.withholds_any(); }
    // Sends everybody again what own numbers mean.
    void resend_tokens();
    // More is disclosed: facts of the projection, tokens that hold initially.
    void grow(const Ints &initial_tokens) { descent_check_.grow(initial_tokens); }

    bool has_frame(std::size_t receiver) const { return !outbox_.empty(receiver); }
    Bytes take_frame(std::size_t receiver) { return outbox_.take(receiver); }
    // Nothing is to be sent, now or later.
    bool is_idle() const { return !must_send_again_ && outbox_.empty(); }

    // Throws MalformedFrame, as do the reader, `learn` and `accept`.
    FrameReader open(std::size_t sender, std::span<const std::uint8_t> frame) const;
    void learn(std::size_t sender, const FrameReader::SentIndex &sent);
    // A state that could have come about; `name_record` is called next.
    AcceptedId accept(std::size_t sender, const SentState &state);
    void name_record(AcceptedId id, RecordId record) { lineage_.name_record(id, record); }
    std::uint32_t sender_number(AcceptedId id) const { return lineage_.sender_number(id); }
    // The own private states that a received state stands for; good until the next call.
    std::span<const Index> own_states(const SentState &state);

    // Of the states that were sent as one, that with this own index; any if it is negative. Throws
    // std::invalid_argument if there is none.
    RecordId find_sent(std::uint32_t ref, std::int64_t own) const;
    std::int64_t sent() const { return sent_; }
    std::size_t bytes() const;

  private:
    const NodeTask &task_;
    const Layout &layout_;
    StateStore &states_;
    TollBook *tolls_;
    Pseudonyms pseudonyms_;
    SendOnce send_once_;
    Siblings siblings_;
    Outbox outbox_;
    Lineage lineage_;
    DescentCheck descent_check_;
    bool must_send_again_ = false;
    std::int64_t sent_ = 0;
    std::vector<Word> projected_, pair_, sent_key_;
    std::vector<Index> indices_, members_;
    std::vector<Returned> returned_;

    void fill_pair(RecordId id);
    void wait(RecordId id);
    void send_first(RecordId id, const Ints &receivers, int value);
    void send_as_one(std::span<const RecordId> states, const Ints &receivers, int value);
    void add_shown_tokens(RecordId id);
    void check_numbers(const SentState &state) const;
};

}  // namespace tacit::mafs
