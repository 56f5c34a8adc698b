"""Problems of a store, read again: the store has their names and digests, not their files.

A problem is searched for in the suites that the user names and among the embedded ones, and used
only if its digest is the one that was run. Graphs and timetables are made from it; if one cannot
be made there is a note instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import msgspec

from tacit.central.instance import Instance
from tacit.central.named_graph import NamedEdge, NamedGraph, named_graph
from tacit.central.session import Session
from tacit.central.validate.judge import timetable
from tacit.central.validate.plan import plan_of
from tacit.choices import RANKINGS
from tacit.draw.picture import Picture, lay_out
from tacit.errors import InputError, TacitError
from tacit.experiment.run import suite
from tacit.experiment.run.row import OFFLINE, Run, Unit
from tacit.pddl.agents import natural_order
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings

MOST_LINES = 6000
"""A graph with more lines is not drawn on a page, which would become slow."""


class Order(NamedTuple):
    """What the order of an agent's edges depends on."""

    ranking: str
    seed: int
    ties: int | None


def order_of(unit: Unit) -> Order:
    return Order(unit.ranking, unit.seed, unit.ties)


@dataclass(frozen=True)
class Case:
    """All runs of one problem."""

    name: str
    domain: str
    runs: tuple[Run, ...]

    @property
    def largest(self) -> int:
        return max(run.largest for run in self.runs)

    @property
    def unit(self) -> Unit:
        return self.runs[0].unit


def cases(runs: Iterable[Run]) -> list[Case]:
    """The problems of some runs, per domain from the one with fewest dependencies on."""
    ordered = sorted(runs, key=lambda run: (run.unit.domain, run.unit.problem))
    kind = groupby(ordered, lambda run: (run.unit.domain, run.unit.problem))
    found = [Case(name, domain, tuple(own)) for (domain, name), own in kind]
    rank = {name: n for n, name in enumerate(natural_order({case.name for case in found}))}
    return sorted(found, key=lambda case: (case.domain, case.largest, rank[case.name]))


def easiest(found: Iterable[Case], count: int | None) -> list[Case]:
    """Per domain the problems with the fewest dependencies, at least one; all for None."""
    chosen: list[Case] = []
    for _, members in groupby(found, lambda case: case.domain):
        own = [case for case in members if case.largest]
        chosen += own if count is None else own[:count]
    return chosen


class Finder:
    """Finds problems by name, form and digest, in given suites and among the embedded ones."""

    def __init__(self, suites: Sequence[str]):
        self._given = {_key(p): p for p in suite.find(suites)} if suites else {}

    def find(self, unit: Unit) -> suite.Problem:
        """The problem of a unit; an `InputError` if it cannot be found unchanged."""
        key = (unit.problem, unit.form, unit.digest)
        found = self._given.get(key) or self._embedded(unit.problem, key) or self._paper.get(key)
        if found is None:
            raise InputError("its files were not found unchanged; name its suite with --problems")
        return found

    def _embedded(self, name: str, key: tuple[str, str, str]) -> suite.Problem | None:
        try:
            return {_key(p): p for p in suite.find([name])}.get(key)
        except InputError:
            return None

    @cached_property
    def _paper(self) -> dict[tuple[str, str, str], suite.Problem]:
        return {_key(problem): problem for problem in suite.find(["paper"])}


def _key(problem: suite.Problem) -> tuple[str, str, str]:
    return (problem.name, problem.form, problem.digest)


class Opened:
    """A problem that was read again, with its graphs and the orders of its rankings."""

    def __init__(self, case: Case, problem: suite.Problem):
        self.case = case
        self.instance: Instance = problem.load()
        self._settings = msgspec.json.decode(case.unit.settings, type=Settings)
        self._sessions: dict[Order, Session | None] = {}
        self.notes: list[str] = []

    def session(self, order: Order) -> Session | None:
        """The agents with a ranking, None if that is not known here."""
        if order not in self._sessions:
            ranking, seed, ties = order
            self._sessions[order] = None
            if self.case.unit.weights:
                self._note("no graphs: orders follow prices, which are not in the store")
            elif ranking in RANKINGS:
                options = RunOptions(ranking=ranking, seed=seed, ties=ties)
                made = Session(self.instance, self._settings, options)
                self._sessions[order] = made
            else:
                self._note(f"the ranking '{ranking}' is not known here; load it with --plugin")
        return self._sessions[order]

    def _note(self, text: str) -> None:
        self.notes += [] if text in self.notes else [text]

    @cached_property
    def orders(self) -> list[Order]:
        """The rankings and seeds of the runs; those with the usual ties first."""
        found = {order_of(run.unit) for run in self.case.runs}
        return sorted(found, key=lambda one: (one.ties is not None, one[:2], one.ties))

    @cached_property
    def graphs(self) -> dict[str, NamedGraph]:
        """Per agent that has edges, its graph in the order of the first ranking that is known."""
        session = None if self.drawn is None else self.session(self.drawn)
        if session is None or self.drawn is None:
            return {}
        having = [agent for agent, count in session.totals.items() if count]
        return {agent: named_graph(session, agent, self.drawn.ranking) for agent in having}

    @cached_property
    def drawn(self) -> Order | None:
        """The order that graphs are made in, if any is known here."""
        return next((order for order in self.orders if self.session(order) is not None), None)

    def order(self, agent: str, order: Order) -> list[int] | None:
        """The places, in that agent's graph, of its edges in another order."""
        session = self.session(order)
        if session is None:
            return None
        places = {_names(self.graphs[agent], e): n for n, e in enumerate(self.graphs[agent].edges)}
        other = named_graph(session, agent, order.ranking)
        return [places[_names(other, edge)] + 1 for edge in other.edges]

    def picture(self, agent: str, heading: bool = False) -> Picture | None:
        """The layout of an agent's graph; None if it is too large."""
        graph = self.graphs[agent]
        lines = len(graph.edges) + len(graph.needs) + len(graph.achieves)
        if lines > MOST_LINES:
            return None
        return lay_out(graph) if heading else lay_out(graph, head=12)

    def lanes(self, plan: str) -> list[tuple[int, str, str]]:
        """A plan as (start, agent, step); without agents, in order, if it cannot be scheduled."""
        steps = plan.strip().split("\n")
        try:
            table = timetable(self.instance.source, plan_of(steps))
        except TacitError:
            return [(n, "", text) for n, text in enumerate(steps)]
        return [(start, step.agent or "", str(step)) for start, step in table]


def _names(graph: NamedGraph, edge: NamedEdge) -> tuple[str, str, bool]:
    """An edge in a way that does not depend on the order of a graph."""
    return (graph.achievers[edge.achiever], graph.tokens[edge.token], edge.positive)


def first_solved(runs: Iterable[Run], order: Order | None) -> int | None:
    """The smallest budget at which any solver solved it with this order of edges."""
    tried = (run for run in runs if run.mode == OFFLINE and order_of(run.unit) == order)
    return min((run.k for run in tried if run.solved and run.k is not None), default=None)
