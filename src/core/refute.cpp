#include "refute.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "minimum/relaxed_cuts.hpp"
#include "pairs.hpp"
#include "triples.hpp"

namespace tacit {

namespace {

constexpr std::int64_t max_words = 1'000'000'000;     // of triples, each time all actions are taken
constexpr std::size_t max_bytes = std::size_t{1} << 28;

Pairs reachable_pairs(const StripsTask &task) {
    Pairs pairs(static_cast<std::size_t>(task.facts));
    pairs.begin(task.init);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t a = 0; a < task.size(); ++a)
            if (pairs.allows(task.pre[a]))
                changed |= pairs.apply(task.pre[a], task.add[a], task.del[a]);
    }
    return pairs;
}

// What an agent can do as its own facts see it; each way once.
struct Abilities {
    std::set<Ints> public_needs;                 // of the public actions
    std::set<std::pair<Ints, Ints>> private_steps;  // needs and adds of the private ones
};

class LastSteps {
  public:
    LastSteps(const StripsTask &task, std::int32_t public_facts,
              const std::vector<std::uint8_t> &is_public, const Pairs &pairs)
        : task_(task), public_facts_(public_facts), is_public_(is_public), pairs_(pairs) {
        for (std::size_t a = 0; a < task.size(); ++a) {
            Abilities &own = of(a);
            if (!pairs.allows(task.pre[a]))
                continue;
            if (is_public[a])
                own.public_needs.insert(own_facts(task.pre[a]));
            else
                own.private_steps.emplace(own_facts(task.pre[a]), own_facts(task.add[a]));
        }
        for (std::size_t a = 0; a < task.size(); ++a)
            is_last_.push_back(is_public[a] && pairs.allows(task.pre[a]) && !can_go_on(a));
    }

    // Are more of them needed than there are agents who have any?
    bool are_too_many() const {
        std::set<std::int32_t> owners;
        for (std::size_t a = 0; a < task_.size(); ++a)
            if (is_last_[a])
                owners.insert(task_.group[a]);
        return !owners.empty() && takes_more_than(static_cast<std::int64_t>(owners.size()));
    }

  private:
    const StripsTask &task_;
    std::int32_t public_facts_;
    const std::vector<std::uint8_t> &is_public_;
    const Pairs &pairs_;
    std::vector<Abilities> abilities_;
    std::vector<std::uint8_t> is_last_;

    Abilities &of(std::size_t action) {
        auto owner = static_cast<std::size_t>(task_.group[action]);
        if (owner >= abilities_.size())
            abilities_.resize(owner + 1);
        return abilities_[owner];
    }

    Ints own_facts(Row row) const {
        return {std::lower_bound(row.begin(), row.end(), public_facts_), row.end()};
    }

    // May its agent take another public action later on, whatever the others do?
    bool can_go_on(std::size_t action) {
        const Abilities &own = of(action);
        Bits facts = pairs_.with(task_.pre[action]);
        for (std::int32_t fact : task_.del[action])
            facts.reset(fact);
        for (std::int32_t fact : task_.add[action])
            facts.set(fact);
        auto holds = [&facts](const Ints &needs) {
            return std::ranges::all_of(needs, [&](std::int32_t fact) { return facts[fact]; });
        };
        for (bool changed = true; changed;) {
            if (std::ranges::any_of(own.public_needs, holds))
                return true;
            changed = false;
            for (const auto &[needs, adds] : own.private_steps)
                if (!holds(adds) && holds(needs)) {
                    changed = true;
                    for (std::int32_t fact : adds)
                        facts.set(fact);
                }
        }
        return false;
    }

    // Does every plan take more last steps than that? Each is an edge to a fact of its own, from which
    // its effects follow.
    bool takes_more_than(std::int64_t count) const {
        PricedEdges edges;
        Rows pre, add, del;
        std::int32_t facts = task_.facts;
        auto put = [&](Row needs, Row adds) {
            pre.append(needs);
            add.append(adds);
            del.close();
        };
        for (std::size_t a = 0; a < task_.size(); ++a) {
            if (!pairs_.allows(task_.pre[a]))
                continue;
            if (!is_last_[a]) {
                put(task_.pre[a], task_.add[a]);
                continue;
            }
            edges.giver.push_back(static_cast<std::int32_t>(pre.size()));
            edges.fact.push_back(facts);
            put(task_.pre[a], {});
            put(Ints{facts++}, task_.add[a]);
        }
        edges.price.assign(edges.giver.size(), 1);
        Ints ones(pre.size(), 1), zeros(pre.size(), 0);
        StripsTask priced(facts, task_.init, task_.goal, pre, add, del, ones, zeros);
        return lm_cut(priced, edges, edges.price, count + 1).value > count;
    }
};

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
    if (LastSteps(task, public_facts, is_public, pairs).are_too_many())
        return Refutation::last_steps;
    if (by_triples && is_out_of_reach(Triples(task, pairs)))
        return Refutation::triples;
    return Refutation::none;
}

}  // namespace tacit
