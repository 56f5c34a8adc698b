// What the model of the others infers of all their tokens, as the numbers of a task.
//
// Agents that are made alike infer the same of everybody. So what is inferred is that of all
// tokens, of the agent's own too, and each agent leaves out its own (`Inferred`). Agents of one
// process that infer the same share it: it depends on nothing but the model, so an agent finds in
// it what it would have inferred itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "ranking/parts.hpp"
#include "ranking/peer_model.hpp"
#include "ranking/public_projection.hpp"
#include "ranking/shared_costs.hpp"
#include "util/rows.hpp"

namespace tacit {

using ActionFacts = std::vector<std::pair<std::int32_t, std::int32_t>>;

// How tokens may be achieved: per token its fact, the actions that are likely to achieve it, and
// whether it is likely to hold initially. And what actions are taken to delete beyond what the task
// says: (action, fact), sorted.
struct InferredAchievers {
    Ints token;
    Rows after;
    std::vector<std::uint8_t> is_likely_initially;
    ActionFacts deletes = {};
};

// The same, and per action the tokens that it is likely to achieve, by their place; all of one
// task, and the parts into which that falls then.
class Inference {
  public:
    explicit Inference(InferredAchievers of);

    const InferredAchievers &all() const { return all_; }
    // The task in parts, and what is explored of them; the same for one part of everything.
    struct Division {
        std::shared_ptr<const Parts> parts;
        std::shared_ptr<SharedCosts> costs;
    };
    Division parts(const IndexedTask &task) const;
    Division whole(const IndexedTask &task) const;
    // Of a token's fact among those that are inferred; -1 if it is none.
    std::int32_t place_of(std::int32_t fact) const {
        auto found = std::ranges::lower_bound(all_.token, fact);
        bool is_there = found != all_.token.end() && *found == fact;
        return is_there ? static_cast<std::int32_t>(found - all_.token.begin()) : -1;
    }
    Row places_after(std::int32_t action) const {
        auto row = static_cast<std::size_t>(action);
        return row < by_action_.size() ? by_action_[row] : Row();
    }

  private:
    InferredAchievers all_;
    Rows by_action_;
    mutable std::once_flag are_parts_made_, is_whole_made_;
    mutable Division parts_, whole_;
};

// What one agent infers of the others; nothing of its own tokens, which are a range of facts.
struct Inferred {
    std::shared_ptr<const Inference> inference;
    std::int32_t own_from = 0, own_to = 0;
    ActionFacts own_deletes = {};  // sorted
    // Do all tokens look like own ones, and would the own edges be inferred exactly?
    bool is_exact = false;

    Inferred(InferredAchievers of = {}) : inference(std::make_shared<Inference>(std::move(of))) {}

    const InferredAchievers &all() const { return inference->all(); }
    bool is_own(std::int32_t fact) const { return fact >= own_from && fact < own_to; }
    // All deletes, own ones among them, in order.
    ActionFacts deletes() const;
    template <typename Use>
    bool any_deleted_by(std::int32_t action, Use &&use) const;
};

// What an agent with this graph infers of all others, in the numbers of the projection's task.
Inferred infer_achievers(const std::shared_ptr<const PublicProjection> &projection,
                         std::int32_t agent, const OwnGraph &own, double alike);

template <typename Use>
bool Inferred::any_deleted_by(std::int32_t action, Use &&use) const {
    for (const ActionFacts *pairs : {&all().deletes, &own_deletes}) {
        bool is_of_own = pairs == &own_deletes;
        auto first = std::ranges::lower_bound(*pairs, std::pair(action, INT32_MIN));
        for (; first != pairs->end() && first->first == action; ++first)
            if ((is_of_own || !is_own(first->second)) && use(first->second))
                return true;
    }
    return false;
}

}  // namespace tacit
