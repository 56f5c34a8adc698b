#include "strips/strips.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace tacit {

namespace {

void check_range(Row facts, std::int32_t count, const char *what) {
    for (std::int32_t fact : facts)
        if (fact < 0 || fact >= count)
            throw std::invalid_argument(std::string(what) + ": there is no fact " +
                                        std::to_string(fact));
}

void check_rows(const Rows &rows, std::size_t size, const char *what) {
    bool fits = rows.size() == size && rows.start.front() == 0 &&
                static_cast<std::size_t>(rows.start.back()) == rows.items.size();
    if (!fits || !std::is_sorted(rows.start.begin(), rows.start.end()))
        throw std::invalid_argument(std::string(what) + ": not one row per action");
}

void sort_unique(Ints &facts) {
    std::sort(facts.begin(), facts.end());
    facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
}

// Sorted rows without repetition and without what the same row of `without` has.
Rows tidy(const Rows &rows, const Rows *without) {
    Rows done;
    done.reserve_like(rows);
    Ints row;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        row.assign(rows[i].begin(), rows[i].end());
        sort_unique(row);
        if (without)
            std::erase_if(row, [&](std::int32_t fact) {
                Row other = (*without)[i];
                return std::binary_search(other.begin(), other.end(), fact);
            });
        done.append(row);
    }
    return done;
}

bool contains(Row row, std::int32_t fact) {
    return std::binary_search(row.begin(), row.end(), fact);
}

void insert(Rows &rows, std::size_t i, std::int32_t fact) {
    auto first = rows.items.begin();
    auto at = std::lower_bound(first + rows.start[i], first + rows.start[i + 1], fact);
    rows.items.insert(at, fact);
    for (std::size_t j = i + 1; j < rows.start.size(); ++j)
        ++rows.start[j];
}

void erase(Rows &rows, std::size_t i, std::int32_t fact) {
    auto first = rows.items.begin();
    rows.items.erase(std::lower_bound(first + rows.start[i], first + rows.start[i + 1], fact));
    for (std::size_t j = i + 1; j < rows.start.size(); ++j)
        --rows.start[j];
}

void check_gain(const StripsTask &task, std::int32_t action, std::int32_t fact) {
    if (action < 0 || static_cast<std::size_t>(action) >= task.size())
        throw std::invalid_argument("there is no action " + std::to_string(action));
    check_range(Row(&fact, 1), task.facts, "effect");
}

Ints renamed(Row facts, const Ints &number) {
    Ints done;
    for (std::int32_t fact : facts)
        if (number[fact] >= 0)
            done.push_back(number[fact]);
    return done;
}

Rows renamed(const Rows &rows, const Ints &number) {
    Rows done;
    for (std::size_t i = 0; i < rows.size(); ++i)
        done.append(renamed(rows[i], number));
    return done;
}

}  // namespace

StripsTask::StripsTask(std::int32_t fact_count, Ints initial, Ints goals, Rows needs, Rows adds,
                       Rows deletes, Ints costs, Ints groups)
    : facts(fact_count), init(std::move(initial)), goal(std::move(goals)), cost(std::move(costs)),
      group(std::move(groups)) {
    check_rows(needs, cost.size(), "needs");
    check_rows(adds, cost.size(), "adds");
    check_rows(deletes, cost.size(), "deletes");
    if (group.size() != cost.size())
        throw std::invalid_argument("not one group per action");
    check_range(init, facts, "init");
    check_range(goal, facts, "goal");
    check_range(needs.items, facts, "needs");
    check_range(adds.items, facts, "adds");
    check_range(deletes.items, facts, "deletes");
    for (std::size_t a = 0; a < cost.size(); ++a)
        if (cost[a] < 0 || group[a] < 0)
            throw std::invalid_argument("a cost or group is negative");
    sort_unique(init);
    sort_unique(goal);
    pre = tidy(needs, nullptr);
    add = tidy(adds, nullptr);
    del = tidy(deletes, &add);
}

bool StripsTask::gain_add(std::int32_t action, std::int32_t fact) {
    check_gain(*this, action, fact);
    if (contains(add[action], fact))
        return false;
    insert(add, action, fact);
    if (contains(del[action], fact))
        erase(del, action, fact);
    return true;
}

bool StripsTask::gain_delete(std::int32_t action, std::int32_t fact) {
    check_gain(*this, action, fact);
    if (contains(add[action], fact) || contains(del[action], fact))
        return false;
    insert(del, action, fact);
    return true;
}

Relevant without_irrelevant_facts(const StripsTask &task) {
    Relevant found;
    found.number.assign(task.facts, -1);
    for (std::int32_t fact : task.pre.items)
        found.number[fact] = 0;
    for (std::int32_t fact : task.goal)
        found.number[fact] = 0;
    StripsTask &kept = found.task;
    for (std::int32_t &number : found.number)
        if (number == 0)
            number = kept.facts++;
    kept.init = renamed(task.init, found.number);
    kept.goal = renamed(task.goal, found.number);
    kept.pre = renamed(task.pre, found.number);
    kept.add = renamed(task.add, found.number);
    kept.del = renamed(task.del, found.number);
    kept.cost = task.cost;
    kept.group = task.group;
    return found;
}

}  // namespace tacit
