// The relaxed plans of `GoalOrder`, part by part.
//
// Goals of different parts do not change each other's costs. So the goals of each part are planned
// for by themselves, in the order in which they would come among all goals. The turn of a part's
// goal comes once those of all its goals before it have come, which is at the highest of their
// ranks; the part whose first use comes earliest decides.
#include <algorithm>
#include <utility>

#include "ranking/goal_order.hpp"
#include "util/tuning.hpp"

namespace tacit {

namespace {

constexpr auto closed = PricedRelaxation::unreached;

}  // namespace

// An own edge from one part to another makes one of all.
void GoalOrder::divide(std::shared_ptr<const Parts> parts) {
    auto leads_out = [&](std::size_t edge) {
        std::int32_t achiever = edges_.achiever[edge];
        return edges_.is_positive[edge] && achiever != initial &&
               parts->of_action(achiever) != parts->of_fact(edges_.token[edge]);
    };
    for (std::size_t edge = 0; edge < edges_.size() && parts->size() > 1; ++edge)
        if (leads_out(edge))
            parts = inferred_.inference->whole(*shared_);
    parts_ = std::move(parts);
    relaxation_.divide(parts_);
    part_plans_.assign(parts_->size(), {});
    Rows goals, edges;
    for (std::int32_t fact : goals_) {
        goals.push(parts_->of_fact(fact));
        goals.close();
    }
    for (std::int32_t token : edges_.token) {
        edges.push(parts_->of_fact(token));
        edges.close();
    }
    goals_of_part_ = inverted(goals, parts_->size());
    edges_of_part_ = inverted(edges, parts_->size());
}

// There is a new free way to this token.
void GoalOrder::note_way(std::int32_t achiever, std::int32_t token, bool is_own) {
    std::int32_t part = parts_->of_fact(token);
    if (achiever != initial && parts_->of_action(achiever) != part)
        return divide(inferred_.inference->whole(*shared_));
    PartPlan &known = part_plans_[part];
    known.is_planned = false;
    if (is_own)
        known.is_for_others_known = false;
    for (auto &reach : known.reach)
        if (reach == PartPlan::Reach::no)
            reach = PartPlan::Reach::unknown;
}

void GoalOrder::set_prices(bool with_own_edges, bool with_inferred) {
    for (std::int32_t part = 0; part < parts_->size(); ++part)
        set_prices(part, with_own_edges, with_inferred);
}

void GoalOrder::set_prices(std::int32_t part, bool with_own_edges, bool with_inferred) {
    const InferredAchievers &all = inferred_.all();
    relaxation_.price.resize(edges_.size() + 2 * all.token.size());
    auto price = relaxation_.price.begin();
    for (std::int32_t e : edges_of_part_[part])
        price[e] = edges_.is_published[e] ? 0 : with_own_edges ? edge_cost_[e] : closed;
    price += static_cast<std::ptrdiff_t>(edges_.size());
    for (std::int32_t h : parts_->places(part)) {
        Cost more = count(achieved_, all.token[h]) ? tuning::goal_second_achiever_cost : 0;
        Cost initially = all.is_likely_initially[h] ? tuning::goal_likely_achiever_cost
                                                    : tuning::goal_vague_achiever_cost;
        price[2 * h] = with_inferred ? tuning::goal_likely_achiever_cost + more : closed;
        price[2 * h + 1] = with_inferred ? initially + more : closed;
    }
}

// Which goals may be reached without another own edge. One that may once always may; and as others
// are taken to achieve all their tokens, at a price, more are reached only after an own edge.
void GoalOrder::find_for_others() {
    for (std::int32_t part = 0; part < parts_->size(); ++part) {
        auto is_for_others = [&](std::int32_t goal) { return is_for_others_[goals_[goal]]; };
        if (std::exchange(part_plans_[part].is_for_others_known, true) ||
            std::ranges::all_of(goals_of_part_[part], is_for_others))
            continue;
        set_prices(part, false, true);
        relaxation_.find_reachable(part);
        for (std::int32_t goal : goals_of_part_[part])
            if (relaxation_.is_reached(goals_[goal]))
                is_for_others_.set(goals_[goal]);
    }
}

// What `plan` finds for the first goal whose plan uses anything. If there is none, the actions of
// all parts are those of the plan.
std::vector<GoalOrder::Use> GoalOrder::plan_by_parts() {
    const PartPlan *first = nullptr;
    for (std::int32_t part = 0; part < parts_->size(); ++part) {
        if (goals_of_part_[part].empty())
            continue;
        if (!part_plans_[part].is_planned)
            plan_part(part);
        const PartPlan &known = part_plans_[part];
        if (!known.uses.empty() && (!first || known.last < first->last))
            first = &known;
    }
    if (first)
        return first->uses;
    planned_.clear();
    for (const PartPlan &known : part_plans_)
        planned_.insert(planned_.end(), known.actions.begin(), known.actions.end());
    return {};
}

void GoalOrder::plan_part(std::int32_t part) {
    Ints goals, open;
    for (std::int32_t goal : goals_of_part_[part])
        goals.push_back(goals_[goal]);
    set_prices(part, true, true);
    relaxation_.explore(goals, part);
    planned_.clear();
    std::vector<Use> uses;
    for (std::int32_t goal : goals_of_part_[part])
        if (relaxation_.is_reached(goals_[goal]))
            open.push_back(goal);
    auto rank = [&](std::int32_t goal) {
        std::int32_t fact = goals_[goal];
        return Rank(is_for_others_[fact], relaxation_.cost(fact), goal);
    };
    Rank last{};
    while (!open.empty() && uses.empty()) {
        auto first = std::ranges::min_element(open, {}, rank);
        last = std::max(last, rank(*first));
        Ints reached;
        trace(goals_[*first], uses, reached);
        open.erase(first);
        relaxation_.reach(reached);
    }
    PartPlan &known = part_plans_[part];
    known.is_planned = true;
    known.last = last;
    known.actions = uses.empty() ? std::exchange(planned_, {}) : Ints();
    known.uses = std::move(uses);
}

// Are the goals reachable without inferred achievers if nothing is deleted? More edges never hurt.
bool GoalOrder::is_reachable(bool with_own_edges) {
    for (bool is_asked : {false, true})  // first what is known
        for (std::int32_t part = 0; part < parts_->size(); ++part) {
            auto reach = part_plans_[part].reach[with_own_edges];
            if (reach == PartPlan::Reach::no ||
                (is_asked && !is_part_reachable(part, with_own_edges)))
                return false;
        }
    return true;
}

bool GoalOrder::is_part_reachable(std::int32_t part, bool with_own_edges) {
    using enum PartPlan::Reach;
    auto &reach = part_plans_[part].reach[with_own_edges];
    Row goals = goals_of_part_[part];
    if (reach == unknown && !goals.empty()) {
        set_prices(part, with_own_edges, false);
        relaxation_.find_reachable(part);
        auto is_reached = [&](auto goal) { return relaxation_.is_reached(goals_[goal]); };
        reach = std::ranges::all_of(goals, is_reached) ? yes : no;
    }
    return reach != no;
}

}  // namespace tacit
