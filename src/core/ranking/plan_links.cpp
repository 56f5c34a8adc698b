#include "ranking/plan_links.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "util/bits.hpp"

namespace tacit {

namespace {

constexpr std::int32_t no_achiever = -2, initially = -1;

// Does the plan reach the goal without the step at `left_out` and the steps that need it? `kept`
// are the others.
bool is_plan_without(const StripsTask &task, const Ints &plan, std::size_t left_out, Ints &kept) {
    Bits state(task.facts);
    for (std::int32_t fact : task.init)
        state.set(fact);
    auto holds = [&](std::span<const std::int32_t> facts) {
        return std::ranges::all_of(facts, [&](std::int32_t fact) { return state[fact]; });
    };
    kept.clear();
    for (std::size_t step = 0; step < plan.size(); ++step) {
        std::int32_t action = plan[step];
        if (step == left_out || !holds(task.pre[action]))
            continue;
        for (std::int32_t fact : task.del[action])
            state.reset(fact);
        for (std::int32_t fact : task.add[action])
            state.set(fact);
        kept.push_back(action);
    }
    return holds(task.goal);
}

}  // namespace

Ints without_useless_steps(const StripsTask &task, const Ints &plan) {
    Ints best = plan, kept;
    for (std::size_t step = 0; step < best.size();)
        if (is_plan_without(task, best, step, kept))
            best.swap(kept);
        else
            ++step;
    return best;
}

PlanLinks links_of(const StripsTask &whole, const StripsTask &known, const Ints &plan) {
    std::vector<std::int32_t> first(whole.facts,
                                    no_achiever);  // achiever since it was last deleted
    Bits is_known(whole.facts);                    // holds by what is known
    for (std::int32_t fact : whole.init)
        first[fact] = initially;
    for (std::int32_t fact : known.init)
        is_known.set(fact);
    PlanLinks found{{}, plan.size()};
    for (std::int32_t action : plan) {
        for (std::int32_t fact : whole.pre[action])
            if (!is_known[fact]) {
                found.links.push_back({first[fact], fact});
                is_known.set(fact);
            }
        for (std::int32_t fact : whole.del[action]) {
            first[fact] = no_achiever;
            is_known.reset(fact);
        }
        for (std::int32_t fact : whole.add[action])
            if (first[fact] == no_achiever)
                first[fact] = action;
        for (std::int32_t fact : known.add[action])
            is_known.set(fact);
    }
    std::vector<PlanLink> once;
    for (const PlanLink &link : found.links)
        if (std::ranges::find(once, link) == once.end())
            once.push_back(link);
    found.links = std::move(once);
    return found;
}

Ints own_edges(const PlanLinks &plan, const OwnEdges &edges) {
    std::map<PlanLink, std::int32_t> number;
    for (std::size_t e = 0; e < edges.size(); ++e)
        if (edges.is_positive[e] && !edges.is_published[e])
            number.emplace(PlanLink{edges.achiever[e], edges.token[e]}, e);
    Ints found;
    for (const PlanLink &link : plan.links)
        if (auto at = number.find(link); at != number.end())
            found.push_back(at->second);
    return found;
}

}  // namespace tacit
