#include "analysis/dead_actions.hpp"

#include <algorithm>

#include "analysis/pairs.hpp"
#include "util/bits.hpp"
#include "util/pulse.hpp"
#include "util/tuning.hpp"

namespace tacit {

namespace {

using Flags = std::vector<std::uint8_t>;

// Whether the goal can be reached after some facts were lost, by actions that are not dead.
class Recovery {
  public:
    Recovery(const StripsTask &task, const Flags &dead)
        : task_(task), dead_(dead), users_(inverted(task.pre, task.facts)),
          achievers_(inverted(task.add, task.facts)), lost_(task.facts), missing_(task.size()) {}

    bool has_goal_without(const Ints &lost) {
        for (std::int32_t fact : lost)
            lose(fact);
        found_.clear();
        for (std::int32_t fact : lost)
            if (std::ranges::any_of(achievers_[fact], [&](auto a) { return is_possible(a); }))
                find(fact);
        for (std::size_t next = 0; next < found_.size(); ++next)
            for (std::int32_t a : users_[found_[next]])
                if (--missing_[a] == 0 && !dead_[a])
                    for (std::int32_t fact : task_.add[a])
                        find(fact);
        bool has_goal = std::ranges::none_of(task_.goal, [&](auto fact) { return lost_[fact]; });
        for (std::int32_t fact : lost)
            forget(fact);
        return has_goal;
    }

    std::int64_t visits() const { return visits_; }

  private:
    bool is_possible(std::int32_t action) const { return missing_[action] == 0 && !dead_[action]; }

    void lose(std::int32_t fact) {
        lost_[fact] = 1;
        for (std::int32_t a : users_[fact])
            ++missing_[a];
        visits_ += static_cast<std::int64_t>(users_[fact].size() + achievers_[fact].size());
    }
    void find(std::int32_t fact) {
        if (lost_[fact]) {
            lost_[fact] = 0;
            found_.push_back(fact);
        }
    }
    void forget(std::int32_t fact) {
        if (lost_[fact])
            for (std::int32_t a : users_[fact])
                --missing_[a];
        lost_[fact] = 0;
    }

    const StripsTask &task_;
    const Flags &dead_;
    Rows users_, achievers_;
    Flags lost_;
    Ints missing_;  // per action, how many of its needs are lost
    Ints found_;
    std::int64_t visits_ = 0;
};

// The facts that may have held before and do not behind an action.
Ints lost_behind(const StripsTask &task, std::size_t action, const Pairs &pairs,
                 const Bits &reached) {
    Bits after = pairs.with(task.pre[action]);
    for (std::int32_t fact : task.del[action])
        after.reset(fact);
    for (std::int32_t fact : task.add[action])
        after.set(fact);
    Ints lost;
    reached.each([&](std::size_t fact) {
        if (!after[fact])
            lost.push_back(static_cast<std::int32_t>(fact));
    });
    return lost;
}

bool is_too_large(const StripsTask &task) {
    auto words = static_cast<std::int64_t>(task.facts / 64 + 1);
    return words * static_cast<std::int64_t>(task.pre.items.size() + task.add.items.size()) >
           tuning::dead_actions_visits;
}

}  // namespace

std::vector<std::uint8_t> dead_actions(const StripsTask &task) {
    Flags dead(task.size());
    if (is_too_large(task))
        return dead;
    Pairs pairs = reachable_pairs(task);
    Bits reached = pairs.with({});
    for (std::size_t a = 0; a < task.size(); ++a)
        dead[a] = !pairs.allows(task.pre[a]);
    Recovery recovery(task, dead);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t a = 0; a < task.size() && recovery.visits() < tuning::dead_actions_visits;
             ++a) {
            if (dead[a] || task.del[a].empty())
                continue;
            pulse();
            if (!recovery.has_goal_without(lost_behind(task, a, pairs, reached)))
                dead[a] = changed = true;
        }
    }
    return dead;
}

StripsTask without_dead_actions(const StripsTask &task) {
    Flags dead = dead_actions(task);
    StripsTask made = task;
    made.pre = Rows();
    for (std::size_t a = 0; a < task.size(); ++a) {
        for (std::int32_t fact : task.pre[a])
            made.pre.push(fact);
        if (dead[a])
            made.pre.push(task.facts);
        made.pre.close();
    }
    ++made.facts;
    return made;
}

}  // namespace tacit
