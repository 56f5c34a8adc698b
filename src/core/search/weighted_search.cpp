#include "search/weighted_search.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tacit {

WeightedSearch::WeightedSearch(const Space &space, std::vector<Heuristic *> heuristics,
                               Landmarks *landmarks, int weight)
    : space_(space), is_optimal_(weight == to_optimality), weight_(is_optimal_ ? 1 : weight),
      lists_(space, std::move(heuristics), landmarks, !is_optimal_), states_(space.words()) {
    restart();
}

void WeightedSearch::restart() {
    is_begun_ = has_plan_ = false;
    plan.clear();
    bound_ = space_.bound;
    states_ = lists_.states();
    cost_.clear();
    next_.resize(space_.words());
    lists_.clear();
}

std::size_t WeightedSearch::bytes() const {
    return states_.bytes() + cost_.capacity() * sizeof(std::int64_t) + lists_.bytes();
}

Status WeightedSearch::run(Meter &meter) {
    if (!is_begun_) {
        is_begun_ = true;
        if (!space_.initial(next_.data()) || bound_ <= 0)
            return Status::exhausted;
        lists_.begin(next_.data());
        cost_.push_back(0);
        Status status = visit(meter, states_.insert(next_.data(), no_state, -1).first);
        if (status != Status::running)
            return status;
    }
    while (!meter.stop([this] { return bytes(); })) {
        LazyLists::Entry entry;
        if (!lists_.pop(entry, is_optimal_ ? bound_ : LazyLists::any_key))
            return has_plan_ ? Status::solved : Status::exhausted;
        Status status = take(meter, entry);
        if (status != Status::running)
            return status;
    }
    return Status::running;
}

Status WeightedSearch::take(Meter &meter, const LazyLists::Entry &entry) {
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
    if (lists_.evaluate(meter, states_, id) && is_below_bound(id))
        lists_.push_successors(meter, states_, id, [&](int value) { return key(id, value); });
    return Status::running;
}

bool WeightedSearch::is_below_bound(StateId id) const {
    return !is_optimal_ || cost_[id] + lists_.value(0) < bound_;
}

int WeightedSearch::key(StateId id, int value) const {
    std::int64_t sum = cost_[id] + std::int64_t{weight_} * value;
    return static_cast<int>(std::min<std::int64_t>(sum, std::numeric_limits<int>::max()));
}

}  // namespace tacit
