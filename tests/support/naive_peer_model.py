"""The model of the other agents once more, by comparing: what the core hashes (`peer_model.hpp`).

Nobody knows another agent's undisclosed edges. Two things help to infer them. Agents are often made
alike: a token of another agent whose users look like those of an own token is probably achieved in
the same way, by the initial state or by actions of the same kind, and deleted in the same way. And
actions that achieve a token tend to have the same objects as the actions that need it.

A *kind* of action is the predicates of its public facts and what it does to them. The *subjects* of
a token are the objects that all actions that need it speak of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from tacit import watch
from tacit.party.disclosure.graph import INIT, Graph
from tacit.party.disclosure.public_view import PublicView
from tacit.policy import POLICY
from tacit.public.protocol.messages import Publication
from tacit.public.task import PublicAction, PublicFact

Kind = tuple[frozenset[int], ...]
Spoken = tuple[Kind, frozenset[str]]
Facts = tuple[tuple[int, ...], ...]
Look = tuple[frozenset[Kind], int]
Pattern = tuple[Kind, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Inferred:
    """Inferred achievers of a token: these actions, and the initial state if `initial`."""

    after: Sequence[int]
    initial: bool


class Vocabulary:
    """Predicates, as numbers, and objects of the public facts.

    Many actions, of several agents, have the same public facts: these are analysed once.
    """

    def __init__(self, facts: Sequence[PublicFact]):
        numbers: dict[tuple[str, bool], int] = {}
        self._predicate = [
            numbers.setdefault((fact.predicate, fact.positive), len(numbers)) for fact in facts
        ]
        self._objects = [frozenset(fact.args) for fact in facts]
        self._args = [fact.args for fact in facts]
        self._known: dict[Facts, Spoken] = {}
        self._known_roles: dict[Facts, dict[str, int]] = {}
        self._role_numbers: dict[frozenset[tuple[int, int, int]], int] = {}

    def of(self, action: PublicAction) -> Spoken:
        rows = (action.needs, action.adds, action.deletes)
        found = self._known.get(rows)
        if found is None:
            number, objects = self._predicate.__getitem__, self._objects.__getitem__
            needs, adds, deletes = (frozenset(map(number, row)) for row in rows)
            names = frozenset[str]().union(*map(objects, chain.from_iterable(rows)))
            found = self._known[rows] = ((needs, adds, deletes), names)
        return found

    def roles(self, action: PublicAction) -> dict[str, int]:
        """Per object that an action speaks of, a number for all places where it does."""
        rows = (action.needs, action.adds, action.deletes)
        found = self._known_roles.get(rows)
        if found is None:
            places: dict[str, set[tuple[int, int, int]]] = {}
            for part, row in enumerate(rows):
                for fact in row:
                    for place, name in enumerate(self._args[fact]):
                        role = part, self._predicate[fact], place
                        places.setdefault(name, set()).add(role)
            numbers = self._role_numbers
            found = self._known_roles[rows] = {
                name: numbers.setdefault(frozenset(roles), len(numbers) + 1)
                for name, roles in places.items()
            }
        return found


class Looks:
    """What the public part of one agent's actions and tokens looks like."""

    def __init__(self, part: Publication, vocabulary: Vocabulary):
        self._vocabulary, self._actions = vocabulary, part.actions
        spoken = list(map(vocabulary.of, part.actions))
        self.kinds = [kind for kind, _ in spoken]
        self.objects = [names for _, names in spoken]
        self.users: list[list[int]] = [[] for _ in range(part.tokens)]
        for action in watch.checked(part.actions):
            for token in action.tokens:
                self.users[token].append(action.id)

    @cached_property
    def subjects(self) -> list[frozenset[str]]:
        return [
            frozenset.intersection(*(self.objects[a] for a in users)) if users else frozenset()
            for users in self.users
        ]

    @cached_property
    def user_kinds(self) -> list[frozenset[Kind]]:
        return [frozenset(self.kinds[a] for a in users) for users in self.users]

    @cached_property
    def speaking_of(self) -> dict[str, set[int]]:
        """Per object, the actions that speak of it."""
        found: dict[str, set[int]] = {}
        for action, names in enumerate(self.objects):
            for name in names:
                found.setdefault(name, set()).add(action)
        return found

    @cached_property
    def by_kind(self) -> dict[Kind, list[int]]:
        found: dict[Kind, list[int]] = {}
        for action, kind in enumerate(self.kinds):
            found.setdefault(kind, []).append(action)
        return found

    def pattern(self, action: int, token: int) -> Pattern:
        return self.kinds[action], self._parts(action, token)

    def _parts(self, action: int, token: int) -> tuple[int, ...]:
        """What parts the subjects of a token play in an action, 0 for none."""
        roles = self._vocabulary.roles(self._actions[action])
        return tuple(sorted(roles.get(name, 0) for name in self.subjects[token]))

    def matching(self, patterns: Iterable[Pattern], token: int) -> list[int]:
        """The actions that stand to a token as in one of the patterns."""
        wanted: dict[Kind, set[tuple[int, ...]]] = {}
        for kind, parts in patterns:
            wanted.setdefault(kind, set()).add(parts)
        return sorted(
            action
            for kind, some in wanted.items()
            for action in self.by_kind.get(kind, ())
            if self._parts(action, token) in some
        )


@dataclass(frozen=True, slots=True)
class Origin:
    """What achieves own tokens of one look: mostly the initial state, or actions of these patterns.

    Actions of the patterns in `deletes` delete them.
    """

    initial: bool
    patterns: frozenset[Pattern] = frozenset()
    deletes: frozenset[Pattern] = frozenset()


class PeerModel:
    """What one agent infers about all others."""

    def __init__(self, graph: Graph, public: PublicView):
        self._public = public
        self._vocabulary = Vocabulary(public.task.facts)
        own = Looks(public.published[public.agent], self._vocabulary)
        self._origins = _origins(graph, public, own)
        self._near: dict[Look, Origin | None] = {}

    def inferred(self, agent: str) -> list[Inferred]:
        """Per token of another agent."""
        looks = self._looks(agent)
        return [self._infer(looks, token) for token in _tokens(looks)]

    def deletes(self, agent: str) -> list[list[int]]:
        """Per token of another agent, its actions that probably delete it."""
        looks = self._looks(agent)
        origins = (self._nearest(looks, token) for token in _tokens(looks))
        return [
            [] if origin is None else looks.matching(origin.deletes, token)
            for token, origin in enumerate(origins)
        ]

    def _looks(self, agent: str) -> Looks:
        return Looks(self._public.published[agent], self._vocabulary)

    def _infer(self, looks: Looks, token: int) -> Inferred:
        origin = self._nearest(looks, token)
        if origin is None:
            return _by_subjects(looks, token)
        matching = looks.matching(origin.patterns, token)
        if not matching and not origin.initial:
            return _by_subjects(looks, token, initial=False)
        return Inferred(matching, origin.initial)

    def _nearest(self, looks: Looks, token: int) -> Origin | None:
        look = (
            looks.user_kinds[token],
            len(looks.subjects[token]),
        )
        if look not in self._near:
            self._near[look] = self._nearest_of(look[0])
        return self._near[look]

    def _nearest_of(self, users: frozenset[Kind]) -> Origin | None:
        """What is known of own tokens that look most like this, if any are much like it."""
        best, found = POLICY.ranking.alike, None
        for (kinds, _), origin in self._origins.items():
            both = len(users | kinds)
            like = len(users & kinds) / both if both else 0.0
            if like > best:
                best, found = like, origin
        return found


def _tokens(looks: Looks) -> Iterator[int]:
    """All tokens of an agent; each may take long."""
    for token in range(len(looks.users)):
        watch.check()
        yield token


def _origins(graph: Graph, public: PublicView, own: Looks) -> dict[Look, Origin]:
    """What is known of own tokens, look by look."""
    shown, columns = public.tokens.shown, graph.columns
    look = [(own.user_kinds[token], len(own.subjects[token])) for token in shown]
    tokens = Counter(look)
    edges = [
        (achiever, token)
        for achiever, token, positive in zip(
            columns.achiever, columns.token, columns.positive, strict=True
        )
        if positive
    ]
    started = Counter(look[token] for achiever, token in edges if achiever == INIT)
    deletes: dict[Look, set[Pattern]] = {mine: set() for mine in tokens}
    for action, deleted in enumerate(watch.checked(graph.deletes)):
        for token in deleted:
            deletes[look[token]].add(own.pattern(public.actions.shown[action], shown[token]))
    # What holds initially and is never deleted need not be achieved again.
    stays = [2 * started[mine] >= tokens[mine] and not deletes[mine] for mine in look]
    patterns: dict[Look, set[Pattern]] = {mine: set() for mine in tokens}
    for achiever, token in watch.checked(edges):
        if achiever != INIT and not stays[token]:
            pattern = own.pattern(public.actions.shown[achiever], shown[token])
            patterns[look[token]].add(pattern)
    return {
        mine: Origin(
            2 * started[mine] >= count, frozenset(patterns[mine]), frozenset(deletes[mine])
        )
        for mine, count in tokens.items()
    }


def _by_subjects(looks: Looks, token: int, initial: bool = True) -> Inferred:
    """Actions that do not need the token and speak of all its subjects; at once if it has none."""
    subjects = looks.subjects[token]
    if not subjects:
        return Inferred([], initial)
    speaking = set.intersection(*(looks.speaking_of[name] for name in subjects))
    return Inferred(sorted(speaking.difference(looks.users[token])), False)
