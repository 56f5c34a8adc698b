#include "search/width_search.hpp"

#include <algorithm>
#include <bit>

#include "util/tuning.hpp"

namespace tacit {

WidthSearch::WidthSearch(const Space &space, RelaxedPlan &relaxed, Landmarks &landmarks)
    : space_(space), relaxed_(relaxed), landmarks_(landmarks),
      states_(space.words(), 2 * space.fact_words), novelty_(space.fact_words, tuning::table_bytes),
      fresh_(space.fact_words), visited_(space.fact_words) {
    restart();
}

void WidthSearch::restart() {
    is_begun_ = false;
    states_ = States(space_.words(), 2 * space_.fact_words);
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
        StateId id = take();
        if (id == no_state)
            continue;
        ++meter.evaluated;
        if (nodes_[id].needs_plan && !make_relaxed_plan(id))
            continue;
        ++meter.expanded;
        applicable_.clear();
        space_.successors.applicable(states_[id], applicable_);
        meter.generated += static_cast<std::int64_t>(applicable_.size());
        for (std::size_t i = 0; i < applicable_.size() && status == Status::running; ++i)
            status = generate(id, applicable_[i]);
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
    landmarks_.find(next_.data());
    open_.push(0, {store(no_state, -1, measure(no_state)), -1});
    return Status::running;
}

Status WidthSearch::generate(StateId parent, std::int32_t action) {
    if (!space_.apply(states_[parent], action, next_.data()) || states_.contains(next_.data()))
        return Status::running;
    if (space_.is_goal(next_.data())) {
        plan.clear();
        states_.trace(parent, plan);
        plan.push_back(action);
        return Status::solved;
    }
    Node node = measure(parent);
    bool is_stored_late = node.novelty == Novelty::none;
    int key = node.novelty * static_cast<int>(landmarks_.facts().size() + 1) + node.left;
    open_.push(key,
               is_stored_late ? Entry{parent, action} : Entry{store(parent, action, node), -1});
    return Status::running;
}

// The next state to expand; none if it turns out to be known.
StateId WidthSearch::take() {
    Entry entry = open_.pop();
    if (entry.action < 0)
        return entry.state;
    space_.apply(states_[entry.state], entry.action, next_.data());
    if (states_.contains(next_.data()))
        return no_state;
    return store(entry.state, entry.action, describe(entry.state));
}

// What is to be known about the state `next_`, but for its novelty.
WidthSearch::Node WidthSearch::describe(StateId parent) {
    const Word *past = parent == no_state ? nullptr : states_.notes(parent) + space_.fact_words;
    landmarks_.visit(past, next_.data(), visited_.data());
    std::int32_t left = landmarks_.left(next_.data(), visited_.data());
    if (parent == no_state || nodes_[parent].left != left)
        return {left, 0, Novelty::none, true};
    int reached = nodes_[parent].reached;
    const Word *before = states_.notes(parent);
    for (std::size_t w = 0; w < space_.fact_words; ++w)
        reached += std::popcount(before[w] & next_[w]);
    return {left, reached, Novelty::none, false};
}

WidthSearch::Node WidthSearch::measure(StateId parent) {
    Node node = describe(parent);
    bool is_same_key = !node.needs_plan && nodes_[parent].reached == node.reached;
    for (std::size_t w = 0; w < space_.fact_words; ++w)
        fresh_[w] = is_same_key ? next_[w] & ~states_[parent][w] : next_[w];
    auto key =
        static_cast<std::uint64_t>(node.left) << 32 | static_cast<std::uint32_t>(node.reached);
    node.novelty = novelty_.measure(key, next_.data(), fresh_.data());
    return node;
}

StateId WidthSearch::store(StateId parent, std::int32_t action, Node node) {
    StateId id = states_.insert(next_.data(), parent, action).first;
    nodes_.push_back(node);
    std::copy(visited_.begin(), visited_.end(), states_.notes(id) + space_.fact_words);
    if (!node.needs_plan) {
        Word *left = states_.notes(id);
        const Word *before = states_.notes(parent);
        for (std::size_t w = 0; w < space_.fact_words; ++w)
            left[w] = before[w] & ~next_[w];
    }
    return id;
}

// Notes which facts the relaxed plan from here makes true; false if there is none.
bool WidthSearch::make_relaxed_plan(StateId id) {
    if (!relaxed_.make(states_[id]))
        return false;
    Word *left = states_.notes(id);
    std::fill(left, left + space_.fact_words, 0);
    for (std::int32_t action : relaxed_.actions())
        for (std::int32_t fact : space_.task.add[action])
            put(left, fact);
    for (std::size_t w = 0; w < space_.fact_words; ++w)
        left[w] &= ~states_[id][w];
    return true;
}

}  // namespace tacit
