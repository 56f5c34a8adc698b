"""`tacit report`: a folder with tables, figures and pages, made from stored runs alone.

```
index.html   tables, curves, outcomes, problems     problems/   a page per problem
assets/      style and scripts of the pages         figures/    SVG and PDF
tables/      Markdown, CSV, LaTeX
```

Nothing in it is loaded from elsewhere, and it works from a disk (`file://`). Everything that the
overview shows is counted here, so that the page is as light with 100,000 runs as with 100.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

import tacit
from tacit.draw import graph_page
from tacit.draw.page import STYLE
from tacit.errors import InputError, TacitError
from tacit.experiment.paper.claims import UNDECIDED, strength
from tacit.experiment.report import grids
from tacit.experiment.report.against import Notes, claims, is_comparable, judge
from tacit.experiment.report.figures import file_name, save, write_figures
from tacit.experiment.report.graph_figure import graph_figure
from tacit.experiment.report.headline import headline
from tacit.experiment.report.lines import EDGES, Line, Panel, panels, together, until
from tacit.experiment.report.page import graphs, page_data
from tacit.experiment.report.problems import Case, Finder, Opened, cases, easiest, first_solved
from tacit.experiment.report.style import LineStyle, line_styles
from tacit.experiment.run.row import MINIMUM, Run, Unit
from tacit.experiment.tables import coverage as tables
from tacit.experiment.tables import (
    gap,
    ledger,
    makespans,
    minima,
    prices,
    proofs,
    smallest,
    strictness,
)
from tacit.experiment.tables.grid import FORMATS, grid1, grid_used, render

_HERE = Path(__file__).parent
_SUFFIX = {"markdown": "md", "csv": "csv", "latex": "tex"}
_LISTED = 100
"""At most this many unexplained runs are listed."""


@dataclass
class Report:
    """What was made: pages by problem, figures with captions, and notes on what is missing."""

    folder: Path
    pages: dict[str, str] = field(default_factory=dict)
    figures: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def build(
    runs: Sequence[Run],
    name: str,
    folder: Path,
    pages: int | None,
    suites: Sequence[str],
    notes: Notes,
) -> Report:
    """Make a report of runs of one configuration; `pages` problems per domain get a page."""
    if not runs:
        raise InputError("there are no runs to report on", "run 'tacit sweep' first")
    every, runs = runs, [run for run in runs if run.unit.solver != MINIMUM]
    if not runs:
        raise InputError("there are only minima, and no runs to compare them with")
    series = tables.series(runs)
    finder = Finder(suites)
    for part in ("assets", "tables", "figures", "problems"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    report = Report(folder)
    drawn = panels(series, minima.bounds(every))
    styles = line_styles(
        line.name for panel in drawn for lines in panel.lines.values() for line in lines
    )
    report.figures += write_figures(drawn, styles, folder / "figures")
    found = cases(runs)
    environment = _environment()
    _write_pages(report, environment, found, pages, finder)
    _write_assets(folder / "assets")
    view = _overview(runs, found, report)
    view |= _write_tables(every, folder / "tables")
    view |= {"judgement": judge(runs, series, notes)}
    view |= {"claims": [(one, grids.sortable(one.grid)) for one in claims(series)]}
    view |= {"against": is_comparable(series)}
    view |= {"strength": strength(series), "undecided": UNDECIDED}
    front = together(series, minima.bounds(every))
    view |= {"panels": _panel_data([*front, *drawn], styles), "store": name}
    view |= {"headline": headline(runs), "several": len({run.unit.domain for run in runs}) > 1}
    view |= {"leakage": any(run.leakage for run in runs)}
    text = environment.get_template("index.html.j2").render(view)
    (folder / "index.html").write_text(text, encoding="utf-8")
    return report


def _environment() -> jinja2.Environment:
    loader = jinja2.FileSystemLoader(_HERE / "templates")
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    environment.globals |= {"version": tacit.__version__, "root": ""}
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "sort_keys": False}
    return environment


def _write_assets(folder: Path) -> None:
    for path in sorted((_HERE / "assets").iterdir()):
        shutil.copyfile(path, folder / path.name)
    (folder / "report.css").write_text(STYLE, encoding="utf-8")
    (folder / "graph.css").write_text(graph_page.LOOK, encoding="utf-8")
    (folder / "graph.js").write_text(graph_page.SCRIPT, encoding="utf-8")


def _write_tables(every: Sequence[Run], folder: Path) -> dict[str, Any]:
    """The tables in every format, and as the page shows them."""
    runs = [run for run in every if run.unit.solver != MINIMUM]
    made = {"edges_used": grid_used(tables.edges_used(runs))}
    if tables.has_budgets(runs):
        made["table1"] = grid1(tables.table1(runs))
        made |= makespans.grids(runs)
        if saved := gap.table7(runs):
            made["table7"] = gap.grid7(saved)
    if may_replan := strictness.of_replanners(runs):
        if (ways := strictness.made_grid(runs)).rows:
            made["made"] = ways
        strict = strictness.only_strict(may_replan)
        if tables.has_budgets(strict):
            made["table1_strict"] = grid1(tables.table1(strict))
    if closed := minima.closed(every):
        made["table3"] = minima.grid3(closed)
    if priced := prices.priced(every):
        made["table4"] = prices.grid4(priced)
    if firsts := smallest.table5(every):
        made["table5"] = smallest.grid5(firsts)
    if disclosed := ledger.table6(every):
        made["table6"] = ledger.grid6(disclosed)
    if (proved := proofs.grid(runs)).rows:
        made["optimal"] = proved
    for name, grid in made.items():
        for form in FORMATS:
            path = folder / f"{name}.{_SUFFIX[form]}"
            path.write_text(render(grid, form), encoding="utf-8")
    shown: dict[str, Any] = {f"table{number}": [] for number in range(1, 8)}
    shown |= {
        "table2_cleaned": [],
        "table2_as_many": [],
        "edges_used": [],
        "made": [],
        "table1_strict": [],
        "optimal": [],
    }
    header = made["table1"].header if "table1" in made else ()
    shown["has_papers"] = any(name.endswith("paper") for name in header)
    shown["made_text"] = strictness.summary(runs)
    shown |= {name: grids.by_solver(grid) for name, grid in made.items()}
    shown["below"] = {name: grid.notes for name, grid in made.items()}
    return {**shown, "formats": [_SUFFIX[form] for form in FORMATS]}


def _overview(runs: Sequence[Run], found: Sequence[Case], report: Report) -> dict[str, Any]:
    listed, total = grids.unexplained(runs, _LISTED)
    return {
        "about": _about(runs[0].unit),
        "tied": any(run.unit.ties is not None for run in runs),
        "counts": {"runs": f"{len(runs):,}", "problems": f"{len(found):,}"},
        "tiles": grids.tiles(runs, found),
        "solvers": sorted({run.unit.solver for run in runs}),
        "outcomes": grids.outcomes(runs),
        "unexplained": listed,
        "unexplained_left": total if total > len(listed) else 0,
        "problems": grids.problems(found, report.pages),
        "notes": report.notes,
        "figures": report.figures,
    }


def _about(unit: Unit) -> list[tuple[str, str]]:
    """What all runs have in common."""
    about = [("profile", unit.profile), ("form", unit.form)]
    if unit.planner:
        about.append(("planner", unit.planner))
    if unit.time_limit is not None:
        about.append(("time limit", f"{unit.time_limit:g}\N{NO-BREAK SPACE}s"))
    if unit.memory_limit is not None:
        about.append(("memory limit", f"{unit.memory_limit}\N{NO-BREAK SPACE}MiB"))
    return about


def _panel_data(drawn: Iterable[Panel], styles: Mapping[str, LineStyle]) -> dict[str, Any]:
    return {
        "styles": {
            n: {"light": x.light, "dark": x.dark, "dash": x.dash, "marker": x.marker}
            for n, x in styles.items()
        },
        "panels": [
            {
                "domain": panel.domain,
                "solver": panel.solver,
                "problems": panel.problems,
                "all": panel.is_all,
                "until": until(panel.lines.get(("coverage", EDGES), ())),
                "lines": {
                    f"{measure}/{unit}": [_line_data(line) for line in lines]
                    for (measure, unit), lines in panel.lines.items()
                },
            }
            for panel in drawn
        ],
    }


def _line_data(line: Line) -> dict[str, Any]:
    """A line with as many digits as a screen can show."""

    def brief(values: Iterable[float]) -> list[float]:
        return [float(f"{value:.5g}") for value in values]

    data: dict[str, Any] = {"name": line.name, "x": brief(line.x), "y": brief(line.y)}
    if line.low:
        data |= {"low": brief(line.low), "high": brief(line.high)}
    return data


def _write_pages(
    report: Report,
    environment: jinja2.Environment,
    found: Sequence[Case],
    pages: int | None,
    finder: Finder,
) -> None:
    """A page per chosen problem, and a figure of the graph of the easiest of each domain."""
    chosen = easiest(found, pages)
    first = easiest(found, 1)
    for case in {case.name: case for case in (*first, *chosen)}.values():
        try:
            opened = Opened(case, finder.find(case.unit))
            if case in first:
                _write_graph(report, opened)
            if case in chosen:
                _write_page(report, environment, opened)
        except TacitError as error:
            report.notes.append(f"{case.name}: {error}")
        else:
            report.notes += [f"{case.name}: {note}" for note in opened.notes]


def _write_page(report: Report, environment: jinja2.Environment, opened: Opened) -> None:
    case = opened.case
    pictures = [(agent, Markup(picture)) for agent, picture in graphs(opened)]
    data = page_data(opened)
    text = environment.get_template("problem.html.j2").render(
        root="../",
        name=case.name,
        agents=len(opened.instance.agents),
        largest=f"{case.largest:,}",
        data=data,
        graphs=pictures,
        notes=opened.notes,
    )
    path = f"problems/{file_name(case.name)}.html"
    (report.folder / path).write_text(text, encoding="utf-8")
    report.pages[case.name] = path


def _write_graph(report: Report, opened: Opened) -> None:
    """The graph of the agent with most edges, at the smallest budget that its ranking solved."""
    if not opened.graphs:
        return
    agent = max(opened.graphs, key=lambda name: len(opened.graphs[name].edges))
    picture = opened.picture(agent, heading=True)
    if picture is None:
        return
    first = first_solved(opened.case.runs, opened.drawn)
    k = min(first or 0, len(picture.graph.edges))
    name = f"graph-{file_name(opened.case.name)}"
    save(graph_figure(picture, k), report.folder / "figures", name)
    report.figures.append((name, f"Dependencies of {agent} in {opened.case.name}, k = {k}"))
