#include "search/space.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tacit {

Space::Space(StripsTask given)
    : task(std::move(given)), successors(task),
      // One word at least, so that there is a state even if nothing is relevant.
      fact_words(std::max<std::size_t>(1, words_for(task.facts))), goal(fact_words) {
    for (std::int32_t fact : task.goal)
        put(goal.data(), fact);
}

bool Space::is_goal(const Word *state) const {
    for (std::size_t i = 0; i < fact_words; ++i)
        if (goal[i] & ~state[i])
            return false;
    return true;
}

bool Space::initial(Word *state) const {
    std::fill(state, state + fact_words, 0);
    for (std::int32_t fact : task.init)
        put(state, fact);
    return prefixes.start(state + fact_words);
}

bool Space::apply(const Word *from, std::int32_t action, Word *to) const {
    std::memcpy(to, from, words() * sizeof(Word));
    for (std::int32_t fact : task.del[action])
        drop(to, fact);
    for (std::int32_t fact : task.add[action])
        put(to, fact);
    return prefixes.words() == 0 || prefixes.advance(to + fact_words, action, task.group[action]);
}

}  // namespace tacit
