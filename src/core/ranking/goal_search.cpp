#include "ranking/goal_search.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "search/search.hpp"
#include "util/tuning.hpp"

namespace tacit {

namespace {

constexpr std::int32_t nobody = -1;

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
    auto grown = [&](const Rows &rows, const std::vector<Ints> &by) {
        Rows made;
        for (std::size_t a = 0; a < rows.size(); ++a) {
            made.items.insert(made.items.end(), rows[a].begin(), rows[a].end());
            made.append(by[a]);
        }
        return made;
    };
    return StripsTask(task.facts, init, task.goal, task.pre, grown(task.add, more),
                      grown(task.del, less), task.cost, task.group);
}

using Engines = std::vector<std::string>;

bool find_plan(const StripsTask &task, const Engines &engines, std::int64_t most, Ints &plan,
               std::int64_t &evaluations) {
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

// Plans of these engines are short, but they find none where that is hard.
bool find_short_plan(const StripsTask &task, Ints &plan, std::int64_t &evaluations) {
    return find_plan(task, {"climb", "width", "lazy"}, tuning::goal_short_plan_evaluations, plan,
                     evaluations);
}

bool find_any_plan(const StripsTask &task, Ints &plan, std::int64_t &evaluations) {
    return find_plan(task, {"landmarks", "climb", "lazy"}, tuning::goal_any_plan_evaluations, plan,
                     evaluations);
}

// Per token, the first unpublished own edge that achieved it in the plan, unless it held without.
class Links {
  public:
    Links(const StripsTask &known, const OwnEdges &edges)
        : known_(known), edges_(edges), by_(known.facts, nobody), has_(known.facts, 0),
          edges_from_(known.size()) {
        for (std::int32_t fact : known.init)
            has_[fact] = 1;
        for (std::size_t e = 0; e < edges.size(); ++e) {
            if (!edges.is_positive[e] || edges.is_published[e])
                continue;
            if (edges.achiever[e] < 0)
                achieve(static_cast<std::int32_t>(e));
            else
                edges_from_[edges.achiever[e]].push_back(static_cast<std::int32_t>(e));
        }
    }

    void step(std::int32_t action, Ints &used) {
        for (std::int32_t fact : known_.pre[action])
            if (!has_[fact] && by_[fact] != nobody) {
                used.push_back(by_[fact]);
                has_[fact] = 1;
            }
        for (std::int32_t fact : known_.del[action]) {
            has_[fact] = 0;
            by_[fact] = nobody;
        }
        for (std::int32_t fact : known_.add[action])
            has_[fact] = 1;
        for (std::int32_t edge : edges_from_[action])
            achieve(edge);
    }

  private:
    const StripsTask &known_;
    const OwnEdges &edges_;
    Ints by_;
    std::vector<std::uint8_t> has_;
    std::vector<Ints> edges_from_;

    void achieve(std::int32_t edge) {
        std::int32_t &by = by_[edges_.token[edge]];
        by = by == nobody ? edge : by;
    }
};

}  // namespace

bool is_solvable(const StripsTask &task, const Disclosed &disclosed, std::int64_t &evaluations) {
    Ints plan;
    return find_short_plan(with(task, disclosed), plan, evaluations);
}

Ints edges_of_plan(const StripsTask &task, const Disclosed &disclosed, const Disclosed &inferred,
                   const OwnEdges &edges, bool is_hard, std::int64_t &evaluations) {
    Disclosed all = inferred;
    all.deletes = disclosed.deletes;
    all.achieves.insert(all.achieves.end(), disclosed.achieves.begin(), disclosed.achieves.end());
    for (std::size_t e = 0; e < edges.size(); ++e)
        if (edges.is_positive[e] && !edges.is_published[e])
            all.achieves.emplace_back(edges.achiever[e], edges.token[e]);
    Ints plan, used;
    StripsTask whole = with(task, all);
    if (!find_short_plan(whole, plan, evaluations) &&
        !(is_hard && find_any_plan(whole, plan, evaluations)))
        return used;
    StripsTask known = with(task, disclosed);
    Links links(known, edges);
    for (std::int32_t action : plan)
        links.step(action, used);
    return used;
}

}  // namespace tacit
