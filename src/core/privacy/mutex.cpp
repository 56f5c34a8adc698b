#include "privacy/mutex.hpp"

#include <algorithm>

#include "util/pulse.hpp"

namespace tacit {

PrivateStep PrivateMutexes::project(const LocalTask &task, std::size_t action) {
    auto own = [&](Row row) {
        Ints kept;
        for (std::int32_t fact : row)
            if (fact >= task.public_facts)
                kept.push_back(fact - task.public_facts);
        return kept;
    };
    const Actions &actions = task.actions;
    return {own(actions.pre[action]), own(actions.add[action]), own(actions.del[action]),
            actions.is_public[action] != 0};
}

PrivateMutexes::PrivateMutexes(const LocalTask &task)
    : facts_(task.private_facts.size()), pairs_(facts_) {
    for (std::size_t a = 0; a < task.actions.size(); ++a)
        steps_.push_back(project(task, a));
    std::sort(steps_.begin(), steps_.end());
    steps_.erase(std::unique(steps_.begin(), steps_.end()), steps_.end());
    Ints initial;
    for (std::int32_t fact : task.init)
        if (fact >= task.public_facts)
            initial.push_back(fact - task.public_facts);
    pairs_.begin(initial);
    for (bool changed = true; changed;) {
        changed = false;
        for (const PrivateStep &step : steps_) {
            pulse();
            if (pairs_.allows(step.pre))
                changed |= pairs_.apply(step.pre, step.add, step.del);
        }
    }
    index_private_steps();
}

void PrivateMutexes::index_private_steps() {
    needed_by_.resize(facts_);
    enabling_.resize(facts_);
    for (std::size_t s = 0; s < steps_.size(); ++s) {
        missing_.push_back(static_cast<std::int32_t>(steps_[s].pre.size()));
        if (steps_[s].is_public || !pairs_.allows(steps_[s].pre))
            continue;
        if (steps_[s].pre.empty())
            unconditional_.push_back(static_cast<std::int32_t>(s));
        for (std::int32_t fact : steps_[s].pre) {
            needed_by_[fact].push_back(static_cast<std::int32_t>(s));
            enabling_.set(fact);
        }
    }
}

Bits PrivateMutexes::possible_after(const PrivateStep &step) {
    Ints held = step.add;
    for (std::int32_t fact : step.pre)
        if (!std::binary_search(step.del.begin(), step.del.end(), fact))
            held.push_back(fact);
    Bits possible = pairs_.with(step.pre);
    possible &= pairs_.with(held);
    for (std::int32_t fact : step.del)
        possible.reset(fact);
    for (std::int32_t fact : held)
        possible.set(fact);
    possible |= closure(possible);
    return possible;
}

// What private actions lead to from these facts; it depends on those alone that they need.
const Bits &PrivateMutexes::closure(const Bits &facts) {
    Bits enabling = facts;
    enabling &= enabling_;
    auto [found, is_new] = closures_.try_emplace(enabling, enabling);
    if (is_new)
        close(found->second);
    return found->second;
}

// Adds what private actions lead to, deletes ignored.
void PrivateMutexes::close(Bits &facts) const {
    Ints missing = missing_, stack;
    auto fire = [&](std::int32_t step) {
        for (std::int32_t fact : steps_[step].add)
            if (!facts[fact]) {
                facts.set(fact);
                stack.push_back(fact);
            }
    };
    for (std::int32_t step : unconditional_)
        fire(step);
    facts.each([&](std::size_t fact) { stack.push_back(static_cast<std::int32_t>(fact)); });
    std::sort(stack.begin(), stack.end());
    stack.erase(std::unique(stack.begin(), stack.end()), stack.end());
    while (!stack.empty()) {
        std::int32_t fact = stack.back();
        stack.pop_back();
        for (std::int32_t step : needed_by_[fact])
            if (--missing[step] == 0)
                fire(step);
    }
}

}  // namespace tacit
