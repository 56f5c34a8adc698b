"""CPU of parse + ground + factor over the 140 unfactored CoDMAP problems, against Fast Downward.

The peer is Fast Downward's translator (parsing, normalising, grounding, finite-domain task; the
file is not written), on the same problems stripped to classical PDDL. Both run in forked children
of this process, domain by domain, ours and theirs in turn.

    python bench/grounding.py [--repeat N] [DOMAIN …]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from measure import DOMAINS, measured, problems, start_up

from tacit.central.instance import describe, load
from tacit.pddl.classical import classical

NAMES = ("domain.pddl", "problem.pddl")


def use_translator() -> None:
    """Import the translator, so that children need not; it wants its options set."""
    from fast_downward.translate import main as _translator  # noqa: F401
    from fast_downward.translate.options import set_options

    set_options(["domain", "problem"])


def translate(folder: Path) -> int:
    from fast_downward.translate import main, normalize, pddl_parser

    domain, problem = (str(folder / name) for name in NAMES)
    task = pddl_parser.open(domain_filename=domain, problem_filename=problem)
    normalize.normalize(task)
    return len(main.pddl_to_sas(task).operators)


def ours(folder: Path) -> int:
    instance = load(folder)
    return sum(len(instance.local(agent).arrays.schema) for agent in instance.agents)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("domains", nargs="*", default=DOMAINS)
    parser.add_argument("--repeat", type=int, default=1, help="the best of N runs of ours")
    options = parser.parse_args()
    use_translator()
    print("start-up (interpreter and imports), CPU seconds, not counted below:")
    print(f"  tacit       {start_up('import tacit.central.instance; import tacit.native'):6.3f}")
    command = "import sys; sys.argv[1:] = ['d', 'p']; import fast_downward.translate.main"
    print(f"  translator  {start_up(command):6.3f}")
    print(f"{'domain':12} {'tacit s':>9} {'FD s':>9} {'ratio':>7} {'worst':>7} ", end="")
    print(f"{'actions':>9} {'FD ops':>9} {'MiB':>7} {'FD MiB':>7}")
    totals = [0.0, 0.0]
    for domain in options.domains:
        row = compare(domain, options.repeat)
        totals = [totals[0] + row[0], totals[1] + row[1]]
    print(f"{'total':12} {totals[0]:9.3f} {totals[1]:9.2f} {totals[1] / totals[0]:6.1f}x")


def timed(work: Callable[[Path], int], folders: list[Path]) -> list[tuple[float, int]]:
    """CPU seconds and size of each problem; one child does a whole domain, one problem unmeasured.

    A child per problem would mostly measure page faults of the fork on problems of a few ms.
    """
    work(folders[0])
    done = []
    for folder in folders:
        start = time.process_time()
        size = work(folder)
        done.append((time.process_time() - start, size))
    return done


def compare(domain: str, repeat: int) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as scratch:
        stripped = []
        for folder in problems(domain):
            stripped.append(Path(scratch) / folder.name)
            stripped[-1].mkdir()
            for name, text in zip(NAMES, classical(describe(folder)), strict=True):
                (stripped[-1] / name).write_text(text)
        runs = [measured(lambda: timed(ours, problems(domain))) for _ in range(repeat)]
        peer = measured(lambda: timed(translate, stripped))
    mine = min(runs, key=lambda run: sum(seconds for seconds, _ in run.result))
    own_seconds = sum(seconds for seconds, _ in mine.result)
    peer_seconds = sum(seconds for seconds, _ in peer.result)
    worst = min(p / m for (m, _), (p, _) in zip(mine.result, peer.result, strict=True))
    actions = sum(size for _, size in mine.result)
    operators = sum(size for _, size in peer.result)
    print(
        f"{domain:12} {own_seconds:9.3f} {peer_seconds:9.2f} {peer_seconds / own_seconds:6.1f}x "
        f"{worst:6.1f}x {actions:9,} {operators:9,} {mine.peak_mib:7.0f} {peer.peak_mib:7.0f}",
        flush=True,
    )
    return own_seconds, peer_seconds


if __name__ == "__main__":
    main()
