#include "ranking/goal_search.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "search/search.hpp"

namespace tacit {

namespace {

constexpr std::int32_t nobody = -1;

// Facts that hold from the start and are never deleted: who else gives them does not matter.
std::vector<std::uint8_t> always_there(const StripsTask &task, const Told &told) {
    std::vector<std::uint8_t> found(task.facts, 0);
    for (std::int32_t fact : task.init)
        found[fact] = 1;
    for (auto [action, fact] : told.gives)
        found[fact] |= action < 0;
    for (std::int32_t fact : task.del.items)
        found[fact] = 0;
    for (auto [action, fact] : told.ends)
        found[fact] = 0;
    return found;
}

StripsTask with(const StripsTask &task, const Told &told) {
    std::vector<std::uint8_t> is_there = always_there(task, told);
    std::vector<Ints> more(task.size()), less(task.size());
    Ints init = task.init;
    for (auto [action, fact] : told.gives)
        if (action < 0)
            init.push_back(fact);
        else if (!is_there[fact])
            more[action].push_back(fact);
    for (auto [action, fact] : told.ends)
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

// Plans of these engines are short, but they find none where it is hard.
bool find_short_plan(const StripsTask &task, Ints &plan, std::int64_t &evaluations) {
    return find_plan(task, {"climb", "width", "lazy"}, 3000, plan, evaluations);
}

bool find_any_plan(const StripsTask &task, Ints &plan, std::int64_t &evaluations) {
    return find_plan(task, {"landmarks", "climb", "lazy"}, 20'000, plan, evaluations);
}

// Per token, the first unpublished own edge that gave it on the way, unless it was there without.
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
            if (edges.giver[e] < 0)
                give(static_cast<std::int32_t>(e));
            else
                edges_from_[edges.giver[e]].push_back(static_cast<std::int32_t>(e));
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
            give(edge);
    }

  private:
    const StripsTask &known_;
    const OwnEdges &edges_;
    Ints by_;
    std::vector<std::uint8_t> has_;
    std::vector<Ints> edges_from_;

    void give(std::int32_t edge) {
        std::int32_t &by = by_[edges_.token[edge]];
        by = by == nobody ? edge : by;
    }
};

}  // namespace

bool is_solvable(const StripsTask &task, const Told &told, std::int64_t &evaluations) {
    Ints plan;
    return find_short_plan(with(task, told), plan, evaluations);
}

Ints edges_of_plan(const StripsTask &task, const Told &told, const Told &hoped,
                   const OwnEdges &edges, bool is_hard, std::int64_t &evaluations) {
    Told all = hoped;
    all.ends = told.ends;
    all.gives.insert(all.gives.end(), told.gives.begin(), told.gives.end());
    for (std::size_t e = 0; e < edges.size(); ++e)
        if (edges.is_positive[e] && !edges.is_published[e])
            all.gives.emplace_back(edges.giver[e], edges.token[e]);
    Ints plan, used;
    StripsTask whole = with(task, all);
    if (!find_short_plan(whole, plan, evaluations) &&
        !(is_hard && find_any_plan(whole, plan, evaluations)))
        return used;
    StripsTask known = with(task, told);
    Links links(known, edges);
    for (std::int32_t action : plan)
        links.step(action, used);
    return used;
}

}  // namespace tacit
