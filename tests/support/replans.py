"""Thirty replans of a changing task: what is disclosed with and without a lasting ledger, and what
any way of disclosing would have had to.

Edges of the initial state are left out throughout: it is another one each day. `Sequence.least` is
the smallest set of edges with which the goals of all days are in relaxed reach, in hindsight. Each
set of edges without which some day's goals are out of reach must be hit by it; such sets are added
until a smallest hitting set reaches the goals of all days, so it is exact (implicit hitting sets).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from support.between import Between
from support.daily import ledgers_of
from support.inside import published_of
from tacit.central.instance import Instance
from tacit.party.disclosure.graph import INIT
from tacit.pddl.syntax import Description
from tacit.public.outcome import Outcome

Named = tuple[str, str]
"""An agent and one of its edges, in its owner's words."""


@dataclass
class Day:
    """What was disclosed `alone`, without any ledger, and what was `new` with one."""

    alone: frozenset[Named]
    new: frozenset[Named]
    reach: Reach


@dataclass
class Sequence:
    """Days, one after the other."""

    days: list[Day] = field(default_factory=list)

    @property
    def worst(self) -> int:
        return max(len(day.alone) for day in self.days)

    @property
    def without(self) -> int:
        return len(frozenset[Named]().union(*(day.alone for day in self.days)))

    @property
    def kept(self) -> int:
        return sum(len(day.new) for day in self.days)

    @property
    def least(self) -> int:
        return len(smallest([day.reach for day in self.days]))


def replan(problems: Iterable[Description], folder: Path, ranking: str = "goal") -> Sequence:
    """A run without and one with a lasting ledger for each of these problems."""
    found, known = Sequence(), frozenset[Named]()
    for problem in problems:
        instance = Instance(problem, {})
        single = Between(instance, ranking=ranking)
        assert single.run().outcome is Outcome.SOLVED
        lasting = ledgers_of(problem, folder)
        run = Between(instance, ranking=ranking, lasting=lasting)
        assert run.run().outcome is Outcome.SOLVED
        for own in lasting.values():
            own.close()
        new = frozenset(_disclosed(run)) - known
        found.days.append(Day(frozenset(_disclosed(single)), new, Reach(single)))
        known |= new
    return found


def _disclosed(run: Between) -> Iterator[Named]:
    for name, agent in run.agents.items():
        for edge in agent.disclosed:
            if edge.achiever != INIT:
                yield name, agent.dependencies.describe(edge)


class Reach:
    """One day's public actions and all edges, for relaxed reachability with some of them."""

    def __init__(self, run: Between):
        coordinator = run.coordinator
        self._goal = {("", fact) for fact in coordinator.public.goal}
        self._init = {("", fact) for fact in coordinator.public.init}
        self._ways: dict[tuple[str, int], list[tuple[Named, tuple[str, int]]]] = {}
        self._actions = {
            (name, number): (
                {("", fact) for fact in action.needs} | {(name, token) for token in action.tokens},
                [("", fact) for fact in action.adds],
            )
            for name, part in coordinator.publications.items()
            for number, action in enumerate(part.actions)
        }
        for name, agent in run.agents.items():
            for edge in agent.dependencies.graph.edges:
                public = published_of(agent).show(edge)
                token = (name, public.token)
                if edge.achiever == INIT:
                    self._init.add(token)
                elif edge.positive:
                    named = (name, agent.dependencies.describe(edge))
                    self._ways.setdefault((name, public.achiever), []).append((named, token))

    @property
    def edges(self) -> set[Named]:
        return {named for ways in self._ways.values() for named, _ in ways}

    def has_goals(self, edges: Iterable[Named]) -> bool:
        """Are the goals in relaxed reach with these edges and the initial state's?"""
        disclosed, held, open_actions = set(edges), set(self._init), dict(self._actions)
        is_new = True
        while is_new:
            is_new = False
            for key, (needs, adds) in tuple(open_actions.items()):
                if held >= needs:
                    del open_actions[key]
                    held.update(adds)
                    ways = self._ways.get(key, ())
                    held.update(token for named, token in ways if named in disclosed)
                    is_new = True
        return held >= self._goal

    def necessary(self) -> set[Named]:
        """Edges without each of which the goals are out of reach whatever else is disclosed."""
        edges = self.edges
        return {edge for edge in edges if not self.has_goals(edges - {edge})}

    def cut(self, edges: Iterable[Named]) -> set[Named] | None:
        """A set of further edges of which one must be disclosed; None if these suffice."""
        held = set(edges)
        if self.has_goals(held):
            return None
        for edge in sorted(self.edges - held):
            if not self.has_goals(held | {edge}):
                held.add(edge)
        return self.edges - held


def smallest(days: list[Reach]) -> set[Named]:
    """The fewest edges with which the goals of all days are in relaxed reach."""
    cuts: list[set[Named]] = []
    chosen: set[Named] = set()
    while True:
        before = len(cuts)
        for day in days:
            held = set(chosen)
            while (cut := day.cut(held)) is not None:
                cuts.append(cut)
                held |= cut
        if len(cuts) == before:
            return chosen
        chosen = hitting(cuts, chosen)


def hitting(cuts: list[set[Named]], known: set[Named]) -> set[Named]:
    """A smallest set with an element of each cut, by branch and bound."""
    best = set[Named]().union(*(sorted(cut)[:1] for cut in cuts)) | known

    def branch(taken: set[Named], cuts: list[set[Named]]) -> None:
        nonlocal best
        left = sorted((cut for cut in cuts if taken.isdisjoint(cut)), key=len)
        if len(taken) + _disjoint(left) >= len(best):
            return
        if not left:
            best = taken
            return
        refused: set[Named] = set()
        counts = Counter(named for cut in left for named in cut)
        for named in sorted(left[0], key=lambda named: (-counts[named], named)):
            branch(taken | {named}, [cut - refused for cut in left])
            refused.add(named)

    branch(set(), cuts)
    return best


def _disjoint(cuts: list[set[Named]]) -> int:
    """How many cuts, taken as they come, have nothing in common: each needs its own element."""
    count, seen = 0, set[Named]()
    for cut in cuts:
        if seen.isdisjoint(cut):
            count += 1
            seen |= cut
    return count
