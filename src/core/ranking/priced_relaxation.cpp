#include "ranking/priced_relaxation.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "util/pulse.hpp"

namespace tacit {

namespace {

// Owners of shared costs if one agent has them: what it infers, its order and its relaxation.
constexpr long agents_of_one = 3;

}  // namespace

PricedRelaxation::PricedRelaxation(std::shared_ptr<const IndexedTask> task,
                                   const std::vector<Effect> &effects, const Inferred &inferred)
    : task_(std::move(task)), inference_(inferred.inference), own_from_(inferred.own_from),
      own_to_(inferred.own_to), ways_(effects.size()),
      has_more_(static_cast<std::int32_t>(task_->task.size()) + 1), effects_(effects) {
    std::ranges::stable_sort(effects_, {}, [](const Effect &effect) { return effect.way.fact; });
    auto first = static_cast<std::int32_t>(task_->task.size()), end = std::int32_t{0};
    std::int32_t most_needs = 0;
    for (std::size_t a = 0; a < task_->task.size(); ++a)
        most_needs = std::max(most_needs, static_cast<std::int32_t>(task_->task.pre[a].size()));
    if (most_needs > UINT16_MAX)
        throw std::invalid_argument("an action needs too many facts");
    dearest_ = unreached / (most_needs + 2);
    for (const Effect &effect : effects)
        if (effect.action != initial) {
            first = std::min(first, effect.action);
            end = std::max(end, effect.action + 1);
        }
    first_own_ = first;
    start_.assign(static_cast<std::size_t>(std::max(0, end - first)) + 2, 0);
    auto row = [&](const Effect &effect) {
        return effect.action == initial ? 0 : effect.action - first + 1;
    };
    for (const Effect &effect : effects)
        ++start_.at(row(effect) + 1);
    for (std::size_t n = 1; n < start_.size(); ++n)
        start_[n] += start_[n - 1];
    Ints next = start_;
    for (const Effect &effect : effects)
        ways_[next[row(effect)]++] = effect.way;
}

void PricedRelaxation::add_way(std::int32_t action, std::int32_t fact) {
    has_more_.set(static_cast<std::int32_t>(row_of(action)));
    more_[action].push_back(fact);
    more_into_[fact].push_back(action);
}

template <typename Called>
void PricedRelaxation::for_each_action(std::int32_t part, Called &&called) const {
    if (part == everything)
        for (std::size_t a = 0; a < task_->task.size(); ++a)
            called(static_cast<std::int32_t>(a));
    else
        for (std::int32_t action : parts_->actions(part))
            called(action);
}

// Nothing is reached yet. All arrays that an exploration of this part reads are set.
void PricedRelaxation::begin(std::int32_t part) {
    const StripsTask &task = task_->task;
    Exploration &made = at();
    made.facts.resize(task.facts);
    made.actions.resize(task.size());
    FactState unknown{unreached, unreached, {initial, free}};
    if (part == everything)
        std::ranges::fill(made.facts, unknown);
    else
        for (std::int32_t fact : parts_->facts(part))
            made.facts[fact] = unknown;
    for_each_action(part, [&](std::int32_t a) {
        made.actions[a].sum = 0;
        made.actions[a].missing = task.pre.start[a + 1] - task.pre.start[a];
    });
    heap_.clear();
}

void PricedRelaxation::explore(const Ints &goals, std::int32_t part) {
    start(part);
    spread_to(goals);
}

// What costs no more than an action without needs.
void PricedRelaxation::start(std::int32_t part) {
    begin(part);
    for_each_action(part, [&](std::int32_t action) {
        if (at().actions[action].missing == 0)
            follow_ways(action, 1);
    });
    for (std::int32_t fact : part == everything ? Row(task_->task.init) : parts_->init(part))
        lower(fact, 0, {initial, free});
    for_each_initial_way(part, [&](Way way) { follow(initial, way, 0); });
}

void PricedRelaxation::reach(const Ints &facts) {
    for (std::int32_t fact : facts)
        lower(fact, 0, {initial, free});
    spread();
}

void PricedRelaxation::find_reachable(std::int32_t part) {
    begin(part);
    Ints open;
    Exploration &made = at();
    auto reach = [&](std::int32_t fact) {
        if (std::exchange(made.facts[fact].cost, 0) != 0)
            open.push_back(fact);
    };
    auto take = [&](Way way) {
        if (way.label == free || price[way.label] < unreached)
            reach(way.fact);
    };
    for_each_action(part, [&](std::int32_t action) {
        if (made.actions[action].missing == 0)
            for_each_way(action, take);
    });
    for (std::int32_t fact : part == everything ? Row(task_->task.init) : parts_->init(part))
        reach(fact);
    for_each_initial_way(part, take);
    Ticks tick;
    while (!open.empty()) {
        tick(Ticks::heavy);
        std::int32_t fact = open.back();
        open.pop_back();
        for (std::int32_t a : task_->needed_by[fact])
            if (--made.actions[a].missing == 0)
                for_each_way(a, take);
    }
}

void PricedRelaxation::release() {
    own_ = {};
    heap_ = {};
    Scratch<Cost>().swap(price);
    if (shared_ && shared_.use_count() <= agents_of_one) {
        std::scoped_lock lock(shared_->mutex);
        shared_->release();
    }
}

PricedRelaxation::Cost PricedRelaxation::cost_of_needs(std::int32_t action) const {
    if (action == initial)
        return 0;
    const ActionState &state = at().actions[action];
    return state.missing == 0 ? state.sum : unreached;
}

inline void PricedRelaxation::lower(std::int32_t fact, Cost cost, Support support) {
    if (cost >= at().facts[fact].cost)
        return;
    FactState &state = changed_fact(fact);
    state.cost = cost;
    state.support = support;
    heap_.emplace_back(cost, fact);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

inline void PricedRelaxation::follow(std::int32_t action, Way way, Cost cost) {
    if (cost >= at().facts[way.fact].cost)
        return;
    Cost more = way.label == free ? 0 : price[way.label];
    if (more < unreached)  // what is free for one agent is free for all
        lower(way.fact, std::min(cost + more, dearest_), {action, more == 0 ? free : way.label});
}

inline void PricedRelaxation::follow_ways(std::int32_t action, Cost cost) {
    for_each_way(action, [&](Way way) { follow(action, way, cost); });
}

// Until all goals are known, or nothing is left.
void PricedRelaxation::spread_to(const Ints &goals) {
    limit_ = unreached;
    std::size_t known = 0;
    while (known < goals.size() && !heap_.empty()) {
        limit_ = heap_.front().first;
        spread();
        while (known < goals.size() && is_known(goals[known]))
            ++known;
    }
    if (known < goals.size())
        limit_ = unreached;
}

// All that costs no more than the limit.
void PricedRelaxation::spread() {
    Ticks tick;
    while (!heap_.empty() && heap_.front().first <= limit_) {
        tick(Ticks::heavy);
        auto [cost, fact] = heap_.front();
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        heap_.pop_back();
        const FactState &state = at().facts[fact];
        if (cost == state.cost && cost != state.propagated)
            pass_on(fact);
    }
}

// The actions that need a fact get to know what it costs now.
void PricedRelaxation::pass_on(std::int32_t fact) {
    FactState &state = changed_fact(fact);
    bool is_first = state.propagated == unreached;
    Cost change = is_first ? state.cost : state.cost - state.propagated;
    state.propagated = state.cost;
    for (std::int32_t a : task_->needed_by[fact]) {
        ActionState &action = changed_action(a);
        action.sum += change;
        action.missing = static_cast<std::uint16_t>(action.missing - is_first);
        if (action.missing == 0)
            follow_ways(a, action.sum + 1);
    }
}

}  // namespace tacit
