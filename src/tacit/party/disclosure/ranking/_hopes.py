"""How another agent's token might come about, guessed from what is public and from oneself.

Nobody knows another agent's unpublished edges. Two things help to guess them. Agents are often made
alike: a token of another agent whose users look like those of an own token probably comes about in
the same way, from the start or after actions of the same kind, and ends in the same way. And
actions that give a token tend to speak of the same objects as the actions that need it.

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
from tacit.public.protocol.messages import Published
from tacit.public.task import PublicAction, PublicFact

Kind = tuple[frozenset[int], ...]
Spoken = tuple[Kind, frozenset[str]]
Facts = tuple[tuple[int, ...], ...]
Look = tuple[frozenset[Kind], int]
Pattern = tuple[Kind, tuple[int, ...]]
LIKE = 0.5
"""How much of their users' kinds two tokens must share to be taken for alike."""


@dataclass(frozen=True, slots=True)
class Hope:
    """A token may come after these actions; from the start, that is likely (`at_start`) or not."""

    after: Sequence[int]
    at_start: bool


class Words:
    """Predicates, as numbers, and objects of the public facts.

    Many actions, of several agents, have the same public facts: these are looked at once.
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

    def __init__(self, part: Published, words: Words):
        self._words, self._actions = words, part.actions
        spoken = list(map(words.of, part.actions))
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
        roles = self._words.roles(self._actions[action])
        return tuple(sorted(roles.get(name, 0) for name in self.subjects[token]))

    def matching(self, patterns: Iterable[Pattern], token: int) -> list[int]:
        """The actions that stand to a token as one of the patterns says."""
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
    """Where own tokens of one look come from: mostly the start, or actions of these patterns.

    Actions of the patterns in `ends` end them.
    """

    at_start: bool
    patterns: frozenset[Pattern] = frozenset()
    ends: frozenset[Pattern] = frozenset()


class Guesser:
    """Guesses of one agent about all others."""

    def __init__(self, graph: Graph, public: PublicView):
        self._public = public
        self._words = Words(public.task.facts)
        own = Looks(public.published[public.agent], self._words)
        self._origins = _origins(graph, public, own)
        self._near: dict[Look, Origin | None] = {}

    def hopes(self, agent: str) -> list[Hope]:
        """Per token of another agent."""
        looks = self._looks(agent)
        return [self._hope(looks, token) for token in _tokens(looks)]

    def ends(self, agent: str) -> list[list[int]]:
        """Per token of another agent, its actions that probably end it."""
        looks = self._looks(agent)
        origins = (self._nearest(looks, token) for token in _tokens(looks))
        return [
            [] if origin is None else looks.matching(origin.ends, token)
            for token, origin in enumerate(origins)
        ]

    def _looks(self, agent: str) -> Looks:
        return Looks(self._public.published[agent], self._words)

    def _hope(self, looks: Looks, token: int) -> Hope:
        origin = self._nearest(looks, token)
        if origin is None:
            return _by_subjects(looks, token)
        return Hope(looks.matching(origin.patterns, token), origin.at_start)

    def _nearest(self, looks: Looks, token: int) -> Origin | None:
        look = looks.user_kinds[token], len(looks.subjects[token])
        if look not in self._near:
            self._near[look] = self._nearest_of(*look)
        return self._near[look]

    def _nearest_of(self, users: frozenset[Kind], subjects: int) -> Origin | None:
        """What is known of own tokens that look most like this, if any are much like it."""
        best, found = LIKE, None
        for (kinds, count), origin in self._origins.items():
            both = len(users | kinds)
            like = len(users & kinds) / both if both else 0.0
            like -= 0.1 * (count != subjects)
            if like > best:
                best, found = like, origin
        return found


def _tokens(looks: Looks) -> Iterator[int]:
    """All tokens of an agent; each may take long."""
    for token in range(len(looks.users)):
        watch.check()
        yield token


def _origins(graph: Graph, public: PublicView, own: Looks) -> dict[Look, Origin]:
    """What own tokens say, look by look."""
    shown, columns = public.tokens.shown, graph.columns
    look = [(own.user_kinds[token], len(own.subjects[token])) for token in shown]
    tokens = Counter(look)
    edges = [
        (giver, token)
        for giver, token, positive in zip(
            columns.giver, columns.token, columns.positive, strict=True
        )
        if positive
    ]
    started = Counter(look[token] for giver, token in edges if giver == INIT)
    ends: dict[Look, set[Pattern]] = {mine: set() for mine in tokens}
    for action, ended in enumerate(watch.checked(graph.ends)):
        for token in ended:
            ends[look[token]].add(own.pattern(public.actions.shown[action], shown[token]))
    # What holds from the start and never ends need not come again.
    stays = [2 * started[mine] >= tokens[mine] and not ends[mine] for mine in look]
    patterns: dict[Look, set[Pattern]] = {mine: set() for mine in tokens}
    for giver, token in watch.checked(edges):
        if giver != INIT and not stays[token]:
            pattern = own.pattern(public.actions.shown[giver], shown[token])
            patterns[look[token]].add(pattern)
    return {
        mine: Origin(2 * started[mine] >= count, frozenset(patterns[mine]), frozenset(ends[mine]))
        for mine, count in tokens.items()
    }


def _by_subjects(looks: Looks, token: int) -> Hope:
    """Actions that do not need the token and speak of all its subjects; at once if it has none."""
    subjects = looks.subjects[token]
    if not subjects:
        return Hope((), True)
    speaking = set.intersection(*(looks.speaking_of[name] for name in subjects))
    return Hope(sorted(speaking.difference(looks.users[token])), False)
