// LM-cut (Helmert and Domshlak, 2009) where nothing costs anything but edges.
//
// By h_max each action has one need that is hardest to achieve. Along these, facts from which the
// goal costs nothing more are the goal's zone; the edges that lead into it from outside are a cut.
// The price of the cheapest of them is subtracted from all of them, until the goal costs nothing.
#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "minimum/relaxed_cuts.hpp"

namespace tacit {

namespace {

constexpr std::int64_t unreached = std::numeric_limits<std::int64_t>::max();

class LmCut {
  public:
    LmCut(const StripsTask &task, const PricedEdges &edges, const Ints &price)
        : task_(task), edges_(edges), left_(price), needed_by_(task.facts), of_(task.size() + 1),
          initial_(task.facts), cost_(task.facts + 1), missing_(task.size()),
          hardest_(task.size() + 1, initial_), by_hardest_(task.facts + 1) {
        for (std::size_t a = 0; a < task.size(); ++a)
            for (std::int32_t fact : task.pre[a])
                needed_by_[fact].push_back(static_cast<std::int32_t>(a));
        for (std::size_t e = 0; e < edges.size(); ++e) {
            std::int32_t achiever = edges.achiever[e];
            of_[achiever < 0 ? task.size() : achiever].push_back(static_cast<std::int32_t>(e));
        }
    }

    LandmarkCuts run(std::int64_t enough) {
        LandmarkCuts found;
        for (;;) {
            explore();
            std::int32_t goal = hardest_goal();
            if (goal < 0 || cost_[goal] == 0 || found.value >= enough)
                return found;
            if (cost_[goal] == unreached) {
                found.has_plan = false;
                return found;
            }
            Ints cut = cut_before(goal);
            std::int32_t least = left_[cut.front()];
            for (std::int32_t e : cut)
                least = std::min(least, left_[e]);
            for (std::int32_t e : cut)
                left_[e] -= least;
            found.value += least;
            found.cuts.push_back(std::move(cut));
        }
    }

  private:
    const StripsTask &task_;
    const PricedEdges &edges_;
    Ints left_;
    std::vector<Ints> needed_by_, of_;
    std::int32_t initial_;
    std::vector<std::int64_t> cost_;
    Ints missing_, hardest_;
    std::vector<Ints> by_hardest_;  // per fact, the actions whose hardest need it is
    std::vector<std::pair<std::int64_t, std::int32_t>> heap_;

    void lower(std::int32_t fact, std::int64_t cost) {
        if (cost >= cost_[fact])
            return;
        cost_[fact] = cost;
        heap_.emplace_back(cost, fact);
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }

    void fire(std::size_t action, std::int32_t hardest) {
        hardest_[action] = hardest;
        by_hardest_[hardest].push_back(static_cast<std::int32_t>(action));
        if (action < task_.size())
            for (std::int32_t fact : task_.add[action])
                lower(fact, cost_[hardest]);
        for (std::int32_t e : of_[action])
            lower(edges_.fact[e], cost_[hardest] + left_[e]);
    }

    void explore() {
        std::ranges::fill(cost_, unreached);
        for (Ints &row : by_hardest_)
            row.clear();
        cost_[initial_] = 0;
        for (std::int32_t fact : task_.init)
            lower(fact, 0);
        fire(task_.size(), initial_);
        for (std::size_t a = 0; a < task_.size(); ++a) {
            missing_[a] = static_cast<std::int32_t>(task_.pre[a].size());
            if (missing_[a] == 0)
                fire(a, initial_);
        }
        while (!heap_.empty()) {
            auto [cost, fact] = heap_.front();
            std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
            heap_.pop_back();
            if (cost != cost_[fact])
                continue;
            for (std::int32_t a : needed_by_[fact])
                if (--missing_[a] == 0)
                    fire(a, fact);
        }
    }

    std::int32_t hardest_goal() const {
        std::int32_t found = -1;
        for (std::int32_t fact : task_.goal)
            if (found < 0 || cost_[fact] > cost_[found])
                found = fact;
        return found;
    }

    // Facts from which the goal costs nothing more, along the hardest needs.
    std::vector<std::uint8_t> zone_of(std::int32_t goal) const {
        std::vector<Ints> came_from(task_.facts);  // per fact, what it follows from at no cost
        for (std::int32_t fact = 0; fact <= initial_; ++fact)
            for (std::int32_t a : by_hardest_[fact]) {
                if (static_cast<std::size_t>(a) < task_.size())
                    for (std::int32_t added : task_.add[a])
                        came_from[added].push_back(fact);
                for (std::int32_t e : of_[a])
                    if (left_[e] == 0)
                        came_from[edges_.fact[e]].push_back(fact);
            }
        std::vector<std::uint8_t> zone(task_.facts + 1, 0);
        Ints stack{goal};
        zone[goal] = 1;
        while (!stack.empty()) {
            std::int32_t fact = stack.back();
            stack.pop_back();
            if (fact == initial_)
                continue;
            for (std::int32_t before : came_from[fact])
                if (!zone[before]) {
                    zone[before] = 1;
                    stack.push_back(before);
                }
        }
        return zone;
    }

    Ints cut_before(std::int32_t goal) const {
        std::vector<std::uint8_t> zone = zone_of(goal), is_before(task_.facts + 1, 0);
        Ints stack{initial_}, cut;
        is_before[initial_] = 1;
        for (std::int32_t fact : task_.init)
            if (!zone[fact] && !is_before[fact]) {
                is_before[fact] = 1;
                stack.push_back(fact);
            }
        auto go = [&](std::int32_t fact) {
            if (!zone[fact] && !is_before[fact]) {
                is_before[fact] = 1;
                stack.push_back(fact);
            }
        };
        while (!stack.empty()) {
            std::int32_t fact = stack.back();
            stack.pop_back();
            for (std::int32_t a : by_hardest_[fact]) {
                if (static_cast<std::size_t>(a) < task_.size())
                    for (std::int32_t added : task_.add[a])
                        go(added);
                for (std::int32_t e : of_[a]) {
                    if (zone[edges_.fact[e]])
                        cut.push_back(e);
                    else
                        go(edges_.fact[e]);
                }
            }
        }
        return cut;
    }
};

}  // namespace

LandmarkCuts lm_cut(const StripsTask &task, const PricedEdges &edges, const Ints &price,
                    std::int64_t enough) {
    return LmCut(task, edges, price).run(enough);
}

}  // namespace tacit
