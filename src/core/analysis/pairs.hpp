// h²: which facts can ever hold together, pair by pair.
//
// Row f of the table has a bit for every fact that can hold together with f, f included if f can
// hold at all. It begins with the initial facts and grows by actions until none brings anything
// new. The caller has the actions and applies them; rows are sorted, and no action deletes what it
// adds.
#pragma once

#include <cstddef>
#include <vector>

#include "strips/strips.hpp"
#include "util/bits.hpp"
#include "util/rows.hpp"

namespace tacit {

class Pairs {
  public:
    explicit Pairs(std::size_t facts) : table_(facts, Bits(facts)), reached_(facts) {}

    // These hold initially, all of them together.
    void begin(Row facts);
    // Can these hold together, as far as pairs show?
    bool allows(Row facts) const;
    // The facts that can hold together with all of these.
    Bits with(Row facts) const;
    // Applies an action whose needs are allowed; whether a pair is new.
    bool apply(Row needs, Row adds, Row deletes);

    bool together(std::size_t f, std::size_t g) const { return table_[f][g]; }

  private:
    std::vector<Bits> table_;
    Bits reached_;
};

// All that can hold together in a task.
Pairs reachable_pairs(const StripsTask &task);

}  // namespace tacit
