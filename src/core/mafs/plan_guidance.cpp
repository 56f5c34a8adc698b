#include "mafs/plan_guidance.hpp"

#include <algorithm>
#include <utility>

#include "util/bits.hpp"

namespace tacit::mafs {

std::int32_t PlanGuidance::add(const StripsTask &projection, const Ints &groups,
                               const Ints &actions) {
    auto number = static_cast<std::int32_t>(plans_.size());
    Plan plan;
    std::vector<Word> state(words_for(static_cast<std::size_t>(projection.facts)));
    auto note = [&](std::size_t step) {
        plan.states.insert(plan.states.end(), state.begin(),
                           state.begin() + static_cast<std::ptrdiff_t>(words_));
        places_.emplace(hash_words(state.data(), words_),
                        Place{number, static_cast<std::int32_t>(step)});
    };
    for (std::int32_t fact : projection.init)
        put(state.data(), static_cast<std::size_t>(fact));
    note(0);
    for (std::size_t step = 0; step < actions.size(); ++step) {
        for (std::int32_t fact : projection.del[actions[step]])
            drop(state.data(), static_cast<std::size_t>(fact));
        for (std::int32_t fact : projection.add[actions[step]])
            put(state.data(), static_cast<std::size_t>(fact));
        plan.agents.push_back(groups[actions[step]]);
        note(step + 1);
    }
    plans_.push_back(std::move(plan));
    return number;
}

bool PlanGuidance::is_at(Place place, const Word *facts) const {
    const Word *there =
        plans_[place.plan].states.data() + static_cast<std::size_t>(place.step) * words_;
    return std::equal(facts, facts + words_, there);
}

std::size_t PlanGuidance::bytes() const {
    std::size_t sum = places_.size() * 4 * sizeof(Place);
    for (const Plan &plan : plans_)
        sum +=
            plan.states.capacity() * sizeof(Word) + plan.agents.capacity() * sizeof(std::int32_t);
    return sum;
}

}  // namespace tacit::mafs
