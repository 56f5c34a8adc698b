#include "grounding/program.hpp"

#include <numeric>
#include <stdexcept>
#include <utility>

#include "grounding/relations.hpp"

namespace tacit {

namespace {

void require(bool condition, const char *what) {
    if (!condition)
        throw std::invalid_argument(what);
}

}  // namespace

Program::Program(Ints owners_, Ints agents_of_, bool only_agent_)
    : owners(std::move(owners_)), agents_of(std::move(agents_of_)), object_rank(owners.size()),
      only_agent(only_agent_) {
    require(owners.size() == agents_of.size(), "one owner and one agent per object");
    std::iota(object_rank.begin(), object_rank.end(), 0);
}

int Program::add_set(const Ints &members) {
    ObjectSet set{members, std::vector<std::uint8_t>(owners.size(), 0)};
    for (int object : members) {
        require(object >= 0 && object < objects(), "no such object");
        set.contains[object] = 1;
    }
    sets.push_back(std::move(set));
    return static_cast<int>(sets.size()) - 1;
}

int Program::add_predicate(int arity_, int agent_position_, bool fluent_, int rank) {
    require(arity_ >= 0 && arity_ <= Relations::max_arity, "arity out of range");
    require(agent_position_ >= own_predicate && agent_position_ < arity_, "no such argument");
    arity.push_back(arity_);
    agent_position.push_back(agent_position_);
    fluent.push_back(fluent_);
    public_fluent.push_back(false);
    negated.push_back(false);
    predicate_rank.push_back(rank);
    return static_cast<int>(arity.size()) - 1;
}

void Program::rank_objects(Ints ranks) {
    require(ranks.size() == owners.size(), "one rank per object");
    object_rank = std::move(ranks);
}

int Program::add_schema(Ints parameter_sets, bool agent_parameter, const Ints &positive,
                        const Ints &negative, const Ints &adds, const Ints &deletes,
                        const Ints &equalities, int cost, const Ints &cost_terms) {
    int variables = static_cast<int>(parameter_sets.size());
    for (int set : parameter_sets)
        require(set >= 0 && set < static_cast<int>(sets.size()), "no such set of objects");
    require(only_agent || agent_parameter, "whose action is this?");
    require(!agent_parameter || variables > 0, "no agent parameter");
    require(variables <= max_variables, "too many parameters");
    require(equalities.size() % 3 == 0, "an equality has three parts");
    Schema schema{std::move(parameter_sets),
                  agent_parameter,
                  atoms(positive, variables),
                  atoms(negative, variables),
                  atoms(adds, variables),
                  atoms(deletes, variables),
                  atoms(cost_terms, variables),
                  {},
                  cost};
    for (std::size_t i = 0; i < equalities.size(); i += 3) {
        for (int side : {equalities[i], equalities[i + 1]})
            require(side < variables && ~side < objects(), "no such variable or object");
        schema.equalities.push_back({equalities[i], equalities[i + 1], equalities[i + 2] != 0});
    }
    schemas.push_back(std::move(schema));
    return static_cast<int>(schemas.size()) - 1;
}

std::vector<Atom> Program::atoms(const Ints &flat, int variables) const {
    std::vector<Atom> done;
    for (std::size_t i = 0; i < flat.size();) {
        int predicate = check_predicate(flat[i++]);
        std::size_t end = i + arity[predicate];
        require(end <= flat.size(), "an atom is cut short");
        Atom atom{predicate, Ints(flat.begin() + i, flat.begin() + end)};
        for (int arg : atom.args)
            require(arg < variables && ~arg < objects(), "no such variable or object");
        done.push_back(std::move(atom));
        i = end;
    }
    return done;
}

int Program::owner(int predicate, const std::int32_t *args) const {
    int found = -1;
    auto claim = [&](int agent) {
        if (agent >= 0)
            found = found == -1 || found == agent ? agent : nobody;
    };
    for (int p = 0; p < arity[predicate] && found != nobody; ++p)
        claim(owners[args[p]]);
    int position = agent_position[predicate];
    if (position == own_predicate && found != nobody)
        claim(0);
    if (position >= 0) {
        int agent = agents_of[args[position]];
        if (agent < 0)
            return nobody;  // private to an agent that is none here
        if (found != nobody)
            claim(agent);
    }
    return found;
}

int Program::check_predicate(int predicate) const {
    require(predicate >= 0 && predicate < static_cast<int>(arity.size()), "no such predicate");
    return predicate;
}

}  // namespace tacit
