// LM-cut where nothing costs anything but edges: an action is an operator that costs nothing, and
// every edge of it one that costs the edge's price and achieves its fact alone.
#include "heuristics/lm_cut.hpp"
#include "minimum/relaxed_cuts.hpp"

namespace tacit {

LandmarkCuts lm_cut(const StripsTask &task, const PricedEdges &edges, const Ints &price,
                    std::int64_t enough) {
    Rows needs = task.pre, adds = task.add;
    Ints cost(task.size(), 0);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        needs.append(edges.achiever[e] < 0 ? Row() : task.pre[edges.achiever[e]]);
        adds.append(Row(&edges.fact[e], 1));
        cost.push_back(price[e]);
    }
    auto first_edge = static_cast<std::int32_t>(task.size());
    LandmarkCuts found;
    LmCut cuts(task.facts, task.goal, needs, adds, std::move(cost));
    auto note = [&](std::span<const std::int32_t> cut, std::int64_t) {
        found.cuts.emplace_back();
        for (std::int32_t op : cut)
            found.cuts.back().push_back(op - first_edge);
    };
    std::int64_t value = cuts.evaluate(task.init, enough, note);
    found.has_plan = value != LmCut::unreachable;
    found.value = found.has_plan ? value : 0;
    return found;
}

}  // namespace tacit
