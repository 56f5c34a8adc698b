#include "privacy/achievers.hpp"

#include <algorithm>
#include <stdexcept>

#include "util/pulse.hpp"

namespace tacit {

namespace {

bool has(Row row, std::int32_t item) { return std::binary_search(row.begin(), row.end(), item); }

}  // namespace

Achievers::Achievers(const LocalTask &task, const Ints &group, ChainRule rule, bool drop_noop,
                     const CertainDeletes *deletes)
    : task_(task), group_(group), rule_(rule), drop_noop_(drop_noop), deletes_(deletes),
      facts_(task.public_facts + task.private_facts.size()), by_public_(facts_),
      by_private_(facts_), initial_(facts_), from_init_(facts_), seen_fact_(facts_, -1),
      seen_action_(task.actions.size(), -1) {
    if (group.size() != facts_)
        throw std::invalid_argument("one group per fact");
    bool needs_deletes = rule == ChainRule::tight || rule == ChainRule::last;
    if (needs_deletes && deletes == nullptr)
        throw std::invalid_argument("this rule needs to know what actions certainly delete");
    index_adders();
    reach_from_init();
}

void Achievers::index_adders() {
    const Actions &actions = task_.actions;
    for (std::size_t a = 0; a < actions.size(); ++a)
        for (std::int32_t fact : actions.add[a]) {
            if (!actions.is_public[a])
                by_private_[fact].push_back(static_cast<std::int32_t>(a));
            else if (!drop_noop_ || !has(actions.pre[a], fact))
                by_public_[fact].push_back(static_cast<std::int32_t>(a));
        }
}

void Achievers::reach_from_init() {
    const Actions &actions = task_.actions;
    Ints missing(actions.size(), 0), stack;
    std::vector<Ints> needed_by(facts_);
    auto reach = [&](std::int32_t fact) {
        if (!from_init_[fact]) {
            from_init_.set(fact);
            stack.push_back(fact);
        }
    };
    auto apply = [&](std::size_t action) {
        for (std::int32_t fact : actions.add[action])
            reach(fact);
    };
    for (std::int32_t fact : task_.init) {
        initial_.set(fact);
        reach(fact);
    }
    for (std::size_t a = 0; a < actions.size(); ++a) {
        if (actions.is_public[a])
            continue;
        for (std::int32_t fact : actions.pre[a])
            if (is_private(fact)) {
                needed_by[fact].push_back(static_cast<std::int32_t>(a));
                ++missing[a];
            }
        if (missing[a] == 0)
            apply(a);
    }
    while (!stack.empty()) {
        std::int32_t fact = stack.back();
        stack.pop_back();
        for (std::int32_t action : needed_by[fact])
            if (--missing[action] == 0)
                apply(action);
    }
}

Ints Achievers::of(std::int32_t fact) {
    pulse();
    if (rule_ == ChainRule::last)
        return last(fact);
    Ints facts = chain(fact);
    if (rule_ == ChainRule::tight && !is_tight(fact, facts))
        return last(fact);
    return adders(facts);
}

// All facts from which a chain of private actions leads to this one; they are stamped as seen.
Ints Achievers::chain(std::int32_t fact) {
    Ints met{fact};
    seen_fact_[fact] = fact;
    for (std::size_t next = 0; next < met.size(); ++next)
        for (std::int32_t action : by_private_[met[next]])
            for (std::int32_t before : task_.actions.pre[action]) {
                bool counts = rule_ == ChainRule::any || group_[before] == group_[fact];
                if (rule_ == ChainRule::tight && !is_private(before))
                    counts = false;
                if (counts && seen_fact_[before] != fact) {
                    seen_fact_[before] = fact;
                    met.push_back(before);
                }
            }
    return met;
}

Ints Achievers::adders(const Ints &chain) {
    Ints found;
    for (std::int32_t met : chain)
        for (std::int32_t action : by_public_[met])
            if (seen_action_[action] != chain.front()) {
                seen_action_[action] = chain.front();
                found.push_back(action);
            }
    std::sort(found.begin(), found.end());
    return found;
}

bool Achievers::is_tight(std::int32_t fact, const Ints &chain) const {
    std::int32_t first = task_.public_facts;
    for (std::int32_t met : chain) {
        if (initial_[met] && !from_init_[fact])
            return false;
        for (std::int32_t action : by_private_[met])
            if (brings_from_outside(action, met))
                return false;
    }
    for (std::size_t kind = 0; kind < deletes_->kinds(); ++kind)
        if (deletes_->deletes(kind, fact - first))
            for (std::int32_t met : chain)
                if (!deletes_->deletes(kind, met - first))
                    return false;
    return true;
}

// Does a private action bring a fact of the chain that was last stamped without using any of it?
bool Achievers::brings_from_outside(std::int32_t action, std::int32_t added) const {
    Row pre = task_.actions.pre[action];
    std::int32_t stamp = seen_fact_[added];
    return !has(pre, added) && std::none_of(pre.begin(), pre.end(), [&](std::int32_t before) {
        return seen_fact_[before] == stamp;
    });
}

void Achievers::mark_all() {
    std::size_t count = task_.private_facts.size();
    std::vector<PrivateStep> steps;
    std::vector<Ints> needed_by(count);
    for (std::size_t a = 0; a < task_.actions.size(); ++a)
        if (!task_.actions.is_public[a]) {
            steps.push_back(PrivateMutexes::project(task_, a));
            for (std::int32_t fact : steps.back().pre)
                needed_by[fact].push_back(static_cast<std::int32_t>(steps.size() - 1));
        }
    for (std::size_t kind = 0; kind < deletes_->kinds(); ++kind) {
        pulse();
        Bits marked(count);
        Ints stack;
        auto mark = [&](std::int32_t fact) {
            if (!marked[fact]) {
                marked.set(fact);
                stack.push_back(fact);
            }
        };
        auto is_deleted = [&](std::int32_t fact) { return deletes_->deletes(kind, fact); };
        const PrivateStep &begin = deletes_->step(kind);
        for (std::int32_t fact : begin.add)
            if (!drop_noop_ || !has(begin.pre, fact))
                mark(fact);
        while (!stack.empty()) {
            std::int32_t fact = stack.back();
            stack.pop_back();
            for (std::int32_t s : needed_by[fact])
                if (std::none_of(steps[s].pre.begin(), steps[s].pre.end(), is_deleted))
                    std::for_each(steps[s].add.begin(), steps[s].add.end(), mark);
        }
        marked_.push_back(std::move(marked));
    }
}

Ints Achievers::last(std::int32_t fact) {
    if (marked_.empty())
        mark_all();
    std::int32_t own = fact - task_.public_facts;
    Ints found;
    for (std::size_t kind = 0; kind < deletes_->kinds(); ++kind)
        if (marked_[kind][own] && !deletes_->deletes(kind, own)) {
            const Ints &actions = deletes_->actions(kind);
            found.insert(found.end(), actions.begin(), actions.end());
        }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace tacit
