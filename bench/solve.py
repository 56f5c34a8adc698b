"""`solve --percent 100` from text to validated plan over the CoDMAP problems: coverage and CPU.

The peer is Fast Downward's lama-first on the centralised problems, nothing private: translate and
search, in the same run. Totals compare the problems that both solve. Both are measured without
interpreter start and imports: ours in a forked child, theirs as the translator's work in a forked
child plus the search program's own CPU time on its output. What a run imports late, by the names
of its solver and ranking, is imported before the fork and counted as start-up too.

    python bench/solve.py [--time-limit 60] [--no-peer] [DOMAIN …]
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from grounding import NAMES, use_translator
from measure import DOMAINS, measured, problems, start_up

from tacit.central.instance import describe, load
from tacit.central.session import Session
from tacit.choices import check
from tacit.pddl.classical import classical
from tacit.planners.fast_downward import find_driver
from tacit.profile import profile
from tacit.public.run_options import RunOptions
from tacit.solvers.limits import Limits

OPTIONS = RunOptions("projection", "m3")
IMPORTS = """
import tacit.central.solve
from tacit.choices import check
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings
check(RunOptions("projection", "m3"), Settings())
"""


def ours(folder: Path, limit: float) -> tuple[str, int, int]:
    session = Session(load(folder), profile("tacit"), OPTIONS)
    result = session.at(session.largest, Limits(limit))
    length = len(result.plan.steps) if result.plan else 0
    return result.outcome.value, length, max(result.repairs.values())


def to_sas(folder: Path) -> None:
    from fast_downward.translate import main, normalize, pddl_parser

    domain, problem = (str(folder / name) for name in NAMES)
    task = pddl_parser.open(domain_filename=domain, problem_filename=problem)
    normalize.normalize(task)
    with open(folder / "output.sas", "w") as file:
        main.pddl_to_sas(task).output(file)


def lama_first(folder: Path, limit: float) -> float | None:
    """CPU seconds of translating and searching, None if it finds no plan in time."""
    with tempfile.TemporaryDirectory() as scratch:
        for name, text in zip(NAMES, classical(describe(folder)), strict=True):
            (Path(scratch) / name).write_text(text)
        translated = measured(lambda: to_sas(Path(scratch))).seconds
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        plan = Path(scratch) / "plan"
        command = [sys.executable, str(find_driver()), "--plan-file", str(plan)]
        command += ["--search-time-limit", str(int(limit)), "--alias", "lama-first"]
        subprocess.run(
            [*command, str(Path(scratch) / "output.sas")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=scratch,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return translated + spent - DRIVER if plan.exists() else None


DRIVER = 0.0  # what the driver's own interpreter costs, measured at the start


def main() -> None:
    global DRIVER  # noqa: PLW0603
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("domains", nargs="*", default=DOMAINS)
    parser.add_argument("--time-limit", type=float, default=60)
    parser.add_argument("--no-peer", action="store_true")
    options = parser.parse_args()
    if not options.no_peer:
        use_translator()
        DRIVER = start_up("import argparse, subprocess")
    print("start-up (interpreter and imports), CPU seconds, not counted below:")
    print(f"  tacit {start_up(IMPORTS):.3f}   driver {DRIVER:.3f}")
    check(OPTIONS, profile("tacit"))
    print(
        f"{'domain':12} {'solved':>7} {'FD':>4} {'both s':>8} {'FD s':>8} {'FD/ours':>8} ", end=""
    )
    print(f"{'slowest':>8} {'repairs':>8}")
    total = [0.0, 0.0]
    for domain in options.domains:
        row = run_domain(domain, options.time_limit, options.no_peer)
        total = [total[0] + row[0], total[1] + row[1]]
    ratio = f"{total[1] / total[0]:7.2f}x" if total[0] else ""
    print(f"{'total':12} {'':7} {'':4} {total[0]:8.2f} {total[1]:8.2f} {ratio}")


def run_domain(domain: str, limit: float, no_peer: bool) -> tuple[float, float]:
    solved = peer_solved = repairs = 0
    own = peer = slowest = 0.0
    failed = []
    for folder in problems(domain):
        mine = measured(lambda folder=folder: ours(folder, limit), timeout=limit * 4 + 60)
        outcome, _, repaired = mine.result
        theirs = None if no_peer else lama_first(folder, limit)
        solved += outcome == "solved"
        peer_solved += theirs is not None
        repairs = max(repairs, repaired)
        slowest = max(slowest, mine.seconds)
        if outcome != "solved":
            failed.append(f"{folder.name}: {outcome}")
        elif theirs is not None:
            own, peer = own + mine.seconds, peer + theirs
    ratio = f"{peer / own:7.2f}x" if own else " " * 8
    print(
        f"{domain:12} {solved:4}/20 {peer_solved:4} {own:8.2f} {peer:8.2f} {ratio} "
        f"{slowest:8.2f} {repairs:8,} {'; '.join(failed)}",
        flush=True,
    )
    return own, peer


if __name__ == "__main__":
    main()
