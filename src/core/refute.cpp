#include "refute.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "last_steps.hpp"
#include "minimum/relaxed_cuts.hpp"
#include "pairs.hpp"
#include "triples.hpp"

namespace tacit {

namespace {

constexpr std::int64_t max_words = 1'000'000'000;  // of triples, each time all actions are taken
constexpr std::size_t max_bytes = std::size_t{1} << 28;

// Does every plan take more last steps than that? Each is an edge to a fact of its own, from which its
// effects follow.
bool takes_more_than(std::int64_t count, const StripsTask &task,
                     const std::vector<std::uint8_t> &is_last, const Pairs &pairs) {
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
    return lm_cut(priced, edges, edges.price, count + 1).value > count;
}

// Are more last steps needed than there are agents who have any?
bool are_too_many(const StripsTask &task, const std::vector<std::uint8_t> &is_last,
                  const Pairs &pairs) {
    std::set<std::int32_t> owners;
    for (std::size_t a = 0; a < task.size(); ++a)
        if (is_last[a])
            owners.insert(task.group[a]);
    auto count = static_cast<std::int64_t>(owners.size());
    return count > 0 && takes_more_than(count, task, is_last, pairs);
}

bool is_out_of_reach(Triples triples) {
    return triples.work() <= max_words && triples.bytes() <= max_bytes && !triples.reach_goal();
}

}  // namespace

Refutation refute(const StripsTask &task, std::int32_t public_facts,
                  const std::vector<std::uint8_t> &is_public, bool by_triples) {
    if (is_public.size() != task.size())
        throw std::invalid_argument("not one word per action on whether it is public");
    if (std::ranges::any_of(task.group, [](std::int32_t owner) { return owner < 0; }))
        throw std::invalid_argument("an action belongs to nobody");
    Pairs pairs = reachable_pairs(task);
    if (!pairs.allows(task.goal))
        return Refutation::pairs;
    if (are_too_many(task, last_steps(task, public_facts, is_public, pairs), pairs))
        return Refutation::last_steps;
    if (by_triples && is_out_of_reach(Triples(task, pairs)))
        return Refutation::triples;
    return Refutation::none;
}

}  // namespace tacit
