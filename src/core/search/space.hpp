// The state space of a task: facts as bits, then the places in the tries of forbidden prefixes.
#pragma once

#include <cstdint>
#include <vector>

#include "search/prefixes.hpp"
#include "strips/states.hpp"
#include "strips/strips.hpp"
#include "strips/successors.hpp"

namespace tacit {

struct Space {
    StripsTask task;
    Prefixes prefixes;
    Successors successors;
    std::size_t fact_words;
    std::vector<Word> goal;
    std::int64_t bound = INT64_MAX;  // plans must cost less, for engines that look at costs

    explicit Space(StripsTask given);

    std::size_t words() const { return fact_words + prefixes.words(); }
    bool is_goal(const Word *state) const;
    // Both write a state of `words()` words, and are false if it is forbidden.
    bool initial(Word *state) const;
    bool apply(const Word *from, std::int32_t action, Word *to) const;
};

}  // namespace tacit
