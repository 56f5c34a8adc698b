"""Who the agents of a description are, and which agent owns a ground fact (docs/semantics.md).

These rules work on names alone. The grounder applies the same rules to integers, and the validator
calls these: they are the one definition of privacy, independent of every solver.
"""

from __future__ import annotations

from tacit.natural import natural_key as natural_key
from tacit.natural import natural_order as natural_order
from tacit.pddl.syntax import OBJECT, Action, Description, Form, Pair, Predicate
from tacit.pddl.types import Types, types_of

NOBODY = "\0nobody"
"""The owner of a fact over the private objects of two agents, which is dropped."""


def agents_of(description: Description) -> tuple[str, ...]:
    """The agents' names, `a2` before `a10`, the same for both forms of one problem."""
    if description.form is Form.FACTORED:
        return natural_order(str(pair.agent) for pair in description.pairs)
    return natural_order(_declared_agents(description.pairs[0]))


def _declared_agents(pair: Pair) -> set[str]:
    types = types_of(pair.domain.types)
    wanted = tuple({t for a in pair.domain.actions if a.agent for t in a.agent.types})
    names = {item.owner for item in pair.objects if item.owner}
    names |= {item.name for item in pair.objects if types.accepts(wanted, item.types)}
    return {name for name in names if name is not None}


ONE_OWNER = "use what is public, or private to one of them"
"""What to do about a fact of two agents."""


class Privacy:
    """The owner of a ground fact, by the rules of one pair of files."""

    def __init__(self, pair: Pair):
        self._owner: dict[str, str] = {}
        for item in pair.objects:
            if item.owner is not None:
                self._owner[item.name] = item.owner or str(pair.agent)
        self._default = pair.agent
        self._position: dict[str, int | None] = {}
        types = types_of(pair.domain.types)
        agent_types = agent_types_of(pair, types)
        for predicate in pair.domain.predicates:
            if predicate.private:
                self._position[predicate.name] = owner_position(predicate, agent_types)

    def owner(self, predicate: str, args: tuple[str, ...]) -> str | None:
        """The agent a fact is private to, None for a public fact, `NOBODY` for two agents."""
        owners = set(self._whose(predicate, args).values())
        if len(owners) > 1:
            return NOBODY
        return owners.pop() if owners else None

    def why_nobody(self, predicate: str, args: tuple[str, ...]) -> str:
        """What of a fact is private to which agent, for one without an owner."""
        parts = (f"'{what}' to '{agent}'" for what, agent in self._whose(predicate, args).items())
        return f"it is private to two agents, {' and '.join(parts)}"

    def _whose(self, predicate: str, args: tuple[str, ...]) -> dict[str, str]:
        """The parts of a fact that are private, each with its agent."""
        found: dict[str, str] = {}
        if predicate in self._position:
            position = self._position[predicate]
            found[predicate] = str(self._default) if position is None else args[position]
        return found | {arg: self._owner[arg] for arg in args if arg in self._owner}


def agent_types_of(pair: Pair, types: Types) -> frozenset[str]:
    """The types, `object` apart, that a factored file's own agent belongs to."""
    found: set[str] = set()
    for item in pair.objects:
        if item.name == pair.agent:
            for name in item.types:
                found |= types.ancestors(name)
    return frozenset(found - {OBJECT})


def has_agent_parameter(action: Action, agent: str | None, agent_types: frozenset[str]) -> bool:
    """Whether the first parameter of an action stands for the agent that executes it.

    Unfactored files state it. In the files of `agent` it is a parameter of a type that the agent
    has, unless the action is already written for the agent: then the parameter may be any agent.
    """
    if action.agent is not None:
        return True
    first = action.parameters[:1]
    if agent is None or not any(agent_types.intersection(p.types) for p in first):
        return False
    return not is_written_for(action, agent)


def is_written_for(action: Action, agent: str) -> bool:
    """Whether the body mentions the agent, or the name ends in the agent's: `send_node1`.

    The agent's name must be a separate word: `send_node12` is not written for an agent `2`.
    """
    stem = action.name.removesuffix(agent)
    is_named = stem != action.name and not stem[-1:].isalnum()
    return is_named or action.mentions(agent)


def owner_position(predicate: Predicate, agent_types: frozenset[str]) -> int | None:
    """The argument of a private predicate that names its owner.

    Unfactored files state it. In factored files it is a parameter called `?agent`, or the first
    whose type the file's agent has; None means that every fact of the predicate is the agent's.
    """
    if predicate.agent is not None:
        return predicate.agent
    fitting = [
        position
        for position, parameter in enumerate(predicate.parameters)
        if agent_types.intersection(parameter.types)
    ]
    for position in fitting:
        if predicate.parameters[position].name == "?agent":
            return position
    return fitting[0] if fitting else None
