#include "heuristics/relaxed_bound.hpp"

namespace tacit {

namespace {

using LmCutGuide = RelaxedGuide<RelaxedBound::By::lm_cut>;

struct RegisterLmCut {
    RegisterLmCut(const char *name, const char *about, Scope scope) {
        register_heuristic({name, about,
                            [](const StripsTask &task, bool use_costs) {
                                return std::unique_ptr<Heuristic>(new LmCutGuide(task, use_costs));
                            },
                            [](const StripsTask &task, const std::vector<Gates> &gates) {
                                return std::unique_ptr<AdmissibleHeuristic>(new RelaxedBound(
                                    task, task.cost, RelaxedBound::By::lm_cut, gates));
                            },
                            scope});
    }
};

const RegisterLmCut registered_own("lmcut", "LM-cut, admissible: on the agent's own view",
                                   Scope::own);
const RegisterLmCut registered_shown("lmcut-projection",
                                     "LM-cut, admissible: on the projection of the ledger",
                                     Scope::shown);
const RegisterLmCut registered_both("lmcut-both",
                                    "LM-cut, admissible: the larger of own view and projection",
                                    Scope::both);

}  // namespace

}  // namespace tacit
