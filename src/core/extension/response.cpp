#include "extension/response.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

namespace tacit {

namespace {

using Flags = std::vector<std::uint8_t>;

void append(Ints &to, Row row, std::int32_t shift) {
    for (std::int32_t item : row)
        to.push_back(item + shift);
}

void mark(Flags &flags, Row row) {
    for (std::int32_t item : row)
        flags[item] = 1;
}

bool has_any(const Flags &flags, Row row) {
    for (std::int32_t item : row)
        if (flags[item])
            return true;
    return false;
}

class Reducer {
  public:
    Reducer(const StripsTask &own, const GivenSteps &given)
        : own_(own), given_(given), is_optional_(!given.cost.empty()), reached_(own.size()),
          kept_(own.size()), changed_(own.facts), needed_(own.facts), live_(own.facts),
          number_(own.facts, -1) {}

    Response made() {
        find_reached();
        find_relevant();
        find_live();
        number_facts();
        Ints init = seen(own_.init), goal = seen(own_.goal);
        init.push_back(first_place_);
        for (std::size_t a = 0; a < own_.size(); ++a)
            if (kept_[a])
                add({seen(own_.pre[a]), seen(own_.add[a]), seen(own_.del[a])}, own_.cost[a],
                    static_cast<std::int32_t>(a));
        std::int32_t place = first_place_;
        for (std::size_t step : steps_)
            add_given(step, place++);
        goal.push_back(place);
        Ints group(cost_.size());
        return {{place + 1, std::move(init), std::move(goal), std::move(needs_), std::move(adds_),
                 std::move(deletes_), std::move(cost_), std::move(group)},
                std::move(meaning_)};
    }

  private:
    struct Parts {
        Ints needs, adds, deletes;
    };

    const StripsTask &own_;
    const GivenSteps &given_;
    bool is_optional_;
    Flags reached_, kept_;           // per own action
    Flags changed_, needed_, live_;  // per fact
    Ints number_;
    std::vector<std::size_t> steps_;
    std::int32_t first_place_ = 0;
    Rows needs_, adds_, deletes_;  // of the task that is made
    Ints cost_, meaning_;

    // Own actions that can be applied if nothing is ever deleted and all given steps are taken.
    void find_reached() {
        Flags holds(own_.facts);
        Ints stack, missing(own_.size());
        auto reach = [&](Row facts) {
            for (std::int32_t fact : facts)
                if (!holds[fact]) {
                    holds[fact] = 1;
                    stack.push_back(fact);
                }
        };
        reach(own_.init);
        reach(given_.adds.items);
        Rows needed_by = inverted(own_.pre, own_.facts);
        for (std::size_t a = 0; a < own_.size(); ++a) {
            missing[a] = static_cast<std::int32_t>(own_.pre[a].size());
            if (missing[a] == 0) {
                reached_[a] = 1;
                reach(own_.add[a]);
            }
        }
        while (!stack.empty()) {
            std::int32_t fact = stack.back();
            stack.pop_back();
            for (std::int32_t a : needed_by[fact])
                if (--missing[a] == 0) {
                    reached_[a] = 1;
                    reach(own_.add[a]);
                }
        }
    }

    // Of these, what makes something true that is needed. `needed_`: by the goal, by a given step,
    // or by an action that is kept.
    void find_relevant() {
        Rows added_by = inverted(own_.add, own_.facts);
        Ints stack;
        auto need = [&](Row facts) {
            for (std::int32_t fact : facts)
                if (!needed_[fact]) {
                    needed_[fact] = 1;
                    stack.push_back(fact);
                }
        };
        need(own_.goal);
        need(given_.needs.items);
        while (!stack.empty()) {
            std::int32_t fact = stack.back();
            stack.pop_back();
            for (std::int32_t a : added_by[fact])
                if (reached_[a] && !kept_[a]) {
                    kept_[a] = 1;
                    need(own_.pre[a]);
                }
        }
    }

    // The facts that the task is about, and the given steps that have to do with them.
    void find_live() {
        Flags needed_by_own(own_.facts), changed_by_others(own_.facts);
        for (std::size_t a = 0; a < own_.size(); ++a)
            if (kept_[a]) {
                mark(needed_by_own, own_.pre[a]);
                mark(changed_, own_.add[a]);
                mark(changed_, own_.del[a]);
            }
        mark(changed_by_others, given_.adds.items);
        mark(changed_by_others, given_.deletes.items);
        if (is_optional_)  // what the others change depends on the agent
            mark(changed_, given_.adds.items), mark(changed_, given_.deletes.items);
        for (std::int32_t fact = 0; fact < own_.facts; ++fact)
            live_[fact] =
                needed_[fact] &&
                (changed_[fact] || (needed_by_own[fact] != 0 && changed_by_others[fact] != 0));
        for (std::size_t step = 0; step < given_.needs.size(); ++step)
            if (is_optional_ || has_any(live_, given_.adds[step]) ||
                has_any(live_, given_.deletes[step]) || has_live_change(given_.needs[step]))
                steps_.push_back(step);
    }

    bool has_live_change(Row facts) const {
        for (std::int32_t fact : facts)
            if (live_[fact] && changed_[fact])
                return true;
        return false;
    }

    void number_facts() {
        for (std::int32_t fact = 0; fact < own_.facts; ++fact)
            if (live_[fact])
                number_[fact] = first_place_++;
    }

    Ints seen(Row facts) const {
        Ints made;
        for (std::int32_t fact : facts)
            if (live_[fact])
                made.push_back(number_[fact]);
        return made;
    }

    void add(const Parts &parts, std::int32_t cost, std::int32_t meaning) {
        needs_.append(parts.needs);
        adds_.append(parts.adds);
        deletes_.append(parts.deletes);
        cost_.push_back(cost);
        meaning_.push_back(meaning);
    }

    void add_given(std::size_t step, std::int32_t place) {
        Parts parts{seen(given_.needs[step]), seen(given_.adds[step]), seen(given_.deletes[step])};
        parts.needs.push_back(place);
        parts.adds.push_back(place + 1);
        parts.deletes.push_back(place);
        add(parts, is_optional_ ? given_.cost[step] : 0,
            static_cast<std::int32_t>(own_.size() + step));
        if (is_optional_)
            add({{place}, {place + 1}, {place}}, 0, -1);
    }
};

}  // namespace

StripsTask supported_task(const LocalTask &local, const DependencyGraph &graph,
                          const CertainDeletes &deletes, const DisclosedTokens &disclosed,
                          Ints cost) {
    const Actions &actions = local.actions;
    auto count = static_cast<std::int32_t>(actions.size());
    auto first = static_cast<std::int32_t>(local.public_facts + local.private_facts.size());
    Rows deleted = inverted(deletes.of(graph.tokens), count);
    std::vector<Ints> achieved(actions.size());
    Ints init = local.init, goal = local.goal;
    for (std::size_t i = 0; i < disclosed.token.size(); ++i) {
        std::int32_t achiever = disclosed.achiever[i], token = first + disclosed.token[i];
        (achiever == DependencyGraph::init ? init : achieved.at(achiever)).push_back(token);
    }
    append(goal, graph.goal, first);
    Rows needs, adds, dels;
    Ints need, del;
    for (std::int32_t a = 0; a < count; ++a) {
        need.assign(actions.pre[a].begin(), actions.pre[a].end());
        del.assign(actions.del[a].begin(), actions.del[a].end());
        if (actions.is_public[a]) {
            append(need, graph.needs[a], first);
            append(del, deleted[a], first);
        }
        needs.append(need);
        dels.append(del);
        for (std::int32_t fact : actions.add[a])
            adds.push(fact);
        adds.append(achieved[a]);
    }
    auto facts = first + static_cast<std::int32_t>(graph.tokens.size());
    return {facts,           std::move(init), std::move(goal), std::move(needs),
            std::move(adds), std::move(dels), std::move(cost), Ints(actions.size())};
}

Response response(const StripsTask &own, const GivenSteps &given) {
    std::size_t steps = given.needs.size();
    if (given.adds.size() != steps || given.deletes.size() != steps ||
        (!given.cost.empty() && given.cost.size() != steps))
        throw std::invalid_argument("given steps: not one row per step");
    for (const Rows *rows : {&given.needs, &given.adds, &given.deletes})
        for (std::int32_t fact : rows->items)
            if (fact < 0 || fact >= own.facts)
                throw std::invalid_argument("given steps: there is no such fact");
    return Reducer(own, given).made();
}

}  // namespace tacit
