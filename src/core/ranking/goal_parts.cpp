// The relaxed plans of `GoalOrder`, part by part.
//
// Goals of different parts do not change each other's costs. So the goals of each part are planned
// for by themselves, in the order in which they would come among all goals. The turn of a part's
// goal comes once those of all its goals before it have come, which is at the highest of their
// ranks; the part whose first use comes earliest decides.
//
// Each begins with what all agents suppose, and changes what is the agent's own.
#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>

#include "ranking/goal_order.hpp"
#include "util/tuning.hpp"

namespace tacit {

namespace {

constexpr auto closed = PricedRelaxation::unreached;

std::uint64_t mixed(std::int32_t achiever, std::int32_t token, bool is_recalled) {
    auto low = static_cast<std::uint32_t>(token);
    std::uint64_t key = static_cast<std::uint64_t>(achiever) << 32 ^ low;
    for (std::uint64_t salt : {0x9E3779B97F4A7C15ULL, 0xBF58476D1CE4E5B9ULL ^ is_recalled})
        key = std::rotl((key ^ salt) * 0x94D049BB133111EBULL, 29);
    return key;
}

}  // namespace

// An own edge from one part to another makes one of all.
void GoalOrder::divide(Inference::Division division) {
    const Parts *parts = division.parts.get();
    auto leads_out = [&](std::size_t edge) {
        std::int32_t achiever = edges_.achiever[edge];
        return edges_.is_positive[edge] && achiever != initial &&
               parts->of_action(achiever) != parts->of_fact(edges_.token[edge]);
    };
    for (std::size_t edge = 0; edge < edges_.size() && parts->size() > 1; ++edge)
        if (leads_out(edge)) {
            division = inferred_.inference->whole(*shared_);
            parts = division.parts.get();
        }
    std::uint64_t version = 0;
    for (const PartPlan &known : part_plans_)
        version += known.version;
    parts_ = division.parts;
    costs_ = division.costs;
    relaxation_.divide(std::move(division));
    part_plans_.assign(parts_->size(), {});
    if (parts_->size() == 1)
        part_plans_.front().version = version;
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

// There is a new free way to this token. The version of what was published does not depend on the
// order.
void GoalOrder::note_way(std::int32_t achiever, std::int32_t token, bool is_recalled, bool is_own) {
    std::int32_t part = parts_->of_fact(token);
    if (!holds_initially_[token])
        part_plans_[part].version += mixed(achiever, token, is_recalled);
    achieved_[token] += !is_recalled;
    if (achiever == initial)
        holds_initially_.set(token);
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
        price[first_own_label_ + e] = edges_.is_published[e] ? 0
                                      : with_own_edges       ? edge_cost_[e]
                                                             : closed;
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
        if (part_plans_[part].is_for_others_known ||
            std::ranges::all_of(goals_of_part_[part], is_for_others))
            continue;
        set_prices(part, false, true);
        PricedRelaxation::Visit visit(relaxation_, part, part_plans_[part].version);
        visit.infer_nothing_own();
        find_for_others(part);
    }
}

// Those that are reached now, while own edges are closed.
void GoalOrder::find_for_others(std::int32_t part) {
    part_plans_[part].is_for_others_known = true;
    for (std::int32_t goal : goals_of_part_[part])
        if (relaxation_.is_reached(goals_[goal]))
            is_for_others_.set(goals_[goal]);
}

void GoalOrder::allow_own_edges(std::int32_t part, PricedRelaxation::Visit &visit,
                                const Ints &goals) {
    std::vector<PricedRelaxation::Effect> effects;
    for (std::int32_t e : edges_of_part_[part])
        if (edges_.is_positive[e] && !edges_.is_published[e]) {
            relaxation_.price[first_own_label_ + e] = edge_cost_[e];
            effects.push_back(effect(e));
        }
    visit.lower_prices(effects, goals);
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
    set_prices(part, false, true);
    PricedRelaxation::Visit visit(relaxation_, part, part_plans_[part].version);
    visit.infer_nothing_own();
    if (!part_plans_[part].is_for_others_known)
        find_for_others(part);
    allow_own_edges(part, visit, goals);
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
        if (!open.empty() && uses.empty())
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
    if (reach == unknown && !goals.empty())
        reach = (with_own_edges ? can_reach(part, true) : can_all_reach(part)) ? yes : no;
    return reach != no;
}

bool GoalOrder::can_reach(std::int32_t part, bool with_own_edges) {
    set_prices(part, with_own_edges, false);
    relaxation_.find_reachable(part);
    return std::ranges::all_of(goals_of_part_[part],
                               [&](auto goal) { return relaxation_.is_reached(goals_[goal]); });
}

// What was published is the same for all agents, so one of them finds out.
bool GoalOrder::can_all_reach(std::int32_t part) {
    std::scoped_lock lock(costs_->mutex);
    SharedCosts::Part &known = costs_->parts[part];
    std::uint64_t version = part_plans_[part].version;
    if (!known.is_reach_known || known.version_of_reach != version) {
        known.has_goals = can_reach(part, false);
        known.version_of_reach = version;
        known.is_reach_known = true;
    }
    return known.has_goals;
}

}  // namespace tacit
