#include "search/lazy_greedy.hpp"

#include <limits>
#include <utility>

#include "util/tuning.hpp"

namespace tacit {

LazyGreedy::LazyGreedy(const Space &space, std::vector<Heuristic *> heuristics,
                       Landmarks *landmarks)
    : space_(space), heuristics_(std::move(heuristics)), landmarks_(landmarks),
      states_(space.words()), is_preferred_(space.task.size()) {
    values_.resize(heuristics_.size() + (landmarks ? 1 : 0));
    for (std::size_t h = 0; h < values_.size(); ++h) {
        lists_.push_back({{}, 0, false, h});
        lists_.push_back({{}, 0, true, h});
    }
    restart();
}

void LazyGreedy::restart() {
    is_begun_ = false;
    states_ = States(space_.words(), landmarks_ ? space_.fact_words : 0);
    next_.resize(space_.words());
    best_.assign(values_.size(), std::numeric_limits<int>::max());
    for (OpenList &list : lists_) {
        list.queue.clear();
        list.turns = 0;
    }
}

std::size_t LazyGreedy::bytes() const {
    std::size_t sum = states_.bytes();
    for (const OpenList &list : lists_)
        sum += list.queue.bytes();
    return sum;
}

Status LazyGreedy::run(Meter &meter) {
    if (!is_begun_) {
        is_begun_ = true;
        if (!space_.initial(next_.data()))
            return Status::exhausted;
        if (landmarks_)
            landmarks_->find(next_.data());
        Status status = visit(meter, states_.insert(next_.data(), no_state, -1).first);
        if (status != Status::running)
            return status;
    }
    while (!meter.stop([this] { return bytes(); })) {
        OpenList *list = choose();
        if (!list)
            return Status::exhausted;
        ++list->turns;
        Entry entry = list->queue.pop();
        if (!space_.apply(states_[entry.state], entry.action, next_.data()))
            continue;
        auto [id, is_new] = states_.insert(next_.data(), entry.state, entry.action);
        if (!is_new)
            continue;
        Status status = visit(meter, id);
        if (status != Status::running)
            return status;
    }
    return Status::running;
}

// The list whose turn it is, or none if nothing is left anywhere.
LazyGreedy::OpenList *LazyGreedy::choose() {
    OpenList *chosen = nullptr;
    for (OpenList &list : lists_)
        if (!list.queue.empty() && (!chosen || list.turns < chosen->turns))
            chosen = &list;
    return chosen;
}

Status LazyGreedy::visit(Meter &meter, StateId id) {
    if (space_.is_goal(states_[id])) {
        plan.clear();
        states_.trace(id, plan);
        return Status::solved;
    }
    if (evaluate(meter, id))
        push_successors(meter, id);
    return Status::running;
}

// False for a dead end.
bool LazyGreedy::evaluate(Meter &meter, StateId id) {
    ++meter.evaluated;
    preferred_.clear();
    for (std::size_t h = 0; h < heuristics_.size(); ++h) {
        values_[h] = heuristics_[h]->evaluate(states_[id]);
        if (values_[h] == dead_end)
            return false;
        heuristics_[h]->preferred(preferred_);
    }
    if (landmarks_)
        values_.back() = landmarks_left(id);
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
    return true;
}

int LazyGreedy::landmarks_left(StateId id) {
    StateId parent = states_.parent(id);
    Word *visited = states_.notes(id);
    landmarks_->visit(parent == no_state ? nullptr : states_.notes(parent), states_[id], visited);
    return landmarks_->left(states_[id], visited);
}

void LazyGreedy::push_successors(Meter &meter, StateId id) {
    ++meter.expanded;
    applicable_.clear();
    space_.successors.applicable(states_[id], applicable_);
    for (std::int32_t action : preferred_)
        is_preferred_[action] = 1;
    for (std::int32_t action : applicable_)
        for (OpenList &list : lists_)
            if (!list.only_preferred || is_preferred_[action])
                list.queue.push(values_[list.value], {id, action});
    for (std::int32_t action : preferred_)
        is_preferred_[action] = 0;
    meter.generated += static_cast<std::int64_t>(applicable_.size());
}

}  // namespace tacit
