// What guides a search, and the registry of all heuristics.
//
// A heuristic is one file in this folder that registers itself with a name and a line of
// documentation. It reads the needs and adds of the task, never its deletes or prefixes: so it
// stays valid when actions gain deletes, and only changes of adds must be reported to it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heuristics/relaxed_plan.hpp"

namespace tacit {

inline constexpr int dead_end = -1;

class Heuristic {
  public:
    virtual ~Heuristic() = default;

    // 0 exactly for goal states; `dead_end` only if no plan starts here.
    virtual int evaluate(const Word *state) = 0;
    // Appends applicable actions of the state last evaluated that are likely to help.
    virtual void preferred(Ints &) const {}
    virtual void adds_changed() {}
    // Its relaxed plans, if it has any and all actions cost 1 there, for others to share.
    virtual RelaxedPlan *unit_plan() { return nullptr; }
    // What it remembers of states.
    virtual std::size_t bytes() const { return 0; }
};

struct HeuristicEntry {
    std::string name, about;
    std::unique_ptr<Heuristic> (*make)(const StripsTask &task, bool use_costs);
};

std::vector<HeuristicEntry> &heuristics();  // sorted by name
// Throws std::invalid_argument if there is none of this name.
std::unique_ptr<Heuristic> make_heuristic(const std::string &name, const StripsTask &task,
                                          bool use_costs);

template <typename T>
struct RegisterHeuristic {
    RegisterHeuristic(const char *name, const char *about);
};

void register_heuristic(HeuristicEntry entry);

template <typename T>
RegisterHeuristic<T>::RegisterHeuristic(const char *name, const char *about) {
    register_heuristic({name, about, [](const StripsTask &task, bool use_costs) {
                            return std::unique_ptr<Heuristic>(new T(task, use_costs));
                        }});
}

}  // namespace tacit
