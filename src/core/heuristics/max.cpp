#include "heuristics/relaxed_bound.hpp"

namespace tacit {

namespace {

struct RegisterMax {
    RegisterMax() {
        register_heuristic(
            {"hmax", "cost of the hardest goal without deletes (h_max), admissible and cheap",
             [](const StripsTask &task, bool use_costs) {
                 return std::unique_ptr<Heuristic>(
                     new RelaxedGuide<RelaxedBound::By::max>(task, use_costs));
             },
             [](const StripsTask &task, const std::vector<Gates> &gates) {
                 return std::unique_ptr<AdmissibleHeuristic>(
                     new RelaxedBound(task, task.cost, RelaxedBound::By::max, gates));
             },
             Scope::own});
    }
};

const RegisterMax registered_max;

}  // namespace

}  // namespace tacit
