#include "heuristics/heuristic.hpp"
#include "strips/successors.hpp"

namespace tacit {

namespace {

class GoalCount : public Heuristic {
  public:
    GoalCount(const StripsTask &task, bool) : task_(task) {}

    int evaluate(const Word *state) override {
        int open = 0;
        for (std::int32_t fact : task_.goal)
            open += !has(state, fact);
        return open;
    }

  private:
    const StripsTask &task_;
};

const RegisterHeuristic<GoalCount> registered_goal_count("goalcount",
                                                         "number of goals that do not hold");

}  // namespace

}  // namespace tacit
