#include "heuristics/conditions.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>
#include <unordered_map>
#include <utility>

namespace tacit {

namespace {

using Effect = Conditions::Effect;

struct Hash {
    std::size_t operator()(const Ints &numbers) const {
        std::uint64_t h = numbers.size();
        for (std::int32_t n : numbers) {
            h = (h ^ static_cast<std::uint32_t>(n)) * 0x9e3779b97f4a7c15;
            h ^= h >> 29;
        }
        return static_cast<std::size_t>(h);
    }
};

std::uint64_t mixed(std::uint64_t n) {
    n = (n ^ (n >> 31)) * 0x9e3779b97f4a7c15;
    n = (n ^ (n >> 29)) * 0xbf58476d1ce4e5b9;
    return n ^ (n >> 32);
}

// A condition of actions with the same needs, before any are joined by a choice.
struct Simple {
    Ints needs;
    std::int32_t cost;
    std::vector<Effect> effects;  // sorted by fact, one per fact
    std::uint64_t sum = 0;        // over all of these, whatever their order

    void add_up() {
        sum = mixed(static_cast<std::uint32_t>(cost));
        for (const Effect &effect : effects)
            sum = mixed(sum + static_cast<std::uint32_t>(effect.fact));
        for (std::int32_t need : needs)
            sum += mixed(~static_cast<std::uint64_t>(need));
    }
    // A number for what it has in common with others that differ in the need at this place.
    std::uint64_t key(std::size_t place) const {
        return sum - mixed(~static_cast<std::uint64_t>(needs[place]));
    }
    // The numbers may be equal by chance.
    bool is_like(const Simple &other, std::int32_t own_need, std::int32_t others_need) const {
        auto without = [](std::int32_t need) {
            return std::views::filter([need](std::int32_t fact) { return fact != need; });
        };
        auto fact = &Effect::fact;
        return cost == other.cost &&
               std::ranges::equal(effects, other.effects, {}, fact, fact) &&
               std::ranges::equal(needs | without(own_need), other.needs | without(others_need));
    }
};

void add_effects(Simple &simple, const StripsTask &task, std::int32_t action) {
    for (std::int32_t fact : task.add[action])
        if (!std::ranges::binary_search(simple.needs, fact))
            simple.effects.push_back({fact, action});
}

std::vector<Simple> simple_conditions(const StripsTask &task, const Ints &action_cost) {
    std::vector<Simple> made;
    std::unordered_map<Ints, std::size_t, Hash> known;
    for (std::size_t a = 0; a < task.size(); ++a) {
        Ints key(task.pre[a].begin(), task.pre[a].end());
        key.push_back(~action_cost[a]);
        auto [found, is_new] = known.try_emplace(key, made.size());
        if (is_new)
            made.push_back({{key.begin(), key.end() - 1}, action_cost[a], {}});
        add_effects(made[found->second], task, static_cast<std::int32_t>(a));
    }
    auto less = [](const Effect &a, const Effect &b) { return a.fact < b.fact; };
    auto same = [](const Effect &a, const Effect &b) { return a.fact == b.fact; };
    for (Simple &simple : made) {
        auto &effects = simple.effects;
        std::stable_sort(effects.begin(), effects.end(), less);
        effects.erase(std::unique(effects.begin(), effects.end(), same), effects.end());
        simple.add_up();
    }
    std::erase_if(made, [](const Simple &simple) { return simple.effects.empty(); });
    return made;
}

// A simple condition in the group that it joins, with the need that is its own there.
struct Member {
    std::int32_t own_need;
    std::size_t simple;
};
using Groups = std::vector<std::vector<Member>>;

// Each condition joins the largest group of those that differ from it in one need.
Groups grouped(const std::vector<Simple> &simple) {
    std::unordered_map<std::uint64_t, std::int32_t> size_of;
    for (const Simple &s : simple)
        for (std::size_t place = 0; place < s.needs.size(); ++place)
            ++size_of[s.key(place)];
    Groups groups;
    std::unordered_map<std::uint64_t, std::size_t> group_of;
    for (std::size_t c = 0; c < simple.size(); ++c) {
        std::int32_t most = 1;
        std::size_t chosen = 0;
        for (std::size_t place = 0; place < simple[c].needs.size(); ++place)
            if (std::int32_t size = size_of[simple[c].key(place)]; size > most) {
                most = size;
                chosen = place;
            }
        if (most == 1) {
            groups.push_back({{-1, c}});
            continue;
        }
        Member member{simple[c].needs[chosen], c};
        auto [found, is_new] = group_of.try_emplace(simple[c].key(chosen), groups.size());
        if (!is_new) {
            const Member &first = groups[found->second].front();
            if (simple[c].is_like(simple[first.simple], member.own_need, first.own_need)) {
                groups[found->second].push_back(member);
                continue;
            }
        }
        groups.push_back({member});
    }
    return groups;
}

class Arranger {
  public:
    Arranger(const StripsTask &task, const std::vector<Simple> &simple)
        : task_(task), simple_(simple) {}

    void add(std::vector<Member> &group) {
        const Simple &first = simple_[group.front().simple];
        std::int32_t choice = -1;
        Ints needs = first.needs;
        if (group.size() > 1) {
            std::erase(needs, group.front().own_need);
            std::ranges::sort(group, {}, &Member::own_need);
            choice = choice_of(group);
            needs.push_back(task_.facts + choice);
        }
        made.cost.push_back(first.cost);
        made.choice.push_back(choice);
        made.needs.append(needs);
        for (std::size_t e = 0; e < first.effects.size(); ++e)
            made.effects.push_back({first.effects[e].fact, action_of(group, e)});
        made.effect_start.push_back(static_cast<std::int32_t>(made.effects.size()));
    }

    Conditions made;

  private:
    const StripsTask &task_;
    const std::vector<Simple> &simple_;
    std::map<Ints, std::int32_t> choice_number_;

    std::int32_t choice_of(const std::vector<Member> &group) {
        Ints facts;
        for (const Member &member : group)
            facts.push_back(member.own_need);
        auto next = static_cast<std::int32_t>(choice_number_.size());
        auto [found, is_new] = choice_number_.try_emplace(facts, next);
        if (is_new)
            made.choices.append(facts);
        return found->second;
    }

    std::int32_t action_of(const std::vector<Member> &group, std::size_t effect) {
        if (group.size() == 1)
            return simple_[group.front().simple].effects[effect].action;
        auto first = static_cast<std::int32_t>(made.alternatives.size());
        for (const Member &member : group)
            made.alternatives.push_back(simple_[member.simple].effects[effect].action);
        return ~first;
    }
};

}  // namespace

Conditions conditions_of(const StripsTask &task, const Ints &action_cost) {
    std::vector<Simple> simple = simple_conditions(task, action_cost);
    Groups groups = grouped(simple);
    Arranger arranger(task, simple);
    for (std::vector<Member> &group : groups)
        arranger.add(group);
    return std::move(arranger.made);
}

}  // namespace tacit
