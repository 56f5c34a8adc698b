"""What the chain rules cost in edges on the CoDMAP problems: sums over agents and problems.

    python bench/chains.py [DOMAIN …]

`object` is the paper's count and may lose plans; `any`, `last` and `tight` lose none when all is
disclosed. `tight` is the rule of profile `tacit`. Edges are counted with no-op adds dropped and
before merging; `INIT` counts those from the initial state. `same` counts the agents whose graph is
the same under `object` and `tight`, out of all: for them every ranking, every smallest k and every
run are the same too.
"""

from __future__ import annotations

import argparse
from collections import Counter

from measure import DOMAINS, problems

from tacit.central.instance import load
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT
from tacit.public.settings import Chain, Settings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("domains", nargs="*", default=DOMAINS)
    head = "".join(f"{chain.value:>9} {'INIT':>7}" for chain in Chain)
    print(f"{'domain':12}{head}    same")
    for domain in parser.parse_args().domains:
        edges: Counter[Chain] = Counter()
        from_init: Counter[Chain] = Counter()
        same = agents = 0
        for folder in problems(domain):
            instance = load(folder)
            for agent in instance.agents:
                graph = {}
                for chain in Chain:
                    own = Dependencies(instance.local(agent), Settings(chain=chain, merge=False))
                    graph[chain] = own.token_facts, own.achievers
                    edges[chain] += sum(map(len, own.achievers))
                    from_init[chain] += sum(INIT in row for row in own.achievers)
                same += graph[Chain.OBJECT] == graph[Chain.TIGHT]
                agents += 1
        row = "".join(f"{edges[chain]:9,} {from_init[chain]:7,}" for chain in Chain)
        print(f"{domain:12}{row} {same:4}/{agents}", flush=True)


if __name__ == "__main__":
    main()
