#include "ranking/goal_order.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

#include "ranking/promise.hpp"
#include "util/pulse.hpp"
#include "util/tuning.hpp"

namespace tacit {

namespace {

// What an own edge costs at most, however its price compares with others, so that sums fit.
constexpr std::int64_t dearest_edge = 1 << 24;

}  // namespace

GoalOrder::GoalOrder(std::shared_ptr<const IndexedTask> task, std::int32_t turn,
                     std::int32_t agents, OwnEdges edges, Inferred inferred)
    : shared_(std::move(task)), edges_(std::move(edges)), inferred_(std::move(inferred)),
      first_own_label_(2 * static_cast<std::int32_t>(inferred_.all().token.size())),
      relaxation_(shared_, effects(), inferred_), goals_(shared_->task.goal),
      holds_initially_(shared_->task.facts), is_for_others_(shared_->task.facts),
      evaluations_left_(tuning::goal_evaluations_in_vain), is_deleted_(shared_->task.facts),
      seen_(shared_->task.facts) {
    for (std::int32_t fact : this->task().init)
        holds_initially_.set(fact);
    index_prices();
    index_edges();
    for (auto [action, fact] : inferred_.all().deletes)
        if (!inferred_.is_own(fact))
            is_deleted_.set(fact);
    for (auto [action, fact] : inferred_.own_deletes)
        is_deleted_.set(fact);
    for (std::int32_t fact : this->task().del.items)
        is_deleted_.set(fact);
    are_tokens_deleted_ = std::ranges::any_of(edges_.token, [&](auto f) { return is_deleted_[f]; });
    Promise promise(*shared_, turn, edges_);
    for (auto edge = static_cast<std::int32_t>(edges_.size()); edge-- > 0;)
        if (promise.has(edge)) {
            promising_.push_back(edge);
            if (!promise.is_circular(edge))
                straight_.push_back(edge);
        }
    auto first = static_cast<std::ptrdiff_t>(goals_.size()) * turn / std::max(agents, 1);
    std::ranges::rotate(goals_, goals_.begin() + first);
    divide(inferred_.inference->parts(*shared_));
}

std::vector<PricedRelaxation::Effect> GoalOrder::effects() const {
    std::vector<PricedRelaxation::Effect> made;
    for (std::size_t e = 0; e < edges_.size(); ++e)
        if (edges_.is_positive[e])
            made.push_back(effect(static_cast<std::int32_t>(e)));
    return made;
}

void GoalOrder::index_edges() {
    edges_.is_published.assign(edges_.size(), 0);
    for (std::size_t e = edges_.size(); e-- > 0;) {
        std::int32_t queue = 2 * edges_.token[e] + edges_.is_positive[e];
        Ints &edges = queues_[queue];
        if (edges.empty())
            used_queues_.push_back(queue);
        edges.push_back(static_cast<std::int32_t>(e));
    }
    for (std::int32_t queue : used_queues_)
        std::ranges::stable_sort(queues_[queue], std::greater<>(),
                                 [&](std::int32_t edge) { return edges_.price[edge]; });
}

// The price in the middle costs `goal_own_edge_cost`, whatever prices are counted in.
void GoalOrder::index_prices() {
    if (edges_.price.empty())
        edges_.price.assign(edges_.size(), 1);
    Ints paid;
    for (std::size_t e = 0; e < edges_.size(); ++e)
        if (edges_.price.at(e) > 0)
            paid.push_back(edges_.price[e]);
    std::ranges::sort(paid);
    middle_ = paid.empty() ? 1 : paid[paid.size() / 2];
    for (std::int64_t price : edges_.price)
        edge_cost_.push_back(cost_of(price));
}

GoalOrder::Cost GoalOrder::cost_of(std::int64_t price) const {
    std::int64_t cost = tuning::goal_own_edge_cost * price / middle_;
    return static_cast<Cost>(std::clamp<std::int64_t>(cost, 1, dearest_edge));
}

void GoalOrder::reprice(std::int32_t edge, std::int32_t price) {
    edges_.price.at(edge) = price;
    edge_cost_[edge] = cost_of(price);
    part_plans_[parts_->of_fact(edges_.token[edge])].is_planned = false;
    has_news_ = true;
}

void GoalOrder::saw(std::int32_t achiever, std::int32_t token, bool is_positive, bool is_recalled) {
    has_news_ = true;
    if (!is_positive) {
        disclosed_.deletes.emplace_back(achiever, token);
        is_solved_ = has_real_plan_ = false;
        return;
    }
    disclosed_.achieves.emplace_back(achiever, token);
    if (!holds_initially_[token])
        relaxation_.add_way(achiever, token);
    note_way(achiever, token, is_recalled, false);
}

std::int32_t GoalOrder::planned(bool is_anew) {
    std::int32_t edge = planned_edge();
    if (edge < 0 && is_plan_due(is_anew)) {
        edge = by_plan(is_anew);
        relaxation_.release();
        pace(is_anew, edge >= 0);
    }
    if (edge >= 0)
        publish(edge);
    return edge;
}

// Is any of these edges left and could be of use? Not if its token holds for good.
bool GoalOrder::is_any_left(Ints &edges) const {
    auto is_vain = [&](std::int32_t edge) {
        std::int32_t token = edges_.token[edge];
        return edges_.is_published[edge] || (holds_initially_[token] && !is_deleted_[token]);
    };
    while (!edges.empty() && is_vain(edges.back()))
        edges.pop_back();
    return !edges.empty();
}

bool GoalOrder::is_plan_due(bool is_anew) {
    has_skipped_ = false;
    bool has_news = std::exchange(has_news_, false);
    if (made_ + recalled_ >= static_cast<std::int64_t>(edges_.size()))
        return false;
    if (is_anew || is_solved_)
        return made_ >= next_plan_;
    if (needs_real_plans_)
        return !has_real_plan_;
    if (!is_any_left(promising_))
        return false;
    has_skipped_ = has_news && turns_skipped_ < turns_to_skip_;
    turns_skipped_ += has_skipped_;
    return !has_skipped_;
}

// When to plan again: plans become rare once what is published is seen to suffice, and after one in
// vain where a real search was, too, or where only a real plan could have others.
void GoalOrder::pace(bool is_anew, bool is_found) {
    next_plan_ = is_solved_ ? made_ + 1 + made_ / tuning::growth : 0;
    if (is_anew)
        return;
    bool is_patient = !is_found && (is_search_in_vain_ || !is_any_left(straight_));
    turns_skipped_ = 0;
    turns_to_skip_ = is_patient ? tuning::growth * turns_to_skip_ + 1 : 0;
}

std::int32_t GoalOrder::counted() {
    std::int32_t edge = by_count();
    if (edge >= 0)
        publish(edge);
    return edge;
}

// Of tokens with fewest published edges, the first edge, one at twice the price after one more;
// threats last, spread over tokens alike.
std::int32_t GoalOrder::by_count() {
    std::tuple<bool, std::int64_t, std::int32_t> best{true, 0, std::numeric_limits<int>::max()};
    std::int32_t found = -1;
    for (std::int32_t queue : used_queues_) {
        const Ints &edges = queues_[queue];
        if (edges.empty())
            continue;
        std::int32_t edge = edges.back();
        bool is_threat = queue % 2 == 0;
        std::int64_t published = count(is_threat ? threatened_ : achieved_, queue / 2);
        std::tuple rank{is_threat, (published + 1) * edges_.price[edge], edge};
        if (found < 0 || rank < best) {
            best = rank;
            found = edge;
        }
    }
    return found;
}

void GoalOrder::publish(std::int32_t edge, bool is_recalled) {
    ++(is_recalled ? recalled_ : made_);
    edges_.is_published[edge] = 1;
    std::int32_t token = edges_.token[edge], achiever = edges_.achiever[edge];
    if (edges_.is_positive[edge]) {
        disclosed_.achieves.emplace_back(achiever, token);
        note_way(achiever, token, is_recalled, true);
    } else {
        disclosed_.deletes.emplace_back(achiever, token);
        threatened_[token] += !is_recalled;
        is_solved_ = false;
    }
    Ints &queue = queues_[2 * token + edges_.is_positive[edge]];
    while (!queue.empty() && edges_.is_published[queue.back()])
        queue.pop_back();
}

}  // namespace tacit
