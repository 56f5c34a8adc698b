// From reached facts and recorded instances to a `GroundTask`: what is static is compiled away,
// negations become facts of their own, everything gets its final number.
#include <algorithm>
#include <limits>
#include <numeric>

#include "grounding/grounder.hpp"
#include "util/pulse.hpp"

namespace tacit {

class TaskBuilder {
  public:
    explicit TaskBuilder(Grounder &grounder)
        : g_(grounder), program_(grounder.program_), facts_(grounder.facts_),
          reached_(facts_.size()) {}

    GroundTask build(const Ints &goals, const Ints &negative_goals, const Ints &elsewhere) {
        std::vector<Atom> wanted = program_.atoms(goals, 0);
        std::vector<Atom> unwanted = program_.atoms(negative_goals, 0);
        find_needed_negations(program_.atoms(elsewhere, 0));
        find_goals(wanted, unwanted);
        find_touched();
        number_facts();
        for (auto [id, positive] : goals_)
            if (int fact = number(id, positive); fact >= 0)
                task_.goal.push_back(fact);
        sort_unique(task_.goal, 0);
        write_init();
        write_actions();
        return std::move(task_);
    }

  private:
    using Id = Relations::Id;

    Id find(const Atom &atom, const std::int32_t *binding) {
        for (std::size_t p = 0; p < atom.args.size(); ++p)
            key_[p] = atom.args[p] < 0 ? ~atom.args[p] : binding[atom.args[p]];
        return facts_.find(atom.predicate, key_);
    }
    bool is_fluent(Id id) const { return program_.fluent[facts_.relation(id)]; }
    bool is_initial(Id id) const {
        return id < static_cast<Id>(g_.initial_.size()) && g_.initial_[id];
    }
    int owner(Id id) const { return program_.owner(facts_.relation(id), facts_.values(id)); }
    const Schema &schema(std::size_t action) const {
        return program_.schemas[g_.action_schema_[action]];
    }
    int number(Id id, bool positive) const { return positive ? number_[id] : negation_[id]; }

    // A negated fact that was never reached is simply true and needs no fact of its own.
    void find_needed_negations(const std::vector<Atom> &elsewhere) {
        negation_needed_.assign(reached_, 0);
        auto need = [&](const Atom &atom, const std::int32_t *binding) {
            if (Id id = find(atom, binding); id != Relations::none && is_fluent(id))
                negation_needed_[id] = 1;
        };
        for (std::size_t a = 0; a < g_.action_schema_.size(); ++a, tick_())
            for (const Atom &atom : schema(a).negative)
                need(atom, g_.action_args_[a].data());
        for (const Atom &atom : elsewhere)
            need(atom, nullptr);
    }

    // Goals that no action can change are dropped if they hold (as facts that are not kept are),
    // and kept as facts that nothing ever makes true if they do not: the task then has no plan, and
    // that can be seen from the task.
    void find_goals(const std::vector<Atom> &wanted, const std::vector<Atom> &unwanted) {
        for (const Atom &atom : wanted) {
            Id id = find(atom, nullptr);
            if (id != Relations::none && id < reached_ && !is_fluent(id))
                continue;
            if (id == Relations::none)
                id = facts_.add(atom.predicate, key_).first;
            goals_.push_back({id, true});
        }
        negation_needed_.resize(facts_.size(), 0);
        for (const Atom &atom : unwanted) {
            Id id = find(atom, nullptr);
            if (id == Relations::none || id >= reached_)
                continue;
            negation_needed_[id] = 1;
            goals_.push_back({id, false});
        }
    }

    // A private fact that no action of its owner changes is static, whatever its predicate is.
    void find_touched() {
        touched_.assign(facts_.size(), 0);
        for (std::size_t a = 0; a < g_.action_schema_.size(); ++a, tick_())
            for (auto *atoms : {&schema(a).adds, &schema(a).deletes})
                for (const Atom &atom : *atoms)
                    if (Id id = find(atom, g_.action_args_[a].data()); id != Relations::none)
                        touched_[id] = 1;
    }

    bool is_kept(Id id) const {
        if (id >= reached_ || negation_needed_[id])
            return true;
        bool is_public = owner(id) == public_predicate;
        return is_public ? program_.public_fluent[facts_.relation(id)]
                         : is_fluent(id) && touched_[id];
    }

    struct Entry {
        Id id;
        std::int32_t owner;
        bool positive;
    };

    void number_facts() {
        std::vector<Entry> entries;
        for (Id id = 0; id < facts_.size(); ++id, tick_()) {
            if (!is_kept(id))
                continue;
            int whose = owner(id);
            bool is_static = id < reached_ && !is_fluent(id);
            if (!is_static)
                entries.push_back({id, whose, true});
            if (negation_needed_[id])
                entries.push_back({id, whose, false});
        }
        std::sort(entries.begin(), entries.end(),
                  [&](const Entry &a, const Entry &b) { return before(a, b); });
        number_.assign(facts_.size(), -1);
        negation_.assign(facts_.size(), -1);
        for (std::size_t e = 0; e < entries.size(); ++e) {
            auto [id, whose, positive] = entries[e];
            (positive ? number_ : negation_)[id] = static_cast<int>(e);
            task_.owner.push_back(whose);
            task_.public_facts += whose == public_predicate;
            task_.facts.push(facts_.relation(id));
            task_.facts.push(positive);
            task_.facts.append(Row(facts_.values(id), facts_.arity(facts_.relation(id))));
        }
    }

    bool before(const Entry &a, const Entry &b) const {
        if (a.owner != b.owner)
            return a.owner < b.owner;
        bool by_rank = a.owner == public_predicate;
        int p = facts_.relation(a.id), q = facts_.relation(b.id);
        if (p != q)
            return by_rank ? program_.predicate_rank[p] < program_.predicate_rank[q] : p < q;
        for (int i = 0; i < facts_.arity(p); ++i) {
            int x = facts_.values(a.id)[i], y = facts_.values(b.id)[i];
            if (x != y)
                return by_rank ? program_.object_rank[x] < program_.object_rank[y] : x < y;
        }
        return a.positive && !b.positive;
    }

    void write_init() {
        for (Id id = 0; id < facts_.size(); ++id) {
            bool holds = is_initial(id);
            if (int fact = number(id, holds); fact >= 0)
                task_.init.push_back(fact);
        }
        sort_unique(task_.init, 0);
    }

    void write_actions() {
        std::vector<std::int32_t> order(g_.action_schema_.size());
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](int a, int b) {
            tick_();
            if (g_.action_agent_[a] != g_.action_agent_[b])
                return g_.action_agent_[a] < g_.action_agent_[b];
            if (g_.action_schema_[a] != g_.action_schema_[b])
                return g_.action_schema_[a] < g_.action_schema_[b];
            Row x = g_.action_args_[a], y = g_.action_args_[b];
            return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
        });
        for (int a : order)
            write_action(a);
    }

    void write_action(std::size_t a) {
        tick_();
        const Schema &s = schema(a);
        const std::int32_t *binding = g_.action_args_[a].data();
        Actions &out = task_.actions;
        task_.action_agent.push_back(g_.action_agent_[a]);
        out.schema.push_back(g_.action_schema_[a]);
        out.args.append(g_.action_args_[a]);
        out.cost.push_back(cost(s, binding));
        for (const Atom &atom : s.positive)
            push(out.pre, number_[find(atom, binding)]);
        for (const Atom &atom : s.negative)
            if (Id id = find(atom, binding); id != Relations::none)
                push(out.pre, negation_[id]);
        added_.clear();
        for (const Atom &atom : s.adds)
            added_.push_back(find(atom, binding));
        for (Id id : added_) {
            push(out.add, number_[id]);
            push(out.del, negation_[id]);
        }
        for (const Atom &atom : s.deletes) {
            Id id = find(atom, binding);
            bool back = std::find(added_.begin(), added_.end(), id) != added_.end();
            if (id == Relations::none || back)
                continue;
            push(out.del, number_[id]);
            push(out.add, negation_[id]);
        }
        for (Rows *rows : {&out.pre, &out.add, &out.del}) {
            sort_unique(rows->items, rows->start.back());
            rows->close();
        }
        out.is_public.push_back(begins_public(out.add) || begins_public(out.del));
    }

    // Public facts have the smallest numbers, so one look at the last row's front is enough.
    bool begins_public(const Rows &rows) const {
        Row last = rows[rows.size() - 1];
        return !last.empty() && last[0] < task_.public_facts;
    }

    int cost(const Schema &s, const std::int32_t *binding) {
        if (program_.unit_cost)
            return 1;
        std::int64_t total = s.cost;
        for (const Atom &atom : s.cost_terms)
            total += g_.value_of_[find(atom, binding)];
        if (total > std::numeric_limits<std::int32_t>::max())
            throw GroundingLimit("an action costs more than 2147483647");
        return static_cast<int>(total);
    }

    static void push(Rows &rows, std::int32_t fact) {
        if (fact >= 0)
            rows.push(fact);
    }
    static void sort_unique(Ints &items, std::size_t from) {
        std::sort(items.begin() + from, items.end());
        items.erase(std::unique(items.begin() + from, items.end()), items.end());
    }

    const Grounder &g_;
    const Program &program_;
    Relations &facts_;  // grows only by goals that were never reached
    const Id reached_;
    std::int32_t key_[Relations::max_arity + 1] = {};
    std::vector<std::uint8_t> negation_needed_, touched_;
    std::vector<std::pair<Id, bool>> goals_;
    Ints number_, negation_, added_;
    GroundTask task_;
    Ticks tick_;
};

GroundTask Grounder::finish(const Ints &goals, const Ints &negative_goals,
                            const Ints &negated_elsewhere) {
    return TaskBuilder(*this).build(goals, negative_goals, negated_elsewhere);
}

}  // namespace tacit
