"""CPU of ordering all agents' edges of rovers p23 under profile `paper`, ranking by ranking.

The largest agent there has 42,155 edges. Printed beside it, from the same run: the CPU that Fast
Downward's translator takes for that problem, stripped to classical PDDL.

    python bench/ranking.py [--problem rovers/p23]
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from grounding import NAMES, translate, use_translator
from measure import CODMAP, measured

from tacit.party.public_view import PublicView
from tacit.party.ranking import RANKINGS, full_order
from tacit.pddl.classical import classical
from tacit.profile import profile
from tacit.whole.instance import describe, load
from tacit.whole.pipeline import dependencies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problem", default="rovers/p23")
    options = parser.parse_args()
    use_translator()
    folder = CODMAP / "unfactored" / options.problem
    instance = load(folder)
    with tempfile.TemporaryDirectory() as scratch:
        for name, text in zip(NAMES, classical(describe(folder)), strict=True):
            (Path(scratch) / name).write_text(text)
        peer = measured(lambda: translate(Path(scratch))).seconds
    print(f"{options.problem}: Fast Downward's translator {peer:.2f} s")
    print(f"{'ranking':10} {'edges':>9} {'s':>7} {'translator/ours':>16}")
    for name in RANKINGS:

        def order(name: str = name) -> int:
            found = dependencies(instance, profile("paper")).values()
            make = RANKINGS.get(name)
            views = (PublicView.alone(own.graph) for own in found)
            rankings = (make(own.graph, view, 0) for own, view in zip(found, views, strict=True))
            return sum(len(full_order(ranking)) for ranking in rankings)

        run = measured(order)
        print(f"{name:10} {run.result:9,} {run.seconds:7.2f} {peer / run.seconds:15.1f}x")


if __name__ == "__main__":
    main()
