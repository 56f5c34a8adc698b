"""What solving costs, counted and not timed.

    PYTHONPATH=tests python -m support.tallies PROBLEM ...

prints it as JSON, for tests that compare interpreters.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import tacit
from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.profile import profile
from tacit.public.protocol.messages import Extend
from tacit.public.run_options import RunOptions

SEED = 1

Tally = dict[str, int]


def solving(instance: Instance) -> Tally:
    """A run with everything disclosed."""
    session = Session(instance, profile("tacit"), RunOptions(seed=SEED))
    result = session.at(session.largest)
    asked = sum(isinstance(message, Extend) for message in result.transcript.messages())
    return {
        "solved": int(result.solved),
        "rounds": asked // len(instance.agents),
        "evaluated": result.counters.evaluated,
        "repairs": sum(result.repairs.values()),
        "dependencies": sum(result.dependencies.values()),
        "steps": len(result.plan.steps) if result.plan else 0,
    }


def ordering(instance: Instance, ranking: str = "goal") -> list[str]:
    """All edges of all agents in the order in which they would be disclosed."""
    session = Session(instance, profile("tacit"), RunOptions(ranking=ranking, seed=SEED))
    return [f"{agent} {edge}" for agent in session.agents for edge in session.order(agent)]


def everything(names: Sequence[str]) -> dict[str, object]:
    loaded = {name: tacit.load(name) for name in names}
    return {name: [solving(each), ordering(each)] for name, each in loaded.items()}


if __name__ == "__main__":
    json.dump(everything(sys.argv[1:]), sys.stdout)
