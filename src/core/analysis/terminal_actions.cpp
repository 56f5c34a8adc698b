#include "analysis/terminal_actions.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tacit {

namespace {

// What an agent can do, reduced to its own facts; alike actions once.
struct Abilities {
    std::set<Ints> public_needs;
    std::set<std::pair<Ints, Ints>> private_steps;  // needs and adds

    // May a public action follow, after any private ones?
    bool can_go_on(Bits facts) const {
        auto holds = [&facts](const Ints &needs) {
            return std::ranges::all_of(needs, [&](std::int32_t fact) { return facts[fact]; });
        };
        for (bool changed = true; changed;) {
            if (std::ranges::any_of(public_needs, holds))
                return true;
            changed = false;
            for (const auto &[needs, adds] : private_steps)
                if (!holds(adds) && holds(needs)) {
                    changed = true;
                    for (std::int32_t fact : adds)
                        facts.set(fact);
                }
        }
        return false;
    }
};

}  // namespace

std::vector<std::uint8_t> terminal_actions(const StripsTask &task, std::int32_t public_facts,
                                           const std::vector<std::uint8_t> &is_public,
                                           const Pairs &pairs) {
    auto own_facts = [public_facts](Row row) {
        return Ints(std::lower_bound(row.begin(), row.end(), public_facts), row.end());
    };
    std::vector<Abilities> abilities;
    for (std::size_t a = 0; a < task.size(); ++a) {
        auto owner = static_cast<std::size_t>(task.group[a]);
        if (owner >= abilities.size())
            abilities.resize(owner + 1);
        if (!pairs.allows(task.pre[a]))
            continue;
        if (is_public[a])
            abilities[owner].public_needs.insert(own_facts(task.pre[a]));
        else
            abilities[owner].private_steps.emplace(own_facts(task.pre[a]), own_facts(task.add[a]));
    }
    std::vector<std::uint8_t> found(task.size());
    for (std::size_t a = 0; a < task.size(); ++a) {
        if (!is_public[a] || !pairs.allows(task.pre[a]))
            continue;
        Bits facts = pairs.with(task.pre[a]);
        for (std::int32_t fact : task.del[a])
            facts.reset(fact);
        for (std::int32_t fact : task.add[a])
            facts.set(fact);
        found[a] = !abilities[task.group[a]].can_go_on(facts);
    }
    return found;
}

}  // namespace tacit
