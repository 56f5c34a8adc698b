#include "ranking/goal_order.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

#include "util/bits.hpp"
#include "util/tuning.hpp"

namespace tacit {

namespace {

using Cost = PricedRelaxation::Cost;
constexpr auto initial = PricedRelaxation::initial;
constexpr auto no_label = PricedRelaxation::free;
constexpr Cost closed = PricedRelaxation::unreached;

constexpr std::int32_t nobody = -1, many = -2;

}  // namespace

GoalOrder::GoalOrder(StripsTask task, std::int32_t turn, std::int32_t agents, OwnEdges edges,
                     InferredAchievers inferred)
    : task_(std::move(task)), edges_(std::move(edges)), inferred_(std::move(inferred)),
      relaxation_(task_.facts, task_.pre), goals_(task_.goal), achieved_(task_.facts, 0),
      threatened_(task_.facts, 0), holds_initially_(task_.facts, 0), is_for_others_(task_.facts, 0),
      queues_(2 * static_cast<std::size_t>(task_.facts)),
      evaluations_left_(tuning::goal_evaluations_in_vain),
      evaluations_kept_(tuning::goal_evaluations - tuning::goal_evaluations_in_vain),
      seen_(task_.facts, 0) {
    for (std::size_t a = 0; a < task_.size(); ++a)
        for (std::int32_t fact : task_.add[a])
            relaxation_.add_way(static_cast<std::int32_t>(a), fact, no_label);
    for (std::int32_t fact : task_.init) {
        relaxation_.add_way(initial, fact, no_label);
        holds_initially_[fact] = 1;
    }
    index_prices();
    index_edges();
    index_inferred();
    relaxation_.price.resize(edges_.size() + 2 * inferred_.token.size());
    Bits deleted(task_.facts);
    for (std::int32_t fact : task_.del.items)
        deleted.set(fact);
    are_tokens_deleted_ = std::ranges::any_of(edges_.token, [&](auto f) { return deleted[f]; });
    auto first = static_cast<std::ptrdiff_t>(goals_.size()) * turn / std::max(agents, 1);
    std::ranges::rotate(goals_, goals_.begin() + first);
}

void GoalOrder::index_edges() {
    edges_.is_published.assign(edges_.size(), 0);
    for (std::size_t e = edges_.size(); e-- > 0;) {
        if (edges_.is_positive[e])
            relaxation_.add_way(edges_.achiever[e], edges_.token[e], static_cast<std::int32_t>(e));
        std::int32_t queue = 2 * edges_.token[e] + edges_.is_positive[e];
        if (queues_.at(queue).empty())
            used_queues_.push_back(queue);
        queues_[queue].push_back(static_cast<std::int32_t>(e));
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
    Cost middle = paid.empty() ? 1 : paid[paid.size() / 2];
    for (std::int32_t price : edges_.price)
        edge_cost_.push_back(std::max<Cost>(1, tuning::goal_own_edge_cost * price / middle));
}

void GoalOrder::index_inferred() {
    for (std::size_t h = 0; h < inferred_.token.size(); ++h) {
        auto label = static_cast<std::int32_t>(edges_.size() + 2 * h);
        for (std::int32_t action : inferred_.after[h])
            relaxation_.add_way(action, inferred_.token[h], label);
        relaxation_.add_way(initial, inferred_.token[h], label + 1);
    }
}

void GoalOrder::saw(std::int32_t achiever, std::int32_t token, bool is_positive) {
    if (!is_positive) {
        disclosed_.deletes.emplace_back(achiever, token);
        is_solved_ = has_real_plan_ = false;
        return;
    }
    disclosed_.achieves.emplace_back(achiever, token);
    if (!holds_initially_.at(token)) {
        relaxation_.add_way(achiever, token, no_label);
        if (achiever == initial)
            holds_initially_[token] = is_initial_new_ = true;
    }
    ++achieved_[token];
}

std::int32_t GoalOrder::planned(bool with_alternatives) {
    std::int32_t edge = planned_edge();
    if (edge < 0 && made_ >= next_plan_ && made_ < static_cast<std::int64_t>(edges_.size())) {
        edge = by_plan(with_alternatives ? tuning::goal_plans_per_edge : 1);
        bool is_rare = is_solved_ || made_ >= tuning::goal_edges_planned_one_by_one;
        next_plan_ = is_rare ? made_ + 1 + made_ / tuning::goal_planned_share : 0;
    }
    if (edge >= 0)
        publish(edge);
    return edge;
}

std::int32_t GoalOrder::counted() {
    std::int32_t edge = by_count();
    if (edge >= 0)
        publish(edge);
    return edge;
}

std::int32_t GoalOrder::by_plan(int plans) {
    std::ranges::fill(relaxation_.action_cost, 1);
    if (std::exchange(is_initial_new_, false))
        relaxation_.forget_ways_to(holds_initially_);
    find_for_others();
    if (needs_real_plans()) {
        std::int32_t edge = by_real_plan(plans > 1);
        if (edge >= 0 || has_real_plan_)
            return edge;
    }
    for (int attempt = 0; attempt < plans; ++attempt) {
        std::vector<Use> uses = plan();
        if (!uses.empty())
            return std::ranges::min_element(uses, {}, &Use::achiever_cost)->edge;
        if (attempt == 0)
            if (std::int32_t edge = by_search(); edge >= 0)
                return edge;
        for (std::int32_t action : planned_)
            relaxation_.action_cost[action] += tuning::goal_repeated_action_cost;
    }
    return -1;
}

void GoalOrder::set_prices(bool with_own_edges, bool with_inferred) {
    auto price = relaxation_.price.begin();
    for (std::size_t e = 0; e < edges_.size(); ++e)
        *price++ = edges_.is_published[e] ? 0 : with_own_edges ? edge_cost_[e] : closed;
    for (std::size_t h = 0; h < inferred_.token.size(); ++h) {
        Cost more = achieved_[inferred_.token[h]] ? tuning::goal_second_achiever_cost : 0;
        Cost initially = inferred_.is_likely_initially[h] ? tuning::goal_likely_achiever_cost
                                                          : tuning::goal_vague_achiever_cost;
        *price++ = with_inferred ? tuning::goal_likely_achiever_cost + more : closed;
        *price++ = with_inferred ? initially + more : closed;
    }
}

// Which goals may be reached without another own edge. One that may once always may.
void GoalOrder::find_for_others() {
    if (std::ranges::all_of(goals_, [&](std::int32_t fact) { return is_for_others_[fact]; }))
        return;
    set_prices(false, true);
    relaxation_.explore();
    for (std::int32_t fact : goals_)
        is_for_others_[fact] = relaxation_.is_reached(fact);
}

// The own unpublished edges that the first goal needs whose plan has any, or, if it is `whole`, all
// goals. Goals that nobody else can reach come first.
std::vector<GoalOrder::Use> GoalOrder::plan(bool is_whole) {
    set_prices(true, true);
    relaxation_.explore();
    planned_.clear();
    supposed_initially_.clear();
    std::vector<Use> uses;
    Ints open = goals_;
    std::erase_if(open, [&](std::int32_t f) { return !relaxation_.is_reached(f); });
    while (!open.empty() && (is_whole || uses.empty())) {
        auto rank = [&](std::int32_t fact) {
            return std::pair(is_for_others_[fact], relaxation_.cost(fact));
        };
        auto first = std::ranges::min_element(open, {}, rank);
        Ints reached;
        trace(*first, uses, reached);
        open.erase(first);
        relaxation_.reach(reached);
    }
    return uses;
}

// Backwards from a goal: the own edges used for it, and all facts that hold once it is reached.
void GoalOrder::trace(std::int32_t goal, std::vector<Use> &uses, Ints &reached) {
    ++stamp_;
    Ints open{goal};
    seen_[goal] = stamp_;
    while (!open.empty()) {
        std::int32_t fact = open.back();
        open.pop_back();
        if (relaxation_.cost(fact) == 0)
            continue;
        reached.push_back(fact);
        auto [action, label] = relaxation_.support(fact);
        if (is_own(label) && !edges_.is_published[label])
            uses.push_back({label, relaxation_.cost_of_needs(action)});
        if (action == initial) {
            if (label != no_label && !is_own(label))
                supposed_initially_.push_back(fact);
            continue;
        }
        planned_.push_back(action);
        for (auto way : relaxation_.ways(action))
            if (way.label == no_label || (is_own(way.label) && edges_.is_published[way.label]))
                reached.push_back(way.fact);
        for (std::int32_t need : relaxation_.needs(action))
            if (std::exchange(seen_[need], stamp_) != stamp_)
                open.push_back(need);
    }
}

// Is the last relaxed plan a real one? It is if no action deletes what the goal or another one
// needs.
bool GoalOrder::is_sound() const {
    std::vector<std::int32_t> needed_by(task_.facts, nobody);
    for (std::int32_t fact : task_.goal)
        needed_by[fact] = many;
    for (std::int32_t action : planned_)
        for (std::int32_t fact : task_.pre[action])
            if (needed_by[fact] != action)
                needed_by[fact] = needed_by[fact] == nobody ? action : many;
    return std::ranges::none_of(planned_, [&](std::int32_t action) {
        return std::ranges::any_of(task_.del[action], [&](std::int32_t fact) {
            return needed_by[fact] != nobody && needed_by[fact] != action;
        });
    });
}

// Is the goal reachable without inferred achievers if nothing is deleted? More edges never hurt.
bool GoalOrder::is_reachable(bool with_own_edges) {
    bool &is_known = is_reachable_[with_own_edges];
    if (is_known)
        return true;
    set_prices(with_own_edges, false);
    relaxation_.explore();
    is_known = std::ranges::all_of(goals_, [&](auto f) { return relaxation_.is_reached(f); });
    return is_known;
}

// What is left of the last real plan.
std::int32_t GoalOrder::planned_edge() {
    while (!planned_edges_.empty()) {
        std::int32_t edge = planned_edges_.back();
        planned_edges_.pop_back();
        if (!edges_.is_published[edge])
            return edge;
    }
    return -1;
}

// Are plans without deletes misleading? They are if tokens are deleted and some action of the first
// such plan deletes what another one needs.
bool GoalOrder::needs_real_plans() {
    if (!std::exchange(is_begun_, true) && are_tokens_deleted_ && inferred_.is_exact) {
        plan(true);
        needs_real_plans_ = !is_sound();
    }
    return needs_real_plans_;
}

// An edge of a real plan of all agents. Once its own edges are published, the agent leaves the rest
// to the others; `is_anew` if that did not do.
std::int32_t GoalOrder::by_real_plan(bool is_anew) {
    if (has_real_plan_ && !is_anew)
        return -1;
    has_real_plan_ = false;
    if (made_ < next_search_)
        return -1;
    plan(true);
    Disclosed supposed = inferred();
    for (std::int32_t token : supposed_initially_)
        supposed.achieves.emplace_back(initial, token);
    search_real_plan(supposed);
    return planned_edge();
}

void GoalOrder::search_real_plan(const Disclosed &supposed) {
    RealPlan found = find_real_plan(task_, disclosed_, supposed, edges_, evaluations_left_);
    has_real_plan_ = found.is_found;
    planned_edges_ = std::move(found.own_edges);
    std::ranges::reverse(planned_edges_);
    if (found.is_found)
        encourage();
    else
        pause_ = tuning::goal_pause_growth * pause_ + 1;
    next_search_ = made_ + pause_;
}

// If tokens are deleted, all edges of a plan with inferred achievers, else the first edge of a plan
// without.
void GoalOrder::plan_for_real() {
    bool with_inferred = are_tokens_deleted_;
    for (int attempt = 0; attempt < 2 && planned_edges_.empty();
         ++attempt, with_inferred = !with_inferred)
        if (with_inferred || is_reachable(true))
            search_real_plan(with_inferred ? inferred() : Disclosed());
    if (!are_tokens_deleted_ && planned_edges_.size() > 1)
        planned_edges_.erase(planned_edges_.begin(), planned_edges_.end() - 1);
}

// An edge of a real plan.
std::int32_t GoalOrder::by_search() {
    if (is_solved_ || evaluations_left_ <= 0 || made_ < next_search_)
        return -1;
    bool is_real = is_sound(), is_known = is_reachable(false);
    is_solved_ = is_known && (is_real || is_solvable(task_, disclosed_, evaluations_left_));
    if (is_solved_ || is_real)
        return -1;
    plan_for_real();
    return planned_edge();
}

// A search was worth it: what may be spent in vain is filled up again, as long as there is any
// left.
void GoalOrder::encourage() {
    pause_ = 0;
    std::int64_t more =
        std::min(evaluations_kept_, tuning::goal_evaluations_in_vain - evaluations_left_);
    evaluations_left_ += more;
    evaluations_kept_ -= more;
}

Disclosed GoalOrder::inferred() const {
    Disclosed made;
    for (std::size_t h = 0; h < inferred_.token.size(); ++h) {
        for (std::int32_t action : inferred_.after[h])
            made.achieves.emplace_back(action, inferred_.token[h]);
        if (inferred_.after[h].empty() || inferred_.is_likely_initially[h])
            made.achieves.emplace_back(initial, inferred_.token[h]);
    }
    return made;
}

// Of tokens with fewest published edges, the first edge, one at twice the price after one more;
// threats last, spread over tokens alike.
std::int32_t GoalOrder::by_count() {
    std::tuple<bool, std::int64_t, std::int32_t> best{true, 0, std::numeric_limits<int>::max()};
    std::int32_t found = -1;
    for (std::int32_t queue : used_queues_) {
        if (queues_[queue].empty())
            continue;
        std::int32_t edge = queues_[queue].back();
        bool is_threat = queue % 2 == 0;
        std::int64_t count = is_threat ? threatened_[queue / 2] : achieved_[queue / 2];
        std::tuple rank{is_threat, (count + 1) * edges_.price[edge], edge};
        if (found < 0 || rank < best) {
            best = rank;
            found = edge;
        }
    }
    return found;
}

void GoalOrder::publish(std::int32_t edge) {
    ++made_;
    edges_.is_published[edge] = 1;
    std::int32_t token = edges_.token[edge], achiever = edges_.achiever[edge];
    if (edges_.is_positive[edge]) {
        disclosed_.achieves.emplace_back(achiever, token);
        ++achieved_[token];
        if (achiever == initial)
            holds_initially_[token] = is_initial_new_ = true;
    } else {
        disclosed_.deletes.emplace_back(achiever, token);
        ++threatened_[token];
        is_solved_ = false;
    }
    Ints &queue = queues_[2 * token + edges_.is_positive[edge]];
    while (!queue.empty() && edges_.is_published[queue.back()])
        queue.pop_back();
}

}  // namespace tacit
