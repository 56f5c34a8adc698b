#include "search/width_search.hpp"

#include <algorithm>
#include <bit>

namespace tacit {

WidthSearch::WidthSearch(const Space &space)
    : space_(space), relaxed_(space.task, false), states_(space.words(), space.fact_words),
      novelty_(space.fact_words, max_novelty_bytes), fresh_(space.fact_words) {
    restart();
}

void WidthSearch::restart() {
    is_begun_ = false;
    relaxed_.adds_changed();
    states_ = States(space_.words(), space_.fact_words);
    next_.resize(space_.words());
    nodes_.clear();
    open_.clear();
    novelty_.clear();
}

std::size_t WidthSearch::bytes() const {
    return states_.bytes() + nodes_.capacity() * sizeof(Node) + open_.bytes() + novelty_.bytes();
}

Status WidthSearch::run(Meter &meter) {
    Status status = is_begun_ ? Status::running : begin();
    while (status == Status::running && !meter.stop([this] { return bytes(); })) {
        if (open_.empty())
            return Status::exhausted;
        StateId id = open_.pop();
        ++meter.evaluated;
        if (nodes_[id].needs_plan && !make_relaxed_plan(id))
            continue;
        ++meter.expanded;
        applicable_.clear();
        space_.successors.applicable(states_[id], applicable_);
        for (std::size_t i = 0; i < applicable_.size() && status == Status::running; ++i)
            status = generate(meter, id, applicable_[i]);
    }
    return status;
}

Status WidthSearch::begin() {
    is_begun_ = true;
    if (!space_.initial(next_.data()))
        return Status::exhausted;
    plan.clear();
    if (space_.is_goal(next_.data()))
        return Status::solved;
    StateId id = states_.insert(next_.data(), no_state, -1).first;
    enter(id, no_state);
    return Status::running;
}

Status WidthSearch::generate(Meter &meter, StateId parent, std::int32_t action) {
    ++meter.generated;
    if (!space_.apply(states_[parent], action, next_.data()))
        return Status::running;
    auto [id, is_new] = states_.insert(next_.data(), parent, action);
    if (!is_new)
        return Status::running;
    if (space_.is_goal(next_.data())) {
        plan.clear();
        states_.trace(id, plan);
        return Status::solved;
    }
    enter(id, parent);
    return Status::running;
}

// Measures a new state and opens it.
void WidthSearch::enter(StateId id, StateId parent) {
    const Word *state = states_[id];
    Node node{count_open_goals(state), 0, true};
    bool is_same_key = false;
    if (parent != no_state && nodes_[parent].open_goals == node.open_goals) {
        Word *left = states_.notes(id);
        const Word *before = states_.notes(parent);
        int reached = 0;
        for (std::size_t w = 0; w < space_.fact_words; ++w) {
            reached += std::popcount(before[w] & state[w]);
            left[w] = before[w] & ~state[w];
        }
        node = {node.open_goals, nodes_[parent].reached + reached, false};
        is_same_key = reached == 0;
    }
    nodes_.push_back(node);
    for (std::size_t w = 0; w < space_.fact_words; ++w)
        fresh_[w] = is_same_key ? state[w] & ~states_[parent][w] : state[w];
    auto key = static_cast<std::uint64_t>(node.open_goals) << 32 |
               static_cast<std::uint32_t>(node.reached);
    int newness = novelty_.measure(key, state, fresh_.data());
    int goals = static_cast<int>(space_.task.goal.size());
    open_.push(newness * (goals + 1) + node.open_goals, id);
}

// Notes which facts the relaxed plan from here makes true; false if there is none.
bool WidthSearch::make_relaxed_plan(StateId id) {
    if (!relaxed_.make(states_[id]))
        return false;
    Word *left = states_.notes(id);
    std::fill(left, left + space_.fact_words, 0);
    for (std::int32_t action : relaxed_.actions())
        for (std::int32_t fact : space_.task.add[action])
            left[fact >> 6] |= Word{1} << (fact & 63);
    for (std::size_t w = 0; w < space_.fact_words; ++w)
        left[w] &= ~states_[id][w];
    return true;
}

std::int32_t WidthSearch::count_open_goals(const Word *state) const {
    std::int32_t open = 0;
    for (std::size_t w = 0; w < space_.fact_words; ++w)
        open += std::popcount(space_.goal[w] & ~state[w]);
    return open;
}

}  // namespace tacit
