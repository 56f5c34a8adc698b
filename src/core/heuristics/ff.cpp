#include "heuristics/heuristic.hpp"

namespace tacit {

namespace {

class FastForward : public Heuristic {
  public:
    FastForward(const StripsTask &task, bool use_costs)
        : plan_(task, use_costs), has_unit_costs_(!use_costs) {}

    int evaluate(const Word *state) override { return plan_.make(state) ? plan_.cost() : dead_end; }
    // The actions of the relaxed plan that are applicable at once.
    void preferred(Ints &found) const override {
        found.insert(found.end(), plan_.applicable().begin(), plan_.applicable().end());
    }
    void adds_changed() override { plan_.adds_changed(); }
    RelaxedPlan *unit_plan() override { return has_unit_costs_ ? &plan_ : nullptr; }

  private:
    RelaxedPlan plan_;
    bool has_unit_costs_;
};

const RegisterHeuristic<FastForward>
    registered_ff("ff", "cost of a plan without deletes (FF), supporters chosen by h_add");

}  // namespace

}  // namespace tacit
