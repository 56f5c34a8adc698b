// States that wait to be sent, by what the others see of them: public facts and their own indices.
//
// Under the hardening `once` such a pair goes out once, for all private states that the agent had
// come upon until then. What it comes upon later is kept back until nobody can go on without it
// (`again`).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mafs/records.hpp"

namespace tacit::mafs {

class Pairs {
  public:
    explicit Pairs(std::size_t key_words) : keys_(key_words) {}

    // A record of this pair: the key of a state without its own part.
    void add(const Word *key, RecordId record);
    // What was kept back goes out after all.
    void again();
    bool keeps_any() const { return waiting_ > 0; }
    // Passes the records of every pair that is to go out, in the order of their coming up.
    template <typename Use>
    void take(Use use) {
        for (StateId pair : std::exchange(due_, {})) {
            pairs_[pair].is_due = false;
            pairs_[pair].is_out = true;
            std::vector<RecordId> records = std::exchange(pairs_[pair].waiting, {});
            waiting_ -= records.size();
            use(records);
        }
    }
    std::size_t bytes() const;

  private:
    struct Pair {
        bool is_out = false, is_due = false;
        std::vector<RecordId> waiting;
    };

    States keys_;
    std::vector<Pair> pairs_;
    std::vector<StateId> due_;
    std::size_t waiting_ = 0;
};

}  // namespace tacit::mafs
