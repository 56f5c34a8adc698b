"""An unfactored problem as CoDMAP's factored files.

An agent is given what it may know: the schemas whose agent it can be, all public objects and facts,
and its own private ones. Public goals go to every agent, private goals to their owner.

The factored form marks a predicate as private but does not mark the argument that names the owner;
readers search for a parameter `?agent` of the agent's type, so that is what the argument is called
here. A schema that uses another agent's private predicates or constants is omitted: this agent
could never execute it.

A schema whose body mentions the agent, or whose name ends in the agent's, would be read as written
for the agent, without an agent parameter. An equality then fixes the value of the parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from tacit.errors import InputError
from tacit.pddl.agents import Privacy, agents_of, is_written_for
from tacit.pddl.requirements import undeclared
from tacit.pddl.syntax import (
    EQUALS,
    OBJECT,
    Action,
    Atom,
    Description,
    Domain,
    Form,
    Literal,
    Object,
    Pair,
    Predicate,
    Problem,
    Typed,
)
from tacit.pddl.types import Types
from tacit.pddl.writer import plain_requirements, unfactored_pair, write_pair

_AGENT = "?agent"


def texts_of(description: Description) -> dict[str, tuple[str, str]]:
    """The two texts of every agent, of a problem of either form."""
    if description.form is not Form.FACTORED:
        return factor(description)
    return {
        str(pair.agent): (pair.domain.source.text, pair.problem.source.text)
        for pair in description.pairs
    }


def factor(description: Description) -> dict[str, tuple[str, str]]:
    """The texts of `domain-AGENT.pddl` and `problem-AGENT.pddl` for every agent.

    >>> from tacit.pddl.reader import read_texts
    >>> from tacit.pddl.source import Source
    >>> domain = '''(define (domain d) (:types a - object)
    ...   (:predicates (:private ?x - a (p ?x - a)))
    ...   (:action do :agent ?x - a :effect (p ?x)))'''
    >>> problem = '''(define (problem e) (:domain d) (:objects a1 a2 - a)
    ...   (:init (p a2)) (:goal (p a1)))'''
    >>> sorted(factor(read_texts(Source("d", domain), Source("e", problem))))
    ['a1', 'a2']
    """
    pair = unfactored_pair(description)
    agents = agents_of(description)
    _check_agent_types(pair.domain)
    _check_goal(pair, agents)
    return {agent: write_pair(_part(pair, agent)) for agent in agents}


def _part(pair: Pair, agent: str) -> Pair:
    """What one agent is given of an unfactored problem."""
    types = Types(pair.domain.types)
    own = next(item.types for item in pair.objects if item.name == agent)

    def fits(parameter: Typed) -> bool:
        return types.accepts(parameter.types, own)

    visible = {item.name for item in pair.objects if item.owner in (None, agent)}
    domain = _domain_part(pair.domain, agent, fits, visible)
    if any(is_written_for(action, agent) for action in domain.actions):
        [myself] = _own_objects((item for item in pair.objects if item.name == agent), agent)
        domain = _disambiguated(domain, myself)
    part = Pair(agent, domain, _problem_part(pair, agent, visible))
    missing = (name for name, *_ in undeclared(part))
    return replace(part, domain=replace(domain, requirements=(*domain.requirements, *missing)))


def _disambiguated(domain: Domain, agent: Object) -> Domain:
    """The domain with an equality in every action that would be read as written for the agent.

    This requires the agent to be a constant.
    """
    known = {item.name for item in domain.constants}
    return replace(
        domain,
        constants=domain.constants if agent.name in known else (*domain.constants, agent),
        actions=tuple(
            _bound(action, agent.name) if is_written_for(action, agent.name) else action
            for action in domain.actions
        ),
    )


def _bound(action: Action, agent: str) -> Action:
    first = action.parameters[0]
    equality = Literal(Atom(EQUALS, (first.name, agent), first.at))
    return replace(action, precondition=(*action.precondition, equality))


def _domain_part(
    domain: Domain, agent: str, fits: Callable[[Typed], bool], visible: set[str]
) -> Domain:
    predicates = tuple(_own_predicates(domain.predicates, fits))
    names = {EQUALS, *(p.name for p in predicates)}
    return replace(
        domain,
        form=Form.FACTORED,
        requirements=(":factored-privacy", *plain_requirements(domain)),
        constants=_own_objects(domain.constants, agent),
        predicates=predicates,
        actions=tuple(
            replace(action, agent=None)
            for action in domain.actions
            if action.agent and fits(action.agent) and _is_expressible(action, names, visible)
        ),
    )


def _problem_part(pair: Pair, agent: str, visible: set[str]) -> Problem:
    privacy = Privacy(pair)
    problem = pair.problem

    def known(atom: Atom) -> bool:
        return privacy.owner(atom.name, atom.args) in (None, agent)

    return replace(
        problem,
        requirements=(),
        objects=_own_objects(problem.objects, agent),
        init=tuple(atom for atom in problem.init if known(atom)),
        values=tuple((term, n) for term, n in problem.values if visible.issuperset(term.args)),
        goal=tuple(literal for literal in problem.goal if known(literal.atom)),
    )


def _own_objects(items: Iterable[Object], agent: str) -> tuple[Object, ...]:
    mine = [item for item in items if item.owner in (None, agent)]
    return tuple(item if item.owner is None else replace(item, owner="") for item in mine)


def _own_predicates(
    predicates: Iterable[Predicate], fits: Callable[[Typed], bool]
) -> Iterator[Predicate]:
    for predicate in predicates:
        if predicate.agent is None:
            yield predicate
        elif fits(predicate.parameters[predicate.agent]):
            parameters = tuple(_renamed(predicate.parameters, predicate.agent))
            yield replace(predicate, parameters=parameters, agent=None)


def _renamed(parameters: tuple[Typed, ...], agent: int) -> Iterator[Typed]:
    """The parameters with the one at `agent`, and no other, called `?agent`."""
    taken = {p.name for p in parameters}
    for position, parameter in enumerate(parameters):
        name = parameter.name
        if position == agent:
            name = _AGENT
        elif name == _AGENT:
            name = next(n for n in (f"?other{i}" for i in range(len(taken) + 1)) if n not in taken)
        yield replace(parameter, name=name)


def _is_expressible(action: Action, predicates: set[str], visible: set[str]) -> bool:
    atoms = [literal.atom for literal in (*action.precondition, *action.effect)]
    terms = [term for term in action.cost if isinstance(term, Atom)]
    return predicates.issuperset(atom.name for atom in atoms) and visible.issuperset(
        arg for atom in (*atoms, *terms) for arg in atom.args if arg[0] != "?"
    )


def _check_agent_types(domain: Domain) -> None:
    """Factored files recognise an agent by its type, so `object` is not enough."""
    agents = [action.agent for action in domain.actions if action.agent]
    agents += (p.parameters[p.agent] for p in domain.predicates if p.agent is not None)
    for parameter in agents:
        if OBJECT in parameter.types:
            raise InputError(
                domain.source.diagnostic(
                    parameter.at,
                    f"the agent {parameter.name} is any object; factored files cannot express that",
                    "give the agents a type of their own",
                )
            )


def _check_goal(pair: Pair, agents: tuple[str, ...]) -> None:
    privacy = Privacy(pair)
    for literal in pair.problem.goal:
        atom = literal.atom
        if privacy.owner(atom.name, atom.args) not in (None, *agents):
            message = f"the goal {literal} belongs to no agent"
            raise InputError(pair.problem.source.diagnostic(atom.at, message))
