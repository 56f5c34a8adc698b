#include "analysis/triples.hpp"

#include <algorithm>

#include "util/pulse.hpp"

namespace tacit {

Triples::Triples(const StripsTask &task, const Pairs &pairs) {
    Relevant relevant = without_irrelevant_facts(task);
    Ints number(task.facts, -1);
    for (std::int32_t fact = 0; fact < task.facts; ++fact)
        if (relevant.number[fact] >= 0 && pairs.together(fact, fact))
            number[fact] = static_cast<std::int32_t>(facts_++);
    auto numbered = [&](Row row) {
        Ints found;
        for (std::int32_t fact : row)
            if (number[fact] >= 0)
                found.push_back(number[fact]);
        return found;
    };
    init_ = numbered(task.init);
    goal_ = numbered(task.goal);
    for (std::size_t a = 0; a < task.size(); ++a) {
        Ints adds = numbered(task.add[a]);
        if (pairs.allows(task.pre[a]) && !adds.empty())
            actions_.push_back({numbered(task.pre[a]), std::move(adds), numbered(task.del[a])});
    }
    words_ = words_for(facts_);
}

std::int64_t Triples::work() const {
    std::size_t rows = 0;
    for (const Action &action : actions_)
        rows += action.needs.size() + action.adds.size();
    return static_cast<std::int64_t>(rows * facts_ * words_);
}

bool Triples::reach_goal() {
    table_.assign(facts_ * facts_ * words_, 0);
    changed_.assign(facts_, now_);
    with_.assign(words_, 0);
    for (std::int32_t fact : init_)
        put(with_.data(), fact);
    for (std::int32_t f : init_)
        for (std::int32_t g : init_)
            std::ranges::copy(with_, row(f, g));
    for (bool changed = true; changed;) {
        changed = false;
        for (Action &action : actions_)
            if (is_due(action) && allows(action.needs)) {
                pulse();
                changed |= apply(action);
            }
    }
    return allows(goal_);
}

bool Triples::allows(const Ints &facts) {
    for (std::size_t i = 0; i < facts.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
            for (std::size_t k = 0; k <= j; ++k)
                if (!holds(facts[i], facts[j], facts[k]))
                    return false;
    return true;
}

// Has anything changed that it needs?
bool Triples::is_due(const Action &action) const {
    return action.needs.empty() || std::ranges::any_of(action.needs, [&](std::int32_t fact) {
               return changed_[fact] >= action.applied;
           });
}

bool Triples::apply(Action &action) {
    action.applied = ++now_;
    find_kept(action);
    bool changed = false;
    each_in(kept_.data(), words_, [&](std::size_t fact) {
        find_with(action, fact);
        for (std::int32_t added : action.adds)
            changed |= add(added, fact);
    });
    with_ = kept_;
    for (std::size_t w = 0; w < words_; ++w)
        with_[w] |= added_[w];
    for (std::int32_t fact : action.adds)
        for (std::int32_t added : action.adds)
            changed |= add(added, fact);
    return changed;
}

// The facts that may hold before the action and behind it.
void Triples::find_kept(const Action &action) {
    kept_.assign(words_, 0);
    added_.assign(words_, 0);
    for (std::int32_t fact : action.adds)
        put(added_.data(), fact);
    if (action.needs.empty())
        for (std::size_t fact = 0; fact < facts_; ++fact)
            if (holds(fact, fact, fact))
                put(kept_.data(), fact);
    for (std::size_t i = 0; i < action.needs.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
            for (std::size_t w = 0; w < words_; ++w) {
                std::uint64_t word = row(action.needs[i], action.needs[j])[w];
                kept_[w] = i == 0 ? word : kept_[w] & word;
            }
    for (std::int32_t fact : action.deletes)
        drop(kept_.data(), fact);
}

// The facts that may hold behind the action together with one that is kept.
void Triples::find_with(const Action &action, std::size_t fact) {
    with_ = kept_;
    if (action.needs.empty())
        for (std::size_t w = 0; w < words_; ++w)
            with_[w] &= row(fact, fact)[w];
    for (std::int32_t need : action.needs)
        for (std::size_t w = 0; w < words_; ++w)
            with_[w] &= row(need, fact)[w];
    for (std::size_t w = 0; w < words_; ++w)
        with_[w] |= added_[w];
}

// An added fact holds together with another one and with each in `with_`; whether that is new.
bool Triples::add(std::size_t added, std::size_t fact) {
    std::uint64_t *known = row(added, fact), *turned = row(fact, added);
    bool changed = false;
    for (std::size_t w = 0; w < words_; ++w) {
        std::uint64_t news = with_[w] & ~known[w];
        if (!news)
            continue;
        changed = true;
        known[w] |= news;
        turned[w] |= news;
        for (; news; news &= news - 1) {
            std::size_t third = w * 64 + static_cast<std::size_t>(__builtin_ctzll(news));
            put(row(fact, third), added);
            put(row(third, fact), added);
            put(row(added, third), fact);
            put(row(third, added), fact);
            changed_[third] = now_;
        }
    }
    if (changed)
        changed_[added] = changed_[fact] = now_;
    return changed;
}

}  // namespace tacit
