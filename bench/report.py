"""How long a report of many runs takes, how large it is, and how soon a browser shows it.

    python bench/report.py [--runs 100000] [--folder DIR]

The store is made up: ten domains, fifty problems in each, m1 to m4 and random, twenty budgets. CPU
time is compared with that of reading the store alone. With Playwright and Chromium at hand the page
is opened from the disk, and a table is sorted.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path

from tacit.experiment.report.build import build
from tacit.experiment.run.row import Run, RunOutcome, Unit
from tacit.experiment.run.store import Store

RANKINGS = [*((f"m{n}", 0) for n in range(1, 5)), *(("random", seed) for seed in range(6))]
LEVELS, DOMAINS = 20, 10


def made_up(count: int):
    """That many runs, as a sweep would store them."""
    per_domain = -(-count // (DOMAINS * LEVELS * len(RANKINGS)))
    plan = "".join(f"(drive truck{n % 3} a{n} b{n})\n" for n in range(30))
    left = count
    for domain in range(DOMAINS):
        for problem in range(per_domain):
            most = 40 + 13 * problem + domain
            for place, (ranking, seed) in enumerate(RANKINGS):
                unit = unit_of(domain, problem, ranking, seed)
                first = (problem * 7 + place * 3 + domain) % LEVELS
                for level in range(LEVELS):
                    if left == 0:
                        return
                    left -= 1
                    yield run_of(unit, most, level, level >= first, plan)


def unit_of(domain: int, problem: int, ranking: str, seed: int) -> Unit:
    values = {
        "problem": f"d{domain}/p{problem}",
        "domain": f"d{domain}",
        "form": "unfactored",
        "solver": "projection",
        "profile": "tacit",
        "ranking": ranking,
        "seed": seed,
        "time_limit": None,
        "memory_limit": None,
        "ties": None,
    }
    return Unit(**{name: values.get(name, "") for name in Unit.__struct_fields__})


def run_of(unit: Unit, most: int, level: int, solved: bool, plan: str) -> Run:
    k = most * level // (LEVELS - 1)
    return Run(
        unit=unit,
        asked=str(k),
        outcome=RunOutcome.SOLVED if solved else RunOutcome.NO_PLAN,
        k=k,
        dependencies={"a": most, "b": most // 2},
        disclosed={"a": k, "b": min(k, most // 2)},
        used={"a": k // 2} if solved else {},
        cost=50 + LEVELS - level if solved else None,
        plan_length=50 if solved else None,
        makespan=40 if solved else None,
        seconds_total=0.1 + 0.01 * level,
        plan=plan if solved else "",
    )


def fill(path: Path, count: int) -> None:
    with Store.open(path, write=True) as store:
        store.add_all(made_up(count))


def opened(index: Path) -> str:
    """How fast a browser shows it, or why there is none."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return "no Playwright"
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        return "no Chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        start = time.monotonic()
        page.goto(index.as_uri(), wait_until="load")
        loaded = time.monotonic()
        page.locator("th button, th[role=button], th").first.click()
        page.wait_for_timeout(0)
        done = time.monotonic()
        nodes = page.evaluate("document.getElementsByTagName('*').length")
        browser.close()
    return f"loaded in {loaded - start:.2f} s, sorted in {done - loaded:.2f} s, {nodes:,} elements"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "runs.db"
        if not path.exists():
            fill(path, options.runs)
        start = time.process_time()
        with Store.open(path) as store:
            runs = store.rows()
        read = time.process_time()
        report = build(runs, path.name, folder / "report", 0, (), {})
        done = time.process_time()
        size = sum(file.stat().st_size for file in report.folder.rglob("*") if file.is_file())
        index = report.folder / "index.html"
        print(f"{len(runs):,} runs: read {read - start:.1f} s CPU, report {done - read:.1f} s CPU")
        print(f"index.html {index.stat().st_size / 1e6:.2f} MB, folder {size / 1e6:.1f} MB")
        print(opened(index))


if __name__ == "__main__":
    main()
