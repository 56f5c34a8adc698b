#include "heuristics/lm_cut.hpp"

#include <algorithm>
#include <tuple>

namespace tacit {

namespace {

constexpr std::int64_t not_reached = std::numeric_limits<std::int64_t>::max();

}  // namespace

void MonotoneQueue::push(std::int64_t cost, std::int32_t item) {
    if (cost >= bucket_count) {
        heap_.emplace_back(cost, item);
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
        return;
    }
    auto at = static_cast<std::size_t>(cost);
    if (at >= buckets_.size())
        buckets_.resize(at + 1);
    buckets_[at].push_back(item);
    if (in_buckets_++ == 0 || at < at_)
        at_ = at;
}

bool MonotoneQueue::pop(std::int64_t &cost, std::int32_t &item) {
    if (in_buckets_ > 0) {
        while (buckets_[at_].empty())
            ++at_;
        cost = static_cast<std::int64_t>(at_);
        item = buckets_[at_].back();
        buckets_[at_].pop_back();
        --in_buckets_;
        return true;
    }
    if (heap_.empty())
        return false;
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    std::tie(cost, item) = heap_.back();
    heap_.pop_back();
    return true;
}

LmCut::LmCut(std::int32_t facts, const Ints &goal, const Rows &needs, const Rows &adds, Ints cost,
             std::vector<Ints> owned)
    : goal_(facts), nothing_(facts + 1), owned_(std::move(owned)), place_of_(cost.size() + 1),
      tolls_(owned_.size()), first_toll_(owned_.size()) {
    for (std::size_t op = 0; op < cost.size(); ++op) {
        Ints row(needs[op].begin(), needs[op].end());
        std::ranges::sort(row);
        row.erase(std::unique(row.begin(), row.end()), row.end());
        needs_.append(row.empty() ? Row(&nothing_, 1) : Row(row));
        adds_.append(adds[op]);
    }
    needs_.append(goal.empty() ? Row(&nothing_, 1) : Row(goal));
    adds_.append(Row(&goal_, 1));
    cost.push_back(0);
    for (std::size_t op = 0; op < cost.size(); ++op)
        made_.push_back({cost[op], 0, static_cast<std::int32_t>(needs_[op].size()), -1});
    for (std::size_t owner = 0; owner < owned_.size(); ++owner)
        for (std::size_t action = 0; action < owned_[owner].size(); ++action)
            if (std::int32_t op = owned_[owner][action]; op >= 0)
                place_of_[op] = {static_cast<std::int32_t>(owner),
                                 static_cast<std::int32_t>(action)};
    needed_by_ = inverted(needs_, facts + 2);
    added_by_ = inverted(adds_, facts + 2);
    set_tolls(tolls_);
}

void LmCut::set_costs(const Ints &cost) {
    for (std::size_t op = 0; op < cost.size(); ++op)
        made_[op].cost = cost[op];
}

void LmCut::set_tolls(std::span<const Tolls *const> tolls) {
    toll_at_.clear();
    toll_ops_.clear();
    toll_facts_.clear();
    made_.resize(needs_.size());
    for (std::size_t owner = 0; owner < tolls.size(); ++owner) {
        tolls_[owner] = tolls[owner];
        first_toll_[owner] = static_cast<std::int32_t>(toll_at_.size());
        std::size_t count = tolls[owner] == nullptr ? 0 : tolls[owner]->cost.size();
        for (std::size_t toll = 0; toll < count; ++toll) {
            toll_ops_.push_back(static_cast<std::int32_t>(needs_.size() + toll_at_.size()));
            toll_facts_.push_back(static_cast<std::int32_t>(needed_by_.size() + toll_at_.size()));
            toll_at_.push_back({static_cast<std::int32_t>(owner), static_cast<std::int32_t>(toll)});
            made_.push_back({tolls[owner]->cost[toll], 0, 1, -1});
        }
    }
    order_tolls();
    for (const Ints &owned : owned_)
        for (std::int32_t op : owned)
            if (op >= 0)
                made_[op].missing =
                    static_cast<std::int32_t>(needs_[op].size() + tolls_at(op).size());
    ops_.resize(made_.size());
    fact_cost_.resize(needed_by_.size() + toll_at_.size());
    side_.resize(fact_cost_.size());
}

// Which toll needs that which other one is paid.
void LmCut::order_tolls() {
    first_tolls_.clear();
    toll_needs_.assign(toll_at_.size(), nothing_);
    if (tolls_after_.size() < toll_at_.size())
        tolls_after_.resize(toll_at_.size());
    for (Ints &after : tolls_after_)
        after.clear();
    for (std::size_t toll = 0; toll < toll_at_.size(); ++toll) {
        auto [owner, number] = toll_at_[toll];
        std::int32_t other = tolls_[owner]->before[number];
        if (other < 0) {
            first_tolls_.push_back(toll_ops_[toll]);
        } else {
            toll_needs_[toll] = toll_facts_[first_toll_[owner] + other];
            tolls_after_[first_toll_[owner] + other].push_back(toll_ops_[toll]);
        }
    }
}

std::int64_t LmCut::evaluate_max(std::span<const std::int32_t> holds) {
    std::ranges::copy(made_, ops_.begin());
    explore(holds);
    return fact_cost_[goal_] == not_reached ? unreachable : fact_cost_[goal_];
}

std::int64_t LmCut::evaluate(std::span<const std::int32_t> holds, std::int64_t enough,
                             const Note &note) {
    if (evaluate_max(holds) == unreachable)
        return unreachable;
    std::int64_t value = 0;
    while (fact_cost_[goal_] > 0 && value < enough) {
        mark_zone();
        find_cut(holds);
        std::int64_t least = not_reached;
        for (std::int32_t op : cut_)
            least = std::min(least, ops_[op].cost);
        for (std::int32_t op : cut_)
            ops_[op].cost -= least;
        value += least;
        if (note)
            note(cut_, least);
        follow_cut();
    }
    return value;
}

void LmCut::lower(std::int32_t fact, std::int64_t cost) {
    if (cost >= fact_cost_[fact])
        return;
    fact_cost_[fact] = cost;
    queue_.push(cost, fact);
}

// Operator `op` may be done at cost `at` of its hardest need.
void LmCut::fire(std::int32_t op, std::int64_t at) {
    ops_[op].at = at;
    std::int64_t then = at + ops_[op].cost;
    for (std::int32_t fact : adds(op))
        lower(fact, then);
}

void LmCut::explore(std::span<const std::int32_t> holds) {
    std::ranges::fill(fact_cost_, not_reached);
    for (std::int32_t fact : holds)
        lower(fact, 0);
    lower(nothing_, 0);
    std::int64_t cost = 0;
    std::int32_t fact = 0;
    while (queue_.pop(cost, fact)) {
        if (cost != fact_cost_[fact])
            continue;
        each_user(fact, [&](std::int32_t op) {
            if (--ops_[op].missing == 0) {
                ops_[op].hardest = hardest_need(op);
                fire(op, cost);
            }
        });
    }
}

// Of those that are equally hard, the one with the largest number.
std::int32_t LmCut::hardest_need(std::int32_t op) const {
    if (std::int32_t toll = toll_of(op, needs_.size()); toll >= 0)
        return toll_needs_[toll];
    Row needs = needs_[op];
    std::int32_t found = needs[0];
    for (std::int32_t fact : needs)
        if (fact_cost_[fact] >= fact_cost_[found])
            found = fact;
    for (std::int32_t toll : tolls_at(op)) {
        std::int32_t fact = toll_facts_[first_toll_[place_of_[op].owner] + toll];
        if (fact_cost_[fact] > fact_cost_[found])
            found = fact;
    }
    return found;
}

// Costs of facts behind the cut have become smaller.
void LmCut::follow_cut() {
    for (std::int32_t op : cut_)
        fire(op, ops_[op].at);
    std::int64_t cost = 0;
    std::int32_t fact = 0;
    while (queue_.pop(cost, fact)) {
        if (cost != fact_cost_[fact])
            continue;
        each_user(fact, [&](std::int32_t op) {
            if (ops_[op].hardest != fact || ops_[op].at <= cost)
                return;
            ops_[op].hardest = hardest_need(op);
            std::int64_t at = fact_cost_[ops_[op].hardest];
            if (at != ops_[op].at)
                fire(op, at);
        });
    }
}

// Facts from which the goal costs nothing more, along the hardest needs.
void LmCut::mark_zone() {
    std::ranges::fill(side_, unseen);
    side_[goal_] = in_zone;
    stack_.assign(1, goal_);
    while (!stack_.empty()) {
        std::int32_t fact = stack_.back();
        stack_.pop_back();
        for (std::int32_t op : added_by(fact)) {
            std::int32_t need = ops_[op].hardest;
            if (ops_[op].cost == 0 && need >= 0 && side_[need] == unseen) {
                side_[need] = in_zone;
                stack_.push_back(need);
            }
        }
    }
}

void LmCut::enter(std::int32_t fact) {
    if (side_[fact] == unseen) {
        side_[fact] = before;
        stack_.push_back(fact);
    }
}

bool LmCut::leads_into_zone(std::int32_t op) const {
    return std::ranges::any_of(adds(op),
                               [this](std::int32_t fact) { return side_[fact] == in_zone; });
}

void LmCut::find_cut(std::span<const std::int32_t> holds) {
    cut_.clear();
    for (std::int32_t fact : holds)
        enter(fact);
    enter(nothing_);
    while (!stack_.empty()) {
        std::int32_t fact = stack_.back();
        stack_.pop_back();
        each_user(fact, [&](std::int32_t op) {
            if (ops_[op].hardest != fact)
                return;
            if (leads_into_zone(op))
                cut_.push_back(op);
            else
                for (std::int32_t fact_behind : adds(op))
                    enter(fact_behind);
        });
    }
}

}  // namespace tacit
