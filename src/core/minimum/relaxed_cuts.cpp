#include "minimum/relaxed_cuts.hpp"

#include <algorithm>
#include <queue>
#include <stdexcept>
#include <utility>

namespace tacit {

namespace {

Rows rows_of(const std::vector<Ints> &lists) {
    Rows made;
    for (const Ints &list : lists)
        made.append(list);
    return made;
}

void check(const StripsTask &task, const PricedEdges &edges) {
    if (edges.fact.size() != edges.size() || edges.price.size() != edges.size())
        throw std::invalid_argument("edges: columns of unequal length");
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (edges.achiever[e] < -1 || edges.achiever[e] >= static_cast<std::int32_t>(task.size()))
            throw std::invalid_argument("edges: there is no such achiever");
        if (edges.fact[e] < 0 || edges.fact[e] >= task.facts)
            throw std::invalid_argument("edges: there is no such fact");
        if (edges.price[e] < 0)
            throw std::invalid_argument("edges: a price is negative");
    }
}

}  // namespace

RelaxedCuts::RelaxedCuts(const StripsTask &task, PricedEdges edges)
    : edges_(std::move(edges)), facts_(task.facts), init_(task.init), goal_(task.goal),
      needs_(task.pre), adds_(task.add), is_open_(edges_.size()), is_reached_(task.facts),
      is_goal_(task.facts), is_seen_(task.facts), missing_(task.size()) {
    check(task, edges_);
    std::vector<Ints> needed_by(task.facts), of(task.size() + 1), into(task.facts);
    for (std::size_t a = 0; a < task.size(); ++a)
        for (std::int32_t fact : task.pre[a])
            needed_by[fact].push_back(static_cast<std::int32_t>(a));
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        std::int32_t achiever = edges_.achiever[e];
        of[achiever < 0 ? task.size() : achiever].push_back(static_cast<std::int32_t>(e));
        into[edges_.fact[e]].push_back(static_cast<std::int32_t>(e));
    }
    needed_by_ = rows_of(needed_by);
    edges_of_ = rows_of(of);
    edges_into_ = rows_of(into);
    for (std::int32_t fact : goal_)
        is_goal_[fact] = 1;
}

inline void RelaxedCuts::reach(std::int32_t fact) {
    if (is_reached_[fact])
        return;
    is_reached_[fact] = 1;
    reached_.push_back(fact);
    goals_left_ -= is_goal_[fact];
}

inline void RelaxedCuts::fire(std::size_t action) {
    if (action < needs_.size())
        for (std::int32_t fact : adds_[action])
            reach(fact);
    for (std::int32_t e : edges_of_[action]) {
        std::int32_t fact = edges_.fact[e];
        if (is_open_[e]) {
            reach(fact);
        } else if (!is_seen_[fact]) {
            is_seen_[fact] = 1;
            seen_.push_back(fact);
        }
    }
}

// Whether the goal is reached; then not every fact need have been propagated.
bool RelaxedCuts::spread() {
    while (goals_left_ > 0 && propagated_ < reached_.size()) {
        std::int32_t fact = reached_[propagated_++];
        for (std::int32_t a : needed_by_[fact])
            if (--missing_[a] == 0)
                fire(a);
    }
    return goals_left_ == 0;
}

void RelaxedCuts::take_back(std::size_t reached, std::size_t seen) {
    for (std::size_t i = reached; i < reached_.size(); ++i) {
        std::int32_t fact = reached_[i];
        is_reached_[fact] = 0;
        goals_left_ += is_goal_[fact];
        if (i < propagated_)
            for (std::int32_t a : needed_by_[fact])
                ++missing_[a];
    }
    propagated_ = std::min(propagated_, reached);
    reached_.resize(reached);
    for (std::size_t i = seen; i < seen_.size(); ++i)
        is_seen_[seen_[i]] = 0;
    seen_.resize(seen);
}

void RelaxedCuts::begin(const Ints &open) {
    std::ranges::fill(is_open_, 0);
    std::ranges::fill(is_reached_, 0);
    std::ranges::fill(is_seen_, 0);
    reached_.clear();
    seen_.clear();
    propagated_ = 0;
    goals_left_ = static_cast<std::int32_t>(goal_.size());
    for (std::int32_t e : open)
        is_open_.at(e) = 1;
    for (std::int32_t fact : init_)
        reach(fact);
    fire(needs_.size());
    for (std::size_t a = 0; a < needs_.size(); ++a) {
        missing_[a] = static_cast<std::int32_t>(needs_[a].size());
        if (missing_[a] == 0)
            fire(a);
    }
    spread();
}

bool RelaxedCuts::reaches(const Ints &open) {
    begin(open);
    return goals_left_ == 0;
}

// Adds facts for as long as the goal stays unreachable, those of high rank first.
void RelaxedCuts::seek_more(const Ints &rank) {
    std::priority_queue<std::pair<std::int64_t, std::int32_t>> queue;
    std::size_t queued = 0;
    auto take_in = [&] {
        for (; queued < seen_.size(); ++queued) {
            std::int32_t fact = seen_[queued];
            std::int64_t best = 0;
            for (std::int32_t e : edges_into_[fact])
                best = std::max<std::int64_t>(best, rank.empty() ? 0 : rank[e]);
            queue.emplace(best, -fact);
        }
    };
    for (take_in(); !queue.empty(); take_in()) {
        std::int32_t fact = -queue.top().second;
        queue.pop();
        if (is_reached_[fact])
            continue;
        std::size_t reached = reached_.size(), seen = seen_.size();
        reach(fact);
        if (spread())
            take_back(reached, seen);
    }
}

Ints RelaxedCuts::cut(const Ints &open, const Ints &rank) {
    if (!rank.empty() && rank.size() != edges_.size())
        throw std::invalid_argument("not one rank per edge");
    begin(open);
    if (goals_left_ == 0)
        return {};
    seek_more(rank);
    Ints found;
    for (std::size_t e = 0; e < edges_.size(); ++e)
        if (!is_reached_[edges_.fact[e]] && is_achieved(edges_.achiever[e]))
            found.push_back(static_cast<std::int32_t>(e));
    return found;
}

}  // namespace tacit
