"""CPU of ordering all agents' edges of rovers p23 under profile `paper`, ranking by ranking.

The largest agent there has 42,155 edges. Also printed, from the same run: the CPU time that Fast
Downward's translator takes for that problem, stripped to classical PDDL.

With `--turns` interactive rankings are measured as they are used: every agent is introduced to the
others, discloses its edges in turn and sees theirs, until all are disclosed. That is done without
messages, and with the settings of `bench/disclosure.py` (`--no-op keep --threats none`). Without
`--turns` each agent is alone.

    python bench/ranking.py [--problem rovers/p23]
    python bench/ranking.py --problem rovers/p20 --turns
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from disclosure import SETTINGS
from grounding import NAMES, translate, use_translator
from measure import CODMAP, measured

from tacit.central.instance import Instance, describe, load
from tacit.central.session import Session
from tacit.central.solve import dependencies
from tacit.party.disclosure.public_view import PublicView
from tacit.party.disclosure.ranking import (
    RANKINGS,
    full_order,
    is_interactive,
    next_anyway,
)
from tacit.pddl.classical import classical
from tacit.profile import profile
from tacit.public.run_options import RunOptions


def alone(instance: Instance, name: str) -> int:
    """Order all edges of all agents, each agent alone; the number of edges."""
    found = dependencies(instance, profile("paper")).values()
    make = RANKINGS.get(name)
    views = (PublicView.alone(own.graph) for own in found)
    rankings = (make(own.graph, view, 0) for own, view in zip(found, views, strict=True))
    return sum(len(full_order(ranking)) for ranking in rankings)


def in_turns(instance: Instance, name: str, views: dict[str, PublicView]) -> int:
    """Order all edges of all agents, disclosed in turns; the number of edges."""
    make = RANKINGS.get(name)
    found = dependencies(instance, SETTINGS)
    rankings = {agent: make(own.graph, views[agent], 0) for agent, own in found.items()}
    interactive = is_interactive(make)
    count = 0
    while rankings:
        for agent, ranking in list(rankings.items()):
            edge = next_anyway(ranking)
            if edge is None:
                del rankings[agent]
                continue
            count += 1
            if interactive:
                shown = views[agent].show(edge)
                for other, observer in rankings.items():
                    if other != agent:
                        observer.saw(agent, shown)
    return count


def met(instance: Instance) -> dict[str, PublicView]:
    """What every agent sees of the others once they are introduced."""
    agents = Session(instance, SETTINGS, RunOptions(ranking="m3")).agents
    return {name: agent._disclosing.order._view for name, agent in agents.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problem", default="rovers/p23")
    parser.add_argument(
        "--turns", action="store_true", help="agents are introduced, and take turns"
    )
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
    views = met(instance) if options.turns else {}
    for name in RANKINGS:

        def order(name: str = name) -> int:
            return in_turns(instance, name, views) if options.turns else alone(instance, name)

        run = measured(order)
        print(f"{name:10} {run.result:9,} {run.seconds:7.2f} {peer / run.seconds:15.1f}x")


if __name__ == "__main__":
    main()
