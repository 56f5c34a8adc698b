#include "mafs/assemble.hpp"

#include <stdexcept>
#include <utility>

#include "util/bits.hpp"

namespace tacit::mafs {

namespace {

// The rows of a task under construction; token and private facts are put in their segments.
struct Builder {
    Rows pre, add, del;
    Ints row, cost;

    void put_row(Row facts, std::int32_t offset) {
        for (std::int32_t fact : facts)
            row.push_back(fact + offset);
    }
    void close(Rows &rows) {
        rows.append(row);
        row.clear();
    }
    StripsTask task(std::size_t facts, Ints init, Ints goal, Costs costs) {
        Ints counted(pre.size(), 1), zeros(pre.size(), 0);
        if (costs != Costs::none)
            counted = cost;
        return {static_cast<std::int32_t>(facts),
                std::move(init),
                std::move(goal),
                std::move(pre),
                std::move(add),
                std::move(del),
                std::move(counted),
                std::move(zeros)};
    }
};

// Facts "may still act" per agent, or -1; "has finished" is the next one.
Ints finish_facts(const Parts &parts, std::int32_t &count) {
    Ints found;
    for (const Shown &shown : parts.shown) {
        found.push_back(shown.has_private_goal ? count : -1);
        count += shown.has_private_goal ? 2 : 0;
    }
    return found;
}

std::vector<Ints> gains_per_row(const Ints &pairs, std::size_t rows) {
    std::vector<Ints> found(rows);
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
        found.at(static_cast<std::size_t>(pairs[i])).push_back(pairs[i + 1]);
    return found;
}

void add_published(Builder &to, const Shown &shown, std::int32_t token_at, std::int32_t may_act) {
    std::vector<Ints> gains = gains_per_row(shown.gains, shown.needs.size());
    for (std::size_t a = 0; a < shown.needs.size(); ++a) {
        to.put_row(shown.needs[a], 0);
        to.put_row(shown.tokens[a], token_at);
        if (may_act >= 0)
            to.row.push_back(may_act);
        to.close(to.pre);
        to.put_row(shown.adds[a], 0);
        to.put_row(gains[a], token_at);
        to.close(to.add);
        to.put_row(shown.deletes[a], 0);
        to.close(to.del);
        to.cost.push_back(shown.cost.empty() ? 1 : shown.cost[a]);
    }
    if (may_act >= 0) {
        to.put_row(shown.goal_tokens, token_at);
        to.row.push_back(may_act);
        to.close(to.pre);
        to.add.append(Ints{may_act + 1});
        to.del.append(Ints{may_act});
        to.cost.push_back(0);
    }
}

void add_own(Builder &to, const Parts &parts, std::int32_t private_offset, std::int32_t token_at,
             std::int32_t may_act) {
    const LocalTask &local = parts.local;
    auto place = [&](Row facts) {
        for (std::int32_t fact : facts)
            to.row.push_back(fact < local.public_facts ? fact : fact + private_offset);
    };
    auto need_the_rest = [&](std::size_t action) {
        if (parts.views_tokens)
            to.put_row(parts.needed_tokens[action], token_at);
        if (may_act >= 0)
            to.row.push_back(may_act);
        to.close(to.pre);
    };
    std::vector<Ints> gains = gains_per_row(parts.own_gains, local.actions.size());
    for (std::size_t a = 0; a < local.actions.size(); ++a) {
        place(local.actions.pre[a]);
        need_the_rest(a);
        place(local.actions.add[a]);
        to.put_row(gains[a], token_at);
        to.close(to.add);
        place(local.actions.del[a]);
        to.close(to.del);
        bool counts = local.actions.is_public[a] || parts.costs == Costs::of_all;
        to.cost.push_back(counts ? local.actions.cost[a] : 0);
    }
    if (may_act >= 0) {
        for (std::int32_t fact : local.goal)
            if (fact >= local.public_facts)
                to.row.push_back(fact + private_offset);
        need_the_rest(local.actions.size());
        to.add.append(Ints{may_act + 1});
        to.del.append(Ints{may_act});
        to.cost.push_back(0);
    }
}

void check_parts(const Parts &parts) {
    for (const Shown &shown : parts.shown)
        if (shown.tokens.size() != shown.needs.size() || shown.adds.size() != shown.needs.size() ||
            shown.deletes.size() != shown.needs.size() ||
            (!shown.cost.empty() && shown.cost.size() != shown.needs.size()))
            throw std::invalid_argument("published actions: rows of unequal number");
    if (parts.self < 0 || static_cast<std::size_t>(parts.self) >= parts.shown.size())
        throw std::invalid_argument("the agent is not among those that published");
    std::size_t own = parts.local.actions.size() + parts.shown[parts.self].has_private_goal;
    if (parts.needed_tokens.size() != own)
        throw std::invalid_argument("not one row of tokens per own action");
}

// The sizes of the segments; `may_act` is as `finish_facts` returns it.
NodeTask sized(const Parts &parts, Ints &may_act) {
    NodeTask task;
    task.self = parts.self;
    task.public_facts = parts.local.public_facts;
    may_act = finish_facts(parts, task.public_facts);
    task.private_facts = static_cast<std::int32_t>(parts.local.private_facts.size());
    for (const Shown &shown : parts.shown) {
        task.token_counts.push_back(shown.token_count);
        task.has_public_preconditions.push_back(shown.has_public_preconditions);
    }
    return task;
}

void describe_own_actions(NodeTask &task, const Parts &parts, bool has_finish_action) {
    const LocalTask &local = parts.local;
    task.needed_tokens = parts.needed_tokens;
    task.is_public = local.actions.is_public;
    task.published = parts.published;
    if (has_finish_action) {
        task.is_public.push_back(1);
        task.published.push_back(static_cast<std::int32_t>(parts.shown[parts.self].needs.size()));
        task.finish_action = task.own_actions - 1;
    }
    task.is_sent = task.is_public;
    for (std::size_t a = 0; a < local.actions.size(); ++a)
        for (std::int32_t fact : local.actions.pre[a])
            task.is_sent[a] |= fact < local.public_facts;
}

}  // namespace

Assembled assemble(const Parts &parts) {
    check_parts(parts);
    const LocalTask &local = parts.local;
    Ints may_act;
    NodeTask task = sized(parts, may_act);
    Layout layout(task);
    auto private_offset = static_cast<std::int32_t>(layout.public_words * 64) - local.public_facts;

    Builder view, projection;
    Ints init, shown_init, goal, view_row, projection_row;
    std::int32_t self_at = static_cast<std::int32_t>(layout.token_at[parts.self] * 64);
    add_own(view, parts, private_offset, self_at, may_act[parts.self]);
    task.own_actions = static_cast<std::int32_t>(view.pre.size());
    for (std::int32_t fact : local.init) {
        init.push_back(fact < local.public_facts ? fact : fact + private_offset);
        if (fact < local.public_facts)
            shown_init.push_back(fact);
    }
    for (std::int32_t fact : local.goal)
        if (fact < local.public_facts)
            goal.push_back(fact);
    for (std::size_t agent = 0; agent < parts.shown.size(); ++agent) {
        const Shown &shown = parts.shown[agent];
        auto at = static_cast<std::int32_t>(layout.token_at[agent] * 64);
        auto shown_at = static_cast<std::int32_t>(layout.token_at_in_projection(agent) * 64);
        view_row.push_back(static_cast<std::int32_t>(view.pre.size()));
        projection_row.push_back(static_cast<std::int32_t>(projection.pre.size()));
        if (agent != static_cast<std::size_t>(parts.self))
            add_published(view, shown, at, may_act[agent]);
        add_published(projection, shown, shown_at, may_act[agent]);
        auto rows = static_cast<std::int32_t>(shown.rows());
        bool is_other = agent != static_cast<std::size_t>(parts.self);
        task.gates_in_view.push_back({at, view_row.back(), is_other ? rows : 0});
        task.gates_in_projection.push_back({shown_at, projection_row.back(), rows});
        task.groups.insert(task.groups.end(), shown.rows(), static_cast<std::int32_t>(agent));
        for (std::int32_t token : shown.initial_gains) {
            init.push_back(token + at);
            shown_init.push_back(token + shown_at);
        }
        if (may_act[agent] >= 0) {
            init.push_back(may_act[agent]);
            shown_init.push_back(may_act[agent]);
            goal.push_back(may_act[agent] + 1);
        }
    }
    task.view = view.task(layout.view_words * 64, std::move(init), goal, parts.costs);
    task.projection = SharedTask(
        projection.task(layout.projection_words * 64, std::move(shown_init), goal, parts.costs),
        parts.projections);
    describe_own_actions(task, parts, may_act[parts.self] >= 0);
    for (std::int32_t fact : parts.token_facts)
        task.token_facts.push_back(fact + private_offset);
    return {std::move(task), std::move(view_row), std::move(projection_row), std::move(layout)};
}

}  // namespace tacit::mafs
