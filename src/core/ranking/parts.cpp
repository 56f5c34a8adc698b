#include "ranking/parts.hpp"

#include <algorithm>
#include <numeric>

#include "ranking/inferred_achievers.hpp"

namespace tacit {

namespace {

// Facts, and behind them actions; the representative of a set is its smallest member.
class Joined {
  public:
    explicit Joined(std::size_t size) : parent_(size) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    std::int32_t find(std::int32_t member) {
        while (parent_[member] != member)
            member = parent_[member] = parent_[parent_[member]];
        return member;
    }
    void join(std::int32_t one, std::int32_t other) {
        one = find(one);
        other = find(other);
        parent_[std::max(one, other)] = std::min(one, other);
    }

  private:
    Ints parent_;
};

// Per part, the members whose part this is.
Rows members_of(const Ints &part_of, std::int32_t parts) {
    Rows part;
    for (std::int32_t number : part_of) {
        part.push(number);
        part.close();
    }
    return inverted(part, parts);
}

}  // namespace

Parts Parts::whole(const IndexedTask &indexed, const InferredAchievers &inferred) {
    Parts made;
    made.of_fact_.assign(indexed.task.facts, 0);
    made.of_action_.assign(indexed.task.size(), 0);
    made.list(indexed, inferred, 1);
    return made;
}

Parts::Parts(const IndexedTask &indexed, const InferredAchievers &inferred) {
    const StripsTask &task = indexed.task;
    auto facts = task.facts, actions = static_cast<std::int32_t>(task.size());
    Joined joined(static_cast<std::size_t>(facts) + task.size());
    for (std::int32_t action = 0; action < actions; ++action)
        for (const Rows *rows : {&task.pre, &task.add})
            for (std::int32_t fact : (*rows)[action])
                joined.join(fact, facts + action);
    for (std::size_t place = 0; place < inferred.token.size(); ++place)
        for (std::int32_t action : inferred.after[place])
            joined.join(inferred.token[place], facts + action);
    Ints number(facts + actions, 0);
    std::int32_t parts = 1;
    for (std::int32_t goal : task.goal)
        if (std::int32_t &part = number[joined.find(goal)]; part == 0)
            part = parts++;
    for (std::int32_t member = 0; member < facts + actions; ++member)
        (member < facts ? of_fact_ : of_action_).push_back(number[joined.find(member)]);
    list(indexed, inferred, parts);
}

void Parts::list(const IndexedTask &indexed, const InferredAchievers &inferred,
                 std::int32_t parts) {
    facts_ = members_of(of_fact_, parts);
    actions_ = members_of(of_action_, parts);
    auto parts_of = [&](const Ints &facts) {
        Ints part_of;
        for (std::int32_t fact : facts)
            part_of.push_back(of_fact_[fact]);
        return part_of;
    };
    places_ = members_of(parts_of(inferred.token), parts);
    init_ = members_of(parts_of(indexed.task.init), parts);
    for (std::int32_t &fact : init_.items)
        fact = indexed.task.init[fact];
}

}  // namespace tacit
