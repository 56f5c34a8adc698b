"""CPU of parse + ground + factor over the 140 unfactored CoDMAP problems, against Fast Downward.

The peer is Fast Downward's translator (parsing, normalising, grounding, finite-domain task; the
file is not written), on the same problems stripped to classical PDDL. Both run in forked children
of this process, one problem after the other, ours and theirs in turn.

    python bench/grounding.py [--repeat N] [DOMAIN …]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from measure import DOMAINS, measured, problems, start_up

from tacit.pddl.classical import classical
from tacit.whole.instance import describe, load


def translate(domain: Path, problem: Path) -> int:
    from fast_downward.translate import main, normalize, pddl_parser

    task = pddl_parser.open(domain_filename=str(domain), problem_filename=str(problem))
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
    sys.argv = [sys.argv[0], "domain", "problem"]  # the translator reads its options from here
    from fast_downward.translate import main as _translator  # noqa: F401
    from fast_downward.translate.options import set_options

    set_options()
    print("start-up (interpreter and imports), CPU seconds, not counted below:")
    print(f"  tacit       {start_up('import tacit.whole.instance; import tacit.native'):6.3f}")
    command = "import sys; sys.argv[1:] = ['d', 'p']; import fast_downward.translate.main"
    print(f"  translator  {start_up(command):6.3f}")
    print(f"{'domain':12} {'tacit s':>9} {'FD s':>9} {'ratio':>7} {'worst':>7} ", end="")
    print(f"{'actions':>9} {'FD ops':>9} {'MiB':>7} {'FD MiB':>7}")
    totals = [0.0, 0.0]
    for domain in options.domains:
        row = compare(domain, options.repeat)
        totals = [totals[0] + row[0], totals[1] + row[1]]
    print(f"{'total':12} {totals[0]:9.3f} {totals[1]:9.2f} {totals[1] / totals[0]:6.1f}x")


def compare(domain: str, repeat: int) -> tuple[float, float]:
    own = peer = 0.0
    worst = float("inf")
    actions = operators = 0
    memory = [0.0, 0.0]
    with tempfile.TemporaryDirectory() as scratch:
        for folder in problems(domain):
            texts = classical(describe(folder))
            paths = [Path(scratch) / name for name in ("domain.pddl", "problem.pddl")]
            for path, text in zip(paths, texts, strict=True):
                path.write_text(text)
            runs = [measured(lambda folder=folder: ours(folder)) for _ in range(repeat)]
            mine = min(runs, key=lambda run: run.seconds)
            theirs = measured(lambda paths=paths: translate(*paths))
            own, peer = own + mine.seconds, peer + theirs.seconds
            worst = min(worst, theirs.seconds / mine.seconds)
            actions, operators = actions + mine.result, operators + theirs.result
            memory = [max(memory[0], mine.peak_mib), max(memory[1], theirs.peak_mib)]
    print(
        f"{domain:12} {own:9.3f} {peer:9.2f} {peer / own:6.1f}x {worst:6.1f}x "
        f"{actions:9,} {operators:9,} {memory[0]:7.0f} {memory[1]:7.0f}",
        flush=True,
    )
    return own, peer


if __name__ == "__main__":
    main()
