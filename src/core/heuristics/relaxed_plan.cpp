#include "heuristics/relaxed_plan.hpp"

#include <algorithm>
#include <limits>

namespace tacit {

RelaxedPlan::RelaxedPlan(const StripsTask &task, bool use_costs)
    : task_(task), relaxation_(task, use_costs), fact_seen_(task.facts), action_seen_(task.size()) {
}

bool RelaxedPlan::make(const Word *state) {
    actions_.clear();
    applicable_.clear();
    if (!relaxation_.explore(state))
        return false;
    next_stamp();
    for (std::int32_t fact : task_.goal)
        open(fact);
    std::int64_t total = 0;
    while (!open_.empty()) {
        std::int32_t action = relaxation_.supporter(open_.back());
        open_.pop_back();
        if (action_seen_[action] == stamp_)
            continue;
        action_seen_[action] = stamp_;
        actions_.push_back(action);
        total += relaxation_.action_cost(action);
        bool is_applicable = true;
        for (std::int32_t fact : task_.pre[action])
            is_applicable &= !open(fact);
        if (is_applicable)
            applicable_.push_back(action);
    }
    cost_ = static_cast<int>(std::min<std::int64_t>(total, std::numeric_limits<int>::max()));
    return true;
}

// Whether the fact does not hold in the state; if so, it will be supported.
inline bool RelaxedPlan::open(std::int32_t fact) {
    if (relaxation_.cost(fact) == 0)
        return false;
    if (fact_seen_[fact] != stamp_) {
        fact_seen_[fact] = stamp_;
        open_.push_back(fact);
    }
    return true;
}

void RelaxedPlan::next_stamp() {
    if (++stamp_ == 0) {
        std::ranges::fill(fact_seen_, 0);
        std::ranges::fill(action_seen_, 0);
        stamp_ = 1;
    }
}

}  // namespace tacit
