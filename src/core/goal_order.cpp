#include "goal_order.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>

#include "search/search.hpp"

namespace tacit {

namespace {

constexpr auto start = PricedRelaxation::start;
constexpr auto free_way = PricedRelaxation::free;

}  // namespace

// options: 0 unit(own edge price), 1 hope after, 2 hope vague, 3 hope sure, 4 extra if given, 5 penalty, 6 tries,
// 7 load, 8 evaluations, 9 first full choices, 10 goal order
GoalOrder::GoalOrder(StripsTask task, std::int32_t own_group, OwnEdges edges, Hopes hopes,
                     Ints options)
    : task_(std::move(task)), own_group_(own_group), edges_(std::move(edges)),
      hopes_(std::move(hopes)), options_(std::move(options)), relaxation_(task_.facts, task_.pre),
      is_published_(edges_.giver.size(), 0), given_(task_.facts, 0), hope_of_(task_.facts, -1),
      queue_of_(task_.facts, -1), left_(edges_.giver.size()), seen_(task_.facts, 0) {
    std::size_t count = edges_.giver.size();
    for (std::size_t a = 0; a < task_.size(); ++a)
        for (std::int32_t fact : task_.add[a])
            relaxation_.add_way(static_cast<std::int32_t>(a), fact, free_way);
    for (std::int32_t fact : task_.init)
        relaxation_.add_way(start, fact, free_way);
    for (std::size_t e = count; e-- > 0;) {
        std::int32_t token = edges_.token[e];
        if (edges_.positive[e])
            relaxation_.add_way(edges_.giver[e], token, static_cast<std::int32_t>(e));
        if (queue_of_.at(token) < 0) {
            queue_of_[token] = static_cast<std::int32_t>(queues_.size());
            queues_.emplace_back();
        }
        queues_[queue_of_[token]].push_back(static_cast<std::int32_t>(e));
    }
    for (std::size_t h = 0; h < hopes_.token.size(); ++h) {
        hope_of_.at(hopes_.token[h]) = static_cast<std::int32_t>(h);
        auto label = static_cast<std::int32_t>(count + 2 * h);
        for (std::int32_t action : hopes_.after[h])
            relaxation_.add_way(action, hopes_.token[h], label);
        relaxation_.add_way(start, hopes_.token[h], label + 1);
    }
    relaxation_.price.resize(count + 2 * hopes_.token.size());
    std::int32_t groups = own_group_ + 1;
    for (std::int32_t group : task_.group)
        groups = std::max(groups, group + 1);
    load_.assign(groups, 0);
}

void GoalOrder::saw(std::int32_t giver, std::int32_t token) {
    relaxation_.add_way(giver, token, free_way);
    if (giver == start)
        task_.init.push_back(token);
    else
        task_.gain_add(giver, token);
    ++given_.at(token);
}

void GoalOrder::set_prices() {
    std::size_t count = edges_.giver.size();
    Cost unit = option(0);
    Cost own = unit + unit * option(7) * load_[own_group_] / 100;
    for (std::size_t e = 0; e < count; ++e)
        relaxation_.price[e] = is_published_[e] ? 0 : own;
    for (std::size_t h = 0; h < hopes_.token.size(); ++h) {
        Cost more = given_[hopes_.token[h]] ? option(4) : 0;
        more += unit * option(7) * load_[hopes_.group[h]] / 100;
        relaxation_.price[count + 2 * h] = option(1) + more;
        relaxation_.price[count + 2 * h + 1] = (hopes_.is_vague[h] ? option(2) : option(3)) + more;
    }
}

// Own edges that a relaxed plan for all goals uses; false if there is no such plan.
bool GoalOrder::plan(std::vector<Step> &used) {
    ++planned_;
    std::ranges::fill(load_, 0);
    plan_actions_.clear();
    set_prices();
    relaxation_.explore();
    Ints open = task_.goal;
    std::erase_if(open, [&](std::int32_t f) { return relaxation_.cost(f) >= PricedRelaxation::unreached; });
    bool all = open.size() == task_.goal.size();
    Ints so_far;
    if ((option(10) & 4) && !open.empty())
        std::ranges::rotate(open, open.begin() + own_group_ * open.size() / load_.size());
    while (!open.empty()) {
        auto cheaper = [&](std::int32_t a, std::int32_t b) {
            return relaxation_.cost(a) < relaxation_.cost(b);
        };
        auto best = option(10) & 1 ? std::ranges::max_element(open, cheaper)
                               : std::ranges::min_element(open, cheaper);
        Ints reached;
        if ((option(10) & 2) && !used.empty())
            break;
        trace(*best, used, reached);
        open.erase(best);
        if (option(7)) {
            so_far.insert(so_far.end(), reached.begin(), reached.end());
            set_prices();
            relaxation_.explore();
            relaxation_.reach(so_far);
        } else
            relaxation_.reach(reached);
    }
    return all;
}

void GoalOrder::trace(std::int32_t goal, std::vector<Step> &used, Ints &reached) {
    ++stamp_;
    Ints stack{goal};
    seen_[goal] = stamp_;
    while (!stack.empty()) {
        std::int32_t fact = stack.back();
        stack.pop_back();
        if (relaxation_.cost(fact) == 0)
            continue;
        reached.push_back(fact);
        auto [action, label] = relaxation_.support(fact);
        auto count = static_cast<std::int32_t>(edges_.giver.size());
        if (label >= 0 && label < count && !is_published_[label]) {
            used.push_back({label, relaxation_.cost_of_needs(action)});
            ++load_[own_group_];
        } else if (label >= count) {
            ++load_[hopes_.group[(label - count) / 2]];
        }
        if (action == start)
            continue;
        plan_actions_.push_back(action);
        for (auto way : relaxation_.ways(action))
            if (way.label == free_way || (way.label < count && is_published_[way.label]))
                reached.push_back(way.fact);
        for (std::int32_t need : relaxation_.needs(action))
            if (seen_[need] != stamp_) {
                seen_[need] = stamp_;
                stack.push_back(need);
            }
    }
}

std::int32_t GoalOrder::next() {
    if (left_ == 0)
        return -1;
    std::int32_t edge = -1;
    while (!pending_.empty() && edge < 0) {
        edge = pending_.back();
        pending_.pop_back();
        if (is_published_[edge])
            edge = -1;
    }
    if (edge < 0 && made_ >= due_) {
        edge = by_plan();
        if (made_ >= option(9))
            due_ = made_ + made_ / 8;
    }
    if (edge < 0)
        edge = by_count();
    publish(edge);
    return edge;
}

std::int32_t GoalOrder::by_plan() {
    for (int attempt = 0; attempt < option(6); ++attempt) {
        std::vector<Step> used;
        plan(used);
        if (!used.empty()) {
            auto less = [](const Step &a, const Step &b) { return a.source < b.source; };
            std::int32_t best = std::ranges::min_element(used, less)->edge;
            std::ranges::fill(relaxation_.action_cost, 1);
            return best;
        }
        if (attempt == 0 && option(8) > 0 && by_search()) {
            std::int32_t edge = pending_.back();
            pending_.pop_back();
            if (!option(11))
                pending_.clear();
            return edge;
        }
        for (std::int32_t action : plan_actions_)
            relaxation_.action_cost[action] += option(5);
    }
    std::ranges::fill(relaxation_.action_cost, 1);
    return -1;
}

bool GoalOrder::by_search() {
    // T0: published only
    Search published(task_, 1, {"climb", "width", "lazy"}, {"ff"}, false);
    Limits limits{option(8), std::numeric_limits<double>::infinity(), std::numeric_limits<std::size_t>::max()};
    Outcome outcome = published.run(limits, [] {});
    searched_ += published.meter().evaluated;
    if (outcome == Outcome::solved)
        return false;
    for (int with_hopes = 0; with_hopes < 2; ++with_hopes) {
        StripsTask task = task_;
        std::vector<Ints> gains(task.size());
        for (std::size_t e = 0; e < edges_.giver.size(); ++e)
            if (edges_.positive[e] && !is_published_[e]) {
                if (edges_.giver[e] == start)
                    task.init.push_back(edges_.token[e]);
                else
                    gains[edges_.giver[e]].push_back(edges_.token[e]);
            }
        if (with_hopes)
            for (std::size_t h = 0; h < hopes_.token.size(); ++h) {
                for (std::int32_t a : hopes_.after[h])
                    gains[a].push_back(hopes_.token[h]);
                if (hopes_.after[h].empty())
                    task.init.push_back(hopes_.token[h]);
            }
        Rows add;
        for (std::size_t a = 0; a < task.size(); ++a) {
            for (std::int32_t fact : task.add[a])
                add.push(fact);
            for (std::int32_t fact : gains[a])
                add.push(fact);
            add.close();
        }
        StripsTask whole(task.facts, task.init, task.goal, task.pre, add, task.del, task.cost, task.group);
        Search search(whole, 1, {"climb", "width", "lazy"}, {"ff"}, false);
        outcome = search.run(limits, [] {});
        searched_ += search.meter().evaluated;
        if (outcome != Outcome::solved)
            continue;
        // causal links: first giver of each token
        std::vector<std::uint8_t> has(task.facts, 0);
        std::vector<std::int32_t> by(task.facts, -2);
        for (std::int32_t f : task_.init)
            has[f] = 1;
        std::vector<std::pair<std::int32_t, std::int32_t>> place;  // (giver, token) -> edge
        Ints wanted;
        auto edge_of = [&](std::int32_t giver, std::int32_t token) {
            for (std::size_t e = 0; e < edges_.giver.size(); ++e)
                if (edges_.giver[e] == giver && edges_.token[e] == token && edges_.positive[e])
                    return static_cast<std::int32_t>(e);
            return std::int32_t{-1};
        };
        Ints given_by(task.facts, -2);  // -2: not by an own unpublished edge
        for (std::size_t e = 0; e < edges_.giver.size(); ++e)
            if (edges_.positive[e] && !is_published_[e] && edges_.giver[e] == start && !has[edges_.token[e]])
                given_by[edges_.token[e]] = static_cast<std::int32_t>(e);
        for (std::int32_t a : search.plan()) {
            for (std::int32_t f : task_.pre[a])
                if (!has[f] && given_by[f] >= 0) {
                    if (std::ranges::find(wanted, given_by[f]) == wanted.end())
                        wanted.push_back(given_by[f]);
                    has[f] = 1;
                }
            for (std::int32_t f : task_.add[a])
                has[f] = 1;
            for (std::int32_t f : gains[a])
                if (queue_of_[f] >= 0 && !has[f] && given_by[f] < 0)
                    given_by[f] = edge_of(a, f);
        }
        if (wanted.empty())
            continue;
        pending_.assign(wanted.rbegin(), wanted.rend());
        return true;
    }
    return false;
}

// The first edge into the token that has fewest.
std::int32_t GoalOrder::by_count() {
    std::int32_t best = -1;
    std::pair<std::int64_t, std::int32_t> best_rank;
    for (const Ints &queue : queues_)
        for (std::size_t i = queue.size(); i-- > 0;) {
            std::int32_t edge = queue[i];
            if (is_published_[edge])
                continue;
            std::pair<std::int64_t, std::int32_t> rank{
                edges_.positive[edge] ? given_[edges_.token[edge]]
                                      : std::numeric_limits<std::int32_t>::max(),
                edge};
            if (best < 0 || rank < best_rank) {
                best = edge;
                best_rank = rank;
            }
            break;
        }
    return best;
}

void GoalOrder::publish(std::int32_t edge) {
    is_published_[edge] = 1;
    --left_;
    ++made_;
    if (edges_.positive[edge]) {
        if (edges_.giver[edge] == start)
            task_.init.push_back(edges_.token[edge]);
        else
            task_.gain_add(edges_.giver[edge], edges_.token[edge]);
        ++given_[edges_.token[edge]];
    }
    Ints &queue = queues_[queue_of_[edges_.token[edge]]];
    while (!queue.empty() && is_published_[queue.back()])
        queue.pop_back();
}

}  // namespace tacit
