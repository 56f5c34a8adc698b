#include "grounding/grounder.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>

#include "util/pulse.hpp"

namespace tacit {

namespace {

constexpr std::size_t numbers_per_entry = 4;  // what keeping it takes besides

// Numbers kept that are allowed whatever the limit on actions is, and those that each allowed
// action adds.
constexpr std::int64_t free_numbers = 1 << 20, numbers_per_action = 4;

}  // namespace

Grounder::Grounder(Program program, std::int64_t max_actions)
    : program_(std::move(program)), max_actions_(max_actions), facts_(program_.arity),
      triggers_(program_.arity.size()), key_(Relations::max_arity + 1) {}

void Grounder::initial(const Ints &facts) {
    for (const Atom &atom : program_.atoms(facts, 0)) {
        const std::int32_t *args = ground(atom, nullptr);
        if (program_.owner(atom.predicate, args) == Program::nobody)
            continue;
        auto [id, is_new] = facts_.add(atom.predicate, args);
        initial_.resize(facts_.size(), 0);
        initial_[id] = 1;
    }
}

void Grounder::initial_values(const Ints &facts, const Ints &values) {
    std::vector<Atom> atoms = program_.atoms(facts, 0);
    if (atoms.size() != values.size())
        throw std::invalid_argument("one value per function term");
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        auto [id, is_new] = facts_.add(atoms[i].predicate, ground(atoms[i], nullptr));
        value_of_.resize(facts_.size(), 0);
        value_of_[id] = values[i];
    }
}

void Grounder::learn(const Ints &reached, const Ints &falsified) {
    for (const Atom &atom : program_.atoms(reached, 0))
        reach(atom.predicate, ground(atom, nullptr), false);
    for (const Atom &atom : program_.atoms(falsified, 0))
        if (auto id = find(atom, nullptr); id != Relations::none)
            falsify(id);
}

void Grounder::run() {
    if (!started_)
        start();
    while (!ready_.empty() || head_ < facts_.size()) {
        if (!ready_.empty()) {
            Waiting next = std::move(ready_.back());
            ready_.pop_back();
            settle(std::move(next));
        } else {
            if (program_.fluent[facts_.relation(head_)])
                offer(head_);
            ++head_;
        }
    }
}

// Schemas that need no fluent fact are tried once; the others wait for their triggers. A function
// term in the cost is a precondition as well: where it has no value, there is no action.
void Grounder::start() {
    started_ = true;
    for (std::size_t s = 0; s < program_.schemas.size(); ++s) {
        std::vector<Atom> &positive = program_.schemas[s].positive;
        const std::vector<Atom> &terms = program_.schemas[s].cost_terms;
        positive.insert(positive.end(), terms.begin(), terms.end());
        bool waits = false;
        for (std::size_t a = 0; a < positive.size(); ++a) {
            if (!program_.fluent[positive[a].predicate])
                continue;
            waits = true;
            triggers_[positive[a].predicate].push_back({static_cast<int>(s), static_cast<int>(a)});
        }
        if (!waits)
            join(static_cast<int>(s), -1, std::numeric_limits<Relations::Id>::max());
    }
}

void Grounder::offer(Relations::Id fact) {
    for (const Trigger &trigger : triggers_[facts_.relation(fact)])
        join(trigger.schema, trigger.atom, fact);
}

// The fact whose falsity an instance still has to wait for; `none` if there is none, and -2 if
// the instance is impossible.
Relations::Id Grounder::blocking_negation(const Schema &schema, const std::int32_t *binding) const {
    for (const Atom &atom : schema.negative) {
        Relations::Id id = find(atom, binding);
        if (id == Relations::none)
            continue;
        if (!program_.fluent[atom.predicate])
            return -2;
        bool holds_initially = id < static_cast<Relations::Id>(initial_.size()) && initial_[id];
        bool false_later = id < static_cast<Relations::Id>(falsified_.size()) && falsified_[id];
        if (holds_initially && !false_later)
            return id;
    }
    return Relations::none;
}

void Grounder::record(const Waiting &instance) {
    if (actions() >= max_actions_)
        throw GroundingLimit("more than " + std::to_string(max_actions_) + " ground actions");
    count_numbers(instance.binding.size() + numbers_per_entry);
    const Schema &schema = program_.schemas[instance.schema];
    const std::int32_t *binding = instance.binding.data();
    action_schema_.push_back(instance.schema);
    action_agent_.push_back(instance.agent);
    action_args_.append(instance.binding);
    for (const Atom &atom : schema.adds)
        reach(atom.predicate, ground(atom, binding), true);
    for (const Atom &atom : schema.deletes) {
        Relations::Id id = find(atom, binding);
        if (id == Relations::none)
            continue;
        bool added_back = std::any_of(schema.adds.begin(), schema.adds.end(),
                                      [&](const Atom &a) { return find(a, binding) == id; });
        if (!added_back)
            falsify(id);
    }
}

Relations::Id Grounder::reach(int predicate, const std::int32_t *args, bool own) {
    auto [id, is_new] = facts_.add(predicate, args);
    if (is_new)
        count_numbers(static_cast<std::size_t>(facts_.arity(predicate)) + 2 * numbers_per_entry);
    if (is_new && own && program_.owner(predicate, facts_.values(id)) == public_predicate) {
        fresh_.push_back(predicate);
        fresh_.insert(fresh_.end(), facts_.values(id), facts_.values(id) + facts_.arity(predicate));
    }
    return id;
}

void Grounder::falsify(Relations::Id fact) {
    falsified_.resize(facts_.size(), 0);
    if (falsified_[fact])
        return;
    falsified_[fact] = 1;
    int predicate = facts_.relation(fact);
    if (program_.negated[predicate] &&
        program_.owner(predicate, facts_.values(fact)) == public_predicate) {
        fresh_false_.push_back(predicate);
        fresh_false_.insert(fresh_false_.end(), facts_.values(fact),
                            facts_.values(fact) + facts_.arity(predicate));
    }
    if (auto found = waiting_.find(fact); found != waiting_.end()) {
        waiting_count_ -= static_cast<std::int64_t>(found->second.size());
        std::move(found->second.begin(), found->second.end(), std::back_inserter(ready_));
        waiting_.erase(found);
    }
}

// Takes an instance whose positive preconditions hold: an action, or one that waits.
void Grounder::settle(Waiting instance) {
    const Schema &schema = program_.schemas[instance.schema];
    Relations::Id blocker = blocking_negation(schema, instance.binding.data());
    if (blocker == Relations::none)
        record(instance);
    else if (blocker >= 0)
        wait(blocker, std::move(instance));
}

void Grounder::wait(Relations::Id fact, Waiting instance) {
    if (actions() + ++waiting_count_ > max_actions_)
        throw GroundingLimit("more than " + std::to_string(max_actions_) + " ground actions");
    count_numbers(instance.binding.size() + 4 * numbers_per_entry);
    waiting_[fact].push_back(std::move(instance));
}

Ints Grounder::negated(const Ints &negative_goals) const {
    Ints done;
    std::vector<std::uint8_t> seen(facts_.size(), 0);
    auto keep = [&](const Atom &atom, const std::int32_t *binding) {
        Relations::Id id = find(atom, binding);
        if (id == Relations::none || seen[id] || !program_.fluent[atom.predicate])
            return;
        seen[id] = 1;
        if (program_.owner(atom.predicate, facts_.values(id)) != public_predicate)
            return;
        done.push_back(atom.predicate);
        done.insert(done.end(), facts_.values(id),
                    facts_.values(id) + facts_.arity(atom.predicate));
    };
    for (std::size_t a = 0; a < action_schema_.size(); ++a)
        for (const Atom &atom : program_.schemas[action_schema_[a]].negative)
            keep(atom, action_args_[a].data());
    for (const Atom &atom : program_.atoms(negative_goals, 0))
        keep(atom, nullptr);
    return done;
}

const std::int32_t *Grounder::ground(const Atom &atom, const std::int32_t *binding) const {
    for (std::size_t p = 0; p < atom.args.size(); ++p)
        key_[p] = value(atom.args[p], binding);
    return key_.data();
}

// Actions of many parameters take as much memory as many actions.
void Grounder::count_numbers(std::size_t more) {
    numbers_ += static_cast<std::int64_t>(more);
    if (numbers_ > free_numbers + numbers_per_action * max_actions_)
        throw GroundingLimit("the ground actions and facts take too much memory");
}

}  // namespace tacit
