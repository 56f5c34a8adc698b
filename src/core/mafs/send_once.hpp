// States that wait to be sent, by what the others see of them: public facts and their own indices.
//
// Under the hardening `once` such a pair is sent once, for all private states that the agent had
// reached until then. What it reaches later is withheld until nobody can go on without it
// (`send_again`).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mafs/records.hpp"

namespace tacit::mafs {

class SendOnce {
  public:
    explicit SendOnce(std::size_t key_words) : keys_(key_words) {}

    // A record of this pair: the key of a state without its own part.
    void add(const Word *key, RecordId record);
    // What was withheld is sent after all.
    void send_again();
    bool withholds_any() const { return waiting_ > 0; }
    // Passes on the records of every pair that is due, in the order in which they became so.
    template <typename Use>
    void take(Use use) {
        for (StateId pair : std::exchange(due_, {})) {
            pairs_[pair].is_due = false;
            pairs_[pair].is_sent = true;
            std::vector<RecordId> records = std::exchange(pairs_[pair].waiting, {});
            waiting_ -= records.size();
            use(records);
        }
    }
    std::size_t bytes() const;

  private:
    struct Pair {
        bool is_sent = false, is_due = false;
        std::vector<RecordId> waiting;
    };

    States keys_;
    std::vector<Pair> pairs_;
    std::vector<StateId> due_;
    std::size_t waiting_ = 0;
};

}  // namespace tacit::mafs
