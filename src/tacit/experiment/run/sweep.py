"""A sweep: problems × solvers × rankings × seeds, each at many budgets.

`Sweep.jobs` lists the units, `run` executes those that are not in the store yet. The resulting set
of rows depends only on the sweep: not on the number of processes, their order, or how often it was
stopped and restarted. Where a larger budget found no plan, that of a smaller one is taken over
(`tacit.experiment.run.taking_over`).
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Protocol

import msgspec

import tacit
from tacit.central.analysis.minimum import check_settings
from tacit.central.price_policy import Weights
from tacit.choices import PLANNERS, RANKINGS, SOLVERS
from tacit.errors import InputError
from tacit.experiment.run.job import Job
from tacit.experiment.run.pool import Ended, Event
from tacit.experiment.run.row import MINIMUM, Run, Unit
from tacit.experiment.run.store import Store
from tacit.experiment.run.suite import Problem
from tacit.experiment.run.taking_over import changes
from tacit.public.run_options import DEFAULTS
from tacit.public.settings import Settings
from tacit.registry import load_plugin

KEYED = ("chain", "no_op", "threats", "extension", "repair", "merge", "rule", "own_values")
"""Settings that are in the key of every row; a later one is left out at its default, so that rows
that were stored before it existed are found."""


@dataclass(frozen=True)
class Sweep:
    """What to run. `seeds` is the number of seeds for a random ranking; others get one.

    `ties` are the seeds by which the others break ties, None for the usual order.
    """

    problems: tuple[Problem, ...]
    settings: Settings
    profile: str = "tacit"
    solvers: tuple[str, ...] = (DEFAULTS.solver,)
    rankings: tuple[str, ...] = (DEFAULTS.ranking,)
    levels: tuple[Fraction, ...] = ()
    smallest: bool = False
    """Also find the smallest budget that solves."""
    online: bool = False
    """Also run as agents do between them, as `tacit solve` does by default."""
    seeds: int = 10
    ties: tuple[int | None, ...] = (None,)
    time_limit: float | None = None
    memory_limit: int | None = None
    plugins: tuple[str, ...] = ()
    minimum: bool = False
    """Also bound, for each problem, what must be disclosed with any ranking."""
    weights: Weights | None = None
    """The agents' prices; each agent of each problem finds its rules in it."""
    proofs: bool = True
    """Whether budgets are settled beforehand if it can be proved that there is no plan."""
    planner: str = DEFAULTS.planner
    iterative: bool = False
    """Also let the budget grow from 0 inside one search, with forward search."""
    leakage: bool = False
    """Also measure what the others know of each agent after a run."""
    cleaned: bool = False
    """Also measure what each plan is worth once it is cleaned."""

    def check(self) -> None:
        """Raise an `InputError` for what cannot be run."""
        for plugin in self.plugins:
            load_plugin(Path(plugin))
        for solver in self.solvers:
            SOLVERS.get(solver).check(self.settings)
        for ranking in self.rankings:
            RANKINGS.get(ranking)
        PLANNERS.get(self.planner)
        if not (self._asks_all or self.iterative):
            hint = "give --levels, --smallest, --iterative or --online"
            raise InputError("there is nothing to run", hint)
        if self.iterative and not any(map(_iterates, self.solvers)):
            can = ",".join(filter(_iterates, SOLVERS))
            raise InputError("in none of these solvers k grows inside a search", f"--solvers {can}")
        if self.cleaned and self.settings.clean:
            hint = "add --no-clean, or leave out --cleaned"
            raise InputError("these settings clean each plan before it is stored", hint)
        if self.minimum:
            check_settings(self.settings)
        for table in self.weights.tables if self.weights else ():
            table.check(self.settings)

    def jobs(self) -> Iterator[Job]:
        """All units, problem by problem."""
        settings = _as_key(self.settings)
        plugins = self._plugin_digest()
        for problem in self.problems:
            for solver, ranking, seed, ties in self._configurations():
                iterative = self.iterative and _iterates(solver)
                unit = Unit(
                    problem.name,
                    problem.domain,
                    problem.form,
                    problem.digest,
                    solver,
                    self.profile,
                    settings,
                    ranking,
                    seed,
                    self.time_limit,
                    self.memory_limit,
                    plugins,
                    tacit.__version__,
                    ties,
                    self.weights.digest if self.weights else "",
                    "" if self.planner == DEFAULTS.planner else self.planner,
                )
                yield Job(
                    unit,
                    problem,
                    self.settings,
                    self.levels,
                    self.smallest,
                    self.plugins,
                    weights=self.weights,
                    proofs=self.proofs,
                    iterative=iterative,
                    online=self.online,
                    leakage=self.leakage,
                    cleaned=self.cleaned,
                )

    def _configurations(self) -> Iterator[tuple[str, str, int, int | None]]:
        """The configurations of each problem: solver, ranking, seed, seed of ties."""
        solvers = self.solvers if self._asks_all else filter(_iterates, self.solvers)
        for solver in dict.fromkeys(solvers):
            for ranking in dict.fromkeys(self.rankings):
                for seed, ties in self._draws(ranking):
                    yield solver, ranking, seed, ties
        if self.minimum:
            yield MINIMUM, "", 0, None

    @property
    def _asks_all(self) -> bool:
        """Is anything asked that every solver can do?"""
        return bool(self.levels or self.smallest or self.online)

    def _draws(self, ranking: str) -> list[tuple[int, int | None]]:
        """The seeds of a ranking, or of its ties; a random one has no ties to break."""
        if is_random(ranking):
            return [(seed, None) for seed in range(self.seeds)]
        return [(0, ties) for ties in dict.fromkeys(self.ties)]

    def _plugin_digest(self) -> str:
        """A digest of the content of the plugins; empty if there are none."""
        total = hashlib.sha256()
        for plugin in self.plugins:
            total.update(hashlib.sha256(Path(plugin).read_bytes()).digest())
        return total.hexdigest()[:32] if self.plugins else ""


def parse_ties(text: str) -> tuple[int | None, ...]:
    """Seeds from `0,7`, `0:9` or `none,0:9`, where `none` is the usual order.

    >>> parse_ties("none, 2:4, 7")
    (None, 2, 3, 4, 7)
    """
    found: dict[int | None, None] = {}
    for part in text.split(","):
        match = re.fullmatch(r"(\d{1,9})(?::(\d{1,9}))?", part.strip())
        if part.strip() == "none":
            found[None] = None
        elif match and int(match[2] or match[1]) - int(match[1]) in range(10_000):
            found |= dict.fromkeys(range(int(match[1]), int(match[2] or match[1]) + 1))
        else:
            hint = "write numbers with commas, FROM:TO, or none: none,0:9"
            raise InputError(f"'{part.strip()}' is not a list of seeds for ties", hint)
    return tuple(found)


def is_random(ranking: str) -> bool:
    """Whether the ranking is random; a class declares it with `drawn = True`."""
    return ranking == "random" or bool(getattr(RANKINGS.get(ranking), "drawn", False))


@dataclass(frozen=True)
class Outlook:
    """The extent of a sweep. `runs_left` is an upper bound: equal budgets run once."""

    problems: int
    units: int
    runs_done: int
    runs_left: int
    todo: tuple[Job, ...]
    ended: Mapping[str, int]
    """How many units of each domain were done before."""


def outlook(sweep: Sweep, store: Store | None) -> Outlook:
    """What is done and what remains, without running anything."""
    jobs = list(sweep.jobs())
    done = store.done(job.unit.key for job in jobs) if store else {}
    todo: list[Job] = []
    runs_done = runs_left = 0
    for job in jobs:
        before = done.get(job.unit.key, {})
        left = job.left(before)
        runs_done += len(before)
        if left is None:
            runs_left += len(job.levels) + len(job.others)
        else:
            runs_left += len(left)
        if left != []:
            slim = {asked: msgspec.structs.replace(r, plan="") for asked, r in before.items()}
            todo.append(msgspec.structs.replace(job, done=slim))
    left_out = {job.unit.key for job in todo}
    ended = Counter(job.unit.domain for job in jobs if job.unit.key not in left_out)
    return Outlook(len(sweep.problems), len(jobs), runs_done, runs_left, tuple(todo), ended)


class Watcher(Protocol):
    """Is notified of the progress of a sweep."""

    def run(self, run: Run) -> None:
        """A new run, or a known one for which a plan has now been taken over."""

    def ended(self, job: Job) -> None: ...


def run(
    todo: Iterable[Job],
    store: Store,
    execute: Callable[[Iterable[Job]], Generator[Event]],
    watcher: Watcher,
) -> None:
    """Execute what remains, and store every run as soon as it is known."""
    with contextlib.closing(execute(todo)) as events:
        for event in events:
            if isinstance(event, Ended):
                watcher.ended(event.job)
            else:
                for kept in keep(store, event):
                    watcher.run(kept)


def keep(store: Store, run: Run) -> list[Run]:
    """Store a run and the runs for which its plan is taken over, in one transaction; all that was
    stored.
    """
    runs = store.of_unit(run.unit.key)
    if run.asked in runs:
        return []
    runs[run.asked] = run
    changed = {after.asked: after for after in changes(runs)}
    kept = list({run.asked: run, **changed}.values())
    store.replace(kept)
    return kept


def _iterates(solver: str) -> bool:
    """Can k grow inside a search of this solver?"""
    return SOLVERS.get(solver).iterates


def _as_key(settings: Settings) -> str:
    default = msgspec.to_builtins(Settings())
    chosen = msgspec.to_builtins(settings)
    kept = {name: x for name, x in chosen.items() if name in KEYED or x != default[name]}
    return msgspec.json.encode(kept).decode()
