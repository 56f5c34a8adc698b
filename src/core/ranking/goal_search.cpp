#include "ranking/goal_search.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <iterator>
#include <limits>
#include <mutex>
#include <string>

#include "ranking/plan_links.hpp"
#include "search/search.hpp"
#include "util/tuning.hpp"

namespace tacit {

namespace {

// Facts that hold initially and are never deleted: what else achieves them does not matter.
std::vector<std::uint8_t> always_there(const StripsTask &task, const Disclosed &disclosed) {
    std::vector<std::uint8_t> found(task.facts, 0);
    for (std::int32_t fact : task.init)
        found[fact] = 1;
    for (auto [action, fact] : disclosed.achieves)
        found[fact] |= action < 0;
    for (std::int32_t fact : task.del.items)
        found[fact] = 0;
    for (auto [action, fact] : disclosed.deletes)
        found[fact] = 0;
    return found;
}

void sort_once(Ints &row) {
    std::ranges::sort(row);
    row.erase(std::unique(row.begin(), row.end()), row.end());
}

// In an order that does not show who made it.
StripsTask with(const StripsTask &task, const Disclosed &disclosed) {
    std::vector<std::uint8_t> is_there = always_there(task, disclosed);
    std::vector<Ints> more(task.size()), less(task.size());
    Ints init = task.init;
    for (auto [action, fact] : disclosed.achieves)
        if (action < 0)
            init.push_back(fact);
        else if (!is_there[fact])
            more[action].push_back(fact);
    for (auto [action, fact] : disclosed.deletes)
        less[action].push_back(fact);
    sort_once(init);
    auto grown = [&](const Rows &rows, const std::vector<Ints> &by) {
        Rows made;
        for (std::size_t a = 0; a < rows.size(); ++a) {
            Ints row(rows[a].begin(), rows[a].end());
            std::ranges::copy(by[a], std::back_inserter(row));
            sort_once(row);
            made.append(row);
        }
        return made;
    };
    return StripsTask(task.facts, init, task.goal, task.pre, grown(task.add, more),
                      grown(task.del, less), task.cost, task.group);
}

constexpr std::size_t remembered_searches = 16;

using Engines = std::vector<std::string>;

bool find_plan(const StripsTask &task, const Engines &engines, Ints &plan,
               std::int64_t &evaluations, std::int64_t most = tuning::goal_plan_evaluations) {
    if (evaluations <= 0)
        return false;
    Search search(task, 0, engines, {"ff"}, false);
    Limits limits{std::min(evaluations, most), std::numeric_limits<double>::infinity(),
                  std::numeric_limits<std::size_t>::max()};
    Outcome outcome = search.run(limits);
    evaluations -= search.meter().evaluated + 1;
    plan = search.plan();
    return outcome == Outcome::solved;
}

// Each engine's plan, and where there is none, any: large tasks would have none at all. Once there
// is a plan, the others do not take much longer than the quickest.
std::vector<Ints> search_plans(const StripsTask &task, std::int64_t &evaluations) {
    std::vector<Ints> plans;
    Ints plan;
    std::int64_t each = tuning::goal_plan_evaluations;
    for (const char *engine : {"climb", "lazy", "width", "landmarks"}) {
        std::int64_t before = evaluations;
        if (!find_plan(task, {engine}, plan, evaluations, each))
            continue;
        plans.push_back(plan);
        each = std::min(each, tuning::growth * tuning::growth * (before - evaluations));
    }
    std::int64_t most = tuning::goal_plan_evaluations * tuning::goal_any_plan_factor;
    if (plans.empty() &&
        find_plan(task, {"climb", "lazy", "landmarks", "width"}, plan, evaluations, most))
        plans.push_back(plan);
    return plans;
}

struct Found {
    std::uint64_t key = 0;
    std::vector<Ints> plans;
    std::int64_t evaluated = 0;
};

std::uint64_t key_of(const StripsTask &task, std::int64_t evaluations) {
    std::uint64_t key = 14695981039346656037ULL;
    auto mix = [&](std::int64_t number) {
        key = std::rotl((key ^ static_cast<std::uint64_t>(number)) * 0x9E3779B97F4A7C15ULL, 29);
    };
    auto mix_all = [&](const auto &numbers) {
        mix(static_cast<std::int64_t>(numbers.size()));
        for (auto number : numbers)
            mix(number);
    };
    mix(evaluations);
    mix(task.facts);
    for (const Ints *part : {&task.init, &task.goal})
        mix_all(*part);
    for (const Rows *rows : {&task.pre, &task.add, &task.del}) {
        mix_all(rows->start);
        mix_all(rows->items);
    }
    return key;
}

// What agents of one process search alike is searched once: the result depends on nothing else.
std::vector<Ints> find_plans(const StripsTask &task, std::int64_t &evaluations) {
    static std::mutex mutex;
    static std::deque<Found> last;
    std::uint64_t key = key_of(task, evaluations);
    {
        std::scoped_lock lock(mutex);
        auto known = std::ranges::find(last, key, &Found::key);
        if (known != last.end()) {
            evaluations -= known->evaluated;
            return known->plans;
        }
    }
    std::int64_t before = evaluations;
    std::vector<Ints> plans = search_plans(task, evaluations);
    std::scoped_lock lock(mutex);
    last.push_back({key, plans, before - evaluations});
    if (last.size() > remembered_searches)
        last.pop_front();
    return plans;
}

}  // namespace

bool is_solvable(const StripsTask &task, const Disclosed &disclosed, std::int64_t &evaluations) {
    Ints plan;
    return find_plan(with(task, disclosed), {"climb", "width", "lazy"}, plan, evaluations);
}

RealPlan find_real_plan(const StripsTask &task, const Disclosed &disclosed,
                        const Disclosed &supposed, const OwnEdges &edges,
                        std::int64_t &evaluations) {
    Disclosed all = supposed;
    all.deletes = disclosed.deletes;
    std::ranges::copy(disclosed.achieves, std::back_inserter(all.achieves));
    for (std::size_t e = 0; e < edges.size(); ++e)
        if (edges.is_positive[e] && !edges.is_published[e])
            all.achieves.emplace_back(edges.achiever[e], edges.token[e]);
    StripsTask whole = with(task, all), known = with(task, disclosed);
    std::vector<PlanLinks> found;
    for (const Ints &plan : find_plans(whole, evaluations))
        found.push_back(links_of(whole, known, without_useless_steps(whole, plan)));
    if (found.empty())
        return {};
    const PlanLinks &best = *std::ranges::min_element(
        found, {}, [](const PlanLinks &plan) { return std::pair(plan.links.size(), plan.steps); });
    return {true, own_edges(best, edges)};
}

}  // namespace tacit
