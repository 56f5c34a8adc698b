#include "analysis/unsolvability.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "analysis/pairs.hpp"
#include "analysis/terminal_actions.hpp"
#include "analysis/triples.hpp"
#include "minimum/relaxed_cuts.hpp"
#include "util/tuning.hpp"

namespace tacit {

namespace {

using Flags = std::vector<std::uint8_t>;

// How many terminal actions every plan has at least; no more than `most` are counted. Each is an
// edge to a fact of its own, from which its effects follow.
std::int64_t terminal_actions_needed(std::int64_t most, const StripsTask &task,
                                     const Flags &is_terminal, const Pairs &pairs) {
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
        if (!is_terminal[a]) {
            put(task.pre[a], task.add[a]);
            continue;
        }
        edges.achiever.push_back(static_cast<std::int32_t>(pre.size()));
        edges.fact.push_back(facts);
        put(task.pre[a], {});
        put(Ints{facts++}, task.add[a]);
    }
    edges.price.assign(edges.achiever.size(), 1);
    Ints ones(pre.size(), 1), zeros(pre.size(), 0);
    StripsTask priced(facts, task.init, task.goal, pre, add, del, ones, zeros);
    return lm_cut(priced, edges, edges.price, most).value;
}

// May the public goals hold behind this action if no other public one follows?
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

UnsolvabilityProof by_terminal_actions(const StripsTask &task, std::int32_t public_facts,
                                       const Flags &is_public, const Pairs &pairs) {
    Flags is_terminal = terminal_actions(task, public_facts, is_public, pairs);
    std::set<std::int32_t> with_terminal,
        with_public;  // agents with terminal actions, and with public ones at all
    bool can_end = false;
    for (std::size_t a = 0; a < task.size(); ++a) {
        if (!is_public[a] || !pairs.allows(task.pre[a]))
            continue;
        with_public.insert(task.group[a]);
        if (is_terminal[a]) {
            with_terminal.insert(task.group[a]);
            can_end = can_end || may_end(a, task, public_facts, pairs);
        }
    }
    if (with_terminal.empty())
        return UnsolvabilityProof::none;
    auto count = static_cast<std::int64_t>(with_terminal.size());
    std::int64_t needed = terminal_actions_needed(count + 1, task, is_terminal, pairs);
    if (needed > count)
        return UnsolvabilityProof::terminal_actions;
    return needed == count && with_terminal == with_public && !can_end
               ? UnsolvabilityProof::last_action
               : UnsolvabilityProof::none;
}

bool is_unreachable(Triples triples) {
    return triples.work() <= tuning::triples_words && triples.bytes() <= tuning::table_bytes &&
           !triples.reach_goal();
}

}  // namespace

UnsolvabilityProof prove_unsolvable(const StripsTask &task, std::int32_t public_facts,
                                    const Flags &is_public, bool by_triples) {
    if (is_public.size() != task.size())
        throw std::invalid_argument("not one flag `is_public` per action");
    if (std::ranges::any_of(task.group, [](std::int32_t owner) { return owner < 0; }))
        throw std::invalid_argument("an action belongs to nobody");
    Pairs pairs = reachable_pairs(task);
    if (!pairs.allows(task.goal))
        return UnsolvabilityProof::pairs;
    if (UnsolvabilityProof found = by_terminal_actions(task, public_facts, is_public, pairs);
        found != UnsolvabilityProof::none)
        return found;
    if (by_triples && is_unreachable(Triples(task, pairs)))
        return UnsolvabilityProof::triples;
    return UnsolvabilityProof::none;
}

}  // namespace tacit
