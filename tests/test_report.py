"""Reports: curves against a naive reading, complete folders, well-formed pages."""

from __future__ import annotations

import csv
import json
import math
import re
import sqlite3
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from test_tables import UNIT, naive_count, sweeps

from tacit.cli.main import run as tacit_run
from tacit.errors import ExitCode
from tacit.experiment import grid, tables
from tacit.experiment.report import grids, lines, problems, style
from tacit.experiment.run import Outcome, Run
from tacit.experiment.store import Store

NASTY = """d/<script>alert("1")</script>&'--]]>"""
VOID = {"meta", "link", "br", "img", "input"}


class Page(HTMLParser):
    """Checks that elements nest, and collects ids, links and the rows of tables."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.tags: Counter[str] = Counter()
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.tags[tag] += 1
        self.links += [v for n, v in attrs if n in ("href", "src") and v]
        if "id" in values and "template" not in self.open:
            self.ids[values["id"]] += 1
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags[tag] += 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("script", "style"):
            self.text += data


def embedded(text: str, name: str) -> dict:
    """The JSON that a page carries."""
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', text, re.S)
    assert found is not None
    return json.loads(found[1])


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Path:
    """A small sweep with every kind of line: several solvers, rankings and seeds."""
    path = tmp_path_factory.mktemp("sweep") / "runs.db"
    words = (
        "sweep logistics/small driverlog/small --solvers projection,mafs --rankings m1,m3,random"
    )
    words += f" --seeds 2 --levels 0:100:25 --first --time-limit 60 -o {path}"
    assert tacit_run(words.split()) == 0
    return path


@pytest.fixture(scope="module")
def report(store, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("report") / "report"
    assert tacit_run(["report", str(store), "-o", str(folder)]) == 0
    return folder


# ------------------------------------------------------------------------------------- curves


def value_at(line: lines.Line, x: float) -> float | None:
    below = [n for n, place in enumerate(line.x) if place <= x + 1e-9]
    return line.y[below[-1]] if below else None


def begins(runs: dict[str, list[Run]], per_problem: bool) -> float:
    """The least x at which something was tried."""
    tried = [
        100 * run.k / (max(run.dependencies.values()) or 1) if per_problem else run.k
        for own in runs.values()
        for run in own
        if run.asked.isdecimal()
    ]
    return min(tried, default=math.inf)


@settings(max_examples=100, deadline=None)
@given(sweeps())
def test_coverage_lines_against_every_x(rows):
    (panel,) = lines.panels(tables.series(rows))
    for unit, per_problem in ((lines.EDGES, False), (lines.PERCENT, True)):
        by_name = {line.name: line for line in panel.lines["coverage", unit]}
        for name, line in by_name.items():
            if name == lines.HINDSIGHT:
                continue
            seeds: dict[int, dict[str, list[Run]]] = {}
            for run in rows:
                if run.unit.ranking == name:
                    own = seeds.setdefault(run.unit.seed, {})
                    own.setdefault(run.unit.problem, []).append(run)
            for x in range(101 if per_problem else 13):
                counts = [
                    naive_count(own, Fraction(x), per_problem)
                    for own in seeds.values()
                    if begins(own, per_problem) <= x
                ]
                expected = sum(counts) / len(counts) if counts else None
                assert value_at(line, x) == pytest.approx(expected)
            for n in range(len(line.low)):
                assert line.low[n] <= line.y[n] <= line.high[n]


@settings(max_examples=100, deadline=None)
@given(sweeps())
def test_hindsight_counts_the_fewest_used_edges(rows):
    (panel,) = lines.panels(tables.series(rows))
    good: dict[str, int] = {}
    for run in rows:
        if run.solved:
            used = max(run.used.values())
            good[run.unit.problem] = min(used, good.get(run.unit.problem, used))
    found = [x for x in panel.lines["coverage", lines.EDGES] if x.name == lines.HINDSIGHT]
    assert bool(found) == bool(good)
    for line in found:
        assert list(line.x) == sorted(set(line.x))
        for x in range(13):
            assert value_at(line, x) == sum(used <= x for used in good.values())


def run_of(problem: str, k: int, cost: int | None, seconds: float = 1.0, **unit) -> Run:
    return Run(
        unit=msgspec.structs.replace(UNIT, problem=problem, **unit),
        asked=str(k),
        outcome=Outcome.TIME if cost is None else Outcome.SOLVED,
        k=k,
        dependencies={"a": 10},
        disclosed={"a": k},
        used={"a": k} if cost else {},
        cost=cost,
        seconds_total=seconds,
    )


def test_cost_and_time_by_hand():
    rows = [run_of("p", 0, None), run_of("p", 5, 8, 1.0), run_of("p", 10, 4, 4.0)]
    rows += [run_of("q", 0, 3, 9.0), run_of("q", 5, None)]
    (panel,) = lines.panels(tables.series(rows))
    (cost,), (time,) = panel.lines["cost", "percent"], panel.lines["time", "percent"]
    assert list(zip(cost.x, cost.y, strict=True)) == [(0, 1.0), (50, 2.0), (100, 1.0)]
    assert time.x == (0, 50, 100)
    assert time.y == pytest.approx((9.0, 1.0, 4.0))


def test_seeds_become_a_mean_with_a_band():
    rows = [run_of("p", k, cost, seed=seed) for seed in (0, 1) for k, cost in ((0, None), (9, 5))]
    rows.append(run_of("p", 4, 5, seed=1))
    (panel,) = lines.panels(tables.series(rows))
    line = panel.lines["coverage", "edges"][0]
    assert line.x == (0, 4, 9)
    assert line.y == (0, 0.5, 1)
    assert (line.low, line.high) == ((0, 0, 1), (0, 1, 1))


def test_a_long_line_is_thinned_and_stays_true():
    points = [(Fraction(n), float(n // 7)) for n in range(5000)]
    line = lines.line("m1", [points])
    assert len(line.x) == lines.MOST_POINTS
    assert (line.x[0], line.x[-1]) == (0, 4999)
    for x, y in zip(line.x, line.y, strict=True):
        assert y == math.floor(x) // 7


def test_every_ranking_has_a_look_of_its_own():
    names = ["m1", "m2", "m3", "m4", "random", lines.HINDSIGHT, "cover", "answer", "in-turn"]
    found = style.looks(names)
    for attribute in ("light", "dark", "dash", "marker"):
        values = [getattr(look, attribute) for look in found.values()]
        assert len(set(values)) == len(values)
    assert style.looks(["m1", "zeta"])["m1"] == found["m1"]


# ------------------------------------------------------------------------------------- tables


def test_the_best_is_bold_and_only_where_rankings_differ():
    rows = [run_of("p", 5, 8, ranking="m1"), run_of("p", 10, 8, ranking="m2")]
    rows += [run_of("q", 10, 8, ranking=ranking) for ranking in ("m1", "m2")]
    shown = grid.grid1(tables.table1(rows))
    assert [shown.rows[r][c] for r, c in shown.bold] == []  # both need all that there is for q
    rows = rows[:2]
    shown = grid.grid1(tables.table1(rows))
    assert [(shown.header[c], shown.rows[r][c]) for r, c in shown.bold] == [("m1 M_D%", "50")]
    assert "**50**" in grid.render(shown, "markdown")
    assert "\\textbf{50}" in grid.render(shown, "latex")
    assert "*" not in grid.render(shown, "csv")
    rows.append(run_of("q", 10, 8, ranking="m2"))
    shown = grid.grid1(tables.table1(rows))
    assert {shown.header[c] for _, c in shown.bold} == {"m2 #C", "m2 M_D%"}


def test_latex_is_a_table(report):
    for name in ("table1", "table2"):
        text = (report / "tables" / f"{name}.tex").read_text()
        body = [row for row in text.split("\n") if row.endswith("\\\\")]
        kinds = re.search(r"\\begin\{tabular\}\{([lr]+)\}", text)
        assert kinds is not None
        for row in body:
            spans = sum(int(n) - 1 for n in re.findall(r"multicolumn\{(\d+)\}", row))
            assert row.count("&") + 1 + spans == len(kinds[1])
        assert not re.search(r"(?<!\\)[#%_]", text)
        table = list(csv.reader((report / "tables" / f"{name}.csv").read_text().splitlines()))
        assert len(table) == len(body) - (name == "table1")


def test_outcomes_are_all_counted_and_unexplained_ones_apart():
    rows = [
        msgspec.structs.replace(run_of(f"p{n}", 1, None), outcome=outcome)
        for n, outcome in enumerate(Outcome)
    ]
    shown = grids.outcomes(rows)
    names = [column.name for column in shown.columns]
    assert [cell.value for cell in shown.rows[0][3:]] == [1] * len(Outcome)
    assert names[-3:] == ["undecided", "crash", "invalid plan"]
    assert shown.groups[-1] == ("unexplained", 3)
    assert sum(span for _, span in shown.groups) == len(names)
    assert [run.outcome for run in grids.unexplained(rows, 2)[0]] == [
        Outcome.INVALID_PLAN,
        Outcome.CRASH,
    ]
    assert grids.unexplained(rows, 2)[1] == 3


# ------------------------------------------------------------------------------------- the folder


def test_the_folder_is_complete_and_refers_to_nothing_outside(report):
    pages = [report / "index.html", *sorted((report / "problems").glob("*.html"))]
    assert [page.name for page in pages[1:]] == ["driverlog-small.html", "logistics-small.html"]
    for path in pages:
        text = path.read_text(encoding="utf-8")
        page = Page(text)
        assert max(page.ids.values()) == 1
        for link in page.links:
            if link.startswith("data:"):
                continue
            target, _, anchor = link.partition("#")
            file = (path.parent / target).resolve() if target else path
            assert file.is_file(), link
            assert file.is_relative_to(report.resolve())
            if anchor:
                assert anchor in Page(file.read_text(encoding="utf-8")).ids
    for path in report.rglob("*"):
        if path.suffix in (".html", ".css", ".js"):
            text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
            assert not re.search(
                r"(https?:)?//[a-z]+\.|@import|url\((?!#)|fetch\(|import\(", text
            ), path


def test_figures_are_svg_and_pdf_with_a_panel_per_domain(report):
    names = {path.stem for path in (report / "figures").iterdir()}
    kinds = ("coverage", "coverage-percent", "cost", "time")
    expected = {f"{kind}-{solver}" for kind in kinds for solver in ("mafs", "projection")}
    domains = ("driverlog", "logistics")
    expected |= {f"coverage-{s}-{d}" for s in ("mafs", "projection") for d in domains}
    expected |= {f"graph-{domain}-small" for domain in domains}
    assert names == expected
    for name in names:
        ET.parse(report / "figures" / f"{name}.svg")
        assert (report / "figures" / f"{name}.pdf").read_bytes().startswith(b"%PDF")
    one = ET.parse(report / "figures" / "coverage-mafs.svg").getroot()
    assert one.get("width") == "504pt"  # two columns, 7 inches
    assert sum(e.get("id", "").startswith("axes_") for e in one.iter()) == len(domains)


def test_a_second_report_is_the_same(store, report, tmp_path):
    again = tmp_path / "again"
    assert tacit_run(["report", str(store), "-o", str(again)]) == 0
    files = sorted(path.relative_to(report) for path in report.rglob("*") if path.is_file())
    assert files == sorted(p.relative_to(again) for p in again.rglob("*") if p.is_file())
    assert [f for f in files if (report / f).read_bytes() != (again / f).read_bytes()] == []


def test_the_page_of_a_problem_has_what_was_run(store, report):
    text = (report / "problems" / "logistics-small.html").read_text(encoding="utf-8")
    data = embedded(text, "data")
    with Store.open(store) as opened:
        runs = opened.rows(problem="logistics/small")
    assert len(data["series"]) == 2 * (1 + 1 + 2)
    for one in data["series"]:
        solver, ranking, *seed = one["label"].split(", ")
        number = int(seed[0].removeprefix("seed ")) if seed else 0
        own = [
            run
            for run in runs
            if (run.unit.solver, run.unit.ranking, run.unit.seed) == (solver, ranking, number)
        ]
        assert [run["k"] for run in one["runs"]] == sorted({run.k for run in own})
        for shown in one["runs"]:
            same = [run for run in own if run.k == shown["k"]]
            assert shown["outcome"] in {run.outcome.value for run in same}
            assert shown["disclosed"] in [run.disclosed for run in same]
            assert (shown["plan"] is None) == (shown["outcome"] != "solved")
            if shown["plan"] is not None:
                plan = data["plans"][shown["plan"]]
                assert len(plan["steps"]) == shown["length"]
                assert plan["span"] == shown["makespan"]
        for agent, order in data["orders"][one["order"]].items():
            assert sorted(order) == list(range(1, data["dependencies"][agent] + 1))
    assert data["orders"]["random/0"] != data["orders"]["random/1"]


def test_orders_are_those_that_agents_tell(report):
    import tacit
    from tacit.profile import profile
    from tacit.whole.named_graph import named_graph
    from tacit.whole.solve import Session

    text = (report / "problems" / "driverlog-small.html").read_text(encoding="utf-8")
    data = embedded(text, "data")
    template = text.partition('data-agent="driver1">')[2].partition("</template>")[0]
    title = r'data-place="(\d+)" d="[^"]+"><title>\d+: (.*?)</title>'
    titles = dict(re.findall(title, template))
    session = Session(tacit.load("driverlog/small"), profile("tacit"), "m3")
    graph = named_graph(session, "driver1", "m3")
    told = [f"{graph.givers[e.giver]} gives {graph.tokens[e.token]}" for e in graph.edges]
    assert [titles[str(place)] for place in data["orders"]["m3/0"]["driver1"]] == told


# ------------------------------------------------------------------------------------- options


def write(path: Path, rows: list[Run]) -> Path:
    with Store.open(path, write=True) as store:
        for row in rows:
            store.add(row)
    return path


def test_names_are_escaped_everywhere(tmp_path):
    unit = {"problem": NASTY, "domain": NASTY.partition("/")[0], "ranking": "<b>&"}
    rows = [msgspec.structs.replace(run_of(k=k, cost=None, **unit), detail=NASTY) for k in (1, 2)]
    rows[1] = msgspec.structs.replace(rows[1], outcome=Outcome.CRASH)
    path = write(tmp_path / "runs.db", rows)
    assert tacit_run(["report", str(path), "-o", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    page = Page(text)
    assert NASTY in page.text
    assert "<script>alert" not in text
    assert "<b>&" in embedded(text, "panels")["looks"]


def test_what_cannot_be_read_again_is_noted(tmp_path, capsys):
    unit = {"settings": msgspec.json.encode({}).decode()}
    path = write(tmp_path / "runs.db", [run_of("d/p", 5, 8, **unit)])
    assert tacit_run(["report", str(path), "-o", str(tmp_path / "out")]) == 0
    said = capsys.readouterr()
    assert "(0 pages)" in said.out
    assert "note: d/p: its files are not here as they were" in said.err
    assert "could not be made" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


def test_a_problem_in_a_folder_is_found_by_its_suite_unless_it_changed(tmp_path, capsys):
    folder, store = tmp_path / "logistics" / "p1", tmp_path / "runs.db"
    assert tacit_run(["generate", "logistics", "-o", str(folder)]) == 0
    words = ["--rankings", "m1", "--levels", "0,100", "-o", str(store)]
    assert tacit_run(["sweep", str(tmp_path), *words]) == 0
    options = ["--problems", str(tmp_path)]
    assert tacit_run(["report", str(store), "-o", str(tmp_path / "out"), *options]) == 0
    assert (tmp_path / "out" / "problems" / "logistics-p1.html").is_file()
    (folder / "problem.pddl").open("a").write("\n; changed\n")
    capsys.readouterr()
    assert tacit_run(["report", str(store), "-o", str(tmp_path / "new"), *options]) == 0
    assert "not here as they were" in capsys.readouterr().err


@pytest.mark.parametrize(("pages", "expected"), [("0", 0), ("1", 2), ("7", 2), ("all", 2)])
def test_pages(store, tmp_path, capsys, pages, expected):
    assert tacit_run(["report", str(store), "-o", str(tmp_path / "out"), "--pages", pages]) == 0
    assert len(list((tmp_path / "out" / "problems").iterdir())) == expected


def test_the_easiest_have_fewest_dependencies():
    rows = [run_of(f"d/{n}", 1, None) for n in ("p10", "p2", "p1")]
    rows[2] = msgspec.structs.replace(rows[2], dependencies={"a": 50})
    rows.append(msgspec.structs.replace(run_of("d/p0", 0, 4), dependencies={"a": 0}))
    found = problems.cases(rows)
    assert [case.name for case in problems.easiest(found, 2)] == ["d/p2", "d/p10"]
    assert [case.name for case in problems.easiest(found, None)] == ["d/p2", "d/p10", "d/p1"]


def test_a_ranking_that_is_not_known_here_is_noted(tmp_path, capsys):
    store = tmp_path / "runs.db"
    words = "sweep logistics/small --rankings m1 --levels 0,100 -o"
    assert tacit_run([*words.split(), str(store)]) == 0
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE runs SET ranking = 'unheard-of'")
    assert tacit_run(["report", str(store), "-o", str(tmp_path / "out")]) == 0
    assert "'unheard-of' is not known here; load it with --plugin" in capsys.readouterr().err
    text = (tmp_path / "out" / "problems" / "logistics-small.html").read_text(encoding="utf-8")
    assert embedded(text, "data")["drawn"] == []


def test_several_configurations_need_a_choice(tmp_path, capsys):
    rows = [run_of("d/p", 5, 8), run_of("d/p", 5, 8, profile="tacit")]
    path = write(tmp_path / "runs.db", rows)
    out = str(tmp_path / "out")
    assert tacit_run(["report", str(path), "-o", out]) == ExitCode.BAD_INPUT
    said = capsys.readouterr().err
    assert "these runs differ in 'profile': paper, tacit" in said
    assert '--where profile="paper"' in said
    assert tacit_run(["report", str(path), "-o", out, "--where", "profile=paper"]) == 0
    assert "Reported on 1 runs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--pages", "some"], "'some' is no number of pages"),
        (["--where", "profile"], "'profile' is no condition"),
        (["--where", "colour=red"], "runs have no column 'colour'"),
        (["--where", "domain=nowhere"], "there are no runs with domain=nowhere"),
        (["--problems", "nowhere"], "no folder, list file or embedded suite 'nowhere'"),
    ],
)
def test_wrong_options(store, tmp_path, capsys, words, message):
    out = ["-o", str(tmp_path / "out")]
    assert tacit_run(["report", str(store), *out, *words]) == ExitCode.BAD_INPUT
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out" / "index.html").exists()


def test_a_folder_with_something_in_it_is_left_alone(store, tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("mine")
    assert tacit_run(["report", str(store), "-o", str(tmp_path)]) == ExitCode.BAD_INPUT
    assert "is not empty" in capsys.readouterr().err
    assert tacit_run(["report", str(store), "-o", str(tmp_path), "--force"]) == 0
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["matplotlib", "jinja2"])
def test_without_the_extra_there_is_a_hint(store, tmp_path, capsys, monkeypatch, name):
    import importlib.util

    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda n: None if n == name else real(n))
    assert tacit_run(["report", str(store), "-o", str(tmp_path / "o")]) == ExitCode.BAD_INPUT
    said = capsys.readouterr().err
    assert f"reports need the package '{name}'" in said
    assert "tacit-planner[report]" in said


def test_the_command_line_starts_without_the_extra():
    import subprocess

    heavy = ("matplotlib", "jinja2")
    code = f"import sys, tacit.cli.report; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# ------------------------------------------------------------------------------------- many runs


def many(problems_per_domain: int, levels: int) -> list[Run]:
    """Runs as a sweep of ten domains would leave them, for size alone."""
    rankings = [(name, 0) for name in ("m1", "m2", "m3", "m4")]
    rankings += [("random", seed) for seed in range(6)]
    plan = "".join(f"(drive truck{n % 3} a{n} b{n})\n" for n in range(30))
    found = []
    for domain in range(10):
        for problem in range(problems_per_domain):
            most = 40 + 13 * problem + domain
            for place, (ranking, seed) in enumerate(rankings):
                first = (problem * 7 + place * 3 + domain) % levels
                for level in range(levels):
                    k = most * level // (levels - 1)
                    solved = level >= first
                    found.append(
                        msgspec.structs.replace(
                            run_of(
                                f"d{domain}/p{problem}",
                                k,
                                50 + levels - level if solved else None,
                                0.1 + 0.01 * level,
                                domain=f"d{domain}",
                                ranking=ranking,
                                seed=seed,
                            ),
                            dependencies={"a": most, "b": most // 2},
                            used={"a": k // 2} if solved else {},
                            plan=plan if solved else "",
                        )
                    )
    return found


@pytest.mark.slow
def test_a_hundred_thousand_runs(tmp_path):
    rows = many(50, 20)
    assert len(rows) == 100_000
    path = write(tmp_path / "runs.db", rows)
    assert tacit_run(["report", str(path), "-o", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert len(text) < 4_000_000
    page = Page(text)
    assert "100,000" in page.text
    assert page.tags["tr"] < 2_000
    for panel in embedded(text, "panels")["panels"]:
        for own in panel["lines"].values():
            assert all(len(line["x"]) <= lines.MOST_POINTS for line in own)
