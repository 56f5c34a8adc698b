#include "heuristics/heuristic.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tacit {

std::vector<HeuristicEntry> &heuristics() {
    static std::vector<HeuristicEntry> all;
    return all;
}

void register_heuristic(HeuristicEntry entry) {
    auto &all = heuristics();
    auto at = std::find_if(all.begin(), all.end(),
                           [&](const HeuristicEntry &e) { return entry.name < e.name; });
    all.insert(at, std::move(entry));
}

std::unique_ptr<Heuristic> make_heuristic(const std::string &name, const StripsTask &task,
                                          bool use_costs) {
    for (const HeuristicEntry &entry : heuristics())
        if (entry.name == name)
            return entry.make(task, use_costs);
    throw std::invalid_argument("there is no heuristic called '" + name + "'");
}

const HeuristicEntry &find_admissible(const std::string &name) {
    for (const HeuristicEntry &entry : heuristics())
        if (entry.name == name && entry.make_admissible)
            return entry;
    throw std::invalid_argument("there is no admissible heuristic called '" + name + "'");
}

}  // namespace tacit
