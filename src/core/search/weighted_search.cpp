#include "search/weighted_search.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "util/tuning.hpp"

namespace tacit {

WeightedSearch::WeightedSearch(const Space &space, std::vector<Heuristic *> heuristics,
                               Landmarks *landmarks, int weight)
    : space_(space), heuristics_(std::move(heuristics)), landmarks_(landmarks),
      is_optimal_(weight == to_optimality), weight_(is_optimal_ ? 1 : weight),
      states_(space.words()), is_preferred_(space.task.size()) {
    if (is_optimal_)
        heuristics_.resize(1);
    values_.resize(heuristics_.size() + (landmarks ? 1 : 0));
    for (std::size_t h = 0; h < values_.size(); ++h) {
        lists_.push_back({{}, 0, false, h});
        if (!is_optimal_)
            lists_.push_back({{}, 0, true, h});
    }
    restart();
}

void WeightedSearch::restart() {
    is_begun_ = has_plan_ = false;
    plan.clear();
    bound_ = space_.bound;
    states_ = States(space_.words(), landmarks_ ? space_.fact_words : 0);
    cost_.clear();
    next_.resize(space_.words());
    best_.assign(values_.size(), std::numeric_limits<int>::max());
    for (OpenList &list : lists_) {
        list.queue.clear();
        list.turns = 0;
    }
}

std::size_t WeightedSearch::bytes() const {
    std::size_t sum = states_.bytes() + cost_.capacity() * sizeof(std::int64_t);
    for (const OpenList &list : lists_)
        sum += list.queue.bytes();
    return sum;
}

Status WeightedSearch::run(Meter &meter) {
    if (!is_begun_) {
        is_begun_ = true;
        if (!space_.initial(next_.data()) || bound_ <= 0)
            return Status::exhausted;
        if (landmarks_)
            landmarks_->find(next_.data());
        cost_.push_back(0);
        Status status = visit(meter, states_.insert(next_.data(), no_state, -1).first);
        if (status != Status::running)
            return status;
    }
    while (!meter.stop([this] { return bytes(); })) {
        OpenList *list = choose();
        if (!list)
            return has_plan_ ? Status::solved : Status::exhausted;
        ++list->turns;
        Status status = take(meter, list->queue.pop());
        if (status != Status::running)
            return status;
    }
    return Status::running;
}

// The list whose turn it is, or none if nothing is left anywhere.
WeightedSearch::OpenList *WeightedSearch::choose() {
    OpenList *chosen = nullptr;
    for (OpenList &list : lists_)
        if (!list.queue.empty() && (!chosen || list.turns < chosen->turns))
            chosen = &list;
    if (chosen && is_optimal_ && chosen->queue.lowest_key() >= bound_)
        return nullptr;
    return chosen;
}

Status WeightedSearch::take(Meter &meter, const Entry &entry) {
    std::int64_t cost = cost_[entry.state] + space_.task.cost[entry.action];
    if (cost >= bound_ || !space_.apply(states_[entry.state], entry.action, next_.data()))
        return Status::running;
    auto [id, is_new] = states_.insert(next_.data(), entry.state, entry.action);
    if (is_new)
        cost_.push_back(cost);
    else if (cost < cost_[id]) {
        cost_[id] = cost;
        states_.reach_by(id, entry.state, entry.action);
    } else
        return Status::running;
    return visit(meter, id);
}

Status WeightedSearch::visit(Meter &meter, StateId id) {
    if (space_.is_goal(states_[id])) {
        plan.clear();
        states_.trace(id, plan);
        if (!is_optimal_)
            return Status::solved;
        has_plan_ = true;
        bound_ = cost_[id];
        return bound_ > 0 ? Status::running : Status::solved;
    }
    if (evaluate(meter, id))
        push_successors(meter, id);
    return Status::running;
}

// False for a dead end, and for what cannot be better than the bound.
bool WeightedSearch::evaluate(Meter &meter, StateId id) {
    ++meter.evaluated;
    preferred_.clear();
    for (std::size_t h = 0; h < heuristics_.size(); ++h) {
        values_[h] = heuristics_[h]->evaluate(states_[id]);
        if (values_[h] == dead_end)
            return false;
        heuristics_[h]->preferred(preferred_);
    }
    if (is_optimal_)
        return cost_[id] + values_[0] < bound_;
    if (landmarks_) {
        StateId parent = states_.parent(id);
        Word *visited = states_.notes(id);
        landmarks_->visit(parent == no_state ? nullptr : states_.notes(parent), states_[id],
                          visited);
        values_.back() = landmarks_->left(states_[id], visited);
    }
    boost_preferred();
    return true;
}

void WeightedSearch::boost_preferred() {
    bool is_progress = false;
    for (std::size_t h = 0; h < values_.size(); ++h)
        if (values_[h] < best_[h]) {
            best_[h] = values_[h];
            is_progress = true;
        }
    if (is_progress)
        for (OpenList &list : lists_)
            if (list.only_preferred)
                list.turns -= tuning::preferred_boost;
}

int WeightedSearch::key(std::size_t value, StateId id) const {
    std::int64_t sum = cost_[id] + std::int64_t{weight_} * values_[value];
    return static_cast<int>(std::min<std::int64_t>(sum, std::numeric_limits<int>::max()));
}

void WeightedSearch::push_successors(Meter &meter, StateId id) {
    ++meter.expanded;
    applicable_.clear();
    space_.successors.applicable(states_[id], applicable_);
    for (std::int32_t action : preferred_)
        is_preferred_[action] = 1;
    for (OpenList &list : lists_) {
        int under = key(list.value, id);
        for (std::int32_t action : applicable_)
            if (!list.only_preferred || is_preferred_[action])
                list.queue.push(under, {id, action});
    }
    for (std::int32_t action : preferred_)
        is_preferred_[action] = 0;
    meter.generated += static_cast<std::int64_t>(applicable_.size());
}

}  // namespace tacit
