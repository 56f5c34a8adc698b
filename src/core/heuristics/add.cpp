#include <limits>

#include "heuristics/heuristic.hpp"
#include "heuristics/relaxation.hpp"

namespace tacit {

namespace {

class Additive : public Heuristic {
  public:
    Additive(const StripsTask &task, bool use_costs) : task_(task), relaxation_(task, use_costs) {}

    int evaluate(const Word *state) override {
        if (!relaxation_.explore(state))
            return dead_end;
        std::int64_t sum = 0;
        for (std::int32_t fact : task_.goal)
            sum += relaxation_.cost(fact);
        return static_cast<int>(std::min<std::int64_t>(sum, std::numeric_limits<int>::max()));
    }
    void adds_changed() override { relaxation_.adds_changed(); }

  private:
    const StripsTask &task_;
    Relaxation relaxation_;
};

const RegisterHeuristic<Additive> registered_add(
    "add", "sum of the costs of the goals without deletes, as if nothing served two of them");

}  // namespace

}  // namespace tacit
