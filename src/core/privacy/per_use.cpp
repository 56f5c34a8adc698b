#include "privacy/per_use.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "util/pulse.hpp"

namespace tacit {

namespace {

bool is_in(Row row, std::int32_t fact) { return std::ranges::find(row, fact) != row.end(); }

// What others see of an action, as one list.
Ints public_part(const LocalTask &task, std::size_t action) {
    Ints part{task.actions.cost[action]};
    for (const Rows *rows : {&task.actions.pre, &task.actions.add, &task.actions.del}) {
        for (std::int32_t fact : (*rows)[action])
            if (fact < task.public_facts)
                part.push_back(fact);
        part.push_back(-1);
    }
    return part;
}

}  // namespace

PerUse per_use(const LocalTask &task) {
    const Actions &actions = task.actions;
    auto facts = static_cast<std::int32_t>(task.public_facts + task.private_facts.size());
    PerUse made{task, {}};
    std::map<std::pair<Ints, std::int32_t>, std::int32_t> copies;
    std::vector<Ints> copies_of(facts);
    Rows pre, add, del;
    Ticks tick;
    for (std::size_t a = 0; a < actions.size(); ++a) {
        tick(16);
        Ints part = actions.is_public[a] ? public_part(task, a) : Ints{};
        Ints row;
        for (std::int32_t fact : actions.pre[a]) {
            if (!actions.is_public[a] || fact < task.public_facts) {
                row.push_back(fact);
                continue;
            }
            auto next = facts + static_cast<std::int32_t>(made.user.size());
            auto [found, is_new] = copies.try_emplace({part, fact}, next);
            if (is_new) {
                copies_of[fact].push_back(next);
                made.user.push_back(static_cast<std::int32_t>(a));
                made.task.private_facts.append(task.private_facts[fact - task.public_facts]);
            }
            row.push_back(found->second);
        }
        std::ranges::sort(row);
        pre.append(row);
    }
    // An action that needs a fact and adds it leaves the copies as they are.
    auto with_copies = [&](const Rows &rows, std::size_t a) {
        Ints row;
        for (std::int32_t fact : rows[a]) {
            row.push_back(fact);
            if (!(is_in(actions.pre[a], fact) && is_in(actions.add[a], fact)))
                row.insert(row.end(), copies_of[fact].begin(), copies_of[fact].end());
        }
        std::ranges::sort(row);
        return row;
    };
    for (std::size_t a = 0; a < actions.size(); ++a) {
        tick(16);
        add.append(with_copies(actions.add, a));
        del.append(with_copies(actions.del, a));
    }
    for (std::int32_t fact : task.init)
        for (std::int32_t copy : copies_of[fact])
            made.task.init.push_back(copy);
    std::ranges::sort(made.task.init);
    made.task.actions.pre = std::move(pre);
    made.task.actions.add = std::move(add);
    made.task.actions.del = std::move(del);
    return made;
}

}  // namespace tacit
