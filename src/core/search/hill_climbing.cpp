#include "search/hill_climbing.hpp"

namespace tacit {

HillClimbing::HillClimbing(const Space &space, Heuristic &heuristic, std::uint64_t seed)
    : space_(space), heuristic_(heuristic), seed_(seed), random_(seed), states_(space.words()) {
    restart();
}

void HillClimbing::restart() {
    is_begun_ = false;
    climbs_ = 0;
    random_ = Random(seed_);
    states_ = States(space_.words());
    preferred_ = Rows();
    state_.resize(space_.words());
    start_.resize(space_.words());
}

std::size_t HillClimbing::bytes() const {
    return states_.bytes() + (preferred_.items.capacity() + preferred_.start.capacity()) * 4;
}

Status HillClimbing::begin(Meter &meter) {
    is_begun_ = true;
    plan.clear();
    if (!space_.initial(state_.data()))
        return Status::exhausted;
    if (space_.is_goal(state_.data()))
        return Status::solved;
    ++meter.evaluated;
    value_ = heuristic_.evaluate(state_.data());
    if (value_ == dead_end)
        return Status::exhausted;
    only_preferred_ = true;
    start_from(state_.data());
    return Status::running;
}

// `state` is the one last evaluated.
void HillClimbing::start_from(const Word *state) {
    start_.assign(state, state + space_.words());
    states_.clear();
    preferred_.start.assign(1, 0);
    preferred_.items.clear();
    states_.insert(start_.data(), no_state, -1);
    remember_preferred();
    next_ = 0;
}

void HillClimbing::remember_preferred() {
    heuristic_.preferred(preferred_.items);
    preferred_.close();
}

Status HillClimbing::run(Meter &meter) {
    Status status = is_begun_ ? Status::running : begin(meter);
    while (status == Status::running && !meter.stop([this] { return bytes(); }))
        status = next_ < states_.size() ? expand(meter) : give_up();
    return status;
}

Status HillClimbing::expand(Meter &meter) {
    StateId id = next_++;
    actions_.clear();
    Row preferred = preferred_[id];
    if (only_preferred_)
        actions_.assign(preferred.begin(), preferred.end());
    else
        space_.successors.applicable(states_[id], actions_);
    if (climbs_ > 0)
        random_.shuffle(actions_);
    ++meter.expanded;
    meter.generated += static_cast<std::int64_t>(actions_.size());
    for (std::int32_t action : actions_) {
        if (!space_.apply(states_[id], action, state_.data()))
            continue;
        auto [child, is_new] = states_.insert(state_.data(), id, action);
        if (!is_new)
            continue;
        if (space_.is_goal(state_.data())) {
            states_.trace(child, plan);
            return Status::solved;
        }
        ++meter.evaluated;
        int value = heuristic_.evaluate(state_.data());
        if (value != dead_end && value < value_) {
            states_.trace(child, plan);
            value_ = value;
            only_preferred_ = true;
            start_from(state_.data());
            return Status::running;
        }
        // A dead end stays in the table, so that it is not evaluated again, with nothing to do.
        if (value == dead_end)
            preferred_.close();
        else
            remember_preferred();
    }
    return Status::running;
}

Status HillClimbing::give_up() {
    if (only_preferred_) {
        only_preferred_ = false;
        next_ = 0;
        return Status::running;
    }
    ++climbs_;
    is_begun_ = false;
    return Status::failed;
}

}  // namespace tacit
