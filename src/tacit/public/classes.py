"""Classes of edges: those that look the same to anybody who sees what was published.

An edge of an action is of a class by the look of its token (which kinds of actions need it, and how
many objects these have in common), the kind of the action (the predicates of its public facts), the
roles in it of the objects that the token's users share, and whether it needs the token itself. An
edge of the initial state is of a class by its token's look alone. Whoever knows one edge of a class
takes all pairs that look so for edges (docs/leakage.md#guessable), so a further one tells it
nothing new. There is nothing private in here.

The core has the same for many edges at once (`src/core/ranking/shapes.hpp`); a test compares them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Protocol

from tacit.public.disclosure import FINISH, INIT, PublicEdge
from tacit.public.ledger import ClassOf
from tacit.public.settings import Count, Settings
from tacit.public.task import PublicAction, PublicFact

Look = Hashable
Class = Hashable
_Place = tuple[int, str, bool, int]


class Part(Protocol):
    """What an agent published, as far as it matters here."""

    @property
    def actions(self) -> tuple[PublicAction, ...]: ...


def counted_by(
    settings: Settings, facts: Sequence[PublicFact], published: Mapping[str, Part]
) -> ClassOf | None:
    """How a ledger tells classes, if these are what counts."""
    return Classes(facts, published).of if settings.count is Count.CLASSES else None


def name_of(found: Class) -> str:
    """A class by a name that is the same in every process and run."""
    return hashlib.sha256(_text(found).encode()).hexdigest()[:16]


def _text(part: object) -> str:
    if isinstance(part, frozenset):
        return f"{{{','.join(sorted(map(_text, part)))}}}"
    if isinstance(part, tuple):
        return f"({','.join(map(_text, part))})"
    return repr(part)


class Classes:
    """Which class an edge is of, by what all agents published."""

    def __init__(self, facts: Sequence[PublicFact], published: Mapping[str, Part]):
        self._facts = facts
        self._published = published
        self._shape = lru_cache(None)(self._shape_of)
        self._looks: dict[tuple[str, int], tuple[Look, frozenset[str]]] = {}

    def of(self, agent: str, edge: PublicEdge) -> Class:
        """The class of an edge or threat; one of a restored token is a class of its own."""
        users = self._users[agent].get(edge.token)
        if users is None or edge.achiever == FINISH:
            return agent, edge
        look, subjects = self._look(agent, edge.token, users)
        if edge.achiever == INIT:
            return edge.positive, look
        kind, roles = self._shape(agent, edge.achiever)
        parts = tuple(sorted(roles.get(subject, ()) for subject in subjects))
        return edge.positive, look, kind, parts, edge.achiever in users

    @cached_property
    def _actions(self) -> dict[str, dict[int, PublicAction]]:
        return {
            agent: {action.id: action for action in part.actions}
            for agent, part in self._published.items()
        }

    @cached_property
    def _users(self) -> dict[str, dict[int, set[int]]]:
        """Per agent and token the actions that need it."""
        found: dict[str, dict[int, set[int]]] = {}
        for agent, part in self._published.items():
            users = found.setdefault(agent, {})
            for action in part.actions:
                for token in action.tokens:
                    users.setdefault(token, set()).add(action.id)
        return found

    def _look(self, agent: str, token: int, users: set[int]) -> tuple[Look, frozenset[str]]:
        """What a token looks like, and the objects that all its users speak of."""
        if (agent, token) not in self._looks:
            shapes = [self._shape(agent, action) for action in users]
            subjects = frozenset.intersection(*(frozenset(roles) for _, roles in shapes))
            kinds = frozenset(kind for kind, _ in shapes)
            self._looks[agent, token] = ((kinds, len(subjects)), subjects)
        return self._looks[agent, token]

    def _shape_of(self, agent: str, action: int) -> tuple[Hashable, dict[str, tuple[_Place, ...]]]:
        """The kind of an action, and the role of each object in it."""
        own = self._actions[agent][action]
        kind: list[frozenset[tuple[str, bool]]] = []
        places: dict[str, set[_Place]] = {}
        for row, numbers in enumerate((own.needs, own.adds, own.deletes)):
            facts = [self._facts[number] for number in numbers]
            kind.append(frozenset((fact.predicate, fact.positive) for fact in facts))
            for fact in facts:
                for place, name in enumerate(fact.args):
                    spot = (row, fact.predicate, fact.positive, place)
                    places.setdefault(name, set()).add(spot)
        return tuple(kind), {name: tuple(sorted(spots)) for name, spots in places.items()}
