"""Which edges follow for any possible owner, and how many graphs are left: metric B.

Every piece of evidence narrows the space of graphs (`tacit.leakage.space`), source by source, in
this order: the structure that was published, rounds, the order of disclosing, plans, disclosed
edges, repairs. An edge is certain if all graphs that are left have it. The bits of a source are
how far the logarithm of the number of graphs falls with it.

No constraint may exclude the owner's own graph: `tests/leakage` compares them on every run that is
at hand. A plan that an agent refuses says nothing here. Two tokens that the initial state achieves
may exclude each other, and a token may lack a second private fact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tacit.leakage.bits import bits
from tacit.leakage.exact import settle_exactly
from tacit.leakage.order import excluded
from tacit.leakage.rounds import Facts, Impossible, Timeline, initial_only
from tacit.leakage.space import Space
from tacit.leakage.view import AgentView
from tacit.public.disclosure import FINISH, INIT, PublicEdge
from tacit.public.settings import Settings, Threats
from tacit.public.task import PublicAction

SOURCES = ("structure", "rounds", "order", "plan", "disclosed", "repairs")


@dataclass(frozen=True)
class Bits:
    """How much was learned of a graph, by metric B."""

    all: float
    """What was unknown when everything was published and nothing disclosed."""
    learned: float
    """What was learned since."""
    sources: Mapping[str, float]
    is_exact: bool
    """False if more may have been learned."""

    @property
    def share(self) -> float:
        return self.learned / self.all if self.all else 0.0


class Conclusions:
    """What is certain of one agent, by what was seen of it."""

    def __init__(self, seen: AgentView, settings: Settings, ranking: str = ""):
        self._seen = seen
        self._settings = settings
        self._ranking = ranking
        self._facts = Facts(seen.part)
        self._place = {action.id: n for n, action in enumerate(seen.part.actions)}
        self._place[INIT] = len(seen.part.actions)
        self._id = {place: action for action, place in self._place.items()}
        self._lines: list[Timeline] = []
        self.rounds_fit = True
        """False if no world fits the rounds, so that nothing follows from them."""

    @cached_property
    def edges(self) -> frozenset[PublicEdge]:
        """All edges that are certain, disclosed ones among them."""
        return frozenset(PublicEdge(self._id[a], token) for a, token in self.space.certain())

    @cached_property
    def undisclosed(self) -> frozenset[PublicEdge]:
        """Edges that are certain and that were not disclosed."""
        return self.edges - frozenset(self._seen.edges)

    @cached_property
    def space(self) -> Space:
        """The graphs that are left."""
        space = self._steps[-1][1]
        settle_exactly(space, self._lines)
        space.settle()
        return space

    @cached_property
    def bits(self) -> Bits:
        before = float(self._steps[0][1].pairs)
        sources: dict[str, float] = {}
        for source, space in self._steps:
            left = space.bits()
            sources[source] = before - left
            before = left
        most = self._steps[0][1].bits()
        learned = most - before
        is_exact = all(space.is_exact for _, space in self._steps)
        if math.isinf(before):
            return Bits(most, 0.0, {}, False)
        return Bits(most, learned, sources, is_exact)

    def admits(self, edges: Iterable[PublicEdge]) -> bool:
        """Is this graph among those that are left?"""
        sets = [0] * self._seen.part.tokens
        for edge in edges:
            sets[edge.token] |= 1 << self._place[edge.achiever]
        rows = zip(self.space.tokens, sets, strict=True)
        fits = all(
            not own.must & ~mask and not own.never & mask and all(c & mask for c in own.clauses)
            for own, mask in rows
        )
        initially = {token for token, mask in enumerate(sets) if mask & self.space.initial}
        return fits and not any(tokens <= initially for tokens in self.space.coupled)

    @cached_property
    def _steps(self) -> list[tuple[str, Space]]:
        """The space after each source."""
        space = Space(len(self._seen.part.actions), self._seen.part.tokens)
        steps = []
        for source in SOURCES:
            add = {
                "rounds": self._add_rounds,
                "order": self._add_order,
                "plan": self._add_plans,
                "disclosed": self._add_disclosed,
                "repairs": self._add_repairs,
            }.get(source)
            if add is not None:
                space = space.copy()
                add(space)
                space.settle()
            steps.append((source, space))
        return steps

    def _add_rounds(self, space: Space) -> None:
        is_complete = self._settings.chain.is_complete
        is_timed = is_complete and not self._seen.part.has_public_preconditions
        for rounds in self._seen.rounds:
            for token in initial_only(self._facts, rounds):
                space.add_clause(token, space.initial)
            if not is_timed:
                continue
            line = Timeline(self._facts, rounds)
            try:
                line.narrow()
            except Impossible:
                self.rounds_fit = False
                continue
            self._lines.append(line)
            self._add_times(space, line)

    @staticmethod
    def _add_times(space: Space, line: Timeline) -> None:
        for token, achievers in line.achievers():
            space.add_clause(token, achievers)
        for token, low in enumerate(line.low):
            if low > 0:
                space.tokens[token].never |= space.initial
        for tokens in line.coupled():
            space.couple(tokens)

    def _add_order(self, space: Space) -> None:
        for token, achievers in excluded(self._seen, self._facts, self._ranking, self._settings):
            space.tokens[token].never |= achievers

    def _add_disclosed(self, space: Space) -> None:
        for edge in self._seen.edges:
            space.tokens[edge.token].must |= 1 << self._place[edge.achiever]

    def _add_repairs(self, space: Space) -> None:
        """What certainly ends a token does not achieve it."""
        if self._settings.chain.is_complete and self._settings.threats is Threats.ON_DEMAND:
            for edge in self._seen.threats:
                if edge.token < len(space.tokens):  # restored tokens come behind these
                    space.tokens[edge.token].never |= 1 << self._place[edge.achiever]

    # Plans

    def _add_plans(self, space: Space) -> None:
        if self._settings.chain.is_complete:
            for steps in self._seen.plans:
                for token, achievers in self._explained(steps):
                    space.add_clause(token, achievers)

    @cached_property
    def _alike(self) -> dict[int, list[int]]:
        """Per action, those with the same public projection: any of them may have been done."""
        groups: dict[object, list[int]] = {}
        for action in self._seen.part.actions:
            groups.setdefault(_public_part(action), []).append(action.id)
        return {action: group for group in groups.values() for action in group}

    def _tokens(self, step: int) -> set[int]:
        """What a step needs, whatever action it is."""
        part = self._seen.part
        if step == FINISH:
            return set(part.goal)
        rows = (set(part.actions[self._place[action]].tokens) for action in self._alike[step])
        return set.intersection(*rows)

    @cached_property
    def _ended(self) -> dict[int, set[int]]:
        """Per action, the tokens that it certainly ends, as far as that was disclosed."""
        found: dict[int, set[int]] = {}
        if self._settings.threats is Threats.ON_DEMAND:
            for edge in self._seen.threats:
                found.setdefault(edge.achiever, set()).add(edge.token)
        return found

    def _explained(self, steps: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Each token of a step, with what may have achieved it: the initial state or an own step
        before, after the last one that ended it.
        """
        if any(step != FINISH and step not in self._place for step in steps):
            return
        masks = [
            0 if step == FINISH else bits(self._place[a] for a in self._alike[step])
            for step in steps
        ]
        since: dict[int, int] = {}
        for now, step in enumerate(steps):
            for token in self._tokens(step):
                first = since.get(token, 0)
                achievers = 0 if token in since else self._facts.initial
                for mask in masks[first:now]:
                    achievers |= mask
                yield token, achievers
            rows = [self._ended.get(a, set()) for a in self._alike.get(step, ())]
            for token in set.intersection(*rows) if rows else ():
                since[token] = now + 1


def _public_part(action: PublicAction) -> object:
    return action.cost, action.needs, action.adds, action.deletes
