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

using Cost = PricedRelaxation::Cost;
constexpr auto initial = PricedRelaxation::initial;
constexpr auto no_label = PricedRelaxation::free;
constexpr Cost closed = PricedRelaxation::unreached;

constexpr std::int32_t nobody = -1, many = -2;

}  // namespace

InferredAchievers infer_achievers(const PublicProjection &projection, std::int32_t agent,
                                  const OwnGraph &own, Likeness likeness) {
    const Shapes &shapes = projection.shapes();
    const Ints &actions = projection.actions(), &facts = projection.facts();
    const Ints &first = shapes.published().first_token;
    InferredAchievers made;
    PeerModel model(shapes, own, likeness);
    Ticks tick;
    for (std::int32_t token = 0; token < shapes.tokens(); ++token) {
        if (token >= first[agent] && token < first[agent + 1])
            continue;
        InferredToken found = model.infer(token);
        tick(static_cast<std::uint32_t>(16 * (1 + found.after.size() + found.deleters.size())));
        made.token.push_back(facts[token]);
        for (std::int32_t action : found.after)
            made.after.push(actions[action]);
        made.after.close();
        made.is_likely_initially.push_back(found.initially);
        for (std::int32_t action : found.deleters)
            made.deletes.emplace_back(actions[action], facts[token]);
    }
    for (std::size_t d = 0; d < own.deleter.size(); ++d)
        made.deletes.emplace_back(actions[own.deleter[d]], facts[own.deleted[d]]);
    std::ranges::sort(made.deletes);
    return made;
}

GoalOrder::GoalOrder(std::shared_ptr<const IndexedTask> task, std::int32_t turn,
                     std::int32_t agents, OwnEdges edges, InferredAchievers inferred)
    : shared_(std::move(task)), edges_(std::move(edges)), inferred_(std::move(inferred)),
      relaxation_(shared_, effects()), goals_(shared_->task.goal),
      achieved_(shared_->task.facts, 0), threatened_(shared_->task.facts, 0),
      holds_initially_(shared_->task.facts, 0), is_for_others_(shared_->task.facts, 0),
      evaluations_left_(tuning::goal_evaluations_in_vain),
      evaluations_kept_(tuning::goal_evaluations - tuning::goal_evaluations_in_vain),
      is_deleted_(shared_->task.facts), seen_(shared_->task.facts, 0) {
    for (std::int32_t fact : this->task().init)
        holds_initially_[fact] = 1;
    index_prices();
    index_edges();
    for (auto [action, fact] : inferred_.deletes)
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
}

// Own edges, and inferred achievers: those of token h have the label 2 h behind the edges, its
// initial state the next one.
std::vector<PricedRelaxation::Effect> GoalOrder::effects() const {
    std::vector<PricedRelaxation::Effect> made;
    made.reserve(edges_.size() + inferred_.after.items.size() + inferred_.token.size());
    for (std::size_t e = 0; e < edges_.size(); ++e)
        if (edges_.is_positive[e])
            made.push_back(
                {edges_.achiever[e], {edges_.token[e], static_cast<std::int32_t>(e)}});
    for (std::size_t h = 0; h < inferred_.token.size(); ++h) {
        auto label = static_cast<std::int32_t>(edges_.size() + 2 * h);
        for (std::int32_t action : inferred_.after[h])
            made.push_back({action, {inferred_.token[h], label}});
        made.push_back({initial, {inferred_.token[h], label + 1}});
    }
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
    Cost middle = paid.empty() ? 1 : paid[paid.size() / 2];
    for (std::int32_t price : edges_.price)
        edge_cost_.push_back(std::max<Cost>(1, tuning::goal_own_edge_cost * price / middle));
}

void GoalOrder::saw(std::int32_t achiever, std::int32_t token, bool is_positive) {
    has_news_ = true;
    if (!is_positive) {
        disclosed_.deletes.emplace_back(achiever, token);
        is_solved_ = false;
        return;
    }
    disclosed_.achieves.emplace_back(achiever, token);
    if (!holds_initially_.at(token)) {
        relaxation_.add_way(achiever, token);
        if (achiever == initial)
            holds_initially_[token] = is_initial_new_ = true;
    }
    ++achieved_[token];
}

std::int32_t GoalOrder::planned(bool with_alternatives) {
    std::int32_t edge = planned_edge();
    if (edge < 0 && is_plan_due(with_alternatives)) {
        edge = by_plan(with_alternatives ? tuning::goal_plans_per_edge : 1);
        relaxation_.release();
        pace(with_alternatives, edge >= 0);
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

bool GoalOrder::is_plan_due(bool with_alternatives) {
    has_skipped_ = false;
    bool has_news = std::exchange(has_news_, false);
    if (made_ >= static_cast<std::int64_t>(edges_.size()))
        return false;
    if (with_alternatives || is_solved_)
        return made_ >= next_plan_;
    if (!is_any_left(promising_))
        return false;
    has_skipped_ = has_news && turns_skipped_ < turns_to_skip_;
    turns_skipped_ += has_skipped_;
    return !has_skipped_;
}

// When to plan again: where alternatives are asked for, plans become rare with many edges; else
// after one in vain, with many edges or if only a real plan could have others.
void GoalOrder::pace(bool with_alternatives, bool is_found) {
    bool is_late = made_ >= tuning::goal_edges_planned_one_by_one;
    bool is_rare = is_solved_ || (is_late && with_alternatives);
    next_plan_ = is_rare ? made_ + 1 + made_ / tuning::goal_planned_share : 0;
    if (with_alternatives)
        return;
    bool is_patient = !is_found && (is_late || !is_any_left(straight_));
    turns_skipped_ = 0;
    turns_to_skip_ = is_patient ? tuning::goal_turns_skipped_growth * turns_to_skip_ + 1 : 0;
}

std::int32_t GoalOrder::counted() {
    std::int32_t edge = by_count();
    if (edge >= 0)
        publish(edge);
    return edge;
}

std::int32_t GoalOrder::by_plan(int plans) {
    if (std::exchange(is_initial_new_, false))
        relaxation_.forget_ways_to(holds_initially_);
    find_for_others();
    for (int attempt = 0; attempt < plans; ++attempt) {
        std::vector<Use> uses = plan(attempt == 0);
        if (!uses.empty())
            return std::ranges::min_element(uses, {}, &Use::achiever_cost)->edge;
        if (attempt == 0)
            if (std::int32_t edge = by_search(); edge >= 0)
                return edge;
        for (std::int32_t action : planned_)
            relaxation_.make_dearer(action, tuning::goal_repeated_action_cost);
    }
    return -1;
}

void GoalOrder::set_prices(bool with_own_edges, bool with_inferred) {
    relaxation_.price.resize(edges_.size() + 2 * inferred_.token.size());
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

// Which goals may be reached without another own edge. One that may once always may; and as others
// are taken to achieve all their tokens, at a price, more are reached only after an own edge.
void GoalOrder::find_for_others() {
    if (std::exchange(made_for_others_, made_) == made_)
        return;
    if (std::ranges::all_of(goals_, [&](std::int32_t fact) { return is_for_others_[fact]; }))
        return;
    set_prices(false, true);
    std::vector<std::uint8_t> is_reached = relaxation_.reachable();
    for (std::int32_t fact : goals_)
        is_for_others_[fact] = is_reached[fact];
}

// The own unpublished edges that the first goal needs whose plan has any. Goals that nobody else
// can reach come first.
std::vector<GoalOrder::Use> GoalOrder::plan(bool is_first) {
    set_prices(true, true);
    if (is_first)
        relaxation_.explore(goals_);
    else
        relaxation_.explore_again(goals_);
    planned_.clear();
    std::vector<Use> uses;
    Ints open = goals_;
    std::erase_if(open, [&](std::int32_t f) { return !relaxation_.is_reached(f); });
    while (!open.empty() && uses.empty()) {
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
        if (action == initial)
            continue;
        planned_.push_back(action);
        relaxation_.for_each_way(action, [&, is_free = no_label](PricedRelaxation::Way way) {
            if (way.label == is_free || (is_own(way.label) && edges_.is_published[way.label]))
                reached.push_back(way.fact);
        });
        for (std::int32_t need : relaxation_.needs(action))
            if (std::exchange(seen_[need], stamp_) != stamp_)
                open.push_back(need);
    }
}

// Is the last relaxed plan a real one? It is if no action deletes what the goal or another one
// needs.
bool GoalOrder::is_sound() const {
    std::vector<std::int32_t> needed_by(task().facts, nobody);
    for (std::int32_t fact : task().goal)
        needed_by[fact] = many;
    for (std::int32_t action : planned_)
        for (std::int32_t fact : task().pre[action])
            if (needed_by[fact] != action)
                needed_by[fact] = needed_by[fact] == nobody ? action : many;
    return std::ranges::none_of(
        planned_, [&](std::int32_t action) { return deletes_what_is_needed(action, needed_by); });
}

// Does an action delete something that another one needs?
bool GoalOrder::deletes_what_is_needed(std::int32_t action,
                              const std::vector<std::int32_t> &needed_by) const {
    auto is_needed = [&](std::int32_t fact) {
        return needed_by[fact] != nobody && needed_by[fact] != action;
    };
    auto inferred = std::ranges::equal_range(inferred_.deletes, action, {},
                                             [](const auto &pair) { return pair.first; });
    return std::ranges::any_of(task().del[action], is_needed) ||
           std::ranges::any_of(inferred, [&](const auto &pair) { return is_needed(pair.second); });
}

// Is the goal reachable without inferred achievers if nothing is deleted? More edges never hurt.
bool GoalOrder::is_reachable(bool with_own_edges) {
    bool &is_known = is_reachable_[with_own_edges];
    if (is_known)
        return true;
    set_prices(with_own_edges, false);
    std::vector<std::uint8_t> is_reached = relaxation_.reachable();
    return is_known =
               std::ranges::all_of(goals_, [&](std::int32_t fact) { return is_reached[fact]; });
}

// What was disclosed, and all that is taken to be deleted.
Disclosed GoalOrder::known() const {
    Disclosed made = disclosed_;
    made.deletes.insert(made.deletes.end(), inferred_.deletes.begin(), inferred_.deletes.end());
    return made;
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

// If tokens are deleted, all edges of a plan with inferred achievers, else the first edge of a plan
// without.
void GoalOrder::plan_for_real() {
    bool with_inferred = are_tokens_deleted_;
    for (int attempt = 0; attempt < 2 && planned_edges_.empty();
         ++attempt, with_inferred = !with_inferred)
        if (with_inferred || is_reachable(true))
            planned_edges_ =
                edges_of_plan(task(), known(), with_inferred ? inferred() : Disclosed(), edges_,
                              are_tokens_deleted_, evaluations_left_);
    if (!are_tokens_deleted_ && planned_edges_.size() > 1)
        planned_edges_.erase(planned_edges_.begin() + 1, planned_edges_.end());
    std::ranges::reverse(planned_edges_);
}

// An edge of a real plan.
std::int32_t GoalOrder::by_search() {
    if (is_solved_ || evaluations_left_ <= 0 || made_ < next_search_)
        return -1;
    bool is_real = is_sound(), is_known = is_reachable(false);
    is_solved_ = is_known && (is_real || is_solvable(task(), known(), evaluations_left_));
    if (is_solved_ || is_real)
        return -1;
    plan_for_real();
    if (planned_edges_.empty())
        pause_ = tuning::goal_pause_growth * pause_ + 1;
    else
        encourage();
    next_search_ = made_ + pause_;
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
        const Ints &edges = queues_[queue];
        if (edges.empty())
            continue;
        std::int32_t edge = edges.back();
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
