"""A sweep: problems × solvers × rankings × seeds, each at many budgets.

`Sweep.jobs` lists the units, `run` does what of them is not in the store yet. The set of rows that
results depends on nothing but the sweep: not on how many processes worked on it, in which order,
or how often it was stopped and started again. Where a larger budget found no plan, that of a
smaller one is taken over (`tacit.experiment.run.taking_over`).
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Protocol

import msgspec

import tacit
from tacit.central.analysis.minimum import check_settings
from tacit.central.billing import Weights
from tacit.central.solve import RANKINGS
from tacit.errors import InputError, nearest
from tacit.experiment.run.job import Job
from tacit.experiment.run.pool import Ended, Event
from tacit.experiment.run.row import MINIMUM, Run, Unit
from tacit.experiment.run.solvers import SOLVERS
from tacit.experiment.run.store import Store
from tacit.experiment.run.suite import Problem
from tacit.experiment.run.taking_over import changes
from tacit.public.settings import DEFAULT_RANKING, Settings, Threats
from tacit.registry import load_plugin

ITERATES = "mafs"
"""The solver whose budget can grow inside one search."""

LATER = ("harden", "recipients")
"""Settings that came after rows had been stored: left out of their key at their defaults."""


@dataclass(frozen=True)
class Sweep:
    """What to run. `seeds` is how many seeds a ranking that draws by lot gets; others get one.

    `ties` are the seeds by which the others break ties, None for the usual order.
    """

    problems: tuple[Problem, ...]
    settings: Settings
    profile: str = "tacit"
    solvers: tuple[str, ...] = ("projection",)
    rankings: tuple[str, ...] = (DEFAULT_RANKING,)
    levels: tuple[Fraction, ...] = ()
    first: bool = False
    seeds: int = 10
    ties: tuple[int | None, ...] = (None,)
    time_limit: float | None = None
    memory_limit: int | None = None
    plugins: tuple[str, ...] = ()
    minimum: bool = False
    """Also bound, for each problem, what must be disclosed whatever the ranking."""
    weights: Weights | None = None
    """What agents ask for telling things; each agent of each problem finds its rules in it."""
    proofs: bool = True
    """Are budgets settled beforehand at which it can be proved that there is no plan?"""
    iterative: bool = False
    """Also let the budget grow from 0 inside one search, with forward search."""

    def check(self) -> None:
        """Raise an `InputError` for what cannot be run."""
        for plugin in self.plugins:
            load_plugin(Path(plugin))
        for solver in self.solvers:
            if solver not in SOLVERS:
                hint = nearest(solver, SOLVERS) or f"there are: {', '.join(SOLVERS)}"
                raise InputError(f"there is no solver called '{solver}'", hint)
        for ranking in self.rankings:
            RANKINGS.get(ranking)
        if not self.levels and not self.first and not self.iterative:
            raise InputError("there is nothing to run", "give --levels, --first or --iterative")
        if self.iterative and ITERATES not in self.solvers:
            raise InputError("--iterative is a way of forward search", f"--solvers {ITERATES}")
        if self.settings.threats is Threats.PAPER_INDEX:
            raise InputError("threats 'paper-index' are for counting only", "sweep with 'ranked'")
        if self.minimum:
            check_settings(self.settings)
        for table in self.weights.tables if self.weights else ():
            table.check(self.settings)

    def jobs(self) -> Iterator[Job]:
        """All units, problem by problem."""
        settings = _as_key(self.settings)
        plugins = self._plugin_digest()
        for problem in self.problems:
            for solver, ranking, seed, ties in self._ways():
                iterative = self.iterative and solver == ITERATES
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
                )
                yield Job(
                    unit,
                    problem,
                    self.settings,
                    self.levels,
                    self.first,
                    self.plugins,
                    weights=self.weights,
                    proofs=self.proofs,
                    iterative=iterative,
                )

    def _ways(self) -> Iterator[tuple[str, str, int, int | None]]:
        """What is done with each problem: solver, ranking, seed, seed of ties."""
        asks_all = bool(self.levels or self.first)
        for solver in dict.fromkeys(self.solvers if asks_all else [ITERATES]):
            for ranking in dict.fromkeys(self.rankings):
                for seed, ties in self._draws(ranking):
                    yield solver, ranking, seed, ties
        if self.minimum:
            yield MINIMUM, "", 0, None

    def _draws(self, ranking: str) -> list[tuple[int, int | None]]:
        """The seeds of a ranking, or of its ties: one that draws by lot has none to break."""
        if is_drawn(ranking):
            return [(seed, None) for seed in range(self.seeds)]
        return [(0, ties) for ties in dict.fromkeys(self.ties)]

    def _plugin_digest(self) -> str:
        """A name for the content of the plugins; none for none."""
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
            raise InputError(f"'{part.strip()}' are no seeds for ties", hint)
    return tuple(found)


def is_drawn(ranking: str) -> bool:
    """Does the ranking draw by lot? A class may say so with `drawn = True`."""
    return ranking == "random" or bool(getattr(RANKINGS.get(ranking), "drawn", False))


@dataclass(frozen=True)
class Outlook:
    """How much of a sweep there is. `runs_left` is an upper bound: equal budgets run once."""

    problems: int
    units: int
    runs_done: int
    runs_left: int
    todo: tuple[Job, ...]


def outlook(sweep: Sweep, store: Store | None) -> Outlook:
    """What is done and what is left, without running anything."""
    jobs = list(sweep.jobs())
    done = store.done(job.unit.key for job in jobs) if store else {}
    todo: list[Job] = []
    runs_done = runs_left = 0
    for job in jobs:
        before = done.get(job.unit.key, {})
        left = job.left(before)
        runs_done += len(before)
        if left is None:
            runs_left += len(job.levels) + job.first + job.iterative
        else:
            runs_left += len(left)
        if left != []:
            slim = {asked: msgspec.structs.replace(r, plan="") for asked, r in before.items()}
            todo.append(msgspec.structs.replace(job, done=slim))
    return Outlook(len(sweep.problems), len(jobs), runs_done, runs_left, tuple(todo))


class Watcher(Protocol):
    """Somebody who looks on."""

    def run(self, run: Run) -> None:
        """A run, or one that was shown before as it is now that a plan was taken over for it."""

    def ended(self, job: Job) -> None: ...


def run(
    todo: Iterable[Job],
    store: Store,
    execute: Callable[[Iterable[Job]], Generator[Event]],
    watcher: Watcher,
) -> None:
    """Do what is left, and store every run as soon as it is known."""
    with contextlib.closing(execute(todo)) as events:
        for event in events:
            if isinstance(event, Ended):
                watcher.ended(event.job)
            else:
                for kept in keep(store, event):
                    watcher.run(kept)


def keep(store: Store, run: Run) -> list[Run]:
    """Store a run together with the runs for which its plan is taken over, all at once; all that
    was stored.
    """
    runs = store.of_unit(run.unit.key)
    if run.asked in runs:
        return []
    runs[run.asked] = run
    changed = {after.asked: after for after in changes(runs)}
    kept = list({run.asked: run, **changed}.values())
    store.replace(kept)
    return kept


def _as_key(settings: Settings) -> str:
    default = msgspec.to_builtins(Settings())
    chosen = msgspec.to_builtins(settings)
    kept = {name: x for name, x in chosen.items() if name not in LATER or x != default[name]}
    return msgspec.json.encode(kept).decode()
