#include "analysis/refute.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "analysis/last_steps.hpp"
#include "analysis/pairs.hpp"
#include "analysis/triples.hpp"
#include "minimum/relaxed_cuts.hpp"

namespace tacit {

namespace {

constexpr std::int64_t max_words = 1'000'000'000;  // of triples, each time all actions are taken
constexpr std::size_t max_bytes = std::size_t{1} << 28;

using Flags = std::vector<std::uint8_t>;

// How many last steps every plan takes at least; no more than `most` are counted. Each is an edge
// to a fact of its own, from which its effects follow.
std::int64_t last_steps_needed(std::int64_t most, const StripsTask &task, const Flags &is_last,
                               const Pairs &pairs) {
    PricedEdges edges;
    Rows pre, add, del;
    std::int32_t facts = task.facts;
    auto put = [&](Row needs, Row adds) {
        pre.append(needs);
        add.append(adds);
        del.close();
    };
    for (std::size_t a = 0; a < task.size(); ++a) {
        if (!pairs.allows(task.pre[a]))
            continue;
        if (!is_last[a]) {
            put(task.pre[a], task.add[a]);
            continue;
        }
        edges.giver.push_back(static_cast<std::int32_t>(pre.size()));
        edges.fact.push_back(facts);
        put(task.pre[a], {});
        put(Ints{facts++}, task.add[a]);
    }
    edges.price.assign(edges.giver.size(), 1);
    Ints ones(pre.size(), 1), zeros(pre.size(), 0);
    StripsTask priced(facts, task.init, task.goal, pre, add, del, ones, zeros);
    return lm_cut(priced, edges, edges.price, most).value;
}

// Can this action be followed by no other public one and have the public goals hold?
bool may_end(std::size_t action, const StripsTask &task, std::int32_t public_facts,
             const Pairs &pairs) {
    auto has = [](Row row, std::int32_t fact) { return std::ranges::binary_search(row, fact); };
    Ints before(task.pre[action].begin(), task.pre[action].end());
    for (std::int32_t fact : task.goal) {
        if (fact >= public_facts || has(task.add[action], fact))
            continue;
        if (has(task.del[action], fact))
            return false;
        before.push_back(fact);
    }
    std::ranges::sort(before);
    before.erase(std::ranges::unique(before).begin(), before.end());
    return pairs.allows(before);
}

Refutation by_last_steps(const StripsTask &task, std::int32_t public_facts, const Flags &is_public,
                         const Pairs &pairs) {
    Flags is_last = last_steps(task, public_facts, is_public, pairs);
    std::set<std::int32_t> takers, actors;  // agents who have last steps, and public actions at all
    bool can_end = false;
    for (std::size_t a = 0; a < task.size(); ++a) {
        if (!is_public[a] || !pairs.allows(task.pre[a]))
            continue;
        actors.insert(task.group[a]);
        if (is_last[a]) {
            takers.insert(task.group[a]);
            can_end = can_end || may_end(a, task, public_facts, pairs);
        }
    }
    if (takers.empty())
        return Refutation::none;
    auto count = static_cast<std::int64_t>(takers.size());
    std::int64_t needed = last_steps_needed(count + 1, task, is_last, pairs);
    if (needed > count)
        return Refutation::last_steps;
    return needed == count && takers == actors && !can_end ? Refutation::last_of_all
                                                           : Refutation::none;
}

bool is_out_of_reach(Triples triples) {
    return triples.work() <= max_words && triples.bytes() <= max_bytes && !triples.reach_goal();
}

}  // namespace

Refutation refute(const StripsTask &task, std::int32_t public_facts, const Flags &is_public,
                  bool by_triples) {
    if (is_public.size() != task.size())
        throw std::invalid_argument("not one word per action on whether it is public");
    if (std::ranges::any_of(task.group, [](std::int32_t owner) { return owner < 0; }))
        throw std::invalid_argument("an action belongs to nobody");
    Pairs pairs = reachable_pairs(task);
    if (!pairs.allows(task.goal))
        return Refutation::pairs;
    if (Refutation found = by_last_steps(task, public_facts, is_public, pairs);
        found != Refutation::none)
        return found;
    if (by_triples && is_out_of_reach(Triples(task, pairs)))
        return Refutation::triples;
    return Refutation::none;
}

}  // namespace tacit
