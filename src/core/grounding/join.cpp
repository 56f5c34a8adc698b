// How the grounder finds the instances of a schema: it joins in one precondition after the other.
#include <algorithm>
#include <limits>

#include "grounding/grounder.hpp"
#include "util/pulse.hpp"

namespace tacit {

namespace {

constexpr std::int32_t unbound = -1;

// A limit on actions limits also what is done without finding any: steps of joins that are allowed
// whatever that limit is, and those that each allowed action adds.
constexpr std::int64_t free_steps = 1 << 22, steps_per_action = 50;
constexpr std::int64_t steps_per_check = 1 << 12;

}  // namespace

// All instances of a schema whose precondition `trigger` is the fact `newest` (-1: there is none).
void Grounder::join(int schema, int trigger, Relations::Id newest) {
    schema_index_ = schema;
    schema_ = &program_.schemas[schema];
    trigger_ = trigger;
    newest_ = newest;
    agent_ = program_.only_agent ? 0 : -1;
    binding_.assign(schema_->parameter_sets.size(), unbound);
    trail_.clear();
    order_.clear();
    for (int a = 0; a < static_cast<int>(schema_->positive.size()); ++a)
        if (a != trigger)
            order_.push_back(a);
    if (trigger < 0 || unify(schema_->positive[trigger], facts_.values(newest)))
        extend(0);
}

// Joins in the preconditions order_[depth..]; the smallest bucket goes first, and what is fully
// bound is only checked. Deeper calls permute order_ behind `depth` and nothing before it.
void Grounder::extend(std::size_t depth) {
    count_step();
    int best = -1;
    Relations::Bucket best_bucket;
    const Relations::Index *best_index = nullptr;
    auto newest_for = [&](int atom) {
        if (!program_.fluent[schema_->positive[atom].predicate])
            return std::numeric_limits<Relations::Id>::max();
        return atom < trigger_ ? newest_ - 1 : newest_;
    };
    for (std::size_t r = depth; r < order_.size(); ++r) {
        const Atom &atom = schema_->positive[order_[r]];
        Relations::Mask mask = 0;
        int arity = static_cast<int>(atom.args.size());
        for (int p = 0; p < arity; ++p) {
            key_[p] = value(atom.args[p], binding_.data());
            if (key_[p] != unbound)
                mask |= Relations::Mask{1} << p;
        }
        if (mask == (Relations::Mask{1} << arity) - 1) {
            Relations::Id id = facts_.find(atom.predicate, key_.data());
            if (id == Relations::none || id > newest_for(order_[r]))
                return;
            std::swap(order_[r], order_[depth]);
            ++depth;
            continue;
        }
        const Relations::Index &index = facts_.index(atom.predicate, mask);
        Relations::Bucket bucket = Relations::lookup(index, facts_, key_.data());
        if (bucket.count == 0)
            return;
        if (best < 0 || bucket.count < best_bucket.count) {
            best = order_[r];
            best_bucket = bucket;
            best_index = &index;
        }
    }
    if (best < 0) {
        bind_free(0);
        return;
    }
    std::swap(*std::find(order_.begin() + depth, order_.end(), best), order_[depth]);
    const Atom &atom = schema_->positive[best];
    Relations::Id newest = newest_for(best);
    for (auto at = best_bucket.first; at != Relations::none;
         at = Relations::next(*best_index, at)) {
        Relations::Id id = facts_.tuple(atom.predicate, at);
        if (id > newest)
            break;
        std::size_t mark = trail_.size();
        int agent = agent_;
        if (unify(atom, facts_.values(id)))
            extend(depth + 1);
        unbind_to(mark, agent);
    }
}

// Parameters that no precondition binds range over their whole set: all of these are actions.
void Grounder::bind_free(std::size_t variable) {
    while (variable < binding_.size() && binding_[variable] != unbound)
        ++variable;
    if (variable == binding_.size()) {
        complete();
        return;
    }
    auto attempt = [&](int object) {
        count_step();
        std::size_t mark = trail_.size();
        int agent = agent_;
        if (bind(static_cast<int>(variable), object))
            bind_free(variable + 1);
        unbind_to(mark, agent);
    };
    for (const Equality &e : schema_->equalities) {
        bool left = e.left == static_cast<int>(variable);
        if (!e.equal || (!left && e.right != static_cast<int>(variable)))
            continue;
        int other = left ? e.right : e.left;
        if (int object = value(other, binding_.data()); object != unbound) {
            attempt(object);
            return;
        }
    }
    for (int object : program_.sets[schema_->parameter_sets[variable]].members)
        attempt(object);
}

bool Grounder::bind(int variable, int object) {
    if (!program_.sets[schema_->parameter_sets[variable]].contains[object])
        return false;
    int claims[2] = {program_.owners[object], -1};
    if (variable == 0 && schema_->agent_parameter) {
        claims[1] = program_.agents_of[object];
        if (claims[1] < 0)
            return false;
    }
    for (int claim : claims) {
        if (claim < 0)
            continue;
        if (agent_ >= 0 && agent_ != claim)
            return false;
        agent_ = claim;
    }
    binding_[variable] = object;
    trail_.push_back(variable);
    return true;
}

void Grounder::unbind_to(std::size_t mark, int agent) {
    for (; trail_.size() > mark; trail_.pop_back())
        binding_[trail_.back()] = unbound;
    agent_ = agent;
}

// On failure the caller undoes what was bound on the way.
bool Grounder::unify(const Atom &atom, const std::int32_t *values) {
    for (std::size_t p = 0; p < atom.args.size(); ++p) {
        int known = value(atom.args[p], binding_.data());
        if (known == unbound) {
            if (!bind(atom.args[p], values[p]))
                return false;
        } else if (known != values[p]) {
            return false;
        }
    }
    return true;
}

void Grounder::complete() {
    if (!equalities_hold() || !owns_all())
        return;
    settle({schema_index_, agent_, binding_});
}

bool Grounder::equalities_hold() const {
    return std::all_of(schema_->equalities.begin(), schema_->equalities.end(), [&](auto &e) {
        return (value(e.left, binding_.data()) == value(e.right, binding_.data())) == e.equal;
    });
}

// An action that would touch a fact private to another agent is no action of this one. Objects
// that variables stand for were checked when they were bound; constants and owners are left.
bool Grounder::owns_all() const {
    auto own = [&](const Atom &atom) {
        int position = program_.agent_position[atom.predicate];
        if (position >= 0 &&
            program_.agents_of[value(atom.args[position], binding_.data())] != agent_)
            return false;
        return std::all_of(atom.args.begin(), atom.args.end(), [&](int arg) {
            return arg >= 0 || program_.owners[~arg] < 0 || program_.owners[~arg] == agent_;
        });
    };
    for (auto *atoms : {&schema_->positive, &schema_->negative, &schema_->adds, &schema_->deletes})
        if (!std::all_of(atoms->begin(), atoms->end(), own))
            return false;
    return agent_ >= 0;
}

void Grounder::count_step() {
    if (++steps_ % steps_per_check != 0)
        return;
    if (steps_ > free_steps + steps_per_action * max_actions_)
        throw GroundingLimit("the search for ground actions takes too long");
    pulse();
}

}  // namespace tacit
