"""The paper's claims about makespan, checked in Table 2 (`makespans`), as the paper measures it.

Paraphrased, each with what would confirm it. "About" a number means within a quarter of it, or
within five percentage points if that is more. See `phenomena` for verdicts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from tacit.experiment.paper import published as paper
from tacit.experiment.paper.phenomena import Finding, sentence, title, verdict_of
from tacit.experiment.tables.coverage import Series
from tacit.experiment.tables.grid import Grid
from tacit.experiment.tables.makespans import Row2, averages, spans

_ALL = paper.PROBLEMS * len(paper.DEPENDENCIES)


def rows_of(found: Sequence[Series]) -> list[Row2]:
    """Table 2 of the paper's domains and rankings."""
    own = [
        one
        for one in found
        if one.ranking in paper.RANKINGS and paper.name(one.domain) in paper.DEPENDENCIES
    ]
    made = (
        Row2(
            one.solver,
            paper.name(one.domain),
            one.ranking,
            len(one.problems),
            averages([one]),
            None,
        )
        for one in own
    )
    return [row for row in made if row.ours is not None]


def _gains(rows: Iterable[Row2], solver: str, domain: str = "") -> list[float]:
    return [
        row.ours.improvement
        for row in rows
        if row.solver == solver and row.ours is not None and domain in ("", row.domain)
    ]


def _problems(rows: Iterable[Row2], solver: str) -> int:
    """How many problems there are runs of, over all domains."""
    return sum({row.domain: row.problems for row in rows if row.solver == solver}.values())


def about(value: float, claimed: float) -> bool:
    """Whether a percentage is about what is claimed.

    >>> about(16.0, 20.0), about(14.0, 20.0), about(60.0, 40.0)
    (True, False, False)
    """
    return abs(value - claimed) <= max(5.0, claimed / 4)


def more_is_better(found: Sequence[Series]) -> Finding:
    """A part for each solver: in some cases a larger budget leads to a smaller makespan."""
    parts: list[bool] = []
    sentences: list[str] = []
    lines: list[list[str]] = []
    for solver in sorted({one.solver for one in found}):
        own = [one for one in found if one.solver == solver and one.ranking in paper.RANKINGS]
        each = [(one.domain, s) for one in own for r in one.problems.values() if (s := spans(r))]
        if not each:
            continue
        better = sum(span.least < span.first for _, span in each)
        parts.append(better > 0)
        sentences.append(f"with {solver}, {better} of {len(each)} cases have a better plan later")
        for domain in sorted({domain for domain, _ in each}):
            here = [span for name, span in each if name == domain]
            count = sum(span.least < span.first for span in here)
            lines.append([solver, domain, str(len(here)), str(count)])
    return Finding(
        "Plans become better where more is disclosed than is needed",
        verdict_of(parts, _problems(rows_of(found), "projection"), _ALL),
        sentence(sentences),
        Grid(["solver", "domain", "cases", "better later"], lines),
    )


def improvement_is_about(found: Sequence[Series], claimed: dict[str, float]) -> Finding:
    """A part for each solver: the mean over domains and rankings is about what is claimed."""
    rows = rows_of(found)
    parts: list[bool] = []
    sentences: list[str] = []
    for solver, percent in claimed.items():
        gains = _gains(rows, solver)
        if gains:
            parts.append(about(fmean(gains), percent))
            sentences.append(f"{fmean(gains):.1f} % with {solver}")
    claims = " and ".join(f"{percent:g} % with {solver}" for solver, percent in claimed.items())
    return Finding(
        f"From the first to the best plan, makespan improves by about {claims}",
        verdict_of(parts, _problems(rows, "projection"), _ALL),
        sentence(sentences),
        _gain_grid(rows),
    )


def stands_out(found: Sequence[Series], domain: str, percent: float, solver: str) -> Finding:
    """Improvement is about the claimed percentage there (1) and larger than in all others (2)."""
    rows = rows_of(found)
    domains = {row.domain for row in rows if row.solver == solver}
    means = {name: fmean(_gains(rows, solver, name)) for name in domains}
    parts: list[bool] = []
    text = ""
    if domain in means:
        others = [mean for name, mean in means.items() if name != domain]
        parts = [about(means[domain], percent), means[domain] > max(others, default=0.0)]
        text = f"It is {means[domain]:.1f} %"
        text += f"; the next is {max(others):.1f} %." if others else "."
    problems = max(
        (r.problems for r in rows if (r.solver, r.domain) == (solver, domain)), default=0
    )
    return Finding(
        f"Improvement varies by domain, and is about {percent:g} % in {title(domain)} with "
        f"{solver}",
        verdict_of(parts, problems),
        text,
        _domain_grid(rows),
    )


def rankings_cost_alike(found: Sequence[Series], share: float = 0.1) -> Finding:
    """In most domains (1: at the first solved budget, 2: at best) rankings differ by at most this
    share of their mean; both solvers together.
    """
    rows = rows_of(found)
    lines: list[list[str]] = []
    alike = [0, 0]
    for solver, domain in sorted({(row.solver, row.domain) for row in rows}):
        own = [r.ours for r in rows if (r.solver, r.domain) == (solver, domain) and r.ours]
        gaps = [_gap([o.first for o in own]), _gap([o.least for o in own])]
        alike = [count + (gap <= share) for count, gap in zip(alike, gaps, strict=True)]
        lines.append([solver, domain, *(f"{100 * gap:.1f}" for gap in gaps)])
    total = len(lines)
    return Finding(
        "In most cases rankings hardly differ in makespan",
        verdict_of(
            [2 * count > total for count in alike] if total else [],
            _problems(rows, "projection"),
            _ALL,
        ),
        f"Of {total} domains with a solver, they differ by at most {100 * share:.0f} % in "
        f"{alike[0]} at the first solved k and in {alike[1]} at best.",
        Grid(["solver", "domain", "first: apart by %", "best: apart by %"], lines),
    )


def _gap(values: Sequence[float]) -> float:
    return (max(values) - min(values)) / (fmean(values) or 1)


def improves_less(found: Sequence[Series], less: str, more: str) -> Finding:
    """On average (1) and in most domains (2)."""
    rows = rows_of(found)
    domains = sorted(
        {r.domain for r in rows if r.solver == less} & {r.domain for r in rows if r.solver == more}
    )
    parts: list[bool] = []
    text = ""
    if domains:
        each = [(fmean(_gains(rows, less, d)), fmean(_gains(rows, more, d))) for d in domains]
        means = [fmean(column) for column in zip(*each, strict=True)]
        count = sum(a < b for a, b in each)
        parts = [means[0] < means[1], 2 * count > len(domains)]
        text = (
            f"{means[0]:.1f} % with {less} and {means[1]:.1f} % with {more}; less in {count} of "
            f"{len(domains)} domains."
        )
    return Finding(
        f"Makespan improves less with {less} than with {more}",
        verdict_of(parts, _problems(rows, less), _ALL),
        text,
        _domain_grid(rows),
    )


def _gain_grid(rows: Sequence[Row2]) -> Grid:
    """Improvement by ranking, the paper's in brackets."""
    lines = []
    for solver, domain in sorted({(row.solver, row.domain) for row in rows}):
        own = {r.ranking: r for r in rows if (r.solver, r.domain) == (solver, domain)}
        lines.append([solver, domain, *(_gain(own.get(name)) for name in paper.RANKINGS)])
    return Grid(["solver", "domain", *paper.RANKINGS], lines)


def _domain_grid(rows: Sequence[Row2]) -> Grid:
    """Improvement by domain, mean over rankings, the paper's in brackets."""
    solvers = sorted({row.solver for row in rows})
    lines = []
    for domain in sorted({row.domain for row in rows}):
        cells = []
        for solver in solvers:
            own = _gains(rows, solver, domain)
            cells.append(f"{fmean(own):.1f}{_printed(solver, domain)}" if own else "–")
        lines.append([domain, *cells])
    return Grid(["domain", *solvers], lines)


def _printed(solver: str, domain: str) -> str:
    """The paper's mean over rankings, in brackets, if it has this solver."""
    theirs = paper.MAKESPANS.get(solver)
    if theirs is None:
        return ""
    return f" ({fmean(theirs[domain, ranking].improvement for ranking in paper.RANKINGS):.1f})"


def _gain(row: Row2 | None) -> str:
    if row is None or row.ours is None:
        return "–"
    theirs = f" ({row.printed.improvement:.1f})" if row.printed else ""
    return f"{row.ours.improvement:.1f}{theirs}"
