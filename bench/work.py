"""What runs do with a stage left out, counted: whether a switch of `stages.py` changes anything.

Prints as JSON, per way to run and problem, the outcome, what is disclosed, evaluations and frames.
With `--but FILE` it stops at the first run that is not as in that file, which another one printed.

    TACIT_CORE_DIR=… python bench/work.py "nothing left out" > all.json
    TACIT_NUMBERS=… TACIT_CORE_DIR=… python bench/work.py "novelty list" --but all.json

`tests/bench/test_bench_switches.py` does so for each stage.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from stages import PROJECTION, STAGES, Stage, changed

Numbers = dict[str, object]
BLIND: Numbers = {"pessimistic.evaluations": 1, "pessimistic.evaluations_again": 1}
"""Nobody guesses what ends tokens, which leaves much to repair."""
AT_ONCE: Numbers = {**BLIND, "repair.single_answers": 0}
"""Repairs are in bulk from the first."""
HASTY: Numbers = {"online.states": 1, "online.more_states": 0}
"""Searches end in vain."""
ALL = 200
"""Looks at the clock before a run is over."""
SCENES: tuple[tuple[str, Numbers, int], ...] = (
    *((f"{domain}/small", {}, ALL) for domain in ("blocksworld", "depot", "elevators")),
    *((f"{domain}/medium", {}, ALL) for domain in ("driverlog", "secrets", "depot", "elevators")),
    *((f"{domain}/small", HASTY, ALL) for domain in ("blocksworld", "depot", "elevators")),
    *((f"{domain}/small", HASTY, 12) for domain in ("blocksworld", "depot", "elevators")),
    *((f"{domain}/medium", BLIND, ALL) for domain in ("depot", "elevators", "blocksworld")),
    *((f"{domain}/small", AT_ONCE, ALL) for domain in ("blocksworld", "depot", "elevators")),
    ("sensors/medium", {}, ALL),
)
"""Problems, small ones first, and what is different there."""


def runs(stage: Stage, scenes: int) -> Iterator[tuple[str, list[object]]]:
    """The first scenes, but for those that say otherwise what a number is that the stage changes;
    repairs in bulk from the first show that there are none.
    """
    stage.leave_out()
    for problem, numbers, looks in SCENES[:scenes]:
        if numbers.keys() & stage.policy.keys() - {"repair.single_answers"}:
            continue
        for way in stage.ways:
            name = f"{way} {problem} {looks} {' '.join(map(str, numbers))}"
            yield name, run(problem, way, {**numbers, **stage.policy}, looks)


def run(problem: str, way: str, numbers: Numbers, looks: int) -> list[object]:
    import tacit
    from tacit import policy
    from tacit.central.session import Limits, Session
    from tacit.profile import profile
    from tacit.public.run_options import RunOptions

    online = way != "full"
    options = RunOptions(way if online else PROJECTION, drive="roundrobin")
    made = changed(policy.POLICY, numbers)
    whose = tacit.load(problem)
    session = Session(whose, profile("tacit"), options, online=online, policy=made)
    limits = Limits(float(looks), clock=Clock())
    result = session.online(limits) if online else session.at(session.largest, limits)
    counters, ledger = result.counters, result.ledger
    frames = sum(1 for _ in result.transcript.messages())
    return [
        *(result.outcome.value, ledger.largest, ledger.sum, counters.evaluated, frames),
        len(result.plan.steps) if result.plan else 0,
    ]


class Clock:
    """A second passes whenever somebody looks: it becomes late by work alone."""

    def __init__(self) -> None:
        self._now = 0.0

    def __call__(self) -> float:
        self._now += 1.0
        return self._now


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("stage", choices=[stage.name for stage in STAGES])
    parser.add_argument("--but", type=Path, help="stop at what differs from these runs")
    parser.add_argument("--scenes", type=int, default=len(SCENES), help="only the first ones")
    args = parser.parse_args()
    known = json.loads(args.but.read_text()) if args.but else {}
    made: dict[str, list[object]] = {}
    left_out = next(stage for stage in STAGES if stage.name == args.stage)
    for name, work in runs(left_out, args.scenes):
        made[name] = work
        if known and known[name] != work:
            break
    json.dump(made, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
