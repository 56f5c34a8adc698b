#include "heuristics/conditions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <ranges>
#include <span>
#include <utility>

namespace tacit {

namespace {

using Effect = Conditions::Effect;

std::uint64_t mixed(std::uint64_t n) {
    n = (n ^ (n >> 31)) * 0x9e3779b97f4a7c15;
    n = (n ^ (n >> 29)) * 0xbf58476d1ce4e5b9;
    return n ^ (n >> 32);
}

// Slots found by hash, for no more entries than it was made for. An entry that is not there yet
// gets the first empty slot for which `is_it` is true.
template <class Slot>
class Table {
  public:
    explicit Table(std::size_t entries) : slots_(std::bit_ceil(2 * entries + 1)) {}

    template <class IsIt>
    Slot &find(std::uint64_t hash, IsIt is_it) {
        std::size_t at = hash & (slots_.size() - 1);
        while (!is_it(slots_[at]))
            at = (at + 1) & (slots_.size() - 1);
        return slots_[at];
    }

  private:
    std::vector<Slot> slots_;
};

// A condition of actions with the same needs, before any are joined by a choice.
struct Simple {
    Row needs;
    std::int32_t cost;
    std::span<Effect> effects;  // sorted by fact, one per fact
    std::uint64_t sum = 0;      // over all of these, whatever their order

    void add_up() {
        sum = mixed(static_cast<std::uint32_t>(cost));
        for (const Effect &effect : effects)
            sum = mixed(sum + static_cast<std::uint32_t>(effect.fact));
        for (std::int32_t need : needs)
            sum += mixed(~static_cast<std::uint64_t>(need));
    }
    // A number for what it has in common with others that differ in this need.
    std::uint64_t key(std::int32_t need) const {
        return sum - mixed(~static_cast<std::uint64_t>(need));
    }
    // The numbers may be equal by chance.
    bool is_like(const Simple &other, std::int32_t own_need, std::int32_t others_need) const {
        auto without = [](std::int32_t need) {
            return std::views::filter([need](std::int32_t fact) { return fact != need; });
        };
        auto fact = &Effect::fact;
        return cost == other.cost && std::ranges::equal(effects, other.effects, {}, fact, fact) &&
               std::ranges::equal(needs | without(own_need), other.needs | without(others_need));
    }
};

class SimpleConditions {
  public:
    SimpleConditions(const StripsTask &task, const Ints &action_cost) {
        Ints simple_of = by_needs(task, action_cost);
        put_effects(task, simple_of);
        for (Simple &simple : made)
            tidy(simple);
    }

    std::vector<Simple> made;

  private:
    std::vector<Effect> effects_;  // of all

    Ints by_needs(const StripsTask &task, const Ints &action_cost) {
        struct Slot {
            std::uint32_t number = 0;  // 0: empty
        };
        Table<Slot> known(task.size());
        Ints simple_of(task.size());
        for (std::size_t a = 0; a < task.size(); ++a) {
            Row needs = task.pre[a];
            std::uint64_t hash = mixed(static_cast<std::uint32_t>(action_cost[a]));
            for (std::int32_t need : needs)
                hash = mixed(hash + static_cast<std::uint32_t>(need));
            Slot &slot = known.find(hash, [&](const Slot &there) {
                return there.number == 0 ||
                       (made[there.number - 1].cost == action_cost[a] &&
                        std::ranges::equal(made[there.number - 1].needs, needs));
            });
            if (slot.number == 0) {
                made.push_back({needs, action_cost[a], {}});
                slot.number = static_cast<std::uint32_t>(made.size());
            }
            simple_of[a] = static_cast<std::int32_t>(slot.number - 1);
        }
        return simple_of;
    }

    void put_effects(const StripsTask &task, const Ints &simple_of) {
        std::vector<std::size_t> end(made.size() + 1);
        for (std::size_t a = 0; a < task.size(); ++a)
            end[static_cast<std::size_t>(simple_of[a]) + 1] += task.add[a].size();
        for (std::size_t c = 0; c < made.size(); ++c)
            end[c + 1] += end[c];
        effects_.resize(end.back());
        std::vector<std::size_t> begin = end;
        for (std::size_t a = 0; a < task.size(); ++a) {
            auto c = static_cast<std::size_t>(simple_of[a]);
            for (std::int32_t fact : task.add[a])
                if (!std::ranges::binary_search(made[c].needs, fact))
                    effects_[end[c]++] = {fact, static_cast<std::int32_t>(a)};
        }
        for (std::size_t c = 0; c < made.size(); ++c)
            made[c].effects = {effects_.data() + begin[c], end[c] - begin[c]};
    }

    static void tidy(Simple &simple) {
        auto less = [](const Effect &a, const Effect &b) {
            return std::pair(a.fact, a.action) < std::pair(b.fact, b.action);
        };
        auto same = [](const Effect &a, const Effect &b) { return a.fact == b.fact; };
        std::ranges::sort(simple.effects, less);
        auto rest = std::ranges::unique(simple.effects, same);
        simple.effects = simple.effects.first(simple.effects.size() - rest.size());
    }
};

// Drops effects that a condition with fewer needs, all among these, has at no higher cost. A crane
// may put a crate down on many others, and is free afterwards as soon as it may put it anywhere.
class DominatedEffects {
  public:
    explicit DominatedEffects(std::vector<Simple> &simple)
        : simple_(simple), first_(std::bit_ceil(2 * simple.size() + 1), none),
          next_(simple.size(), none) {
        for (std::size_t c = 0; c < simple.size(); ++c)
            if (simple[c].needs.size() < most_needs) {
                std::uint64_t sum = 0;
                for (std::int32_t need : simple[c].needs)
                    sum += mixed(static_cast<std::uint32_t>(need));
                has_size_[simple[c].needs.size()] = true;
                std::int32_t &first = first_[slot(sum)];
                next_[c] = first;
                first = static_cast<std::int32_t>(c);
            }
    }

    // In any order: what another condition has lost itself, one with still fewer needs has.
    void drop() {
        for (Simple &simple : simple_) {
            find_smaller(simple);
            auto is_dominated = [&](const Effect &effect) {
                return std::ranges::any_of(smaller_, [&](std::int32_t other) {
                    return std::ranges::binary_search(simple_[other].effects, effect.fact, {},
                                                      &Effect::fact);
                });
            };
            auto rest = std::ranges::remove_if(simple.effects, is_dominated);
            simple.effects = simple.effects.first(simple.effects.size() - rest.size());
        }
    }

  private:
    static constexpr std::int32_t none = -1;
    static constexpr std::size_t most_needs = 4;  // more have too many subsets

    std::vector<Simple> &simple_;
    Ints first_, next_;  // conditions by the sum of their needs, mixed
    Ints smaller_;

    std::array<bool, most_needs> has_size_{};

    std::size_t slot(std::uint64_t sum) const { return (sum ^ sum >> 32) & (first_.size() - 1); }

    void find_smaller(const Simple &simple) {
        smaller_.clear();
        std::size_t count = simple.needs.size();
        if (count > most_needs)
            return;
        std::array<std::uint64_t, 1 << most_needs> sums{};  // per subset
        for (unsigned subset = 0; subset + 1 < 1U << count; ++subset) {
            if (subset > 0) {
                auto i = static_cast<std::size_t>(std::countr_zero(subset));
                sums[subset] = sums[subset & (subset - 1)] +
                               mixed(static_cast<std::uint32_t>(simple.needs[i]));
            }
            if (!has_size_[static_cast<std::size_t>(std::popcount(subset))])
                continue;
            for (std::int32_t c = first_[slot(sums[subset])]; c != none; c = next_[c])
                if (simple_[c].needs.size() < count && simple_[c].cost <= simple.cost &&
                    std::ranges::includes(simple.needs, simple_[c].needs))
                    smaller_.push_back(c);
        }
    }
};

// A simple condition in the group that it joins, with the need that is its own there.
struct Member {
    std::int32_t own_need;
    std::size_t simple;
};
using Groups = std::vector<std::vector<Member>>;

// Each condition joins the largest group of those that differ from it in one need.
Groups grouped(const std::vector<Simple> &simple) {
    struct Slot {
        std::uint64_t key = 0;
        std::int32_t size = 0;
        std::int32_t group = -1;
    };
    std::size_t places = 0;
    for (const Simple &s : simple)
        places += s.needs.size();
    Table<Slot> slots(places);
    auto slot_of = [&slots](std::uint64_t key) -> Slot & {
        return slots.find(key, [key](const Slot &s) { return s.size == 0 || s.key == key; });
    };
    for (const Simple &s : simple)
        for (std::int32_t need : s.needs) {
            Slot &slot = slot_of(s.key(need));
            slot.key = s.key(need);
            ++slot.size;
        }
    Groups groups;
    for (std::size_t c = 0; c < simple.size(); ++c) {
        Slot *chosen = nullptr;
        Member member{-1, c};
        for (std::int32_t need : simple[c].needs)
            if (Slot &slot = slot_of(simple[c].key(need));
                slot.size > (chosen ? chosen->size : 1)) {
                chosen = &slot;
                member.own_need = need;
            }
        if (chosen && chosen->group >= 0) {
            std::vector<Member> &group = groups[static_cast<std::size_t>(chosen->group)];
            const Member &first = group.front();
            if (simple[c].is_like(simple[first.simple], member.own_need, first.own_need)) {
                group.push_back(member);
                continue;
            }
        } else if (chosen) {
            chosen->group = static_cast<std::int32_t>(groups.size());
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
        Ints needs(first.needs.begin(), first.needs.end());
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
    SimpleConditions simple(task, action_cost);
    DominatedEffects(simple.made).drop();
    std::erase_if(simple.made, [](const Simple &s) { return s.effects.empty(); });
    for (Simple &s : simple.made)
        s.add_up();
    Groups groups = grouped(simple.made);
    Arranger arranger(task, simple.made);
    for (std::vector<Member> &group : groups)
        arranger.add(group);
    return std::move(arranger.made);
}

}  // namespace tacit
