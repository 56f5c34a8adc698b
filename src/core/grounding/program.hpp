// What the grounder is given: action schemas and objects as integers, names left behind.
//
// An argument of an atom is a variable (>= 0, a position among the schema's parameters) or an
// object (~o, so < 0). Agents and owners are small integers; -1 is "public".
#pragma once

#include <cstdint>
#include <vector>

#include "util/rows.hpp"

namespace tacit {

struct Atom {
    std::int32_t predicate;
    Ints args;
};

struct Equality {
    std::int32_t left, right;
    bool equal;
};

struct Schema {
    Ints parameter_sets;   // per variable: the set of objects it ranges over
    bool agent_parameter;  // variable 0 is the acting agent
    std::vector<Atom> positive, negative, adds, deletes, cost_terms;
    std::vector<Equality> equalities;
    std::int32_t cost;
};

struct ObjectSet {
    Ints members;
    std::vector<std::uint8_t> contains;  // per object
};

// A predicate whose agent position is `public_predicate` is public; at `own_predicate` every fact
// is private to the only agent there is; otherwise the position names the owner.
constexpr std::int32_t public_predicate = -1;
constexpr std::int32_t own_predicate = -2;
constexpr int max_variables = 200;  // bounds the depth of a join's recursion

class Program {
  public:
    // `owners`: per object, the agent it is private to; `agents_of`: the agent that it is.
    // `only_agent`: all files are one agent's own; otherwise every schema has an agent parameter.
    Program(Ints owners, Ints agents_of, bool only_agent);

    int add_set(const Ints &members);
    // `rank` orders public facts in the way all agents agree on.
    int add_predicate(int arity, int agent_position, bool fluent, int rank);
    void set_fluent(int predicate) { fluent[check_predicate(predicate)] = true; }
    // Some agent may change public facts of this predicate, and not only private ones.
    void set_public_fluent(int predicate) { public_fluent[check_predicate(predicate)] = true; }
    // The negation of this predicate matters to some agent.
    void set_negated(int predicate) { negated[check_predicate(predicate)] = true; }
    void rank_objects(Ints ranks);
    // Atoms are flat: predicate, arguments, predicate, arguments, ...
    int add_schema(Ints parameter_sets, bool agent_parameter, const Ints &positive,
                   const Ints &negative, const Ints &adds, const Ints &deletes,
                   const Ints &equalities, int cost, const Ints &cost_terms);

    std::vector<Atom> atoms(const Ints &flat, int variables) const;
    int objects() const { return static_cast<int>(owners.size()); }
    // The agent a fact is private to, `public_predicate` (-1) or `nobody`.
    int owner(int predicate, const std::int32_t *args) const;
    static constexpr int nobody = -3;

    Ints owners, agents_of, object_rank;
    bool only_agent;
    bool unit_cost = false;
    std::vector<ObjectSet> sets;
    Ints arity, agent_position, predicate_rank;
    std::vector<std::uint8_t> fluent, public_fluent, negated;
    std::vector<Schema> schemas;

  private:
    int check_predicate(int predicate) const;
};

}  // namespace tacit
