"""`tacit report --markdown`: an evaluation as one page of Markdown with its curves.

It is meant to be committed with the rows of an evaluation: it is made from these alone, so that one
command makes it again when there are more. Only the notes on why a cell does not reach the paper's
are written by hand, in a separate file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from tacit.errors import InputError
from tacit.experiment.paper.claims import UNDECIDED, findings, strength
from tacit.experiment.paper.published import PROBLEMS
from tacit.experiment.report import grids, reached
from tacit.experiment.report.against import Judgement, Notes, judge
from tacit.experiment.report.figures import write_coverage
from tacit.experiment.report.lines import panels
from tacit.experiment.report.style import line_styles
from tacit.experiment.run.row import MINIMUM, PROVED, Run, Unit
from tacit.experiment.tables import coverage as tables
from tacit.experiment.tables import ledger, makespans, minima, proofs, smallest, strictness
from tacit.experiment.tables.coverage import Series
from tacit.experiment.tables.grid import Grid, grid1, grid_used, markdown
from tacit.words import counted

_TABLE1 = (
    "\\#C / M_D%{}. \\#C is the number of problems solved at the best "
    "k, M_D% the smallest disclosure that reaches it, in percent of \\#dep, the domain's "
    "largest number of dependencies. The best M_D% of a line is bold."
)
_STRICT = "As Table 1, but a plan that was made by replanning does not count."
_MADE = (
    "By domain and ranking: how many of the plans at the first solved k, and of all plans, are "
    "strict, were replanned, or are unknown."
)
_OPTIMAL = (
    "How many plans there are, at all values of k, and how many are proved to be the cheapest that "
    "are supported on the ledger of their run."
)
_TABLE2 = (
    "Makespans averaged over the solved problems (\\#): ours / executable (the paper's). Ours is "
    "as the paper has it, with unit durations and only causal links; the executable one also keeps "
    "threats. Min and Max: a problem's smallest and largest makespan at any k. Min. dep "
    "and Max. dep: the makespan at its first solved and at its largest solved k. Imp. %: "
    "(Min. dep − Min) / Min. dep, mean over problems; the lowest of a domain is bold. The last "
    "lines of a solver are means over domains."
)
_CLEANED = (
    "As Table 2, but of each plan as it is once it is cleaned: redundant steps are left out, and "
    "agents do their parts at less cost where the settings let them."
)
_AS_MANY = (
    "As the table before, but each line is over at most as many problems as the paper's (its \\#C, "
    "and one more in BlocksWorld): our cheapest, those whose smallest makespan is smallest."
)
_USED = (
    "Over the problems that were solved: the fewest and the most disclosed edges that a plan used, "
    "at the agent that used most (hindsight); the smallest and the largest of the first solved "
    "values of k, in edges; and by how much the best plan of a problem is cheaper than that at its "
    "first solved k, on average."
)
_TABLE3 = (
    "How much of the gap from a random order to the proven lower bound a ranking closes, in "
    "percent of the smallest k that solves, mean over problems."
)
_TABLE5 = (
    "Edges plus repairs of the agent that disclosed most, at the smallest k that solves, mean "
    "over the problems that all rankings solved (by all). In brackets how many problems a ranking "
    "solved, where not all. The least is bold. Offline: each k was tried independently of the "
    "others."
)
_TABLE6 = (
    "The ledger: edges, repairs and their sum over all agents, and edges plus repairs of the "
    "largest agent. Online, of the whole run, as between agents; offline, of the smallest k "
    "that solves, as if it alone had been run. Means over the problems that were solved in every "
    "mode there is (by all)."
)


def write(runs: Sequence[Run], title: str, folder: Path, notes: Notes) -> Path:
    """Write `index.md` and its figures for runs of one configuration."""
    ranked = [run for run in runs if run.unit.solver != MINIMUM]
    if not ranked:
        raise InputError("there are no runs of rankings to report on")
    found = tables.series(ranked)
    drawn = panels(found, minima.bounds(runs))
    styles = line_styles(
        line.name for panel in drawn for lines in panel.lines.values() for line in lines
    )
    folder.mkdir(parents=True, exist_ok=True)
    figures = write_coverage(drawn, styles, folder) if tables.has_budgets(ranked) else []
    parts = [
        f"# {title}",
        _about(ranked),
        *_table(
            "What was run",
            f"Problems that are done, of {PROBLEMS} in each domain of the paper.",
            reached.progress(reached.done(found)),
        ),
        *_table1(ranked, found, notes),
        *_made(ranked),
        *_table("Cheapest plans", _OPTIMAL, proofs.grid(ranked)),
        *_table2(ranked),
        *_table("Edges used", _USED, grid_used(tables.edges_used(ranked))),
        *_table("Table 3: the gap to the bound", _TABLE3, minima.grid3(minima.closed(runs))),
        *_table(
            "Table 5: disclosed at the smallest k (offline)",
            _TABLE5,
            smallest.grid5(smallest.table5(runs)),
        ),
        *_table("Table 6: what agents disclosed", _TABLE6, ledger.grid6(ledger.table6(runs))),
        *_curves(found, figures),
        "## Outcomes",
        markdown(_outcomes(ranked)),
    ]
    path = folder / "index.md"
    path.write_text("\n\n".join(part.rstrip("\n") for part in parts) + "\n", encoding="utf-8")
    return path


def _about(runs: Sequence[Run]) -> str:
    """What all runs have in common, and the time they took."""
    unit = runs[0].unit
    done = [run for run in runs if run.settled_by is None]
    hours = _cpu_seconds(done) / 3600
    days = sorted(datetime.fromtimestamp(run.ended, UTC).date() for run in runs if run.ended)
    limit = "no time limit" if unit.time_limit is None else f"{unit.time_limit:g} s per run"
    when = "".join(f", {day}" for day in days[:1]) + (
        f" to {days[-1]}" if days and days[0] != days[-1] else ""
    )
    planner = f", planner `{unit.planner}`" if unit.planner else ""
    problems = len({run.unit.problem for run in runs})
    proofs = sum(run.detail.startswith(PROVED) for run in done)
    return (
        f"{counted(len(runs), 'run')} of {counted(problems, 'problem')}: profile "
        f"`{unit.profile}`{planner}, {limit}, Tacit {unit.version}{when}. {proofs:,} of them are "
        f"proofs that there is no plan, {len(runs) - len(done):,} were settled by the proof of "
        f"another, and all took {hours:.1f} hours of CPU time."
    )


def _cpu_seconds(runs: Iterable[Run]) -> float:
    """Of all runs together. What the budgets of a unit share is in the time of each, but counts
    once.
    """
    shared: dict[Unit, float] = {}
    alone = 0.0
    for run in runs:
        both = (run.seconds_load or 0.0) + (run.seconds_dependencies or 0.0)
        shared[run.unit] = max(both, shared.get(run.unit, 0.0))
        alone += (run.seconds_total or 0.0) - both
    return alone + sum(shared.values())


def _cells(grid: Grid) -> Grid:
    """Table 1 with one column per ranking."""
    header = ["solver", "domain", "#dep"]
    first = next(c for c, group in enumerate(grid.groups) if group)
    rows = [[*row[:2], _beside(*row[2:first])] for row in grid.rows]
    bold: set[tuple[int, int]] = set()
    for ranking in dict.fromkeys(grid.groups[first:]):
        columns = [c for c, group in enumerate(grid.groups) if group == ranking]
        for r, row in enumerate(grid.rows):
            count, share, *theirs = (row[c] for c in columns)
            rows[r].append(_beside(f"{count} / {share}" if count else "", *theirs))
            if (r, columns[1]) in grid.bold:
                bold.add((r, len(header)))
        header.append(ranking)
    return _grouped(Grid(header, rows, bold=frozenset(bold), notes=grid.notes))


def _folded(grid: Grid) -> Grid:
    """Table 2 with one column per average: ours / executable (the paper's)."""
    header, rows = list(grid.header[:4]), [list(row[:4]) for row in grid.rows]
    bold: set[tuple[int, int]] = set()
    for name in dict.fromkeys(grid.groups[4:]):
        start = grid.groups.index(name)
        for r, row in enumerate(grid.rows):
            ours, executable, *theirs = row[start : start + grid.groups.count(name)]
            rows[r].append(_beside(f"{ours} / {executable}", "".join(theirs).removeprefix("–")))
            if (r, start) in grid.bold:
                bold.add((r, len(header)))
        header.append(name)
    return Grid(header, rows, bold=frozenset(bold), notes=grid.notes)


def _beside(ours: str, theirs: str = "") -> str:
    return f"{ours} ({theirs})" if theirs and ours else ours or "–"


def _grouped(grid: Grid) -> Grid:
    """Solver and domain only where they change."""
    rows = [list(row) for row in grid.rows]
    for before, row in zip(grid.rows, rows[1:], strict=False):
        for column in (0, 1):
            if row[column] != before[column]:
                break
            row[column] = ""
    return replace(grid, rows=rows, groups=())


def _table1(runs: Sequence[Run], found: Sequence[Series], notes: Notes) -> Iterator[str]:
    if tables.has_budgets(runs):
        yield "## Table 1: coverage"
        grid = grid1(tables.table1(runs))
        has_papers = any(name.endswith("paper") for name in grid.header)
        yield _TABLE1.format(", the paper's in brackets" if has_papers else "")
        yield markdown(_cells(grid))
        yield from _judgement(judge(runs, found, notes))


def _made(runs: Sequence[Run]) -> Iterator[str]:
    """How plans were made, where some may be replanned, and Table 1 without those."""
    if text := strictness.summary(runs):
        yield "## How plans were made"
        yield text
        made = strictness.made_grid(runs)
        if made.rows:
            yield _MADE
            yield markdown(_grouped(made))
        strict = strictness.only_strict(strictness.of_replanners(runs))
        if tables.has_budgets(strict):
            shown = _cells(grid1(tables.table1(strict)))
            yield from _table("Table 1, strict plans only", _STRICT, shown)


def _table2(runs: Sequence[Run]) -> Iterator[str]:
    """It compares budgets, so `--smallest` runs alone have none."""
    if tables.has_budgets(runs):
        texts = {"table2": _TABLE2, "table2_cleaned": _CLEANED, "table2_as_many": _AS_MANY}
        for name, grid in makespans.grids(runs).items():
            yield from _table(makespans.TITLES[name], texts[name], _folded(grid))


def _judgement(judged: Judgement) -> Iterator[str]:
    if judged.text:
        yield judged.text
    if judged.short:
        yield "\n".join(f"- {line}" for line in judged.short)


def _table(title: str, text: str, grid: Grid) -> list[str]:
    """A section, unless its table is empty."""
    return [f"## {title}", text, markdown(_grouped(grid))] if grid.rows else []


def _curves(found: Sequence[Series], figures: Sequence[tuple[str, str]]) -> Iterator[str]:
    if figures:
        yield "## Coverage"
        yield from (f"![{caption}]({name}.svg)" for name, caption in figures)
        yield "## What the paper describes"
        yield from _findings(found)


def _findings(found: Sequence[Series]) -> Iterator[str]:
    every = findings(found)
    if text := strength(found):
        yield text
    yield markdown(Grid(["claim, paraphrased", "verdict"], [[f.claim, f.verdict] for f in every]))
    yield "What these runs cannot decide:"
    yield "\n".join(f"- {claim}" for claim in UNDECIDED)
    for one in every:
        yield f"### {one.claim}"
        yield f"**{one.verdict.capitalize()}.** {one.text}".rstrip()
        if one.grid.rows:
            yield markdown(one.grid)


def _outcomes(runs: Sequence[Run]) -> Grid:
    shown = grids.outcomes(runs)
    header = [column.name for column in shown.columns]
    return _grouped(Grid(header, [[cell.text for cell in row] for row in shown.rows]))
