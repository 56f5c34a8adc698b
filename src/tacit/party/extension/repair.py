"""Why a public plan cannot be executed, in the way that discloses least (docs/solving.md).

A plan of the projection that is not supported breaks at a token: it was achieved, and then one of
the agent's own steps certainly deleted it. Disclosing that one threat rules out this and similar
plans. The same holds for a static token, a private fact that only the initial state achieves and
that was no dependency so far: it is restored. One threat at a time discloses least and takes
longest. After many plans that it could not extend the agent sends all threats there are; each
counts. That is its own decision: it counts its failures, and nobody can ask for it. What cannot
happen with the edges that it disclosed, and what nothing needs then, makes no difference and is not
sent even so, and neither is what its prices say must never be disclosed. What peers know from
earlier runs explains a plan first, and counts for nothing. Tokens that are restored in one answer
are numbered in an order that was drawn for the run, as that of the files would show how they are
written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT, Edge
from tacit.party.extension.extension import Place, achieved_by
from tacit.party.lasting import Memory
from tacit.policy import POLICY, RepairPolicy
from tacit.public.disclosure import FINISH
from tacit.public.relaxed import Relaxed, Rules


@dataclass(slots=True)
class NewThreats:
    """Threats to send, and tokens to restore first with the public actions that need them."""

    threats: list[Edge] = field(default_factory=list)
    restored: list[tuple[int, list[int]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Possible:
    """Public actions that can be taken with the edges disclosed, and facts that can hold and are
    needed then.
    """

    actions: set[int]
    facts: frozenset[int]


class Repairs:
    """What one agent has disclosed besides its budget. Facts: tokens, then static facts."""

    def __init__(
        self,
        dependencies: Dependencies,
        policy: RepairPolicy = POLICY.repair,
        memory: Memory | None = None,
        drawn: Sequence[int] = (),
    ):
        """`drawn`: per static fact its place in the order in which they are restored."""
        self._own = dependencies
        self._drawn = drawn or range(len(dependencies.static_facts))
        self._memory = memory
        self._policy = policy
        self._sent: set[Edge] = set()
        self._restored: dict[int, int] = {}
        self._answers = 0
        """Plans that could not be extended, each with an answer why."""
        self.paid = 0
        """What all repairs cost, in the agent's own prices."""

    def pay_for_prefix(self) -> None:
        """That a prefix of a plan cannot be executed was disclosed."""
        self._answers += 1
        self.paid += self._own.usual_price

    def static_fact(self, token: int) -> int | None:
        """The private fact behind a restored token."""
        place = self.static_place(token)
        return None if place is None else self._own.static_facts[place - len(self._own.token_facts)]

    def static_place(self, token: int) -> int | None:
        """The same, as static facts are numbered behind the tokens."""
        return next((fact for fact, name in self._restored.items() if name == token), None)

    def threat(
        self,
        places: Sequence[Place],
        disclosed: Sequence[Edge],
        with_goal: bool,
        most: int | None = None,
    ) -> NewThreats | None:
        """The certain threat that breaks the plan first, None if no new threat explains it; more
        of them after many answers. If the owner allows fewer than that, there are none in it.
        """
        found = self._broken(places, disclosed, with_goal)
        broken = [pair for pair in found if self._price(*pair) is not None]
        if not broken:
            return None
        self._answers += 1
        answer = NewThreats()
        pairs = sorted(broken, key=lambda pair: self._entries_of(*pair) > 0)[:1]
        if self._answers > self._policy.single_answers:
            every = sorted({*broken, *self._more(disclosed)}, key=self._place)
            pairs = every if most is None or 2 * len(every) <= most else pairs
        if most is not None and len(pairs) == 1 and self._entries_of(*pairs[0]) > most:
            return answer
        for action, fact in pairs:
            price = self._price(action, fact)
            if price is None:
                continue
            edge = Edge(action, self._token(fact, answer), positive=False)
            if edge not in self._sent:
                self._sent.add(edge)
                self.paid += price
                answer.threats.append(edge)
        return answer if answer.threats else None

    def _place(self, pair: tuple[int, int]) -> int:
        """When it is the turn of a threat's fact to be restored, if it is static."""
        fact = pair[1] - len(self._own.token_facts)
        return self._drawn[fact] if fact >= 0 else -1

    def _entries_of(self, action: int, fact: int) -> int:
        """How many repairs a threat counts as, with the token that is restored for it."""
        is_new = fact >= len(self._own.token_facts) and fact not in self._restored
        if self._memory is None:
            return 1 + is_new
        is_known = self._memory.knows_threat(action, fact)
        return (not is_known) + (is_new and not self._memory.knows_token(fact))

    def _price(self, action: int, fact: int) -> int | None:
        """What it costs to disclose a threat, with the token that is restored for it if need be."""
        own = self._own
        price = own.price(action, fact)
        if fact < len(own.token_facts) or fact in self._restored:
            return price
        initial = own.price(INIT, fact)
        return None if price is None or initial is None else price + initial

    def _more(self, disclosed: Sequence[Edge]) -> list[tuple[int, int]]:
        """All threats that can make a difference."""
        own, possible = self._own, self._possible(disclosed)
        return [
            (action, fact)
            for action, facts in enumerate(own.all_deletes)
            for fact in sorted(facts - own.may_be_achieved)
            if action in possible.actions and fact in possible.facts
        ]

    def _possible(self, disclosed: Sequence[Edge]) -> _Possible:
        own, count = self._own, len(self._own.token_facts)
        achieved, needs = achieved_by(disclosed), own.graph.needs
        rules = Rules(needs, (achieved.get(a, ()) for a in range(len(needs))))
        held = Relaxed(rules, achieved.get(INIT, ())).reached
        actions = {a for a in range(len(own.members)) if held.issuperset(needs[a])}
        needed = self._goal.union(*(own.all_needs[a] for a in actions))
        static_fact = range(count, count + len(own.static_facts))
        return _Possible(actions, needed.intersection(held.union(static_fact)))

    def _broken(
        self, places: Sequence[Place], disclosed: Sequence[Edge], with_goal: bool
    ) -> list[tuple[int, int]]:
        """Own public actions that deleted what a later own step needs, each with that fact.

        A fact that is needed in vain counts as achieved again, so that each break is found once.
        """
        own = self._own
        achieved = achieved_by(disclosed)
        deleted_by: dict[int, int] = {}
        found: list[tuple[int, int]] = []
        steps = [place.own for place in places if place.own is not None]
        needs = [own.all_needs_of(step) for step in steps]
        for step, wanted in zip(steps, needs, strict=True):
            found += ((deleted_by.pop(f), f) for f in sorted(wanted) if f in deleted_by)
            deleted_by.update(dict.fromkeys(own.all_deletes[step] - own.may_be_achieved, step))
            for token in achieved.get(step, ()):
                deleted_by.pop(token, None)
        if with_goal:
            found += ((deleted_by[f], f) for f in sorted(self._goal) if f in deleted_by)
        return list(dict.fromkeys(found))

    @property
    def _goal(self) -> frozenset[int]:
        own, first = self._own, len(self._own.token_facts)
        goal = frozenset(own.task.arrays.goal)
        static_fact = (first + n for n, fact in enumerate(own.static_facts) if fact in goal)
        return frozenset(own.goal).union(static_fact)

    def _token(self, fact: int, answer: NewThreats) -> int:
        """The token of a fact; a static fact becomes one, achieved by the initial state."""
        first = len(self._own.token_facts)
        if fact < first:
            return fact
        if fact not in self._restored:
            self._restored[fact] = first + len(self._restored)
            users = [a for a, needs in enumerate(self._own.all_needs) if fact in needs]
            last = [FINISH] if fact in self._goal else []
            answer.restored.append((self._restored[fact], users + last))
        return self._restored[fact]
