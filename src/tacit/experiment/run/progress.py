"""The progress of a sweep: bars on a terminal, plain lines elsewhere. All of it goes to stderr."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn
from rich.text import Text

from tacit.experiment.run.job import Job
from tacit.experiment.run.row import Run
from tacit.words import counted


def duration(seconds: float) -> str:
    """A time span for people.

    >>> duration(59), duration(61), duration(7322)
    ('59 s', '1 min 1 s', '2 h 2 min')
    """
    total = round(seconds)
    if total < 60:
        return f"{total} s"
    if total < 3600:
        return f"{total // 60} min {total % 60} s"
    return f"{total // 3600} h {total % 3600 // 60} min"


class Tally:
    """The outcomes of the runs so far, and how long the rest may take.

    Of the `units` of a sweep some may have `ended` before, when it was stopped.
    """

    def __init__(self, units: int, ended: int = 0):
        self.outcomes: Counter[str] = Counter()
        self.units = units
        self.ended = self._before = ended
        self.began = time.monotonic()
        self._endings: dict[str, dict[str, str]] = {}

    def add(self, run: Run) -> None:
        """Count a run, or count it again if a plan was taken over for it."""
        endings = self._endings.setdefault(run.unit.key, {})
        if run.asked in endings:
            self.outcomes -= Counter([endings[run.asked]])
        endings[run.asked] = _ending(run)
        self.outcomes[endings[run.asked]] += 1

    def of_unit(self, key: str) -> Counter[str]:
        """The same for one unit alone."""
        return Counter(self._endings.get(key, {}).values())

    def line(self) -> str:
        counts = ", ".join(f"{n} {name}" for name, n in self.outcomes.most_common())
        spent = time.monotonic() - self.began
        done, left = self.ended - self._before, self.units - self.ended
        runs = counted(self.outcomes.total(), "run")
        text = f"{runs} ({counts or 'none yet'}) in {duration(spent)}"
        if done and left:
            text += f", about {duration(spent / done * left)} left"
        return text


def _ending(run: Run) -> str:
    return run.outcome.value if run.taken_over is None else "taken over"


class Lines:
    """A line per unit."""

    def __init__(self, console: Console, jobs: Iterable[Job], before: Mapping[str, int]):
        self._console = console
        ended = sum(before.values())
        self.tally = Tally(ended + sum(1 for _ in jobs), ended)

    def run(self, run: Run) -> None:
        self.tally.add(run)

    def ended(self, job: Job) -> None:
        self.tally.ended += 1
        unit = job.unit
        counts = self.tally.of_unit(unit.key)
        outcomes = ", ".join(f"{n} {name}" for name, n in counts.most_common())
        seed = f" seed {unit.draw}" if unit.draw or unit.ties is not None else ""
        place = f"[{self.tally.ended}/{self.tally.units}]"
        name = f"{unit.problem} {unit.solver} {unit.series}{seed}"
        self._console.print(f"{place} {name}: {outcomes}", markup=False)

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Bars:
    """A bar per domain and, until the end, a line of totals; it is for the caller to print last."""

    def __init__(self, console: Console, jobs: Iterable[Job], before: Mapping[str, int]):
        per_domain = Counter(before) + Counter(job.unit.domain for job in jobs)
        self.tally = Tally(per_domain.total(), sum(before.values()))
        self._is_over = False
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=console
        )
        self._bar: dict[str, TaskID] = {
            domain: self._progress.add_task(domain, total=count, completed=before.get(domain, 0))
            for domain, count in sorted(per_domain.items())
        }
        self._live = Live(console=console, get_renderable=self._show, refresh_per_second=4)

    def _show(self) -> Group:
        line = [] if self._is_over else [Text(self.tally.line())]
        return Group(self._progress, *line)

    def run(self, run: Run) -> None:
        self.tally.add(run)

    def ended(self, job: Job) -> None:
        self.tally.ended += 1
        self._progress.advance(self._bar[job.unit.domain])

    def __enter__(self) -> Bars:
        self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_over = True
        self._live.stop()


def watcher(jobs: Iterable[Job], before: Mapping[str, int]) -> Lines | Bars:
    """Bars if stderr is a terminal, else lines; `before` has the units of domains that are done."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    todo = list(jobs)
    return (Bars if console.is_terminal else Lines)(console, todo, before)
