// Grounding by relaxed reachability, one agent at a time or all at once.
//
// The reached facts are a growing set of tuples (`Relations`). Each fact, in the order of its id,
// is offered to every fluent precondition it may satisfy (a *trigger*); the other preconditions
// are joined in, always the one with the fewest candidates next, all looked up through indexes.
// A precondition before the trigger may only use older facts, one behind it older facts or the
// same one, so that every ground action is found exactly once. Work and memory thus follow the
// ground task, and the product of the parameter types is never walked.
//
// Negative preconditions are no join partners. A negated fact that does not hold initially is
// fine at once; one that does waits until some reached action deletes it.
//
// The fixpoint can be fed from outside (`learn`): that is how an agent that holds only its own
// files grounds together with the others.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grounding/program.hpp"
#include "grounding/relations.hpp"
#include "grounding/task.hpp"

namespace tacit {

struct GroundingLimit : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Grounder {
  public:
    // Past `max_actions` actions found, or work or memory out of all proportion to them, it gives
    // up.
    Grounder(Program program, std::int64_t max_actions);

    // Facts that hold initially, flat; those that belong to nobody are dropped.
    void initial(const Ints &facts);
    // Static facts with a number: the constants of the cost functions.
    void initial_values(const Ints &facts, const Ints &values);
    // Public facts that the others make true, and facts that the others make false.
    void learn(const Ints &reached, const Ints &falsified);
    void run();

    // Public facts that own actions newly made true, or false, since the last question; flat.
    Ints take_reached() { return std::exchange(fresh_, {}); }
    Ints take_falsified() { return std::exchange(fresh_false_, {}); }
    // Public facts whose negation an own action or goal needs; flat. Only after the fixpoint.
    Ints negated(const Ints &negative_goals) const;

    // The ground task; the last thing to ask for. `negated_elsewhere`: public facts whose negation
    // the other agents need.
    GroundTask finish(const Ints &goals, const Ints &negative_goals, const Ints &negated_elsewhere);

    std::int64_t actions() const { return static_cast<std::int64_t>(action_schema_.size()); }

  private:
    friend class TaskBuilder;
    struct Trigger {
        std::int32_t schema, atom;
    };
    // An instance of a schema; it may have to wait until a fact is falsified.
    struct Waiting {
        std::int32_t schema, agent;
        Ints binding;
    };

    void start();
    void offer(Relations::Id fact);
    void join(int schema, int trigger, Relations::Id newest);
    void extend(std::size_t depth);
    void bind_free(std::size_t variable);
    bool bind(int variable, int object);
    void unbind_to(std::size_t mark, int agent);
    bool unify(const Atom &atom, const std::int32_t *values);
    void complete();
    bool equalities_hold() const;
    bool owns_all() const;
    Relations::Id blocking_negation(const Schema &schema, const std::int32_t *binding) const;
    void settle(Waiting instance);
    void wait(Relations::Id fact, Waiting instance);
    void record(const Waiting &instance);
    void falsify(Relations::Id fact);
    Relations::Id reach(int predicate, const std::int32_t *args, bool own);
    void count_step();
    void count_numbers(std::size_t more);

    int value(int arg, const std::int32_t *binding) const { return arg < 0 ? ~arg : binding[arg]; }
    const std::int32_t *ground(const Atom &atom, const std::int32_t *binding) const;
    Relations::Id find(const Atom &atom, const std::int32_t *binding) const {
        return facts_.find(atom.predicate, ground(atom, binding));
    }

    Program program_;
    std::int64_t max_actions_;
    Relations facts_;
    std::vector<std::uint8_t> initial_;           // per fact: holds initially
    std::vector<std::uint8_t> falsified_;         // per fact: some reached action makes it false
    Ints value_of_;                               // per fact with a number
    std::vector<std::vector<Trigger>> triggers_;  // per predicate
    bool started_ = false;
    Relations::Id head_ = 0;
    Ints fresh_, fresh_false_;

    Ints action_schema_, action_agent_;
    Rows action_args_;
    std::vector<Waiting> ready_;
    std::unordered_map<Relations::Id, std::vector<Waiting>> waiting_;

    // The join under way.
    const Schema *schema_ = nullptr;
    int schema_index_ = 0;
    int agent_ = -1;
    Ints binding_, trail_, order_;
    int trigger_ = -1;
    Relations::Id newest_ = 0;
    mutable Ints key_;
    std::int64_t steps_ = 0;
    std::int64_t waiting_count_ = 0;
    std::int64_t numbers_ = 0;  // stored for actions and facts
};

}  // namespace tacit
