#include "search/search.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "heuristics/remembered.hpp"
#include "search/hill_climbing.hpp"
#include "search/lazy_greedy.hpp"
#include "search/weighted_search.hpp"
#include "search/width_search.hpp"

namespace tacit {

namespace {

template <typename T, typename... Args>
std::unique_ptr<Engine> engine(Args &&...args) {
    return std::make_unique<T>(std::forward<Args>(args)...);
}

// What engines may share.
struct Guides {
    std::vector<Heuristic *> heuristics;
    RelaxedPlan &relaxed;
    Landmarks &landmarks;
};

template <int weight>
std::unique_ptr<Engine> weighted(const Space &space, const Guides &guides, std::uint64_t) {
    return engine<WeightedSearch>(space, guides.heuristics, &guides.landmarks, weight);
}

// The engines by name. A share is how many evaluations one gets for each that the climb gets.
struct Way {
    const char *name;
    std::int64_t share;
    bool is_varied;  // its plans differ much where prefixes are forbidden
    std::unique_ptr<Engine> (*make)(const Space &space, const Guides &guides, std::uint64_t seed);
};
const Way ways[] = {
    {"climb", 1, true,
     [](const Space &space, const Guides &guides, std::uint64_t seed) {
         return engine<HillClimbing>(space, *guides.heuristics.front(), seed);
     }},
    {"width", tuning::width_share, true,
     [](const Space &space, const Guides &guides, std::uint64_t) {
         return engine<WidthSearch>(space, guides.relaxed, guides.landmarks);
     }},
    {"landmarks", tuning::landmarks_share, false,
     [](const Space &space, const Guides &guides, std::uint64_t) {
         return engine<LazyGreedy>(space, guides.heuristics, &guides.landmarks);
     }},
    {"lazy", tuning::lazy_share, false,
     [](const Space &space, const Guides &guides, std::uint64_t) {
         return engine<LazyGreedy>(space, guides.heuristics, nullptr);
     }},
    {"weighted-5", 1, false, weighted<5>},
    {"weighted-3", 1, false, weighted<3>},
    {"weighted-2", 1, false, weighted<2>},
    {"weighted-1", 1, false, weighted<1>},
    {"optimal", 1, false,
     [](const Space &space, const Guides &guides, std::uint64_t) {
         return engine<WeightedSearch>(space, std::vector{guides.heuristics.front()}, nullptr,
                                       WeightedSearch::to_optimality);
     }},
};

}  // namespace

std::vector<std::string> Search::engine_names() {
    std::vector<std::string> names;
    for (const Way &way : ways)
        names.emplace_back(way.name);
    return names;
}

Search::Search(const StripsTask &task, std::uint64_t seed, const std::vector<std::string> &engines,
               const std::vector<std::string> &heuristics, bool use_costs)
    : Search(without_irrelevant_facts(task), seed, engines, heuristics, use_costs) {}

Search::Search(Relevant relevant, std::uint64_t seed, const std::vector<std::string> &engines,
               const std::vector<std::string> &heuristics, bool use_costs)
    : fact_number_(std::move(relevant.number)), space_(std::move(relevant.task)) {
    if (engines.empty() || heuristics.empty())
        throw std::invalid_argument("a search needs an engine and a heuristic");
    for (const std::string &name : heuristics)
        heuristics_.push_back(std::make_unique<Remembered>(
            make_heuristic(name, space_.task, use_costs), space_.fact_words, tuning::table_bytes));
    share_relaxed_plan();
    landmarks_ = std::make_unique<Landmarks>(space_.task);
    for (const std::string &name : engines)
        add_engine(name, seed);
    restart();
}

// One heuristic's relaxed plans are shared by all, since they are large.
void Search::share_relaxed_plan() {
    for (const auto &heuristic : heuristics_)
        if (!relaxed_)
            relaxed_ = heuristic->unit_plan();
    if (!relaxed_) {
        own_relaxed_ = std::make_unique<RelaxedPlan>(space_.task, false);
        relaxed_ = own_relaxed_.get();
    }
}

void Search::add_engine(const std::string &name, std::uint64_t seed) {
    Guides guides{{}, *relaxed_, *landmarks_};
    for (const auto &heuristic : heuristics_)
        guides.heuristics.push_back(heuristic.get());
    for (const Way &way : ways)
        if (name == way.name) {
            engines_.push_back(way.make(space_, guides, seed));
            shares_.push_back(way.share);
            is_varied_.push_back(way.is_varied);
            return;
        }
    throw std::invalid_argument("there is no engine called '" + name + "'");
}

void Search::restart() {
    for (const auto &engine : engines_)
        engine->restart();
    plan_.clear();
    is_decided_ = false;
    arrange_turns();
    turn_ = 0;
    slice_end_ = meter_.evaluated + slice_ * shares_[turns_[0]];
}

void Search::arrange_turns() {
    turns_.resize(engines_.size());
    std::iota(turns_.begin(), turns_.end(), 0);
    auto winner = turns_.begin() + static_cast<std::ptrdiff_t>(winner_);
    slice_ = tuning::first_slice;
    if (space_.prefixes.words() == 0)
        std::rotate(turns_.begin(), winner, turns_.end());
    else
        std::stable_partition(turns_.begin(), turns_.end(), [&](auto e) { return is_varied_[e]; });
}

std::size_t Search::bytes() const {
    std::size_t sum = 0;
    for (const auto &heuristic : heuristics_)
        sum += heuristic->bytes();
    for (const auto &engine : engines_)
        sum += engine->bytes();
    return sum;
}

Outcome Search::run(const Limits &limits) {
    if (is_decided_)
        return outcome_;
    meter_.begin(limits);
    try {
        return take_turns();
    } catch (const std::bad_alloc &) {
        restart();
        return Outcome::memory;
    }
}

Outcome Search::take_turns() {
    while (!meter_.is_over()) {
        Engine &engine = *engines_[turns_[turn_]];
        meter_.slice(engines_.size() == 1 ? INT64_MAX : slice_end_, bytes() - engine.bytes());
        Status status = engine.run(meter_);
        if (status == Status::solved) {
            plan_ = engine.plan;
            winner_ = turns_[turn_];
            return decide(Outcome::solved);
        }
        if (status == Status::exhausted)
            return decide(Outcome::unsolvable);
        if (meter_.evaluated >= slice_end_ && engines_.size() > 1)
            next_turn();
    }
    meter_.is_cancelled = false;
    return meter_.reason;
}

Outcome Search::decide(Outcome outcome) {
    is_decided_ = true;
    return outcome_ = outcome;
}

void Search::next_turn() {
    if (++turn_ == engines_.size()) {
        turn_ = 0;
        slice_ = std::min<std::int64_t>(slice_ * tuning::growth, max_slice);
    }
    slice_end_ = meter_.evaluated + slice_ * shares_[turns_[turn_]];
}

std::int32_t Search::known_fact(std::int32_t fact) const {
    if (fact < 0 || static_cast<std::size_t>(fact) >= fact_number_.size())
        throw std::invalid_argument("there is no fact " + std::to_string(fact));
    return fact_number_[fact];
}

void Search::add_delete(std::int32_t action, std::int32_t fact) {
    std::int32_t known = known_fact(fact);
    if (known >= 0 && space_.task.gain_delete(action, known))
        restart();
}

void Search::bound(std::int64_t cost) {
    space_.bound = cost;
    restart();
}

void Search::forbid(std::int32_t group, const Ints &actions) {
    for (std::int32_t action : actions) {
        if (action < 0 || static_cast<std::size_t>(action) >= space_.task.size())
            throw std::invalid_argument("there is no action " + std::to_string(action));
        if (group != Prefixes::all_groups && space_.task.group[action] != group)
            throw std::invalid_argument("a prefix has an action of another group");
    }
    space_.prefixes.forbid(group, actions);
    restart();
}

}  // namespace tacit
