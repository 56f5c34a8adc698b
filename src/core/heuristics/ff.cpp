#include "heuristics/heuristic.hpp"
#include "heuristics/relaxed_plan.hpp"

namespace tacit {

namespace {

class FastForward : public Heuristic {
  public:
    FastForward(const StripsTask &task, bool use_costs) : plan_(task, use_costs) {}

    int evaluate(const Word *state) override { return plan_.make(state) ? plan_.cost() : dead_end; }
    // The actions of the relaxed plan that are applicable at once.
    void preferred(Ints &found) const override {
        found.insert(found.end(), plan_.applicable().begin(), plan_.applicable().end());
    }
    void adds_changed() override { plan_.adds_changed(); }

  private:
    RelaxedPlan plan_;
};

const RegisterHeuristic<FastForward> registered(
    "ff", "cost of a plan without deletes (FF), supporters chosen by h_add");

}  // namespace

}  // namespace tacit
