#include "search/lazy_lists.hpp"

#include <utility>

#include "util/tuning.hpp"

namespace tacit {

LazyLists::LazyLists(const Space &space, std::vector<Heuristic *> heuristics, Landmarks *landmarks,
                     bool with_preferred)
    : space_(space), heuristics_(std::move(heuristics)), landmarks_(landmarks),
      is_preferred_(space.task.size()) {
    values_.resize(heuristics_.size() + (landmarks ? 1 : 0));
    for (std::size_t h = 0; h < values_.size(); ++h) {
        lists_.push_back({{}, 0, false, h});
        if (with_preferred)
            lists_.push_back({{}, 0, true, h});
    }
    clear();
}

void LazyLists::begin(const Word *initial) {
    if (landmarks_)
        landmarks_->find(initial);
}

void LazyLists::clear() {
    best_.assign(values_.size(), std::numeric_limits<int>::max());
    for (List &list : lists_) {
        list.queue.clear();
        list.turns = 0;
    }
}

std::size_t LazyLists::bytes() const {
    std::size_t sum = 0;
    for (const List &list : lists_)
        sum += list.queue.bytes();
    return sum;
}

States LazyLists::states() const {
    return States(space_.words(), landmarks_ ? space_.fact_words : 0);
}

bool LazyLists::evaluate(Meter &meter, States &states, StateId id) {
    ++meter.evaluated;
    preferred_.clear();
    for (std::size_t h = 0; h < heuristics_.size(); ++h) {
        values_[h] = heuristics_[h]->evaluate(states[id]);
        if (values_[h] == dead_end)
            return false;
        heuristics_[h]->preferred(preferred_);
    }
    if (landmarks_)
        values_.back() = landmarks_left(states, id);
    boost_preferred();
    return true;
}

int LazyLists::landmarks_left(States &states, StateId id) {
    StateId parent = states.parent(id);
    Word *visited = states.notes(id);
    landmarks_->visit(parent == no_state ? nullptr : states.notes(parent), states[id], visited);
    return landmarks_->left(states[id], visited);
}

void LazyLists::boost_preferred() {
    bool is_progress = false;
    for (std::size_t h = 0; h < values_.size(); ++h)
        if (values_[h] < best_[h]) {
            best_[h] = values_[h];
            is_progress = true;
        }
    if (is_progress)
        for (List &list : lists_)
            if (list.only_preferred)
                list.turns -= tuning::preferred_boost;
}

void LazyLists::mark_applicable(const Word *state) {
    applicable_.clear();
    space_.successors.applicable(state, applicable_);
    for (std::int32_t action : preferred_)
        is_preferred_[action] = 1;
}

bool LazyLists::pop(Entry &entry, std::int64_t bound) {
    List *chosen = nullptr;
    for (List &list : lists_)
        if (!list.queue.empty() && (!chosen || list.turns < chosen->turns))
            chosen = &list;
    if (!chosen || chosen->queue.lowest_key() >= bound)
        return false;
    ++chosen->turns;
    entry = chosen->queue.pop();
    return true;
}

}  // namespace tacit
