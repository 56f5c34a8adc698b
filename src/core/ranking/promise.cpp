#include "ranking/promise.hpp"

#include <algorithm>

#include "util/tuning.hpp"

namespace tacit {

namespace {

bool contains(Row row, std::int32_t fact) { return std::ranges::find(row, fact) != row.end(); }

}  // namespace

Promise::Promise(const IndexedTask &indexed, std::int32_t agent, const OwnEdges &edges)
    : indexed_(indexed), agent_(agent), edges_(edges), is_goal_(indexed.task.facts),
      is_initial_(indexed.task.facts), is_token_(indexed.task.facts) {
    for (std::int32_t fact : indexed.task.goal)
        is_goal_.set(fact);
    for (std::int32_t fact : indexed.task.init)
        is_initial_.set(fact);
    for (std::int32_t fact : edges.token)
        is_token_.set(fact);
    Rows achiever;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        achiever.push(edges.is_positive[e] ? edges.achiever[e] : -1);
        achiever.close();
    }
    tokens_after_ = inverted(achiever, static_cast<std::int32_t>(indexed.task.size()));
    for (std::int32_t &edge : tokens_after_.items)
        edge = edges.token[edge];
}

bool Promise::has(std::int32_t edge) const {
    if (!edges_.is_positive[edge])
        return false;
    std::int32_t token = edges_.token[edge];
    Ints before = left_by(edges_.achiever[edge], token), reached{token};
    for (std::size_t n = 0; n < reached.size(); ++n)
        for (std::int32_t action : indexed_.needed_by[reached[n]])
            if (indexed_.task.group[action] != agent_ || leads_on(action, before, reached))
                return true;
    return false;
}

bool Promise::is_circular(std::int32_t edge) const {
    std::int32_t achiever = edges_.achiever[edge], token = edges_.token[edge];
    if (achiever < 0)
        return false;
    return std::ranges::any_of(indexed_.task.pre[achiever], [&](std::int32_t fact) {
        if (fact == token)
            return true;
        Row added_by = indexed_.added_by[fact];
        return !is_initial_[fact] && !is_token_[fact] && !added_by.empty() &&
               std::ranges::all_of(added_by, [&](std::int32_t action) {
                   return contains(indexed_.task.pre[action], token);
               });
    });
}

// What the achiever needed and what therefore held before. If it does more than achieve the token,
// bringing back what it deleted may be of use.
Ints Promise::left_by(std::int32_t achiever, std::int32_t token) const {
    if (achiever < 0)
        return {};
    const StripsTask &task = indexed_.task;
    Row needs = task.pre[achiever], adds = task.add[achiever];
    Ints before(needs.begin(), needs.end());
    bool is_all =
        std::ranges::all_of(adds, [&](auto fact) { return contains(needs, fact); }) &&
        std::ranges::all_of(tokens_after_[achiever], [&](auto other) { return other == token; });
    if (!is_all)
        std::erase_if(before, [&](auto fact) { return contains(task.del[achiever], fact); });
    return before;
}

// Does an own action achieve a goal? If not, what it achieves is reached.
bool Promise::leads_on(std::int32_t action, Row before, Ints &reached) const {
    for (Row facts : {indexed_.task.add[action], tokens_after_[action]})
        for (std::int32_t fact : facts) {
            if (contains(before, fact) || contains(reached, fact))
                continue;
            if (is_goal_[fact] || reached.size() >= tuning::goal_promise_facts)
                return true;
            reached.push_back(fact);
        }
    return false;
}

}  // namespace tacit
