"""The folder that `tacit report` makes: complete, well-formed, true to its store."""

from __future__ import annotations

import csv
import re
import xml.etree.ElementTree as ET

import msgspec
import pytest
from support.reporting import Page, embedded, run_of, write
from support.sweeps import small, swept

from tacit.cli.main import run as tacit_run
from tacit.experiment.report import build, lines
from tacit.experiment.run.row import Run
from tacit.experiment.run.store import Store
from tacit.public.run_options import RunOptions


def test_the_folder_is_complete_and_refers_to_nothing_outside(small_report):
    pages = [small_report / "index.html", *sorted((small_report / "problems").glob("*.html"))]
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
            assert file.is_relative_to(small_report.resolve())
            if anchor:
                assert anchor in Page(file.read_text(encoding="utf-8")).ids
    for path in small_report.rglob("*"):
        if path.suffix in (".html", ".css", ".js"):
            text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
            assert not re.search(
                r"(https?:)?//[a-z]+\.|@import|url\((?!#)|fetch\(|import\(", text
            ), path


def test_figures_are_svg_and_pdf_with_a_panel_per_domain(small_report):
    names = {path.stem for path in (small_report / "figures").iterdir()}
    kinds = ("coverage", "coverage-percent", "cost", "makespan", "time")
    expected = {f"{kind}-{solver}" for kind in kinds for solver in ("mafs", "projection")}
    domains = ("driverlog", "logistics")
    expected |= {f"coverage-{s}-{d}" for s in ("mafs", "projection") for d in domains}
    expected |= {f"graph-{domain}-small" for domain in domains}
    assert names == expected
    for name in names:
        ET.parse(small_report / "figures" / f"{name}.svg")
        assert (small_report / "figures" / f"{name}.pdf").read_bytes().startswith(b"%PDF")
    one = ET.parse(small_report / "figures" / "coverage-mafs.svg").getroot()
    assert one.get("width") == "504pt"  # two columns, 7 inches
    assert sum(e.get("id", "").startswith("axes_") for e in one.iter()) == len(domains)


@pytest.mark.slow
def test_a_second_report_is_the_same(small_store, small_report, tmp_path):
    again = tmp_path / "again"
    assert tacit_run(["report", str(small_store), "-o", str(again)]) == 0
    files = sorted(
        path.relative_to(small_report) for path in small_report.rglob("*") if path.is_file()
    )
    assert files == sorted(p.relative_to(again) for p in again.rglob("*") if p.is_file())
    assert [f for f in files if (small_report / f).read_bytes() != (again / f).read_bytes()] == []


def test_the_page_of_a_problem_has_what_was_run(small_store, small_report):
    text = (small_report / "problems" / "logistics-small.html").read_text(encoding="utf-8")
    data = embedded(text, "data")
    with Store.open(small_store) as opened:
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


def test_orders_are_those_that_agents_tell(small_report):
    import tacit
    from tacit.central.named_graph import named_graph
    from tacit.central.session import Session
    from tacit.profile import profile

    text = (small_report / "problems" / "driverlog-small.html").read_text(encoding="utf-8")
    data = embedded(text, "data")
    template = text.partition('data-agent="driver1">')[2].partition("</template>")[0]
    title = r'data-place="(\d+)" d="[^"]+"><title>\d+: (.*?)</title>'
    titles = dict(re.findall(title, template))
    session = Session(tacit.load("driverlog/small"), profile("tacit"), RunOptions(ranking="m3"))
    graph = named_graph(session, "driver1", "m3")
    told = [f"{graph.achievers[e.achiever]} achieves {graph.tokens[e.token]}" for e in graph.edges]
    assert [titles[str(place)] for place in data["orders"]["m3/0"]["driver1"]] == told


def test_latex_is_a_table(small_report):
    for name, heads in (("table1", 2), ("table2", 2), ("edges_used", 1)):
        text = (small_report / "tables" / f"{name}.tex").read_text()
        body = [row for row in text.split("\n") if row.endswith("\\\\")]
        kinds = re.search(r"\\begin\{tabular\}\{([lr]+)\}", text)
        assert kinds is not None
        for row in body:
            spans = sum(int(n) - 1 for n in re.findall(r"multicolumn\{(\d+)\}", row))
            assert row.count("&") + 1 + spans == len(kinds[1])
        assert not re.search(r"(?<!\\)[#%_]", text)
        table = list(csv.reader((small_report / "tables" / f"{name}.csv").read_text().splitlines()))
        assert len(table) == len(body) - heads + 1


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


@pytest.mark.usefixtures("_undrawn")
def test_online_runs_have_a_place_of_their_own_on_the_page_of_a_problem(tmp_path):
    """What was disclosed there is not a prefix of the order of a ranking."""
    sweep = small("logistics/small", levels=(), smallest=True, online=True)
    swept(tmp_path / "runs.db", sweep)
    with Store.open(tmp_path / "runs.db") as store:
        runs = store.rows()
    build.build(runs, "runs.db", tmp_path / "report", 1, [], {})
    text = (tmp_path / "report" / "problems" / "logistics-small.html").read_text()
    shown = {one["label"]: one for one in embedded(text, "data")["series"]}
    assert set(shown) == {"auto, goal", "auto, goal, online"}
    apart = shown["auto, goal, online"]
    (run,) = [run for run in runs if run.mode == "online"]
    assert apart["order"] is None
    assert [one["disclosed"] for one in apart["runs"]] == [run.disclosed]
