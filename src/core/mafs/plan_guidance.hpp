// Plans of the projection, which everybody can see, and where on them a state is.
//
// While the agents search, the coordinator plans in what was published and disclosed, and sends
// them the plan. An agent expands states on it first: if the next step is its own it tries to take
// it, by private actions before if it must, and the agent of the step after that goes on. So the
// search gets as far as a classical planner gets in the projection, unless the plan lacks what
// nobody has disclosed.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "strips/states.hpp"
#include "strips/strips.hpp"

namespace tacit::mafs {

class PlanGuidance {
  public:
    // So many steps of this plan are done.
    struct Place {
        std::int32_t plan, step;
    };

    explicit PlanGuidance(std::size_t public_words) : words_(public_words) {}

    // `actions` are those of the projection, `groups` their agents. Returns the number of the plan.
    std::int32_t add(const StripsTask &projection, const Ints &groups, const Ints &actions);

    bool empty() const { return places_.empty(); }
    // The places of the state with these public facts.
    template <typename Use>
    void each_place(const Word *facts, Use &&use) const {
        auto [from, to] = places_.equal_range(hash_words(facts, words_));
        for (; from != to; ++from)
            if (is_at(from->second, facts))
                use(from->second);
    }
    bool is_at(Place place, const Word *facts) const;
    std::int32_t steps_left(Place place) const {
        return static_cast<std::int32_t>(plans_[place.plan].agents.size()) - place.step;
    }
    std::int32_t next_agent(Place place) const { return plans_[place.plan].agents[place.step]; }
    std::size_t bytes() const;

  private:
    struct Plan {
        Ints agents;               // per step
        std::vector<Word> states;  // public facts before the first step and after each
    };

    std::size_t words_;
    std::vector<Plan> plans_;
    std::unordered_multimap<std::uint64_t, Place> places_;
};

}  // namespace tacit::mafs
