// The cost of one relaxed plan, made of the cheapest supporters (h_add) from the goals backwards.
//
// Preferred are the actions of that plan which are applicable at once.
#include <algorithm>
#include <limits>

#include "heuristics/heuristic.hpp"
#include "heuristics/relaxation.hpp"

namespace tacit {

namespace {

class RelaxedPlan : public Heuristic {
  public:
    RelaxedPlan(const StripsTask &task, bool use_costs)
        : task_(task), relaxation_(task, use_costs), fact_seen_(task.facts),
          action_seen_(task.size()) {}

    int evaluate(const Word *state) override {
        helpful_.clear();
        if (!relaxation_.explore(state))
            return dead_end;
        next_stamp();
        open_.clear();
        for (std::int32_t fact : task_.goal)
            open(fact);
        std::int64_t total = 0;
        while (!open_.empty()) {
            std::int32_t action = relaxation_.supporter(open_.back());
            open_.pop_back();
            if (action_seen_[action] == stamp_)
                continue;
            action_seen_[action] = stamp_;
            total += relaxation_.action_cost(action);
            bool is_applicable = true;
            for (std::int32_t fact : task_.pre[action])
                is_applicable &= !open(fact);
            if (is_applicable)
                helpful_.push_back(action);
        }
        return static_cast<int>(std::min<std::int64_t>(total, std::numeric_limits<int>::max()));
    }

    void preferred(Ints &found) const override {
        found.insert(found.end(), helpful_.begin(), helpful_.end());
    }
    void adds_changed() override { relaxation_.adds_changed(); }

  private:
    const StripsTask &task_;
    Relaxation relaxation_;
    Ints open_, helpful_;
    std::vector<std::uint32_t> fact_seen_, action_seen_;
    std::uint32_t stamp_ = 0;

    // Whether the fact does not hold in the state; if so, it will be supported.
    bool open(std::int32_t fact) {
        if (relaxation_.cost(fact) == 0)
            return false;
        if (fact_seen_[fact] != stamp_) {
            fact_seen_[fact] = stamp_;
            open_.push_back(fact);
        }
        return true;
    }

    void next_stamp() {
        if (++stamp_ == 0) {
            std::ranges::fill(fact_seen_, 0);
            std::ranges::fill(action_seen_, 0);
            stamp_ = 1;
        }
    }
};

const RegisterHeuristic<RelaxedPlan> registered(
    "ff", "cost of a plan without deletes (FF), supporters chosen by h_add");

}  // namespace

}  // namespace tacit
