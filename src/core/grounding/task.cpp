#include "grounding/task.hpp"

#include <algorithm>
#include <stdexcept>

#include "util/pulse.hpp"

namespace tacit {

LocalTask GroundTask::local(int agent, const Ints &public_ids, int public_count) const {
    bool keeps_numbers = public_count < 0;
    if (!keeps_numbers && static_cast<int>(public_ids.size()) != public_facts)
        throw std::invalid_argument("one new number per public fact");
    LocalTask task;
    task.public_facts = keeps_numbers ? public_facts : public_count;
    auto first = std::lower_bound(owner.begin(), owner.end(), agent) - owner.begin();
    auto last = std::upper_bound(owner.begin(), owner.end(), agent) - owner.begin();
    for (auto f = first; f < last; ++f)
        task.private_facts.append(facts[f]);

    auto renamed = [&](std::int32_t fact) -> std::int32_t {
        if (fact < public_facts)
            return keeps_numbers ? fact : public_ids[fact];
        return static_cast<std::int32_t>(fact - first + task.public_facts);
    };
    auto visible = [&](std::int32_t fact) {
        return fact < public_facts || (fact >= first && fact < last);
    };
    auto keep = [&](Row row, Rows &into) {
        std::size_t begin = into.items.size();
        for (std::int32_t fact : row)
            into.push(renamed(fact));
        std::sort(into.items.begin() + begin, into.items.end());
        into.close();
    };
    for (std::int32_t fact : init)
        if (visible(fact))
            task.init.push_back(renamed(fact));
    for (std::int32_t fact : goal)
        if (visible(fact))
            task.goal.push_back(renamed(fact));
    std::sort(task.init.begin(), task.init.end());
    std::sort(task.goal.begin(), task.goal.end());

    auto begin = std::lower_bound(action_agent.begin(), action_agent.end(), agent);
    auto end = std::upper_bound(begin, action_agent.end(), agent);
    Actions &own = task.actions;
    Ticks tick;
    for (auto a = begin - action_agent.begin(); a < end - action_agent.begin(); ++a, tick()) {
        own.schema.push_back(actions.schema[a]);
        own.cost.push_back(actions.cost[a]);
        own.is_public.push_back(actions.is_public[a]);
        own.args.append(actions.args[a]);
        keep(actions.pre[a], own.pre);
        keep(actions.add[a], own.add);
        keep(actions.del[a], own.del);
    }
    return task;
}

Projection LocalTask::project() const {
    Projection shown;
    auto keep = [&](Row row, Rows &into) {
        for (std::int32_t fact : row)
            if (fact < public_facts)
                into.push(fact);
        into.close();
    };
    for (std::size_t a = 0; a < actions.size(); ++a) {
        if (!actions.is_public[a])
            continue;
        shown.action.push_back(static_cast<std::int32_t>(a));
        shown.cost.push_back(actions.cost[a]);
        keep(actions.pre[a], shown.pre);
        keep(actions.add[a], shown.add);
        keep(actions.del[a], shown.del);
    }
    return shown;
}

}  // namespace tacit
