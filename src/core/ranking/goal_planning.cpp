// The plans of `GoalOrder`: relaxed ones, and where these need nothing more, real ones.
#include <algorithm>
#include <functional>
#include <utility>

#include "ranking/goal_order.hpp"
#include "util/tuning.hpp"

namespace tacit {

namespace {

constexpr auto no_label = PricedRelaxation::free;

constexpr std::int32_t nobody = -1, many = -2;

}  // namespace

std::int32_t GoalOrder::by_plan(bool is_anew) {
    is_search_in_vain_ = false;
    if (needs_real_plans()) {
        std::int32_t edge = by_real_plan(is_anew);
        if (edge >= 0 || has_real_plan_)
            return edge;
    }
    std::vector<Use> uses = is_anew ? plan() : plan_by_parts();
    if (!uses.empty())
        return std::ranges::min_element(uses, {}, &Use::achiever_cost)->edge;
    return by_search();
}

// The own unpublished edges that the first goal needs whose plan has any, or, if it is `whole`, all
// goals. Goals that nobody else can reach come first.
std::vector<GoalOrder::Use> GoalOrder::plan(bool is_whole) {
    find_for_others();
    set_prices(true, true);
    relaxation_.explore(goals_);
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
        if (!open.empty())
            relaxation_.reach(reached);
    }
    return uses;
}

// Backwards from a goal: the own edges used for it, and all facts that hold once it is reached.
void GoalOrder::trace(std::int32_t goal, std::vector<Use> &uses, Ints &reached) {
    Ints open{goal}, seen{goal};
    seen_.set(goal);
    while (!open.empty()) {
        std::int32_t fact = open.back();
        open.pop_back();
        if (relaxation_.cost(fact) == 0)
            continue;
        reached.push_back(fact);
        auto [action, label] = relaxation_.support(fact);
        if (is_own(label))
            uses.push_back({label - first_own_label_, relaxation_.cost_of_needs(action)});
        if (action == initial) {
            if (label != no_label && !is_own(label))
                supposed_initially_.push_back(fact);
            continue;
        }
        planned_.push_back(action);
        relaxation_.for_each_way(action, [&, is_free = no_label](PricedRelaxation::Way way) {
            if (way.label == is_free ||
                (is_own(way.label) && edges_.is_published[way.label - first_own_label_]))
                reached.push_back(way.fact);
        });
        for (std::int32_t need : relaxation_.needs(action))
            if (!seen_[need]) {
                seen_.set(need);
                seen.push_back(need);
                open.push_back(need);
            }
    }
    for (std::int32_t fact : seen)
        seen_.reset(fact);
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
    return std::ranges::any_of(task().del[action], is_needed) ||
           inferred_.any_deleted_by(action, is_needed);
}

// What was disclosed, and all that is taken to be deleted.
Disclosed GoalOrder::known() const {
    Disclosed made = disclosed_;
    ActionFacts supposed = inferred_.deletes();
    made.deletes.insert(made.deletes.end(), supposed.begin(), supposed.end());
    return made;
}

Disclosed GoalOrder::supposed() const {
    Disclosed made = inferred();
    made.deletes = inferred_.deletes();
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

// Are plans without deletes misleading? They are if tokens are deleted and some action of the first
// such plan deletes what another one needs. Real plans help where the others are as good as known.
bool GoalOrder::needs_real_plans() {
    if (!std::exchange(is_begun_, true) && are_tokens_deleted_ && inferred_.is_exact) {
        plan(true);
        needs_real_plans_ = !is_sound();
    }
    return needs_real_plans_;
}

// An edge of a real plan of all agents: one that all of them find, as they suppose the same, or
// else one that also supposes what the relaxed plan does. Once its own edges are published, the
// agent leaves the rest to the others; `is_anew` if that did not do.
std::int32_t GoalOrder::by_real_plan(bool is_anew) {
    if (has_real_plan_ && !is_anew)
        return -1;
    has_real_plan_ = false;
    if (made_ < next_search_)
        return -1;
    Disclosed supposed = inferred();
    search_real_plan(supposed);
    if (!has_real_plan_) {
        plan(true);
        for (std::int32_t token : supposed_initially_)
            supposed.achieves.emplace_back(initial, token);
        search_real_plan(supposed);
    }
    return planned_edge();
}

void GoalOrder::search_real_plan(const Disclosed &supposed) {
    RealPlan found = find_real_plan(task(), known(), supposed, edges_, evaluations_left_);
    has_real_plan_ = found.is_found;
    planned_edges_ = std::move(found.own_edges);
    std::ranges::reverse(planned_edges_);
    if (hides_order_ && are_tokens_deleted_)  // then all of them are published
        std::ranges::sort(planned_edges_, std::greater{}, [&](std::int32_t edge) {
            return std::pair(edges_.achiever[edge], edges_.token[edge]);
        });
    if (!planned_edges_.empty())
        encourage();
    else if (!found.is_found)
        pause_ = tuning::growth * pause_ + 1;
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
    is_solved_ = is_known && (is_real || is_solvable(task(), known(), evaluations_left_));
    if (is_solved_ || is_real)
        return -1;
    plan_for_real();
    is_search_in_vain_ = planned_edges_.empty();
    return planned_edge();
}

// A search was worth it: what may be spent in vain is filled up again.
void GoalOrder::encourage() {
    pause_ = 0;
    evaluations_left_ = tuning::goal_evaluations_in_vain;
}

Disclosed GoalOrder::inferred() const {
    const InferredAchievers &all = inferred_.all();
    Disclosed made;
    for (std::size_t h = 0; h < all.token.size(); ++h) {
        if (inferred_.is_own(all.token[h]))
            continue;
        for (std::int32_t action : all.after[h])
            made.achieves.emplace_back(action, all.token[h]);
        if (all.after[h].empty() || all.is_likely_initially[h])
            made.achieves.emplace_back(initial, all.token[h]);
    }
    return made;
}

}  // namespace tacit
