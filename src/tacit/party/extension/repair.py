"""Why a public plan cannot be carried out, told in the way that discloses least (DESIGN §1.4.4).

A plan of the projection that is not supported breaks at a token: it was given, and then one of the
agent's own steps certainly ended it. Telling that one threat keeps this and like plans out. The
same holds for a private fact that only the start gives, which was left out as no dependency: it
comes back as a token. Telling one threat at a time tells least and takes longest: when it is urgent
the agent tells all direct threats, and after some answers all there are; each counts. What cannot
happen with the edges that it disclosed, and what nothing needs then, makes no difference and is not
told even so, and neither is what the agent's prices say must never be told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT, Edge
from tacit.party.extension.extension import Place, given_by
from tacit.public.disclosure import FINISH
from tacit.public.relaxed import Relaxed, Rules

DIRECT_ANSWERS = 30
"""How many urgent answers tell direct threats before one tells all there are."""


@dataclass(slots=True)
class Threatened:
    """Threats to tell, and tokens to bring back first with the public actions that need them."""

    threats: list[Edge] = field(default_factory=list)
    returned: list[tuple[int, list[int]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Possible:
    """Public actions that can be taken with the edges disclosed, and facts that can hold and are
    needed then.
    """

    actions: set[int]
    facts: frozenset[int]


class Repairs:
    """What one agent has told so far besides its budget. Facts: tokens, then left-out facts."""

    def __init__(self, dependencies: Dependencies):
        self._own = dependencies
        self._told: set[Edge] = set()
        self._returned: dict[int, int] = {}
        self._urgent_answers = 0
        self.paid = 0
        """What all that was told cost, in the agent's own prices."""

    @property
    def told(self) -> int:
        """How many threats were told."""
        return len(self._told)

    def left_out(self, token: int) -> int | None:
        """The private fact behind a token that came back."""
        first = len(self._own.token_facts)
        for fact, name in self._returned.items():
            if name == token:
                return self._own.left_out_facts[fact - first]
        return None

    def threat(
        self, places: Sequence[Place], disclosed: Sequence[Edge], with_goal: bool, urgent: bool
    ) -> Threatened | None:
        """The certain threat that breaks the plan first, None if no new threat explains it; more
        of them if it is urgent.
        """
        found = self._broken(places, disclosed, with_goal)
        broken = [pair for pair in found if self._price(*pair) is not None]
        if not broken:
            return None
        self._urgent_answers += urgent
        answer = Threatened()
        for action, fact in broken + self._more(disclosed) if urgent else broken[:1]:
            price = self._price(action, fact)
            if price is None:
                continue
            edge = Edge(action, self._token(fact, answer), positive=False)
            if edge not in self._told:
                self._told.add(edge)
                self.paid += price
                answer.threats.append(edge)
        return answer if answer.threats else None

    def _price(self, action: int, fact: int) -> int | None:
        """What it costs to tell of a threat, with the token that comes back for it if need be."""
        own = self._own
        price = own.price(action, fact)
        if fact < len(own.token_facts) or fact in self._returned:
            return price
        start = own.price(INIT, fact)
        return None if price is None or start is None else price + start

    def _more(self, disclosed: Sequence[Edge]) -> list[tuple[int, int]]:
        """All direct threats that can make a difference, and later all threats."""
        threats, own = self._direct, self._own
        if self._urgent_answers > DIRECT_ANSWERS:
            ends = enumerate(own.all_ends)
            threats = [(a, f) for a, facts in ends for f in sorted(facts - own.may_return)]
        possible = self._possible(disclosed)
        return [(a, f) for a, f in threats if a in possible.actions and f in possible.facts]

    @cached_property
    def _direct(self) -> list[tuple[int, int]]:
        """Public actions that delete a token outright, of those that certainly end it."""
        own = self._own
        found = {
            (own.number[action], token)
            for token, actions in enumerate(own.direct_threats)
            for action in actions
        }
        return sorted((a, token) for a, token in found if token in own.all_ends[a])

    def _possible(self, disclosed: Sequence[Edge]) -> _Possible:
        own, count = self._own, len(self._own.token_facts)
        gives, needs = given_by(disclosed), own.graph.needs
        rules = Rules(needs, (gives.get(a, ()) for a in range(len(needs))))
        held = Relaxed(rules, gives.get(INIT, ())).reached
        actions = {a for a in range(len(own.members)) if held.issuperset(needs[a])}
        needed = self._goal.union(*(own.all_needs[a] for a in actions))
        left_out = range(count, count + len(own.left_out_facts))
        return _Possible(actions, needed.intersection(held.union(left_out)))

    def _broken(
        self, places: Sequence[Place], disclosed: Sequence[Edge], with_goal: bool
    ) -> list[tuple[int, int]]:
        """Own public actions that ended what a later own step needs, each with that fact.

        A fact that is needed in vain counts as given again, so that each break is found once.
        """
        own = self._own
        gives = given_by(disclosed)
        ended_by: dict[int, int] = {}
        found: list[tuple[int, int]] = []
        steps = [place.own for place in places if place.own is not None]
        needs = [own.all_needs[step] for step in steps]
        for step, wanted in zip(steps, needs, strict=True):
            found += ((ended_by.pop(f), f) for f in sorted(wanted) if f in ended_by)
            ended_by.update(dict.fromkeys(own.all_ends[step] - own.may_return, step))
            for token in gives.get(step, ()):
                ended_by.pop(token, None)
        if with_goal:
            found += ((ended_by[f], f) for f in sorted(self._goal) if f in ended_by)
        return list(dict.fromkeys(found))

    @property
    def _goal(self) -> frozenset[int]:
        own, first = self._own, len(self._own.token_facts)
        goal = frozenset(own.task.arrays.goal)
        left_out = (first + n for n, fact in enumerate(own.left_out_facts) if fact in goal)
        return frozenset(own.goal).union(left_out)

    def _token(self, fact: int, answer: Threatened) -> int:
        """The token of a fact; a left-out fact becomes one, given at the start."""
        first = len(self._own.token_facts)
        if fact < first:
            return fact
        if fact not in self._returned:
            self._returned[fact] = first + len(self._returned)
            users = [a for a, needs in enumerate(self._own.all_needs) if fact in needs]
            last = [FINISH] if fact in self._goal else []
            answer.returned.append((self._returned[fact], users + last))
        return self._returned[fact]
