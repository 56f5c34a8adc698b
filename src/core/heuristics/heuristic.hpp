// What guides a search, and the registry of all heuristics.
//
// A heuristic is one file in this folder that registers itself with a name and a line of
// documentation. It reads the needs and adds of the task, never its deletes or prefixes: so it
// stays valid when actions gain deletes, and only changes of adds must be reported to it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heuristics/relaxed_plan.hpp"
#include "heuristics/tolls.hpp"

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

// A heuristic that never says more than a plan costs: it counts what actions cost, be it 0, so it
// may be 0 elsewhere than in goal states.
class AdmissibleHeuristic {
  public:
    virtual ~AdmissibleHeuristic() = default;

    // `dead_end` or a value; it may stop once that is `enough`. Per owner of gates, its tolls, or
    // null.
    virtual int evaluate(const Word *state, int enough,
                         std::span<const Tolls *const> tolls = {}) = 0;
};

// What an admissible heuristic looks at where an agent has a task of its own and that which
// everybody sees (`mafs/bound.hpp`). A search of one task makes no difference.
enum class Scope : std::uint8_t { own, shown, both };

struct HeuristicEntry {
    std::string name, about;
    std::unique_ptr<Heuristic> (*make)(const StripsTask &task, bool use_costs);
    // Null unless it is admissible.
    std::unique_ptr<AdmissibleHeuristic> (*make_admissible)(
        const StripsTask &task, const std::vector<Gates> &gates) = nullptr;
    Scope scope = Scope::own;
};

std::vector<HeuristicEntry> &heuristics();  // sorted by name
// Throws std::invalid_argument if there is none of this name.
std::unique_ptr<Heuristic> make_heuristic(const std::string &name, const StripsTask &task,
                                          bool use_costs);
// Throws std::invalid_argument if there is none of this name, or it is not admissible.
const HeuristicEntry &find_admissible(const std::string &name);

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
