"""How plans were made: strictly, within the k edges that each agent disclosed, or by replanning.

Under `extension=replan` (profile `paper`, the projection) agents that cannot extend a public plan
change it, as the authors' program does, and so disclose more than k. Here plans are counted by how
they were made, and runs are prepared for a Table 1 of strict plans only: a replanned plan counts as
a public plan that could not be extended. Runs from before this was recorded are unknown; a series
with such a run is omitted, because any of its cells may depend on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from tacit.experiment.run.row import REPLANNED, SMALLEST, STRICT, UNKNOWN, Run, RunOutcome
from tacit.experiment.tables.coverage import Series, grouped
from tacit.experiment.tables.grid import Grid
from tacit.words import counted, form

_WAYS = (STRICT, REPLANNED, UNKNOWN)


def of_replanners(runs: Iterable[Run]) -> list[Run]:
    """The runs whose agents may replan; all plans of others are strict."""
    return [run for run in runs if run.unit.may_replan]


def only_strict(runs: Sequence[Run]) -> list[Run]:
    """The series without unknown plans, with only their strict plans."""
    known = {run.unit for run in runs} - {run.unit for run in runs if run.made == UNKNOWN}
    several = {(u.solver, u.domain, u.series) for u in {run.unit for run in runs} - known}
    return [
        msgspec.structs.replace(run, outcome=RunOutcome.NOT_EXTENDED)
        if run.made == REPLANNED
        else run
        for run in runs
        if (run.unit.solver, run.unit.domain, run.unit.series) not in several
    ]


def made_grid(runs: Iterable[Run]) -> Grid:
    """Per solver, domain and ranking, the first plans and all plans by how they were made.

    No line if all plans are unknown.
    """
    lines: list[list[str]] = []
    kind = grouped(of_replanners(runs), lambda one: (one.solver, one.domain, one.ranking))
    for (solver, domain, ranking), members in kind:
        first = Counter(run.made for run in _firsts(members))
        every = Counter(r.made for one in members for own in one.problems.values() for r in own)
        if set(every) <= {"", UNKNOWN}:
            continue
        counts = [str(count[way]) for count in (first, every) for way in _WAYS]
        lines.append([solver, domain, ranking, *counts])
    header = ["solver", "domain", "ranking", *(f"first {way}" for way in _WAYS)]
    header += [f"all {way}" for way in _WAYS]
    groups = ["", "", "", *["first"] * 3, *["all"] * 3]
    return Grid(header, lines, groups)


def summary(runs: Sequence[Run]) -> str:
    """The first plans by how they were made, in a sentence; empty if agents may not replan."""
    own = of_replanners(runs)
    if not own:
        return ""
    series = (one for _, members in grouped(own, lambda one: (one.ranking,)) for one in members)
    count = Counter(run.made for run in _firsts(series))
    sentences = []
    if count[STRICT] or count[REPLANNED]:
        sentences.append(
            f"Of {counted(count.total(), 'plan')} at the first solved k {count[REPLANNED]} "
            f"{form(count[REPLANNED], 'was', 'were')} made by replanning, which discloses more "
            f"than k, and {count[STRICT]} {form(count[STRICT], 'is', 'are')} strict."
        )
    if count[UNKNOWN]:
        sentences.append(
            f"Of {count[UNKNOWN]} plans at the first solved k it is not known whether they are "
            "strict or were made by replanning, which discloses more than k: they were stored "
            "before that was recorded. In that case strict plans cannot be counted separately."
        )
    return " ".join(sentences)


def _firsts(members: Iterable[Series]) -> list[Run]:
    """The run at the first solved budget of each problem and seed that was solved."""
    found: list[Run] = []
    for one in members:
        for runs in one.problems.values():
            good = [run for run in runs if run.solved and run.k is not None]
            found += sorted(good, key=lambda run: (run.k, run.asked == SMALLEST))[:1]
    return found
