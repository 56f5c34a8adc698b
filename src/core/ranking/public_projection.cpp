#include "ranking/public_projection.hpp"

#include <stdexcept>

#include "util/pulse.hpp"

namespace tacit {

namespace {

void check(const PublicActions &published, const PublicRest &rest) {
    if (rest.cost.size() != published.needs.size() ||
        rest.has_private_goal.size() != published.agents() ||
        rest.goal_tokens.size() != published.agents())
        throw std::invalid_argument("actions have costs, and agents have goals");
    for (std::int32_t token : rest.goal_tokens.items)
        if (token < 0 || token >= published.first_token.back())
            throw std::invalid_argument("a goal is an unknown token");
}

}  // namespace

PublicProjection::PublicProjection(PublicActions published, const PublicRest &rest)
    : shapes_(std::move(published)), task_(make_task(rest)) {}

StripsTask PublicProjection::make_task(const PublicRest &rest) {
    const PublicActions &from = shapes_.published();
    check(from, rest);
    auto facts = static_cast<std::int32_t>(from.predicate.size());
    Ints init = rest.init, goal = rest.goal, cost, group;
    Rows pre, add, del;
    Ticks tick;
    for (std::size_t agent = 0; agent < from.agents(); ++agent) {
        for (std::int32_t t = from.first_token[agent]; t < from.first_token[agent + 1]; ++t)
            facts_.push_back(facts++);
        Ints may_act;
        if (rest.has_private_goal[agent]) {
            may_act.push_back(facts++);
            init.push_back(may_act.back());
        }
        auto close = [&](std::int32_t costs) {
            pre.items.insert(pre.items.end(), may_act.begin(), may_act.end());
            pre.close();
            cost.push_back(costs);
            group.push_back(static_cast<std::int32_t>(agent));
        };
        for (std::int32_t a = from.first_action[agent]; a < from.first_action[agent + 1]; ++a) {
            tick(8);
            actions_.push_back(static_cast<std::int32_t>(cost.size()));
            pre.items.insert(pre.items.end(), from.needs[a].begin(), from.needs[a].end());
            for (std::int32_t token : from.tokens[a])
                pre.push(facts_.at(token));
            add.append(from.adds[a]);
            del.append(from.deletes[a]);
            close(rest.cost[a]);
        }
        if (may_act.empty())
            continue;
        for (std::int32_t token : rest.goal_tokens[agent])
            pre.push(facts_.at(token));
        goal.push_back(facts);
        add.append(Ints{facts++});
        del.append(may_act);
        close(0);
    }
    return StripsTask(facts, init, goal, pre, add, del, cost, group);
}

}  // namespace tacit
