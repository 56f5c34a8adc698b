// A visit of one agent to the costs that all agents have in common.
//
// Taking away ways makes facts dearer. Those of which it may be so (*suspects*) are looked at in
// the order of their costs. A fact that other ways still achieve at its cost keeps it: these
// need cheaper facts, which were decided before. If there are none, it is taken back, and what
// the actions that need it achieved is suspect. In the end those taken back get what other ways
// cost, and from there it goes on as ever.
//
// Of several ways at the same cost an exploration from nothing takes the one that it comes to
// first. That is found out for the facts that are asked for; facts that are cheaper since some
// were reached keep the way that made them so, and what needs them comes too late for others.
#include <algorithm>
#include <functional>

#include "ranking/priced_relaxation.hpp"
#include "util/pulse.hpp"

namespace tacit {

using Suspects = std::vector<std::pair<PricedRelaxation::Cost, std::int32_t>>;

PricedRelaxation::Visit::Visit(PricedRelaxation &of, std::int32_t part, std::uint64_t version)
    : of_(of), lock_(of.shared_->mutex), part_(part) {
    of_.visit_ = this;
    SharedCosts::Part &known = of_.shared_->parts.at(part);
    if (!known.is_explored || known.version != version)
        explore(version);
    of_.heap_.clear();
    is_noting_ = true;
}

PricedRelaxation::Visit::~Visit() { end(); }

// For all agents.
void PricedRelaxation::Visit::explore(std::uint64_t version) {
    SharedCosts::Part &known = of_.shared_->parts[part_];
    known.is_explored = false;
    try {
        of_.infers_own_ = true;
        of_.start(part_);
        of_.limit_ = unreached;
        of_.spread();
    } catch (...) {
        end();
        throw;
    }
    of_.infers_own_ = false;
    known.is_explored = true;
    known.version = version;
}

void PricedRelaxation::Visit::end() {
    Exploration &costs = of_.shared_->costs;
    for (; !facts_.empty(); facts_.pop_back())
        costs.facts[facts_.back().first] = facts_.back().second;
    for (; !actions_.empty(); actions_.pop_back())
        costs.actions[actions_.back().first] = actions_.back().second;
    of_.infers_own_ = false;
    of_.heap_.clear();
    of_.visit_ = nullptr;
}

void PricedRelaxation::Visit::infer_nothing_own() {
    const Ints &token = of_.inference_->all().token;
    Row places = of_.parts_->places(part_);
    auto fact = [&](std::int32_t place) { return token[place]; };
    Suspects suspects;
    for (auto place = std::ranges::lower_bound(places, of_.own_from_, {}, fact);
         place != places.end() && fact(*place) < of_.own_to_; ++place) {
        const FactState &state = of_.at().facts[fact(*place)];
        std::int32_t label = state.support.label;
        if (state.cost < unreached && label != free && label < of_.first_own_label())
            suspects.emplace_back(state.cost, fact(*place));
    }
    raise(std::move(suspects));
}

void PricedRelaxation::Visit::lower_prices(const std::vector<Effect> &effects, const Ints &goals) {
    auto dearest = [&] {
        Cost most = 0;
        for (std::int32_t goal : goals)
            most = std::max(most, of_.cost(goal));
        return most;
    };
    for (const Effect &effect : effects)
        if (Cost needs = of_.cost_of_needs(effect.action); needs < unreached)
            of_.follow(effect.action, effect.way, effect.action == initial ? 0 : needs + 1);
    of_.limit_ = dearest();
    of_.spread();
    of_.limit_ = dearest();
    is_settled_ = true;
}

PricedRelaxation::Support PricedRelaxation::Visit::support(std::int32_t fact) const {
    return later_.contains(fact) ? of_.at().facts[fact].support : best_into(fact).support;
}

void PricedRelaxation::Visit::raise(Suspects suspects) {
    std::ranges::make_heap(suspects, std::greater<>());
    Ints raised;
    Ticks tick;
    while (!suspects.empty()) {
        tick(Ticks::heavy);
        auto [cost, fact] = suspects.front();
        std::ranges::pop_heap(suspects, std::greater<>());
        suspects.pop_back();
        if (of_.cost(fact) != cost)
            continue;
        if (Best best = best_into(fact); best.cost == cost) {
            of_.changed_fact(fact).support = best.support;
            continue;
        }
        raised.push_back(fact);
        take_back(fact, suspects);
    }
    for (std::int32_t fact : raised)
        if (Best best = best_into(fact); best.cost < unreached)
            of_.lower(fact, best.cost, best.support);
    of_.limit_ = unreached;
    of_.spread();
}

// Nothing is known of the fact, as at first. All that an action achieved by it is suspect.
void PricedRelaxation::Visit::take_back(std::int32_t fact, Suspects &suspects) {
    Cost cost = of_.cost(fact);
    of_.changed_fact(fact) = {unreached, unreached, {initial, free}};
    for (std::int32_t a : of_.task_->needed_by[fact]) {
        ActionState &action = of_.changed_action(a);
        if (action.missing == 0)
            of_.for_each_way(a, [&](Way way) {
                const FactState &state = of_.at().facts[way.fact];
                if (state.support.action == a && state.cost < unreached && state.cost > 0) {
                    suspects.emplace_back(state.cost, way.fact);
                    std::ranges::push_heap(suspects, std::greater<>());
                }
            });
        action.sum -= cost;
        ++action.missing;
    }
}

// The least that any way to the fact costs now; of equal ones the one that an exploration comes to
// first.
PricedRelaxation::Visit::Best PricedRelaxation::Visit::best_into(std::int32_t fact) const {
    Best best;
    auto is_later = [&](std::int32_t need) { return later_.contains(need); };
    of_.for_each_way_into(fact, [&](std::int32_t action, std::int32_t label) {
        Cost needs = of_.cost_of_needs(action), more = label == free ? 0 : of_.price[label];
        if (needs >= unreached || more >= unreached)
            return;
        Cost cost = std::min((action == initial ? 0 : needs + 1) + more, of_.dearest_);
        if (cost > best.cost || std::ranges::any_of(of_.needs(action), is_later))
            return;
        std::tuple turn{Cost{0}, std::int32_t{-1}, action == initial ? INT32_MAX : action};
        for (std::int32_t need : of_.needs(action))
            turn = std::max(turn, {of_.cost(need), need, action});
        if (cost < best.cost || turn < best.turn)
            best = {cost, {action, more == 0 ? free : label}, turn};
    });
    return best;
}

template <typename Called>
void PricedRelaxation::for_each_way_into(std::int32_t fact, Called &&called) const {
    for (std::int32_t action : task_->added_by[fact])
        called(action, free);
    auto of_fact = std::ranges::equal_range(effects_, fact, {},
                                            [](const Effect &effect) { return effect.way.fact; });
    for (const Effect &effect : of_fact)
        called(effect.action, effect.way.label);
    if (std::int32_t place = is_own(fact) ? -1 : inference_->place_of(fact); place >= 0) {
        for (std::int32_t action : inference_->all().after[place])
            called(action, 2 * place);
        called(initial, 2 * place + 1);
    }
    if (auto found = more_into_.find(fact); found != more_into_.end())
        for (std::int32_t action : found->second)
            called(action, free);
}

}  // namespace tacit
