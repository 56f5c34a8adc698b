"""How good plans can be on the default's ledger, whoever searches for them.

Each agent's own task with its disclosed edges, as it responds with, is put beside the others', over
the public facts that all share: the joint task of all supported plans. Fast Downward, which then
knows every secret but may use no edge more, says what such plans cost: at least `lm_cut`;
`cheapest`, if A* ends in so many seconds; `lama`, its best; `cost` is that of our plan at once.
Rows go to a CSV file (`--store`), and what is in it is not run again.

    python bench/supported.py --sample 21 --seconds 20 --store build/supported.csv
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from ledger import chosen
from rows import keep, stored

import tacit
from tacit import native
from tacit.central.session import Limits, Session
from tacit.choices import chosen as chosen_options
from tacit.party.agent import Agent
from tacit.party.disclosure.graph import INIT
from tacit.planners import ClassicalTask, PlannerLimits
from tacit.planners.fast_downward import FastDownward
from tacit.planners.native import strips

FIELDS = ("problem", "position", "ledger", "cost", "lm_cut", "cheapest", "lama")
Rows = list[tuple[int, ...]]


def supported(session: Session) -> ClassicalTask:
    """With what is on the ledger now. The agents must live in this process."""
    public = len(session.instance.public.facts)
    facts, init, goal, cost = public, set[int](), set[int](), list[int]()
    columns: tuple[Rows, Rows, Rows] = ([], [], [])
    for agent in session.agents.values():
        own = _own(agent)
        shift = facts - public

        def number(fact: int, shift: int = shift) -> int:
            return fact if fact < public else fact + shift

        init |= set(map(number, own.init.tolist()))
        goal |= set(map(number, own.goal.tolist()))
        for column, part in zip(columns, (own.pre, own.add, own.del_), strict=True):
            column.extend(tuple(map(number, row)) for row in native.tuples(part))
        cost += own.cost.tolist()
        facts += own.facts - public
    goal |= set(session.instance.public.goal)
    flat = [native.flat(column) for column in columns]
    return ClassicalTask(facts, sorted(init), sorted(goal), *flat, cost, [0] * len(cost))


def _own(agent: Agent) -> native.StripsTask:
    own = agent.dependencies
    achieved = [
        (action, edge.token)
        for edge in agent.disclosed
        if edge.positive
        for action in ([INIT] if edge.achiever == INIT else own.members[edge.achiever])
    ]
    achiever, token = zip(*achieved, strict=True) if achieved else ((), ())
    return own.supported_task(achiever, token, agent.task.cost)


def bounds(session: Session, seconds: float) -> dict[str, int | None]:
    """What plans on the ledger of now cost."""
    task = supported(session)
    core = strips(task)
    least, _ = native.evaluate(core, "lmcut", core.init, True)

    def found(planner: FastDownward) -> int | None:
        plan = planner.solve(task, PlannerLimits(seconds=seconds)).plan
        return sum(task.cost[action] for action in plan) if plan else None

    cheapest = found(FastDownward(search="astar(lmcut())"))
    return {"lm_cut": least, "cheapest": cheapest, "lama": cheapest or found(FastDownward("lama"))}


def row_of(folder: Path, position: int, seconds: float) -> dict[str, Any]:
    settings, options = chosen_options("tacit", drive="roundrobin")
    session = Session(tacit.load(folder), settings, options, online=True)
    result = session.online(Limits(60, clock=time.process_time))
    row: dict[str, Any] = {"problem": f"{folder.parent.name}/{folder.name}", "position": position}
    row |= {"ledger": result.ledger.sum, "cost": result.verdict and result.verdict.cost}
    return row | (bounds(session, seconds) if result.solved else {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("domains", nargs="*")
    parser.add_argument("--sample", type=int, help="so many problems in odd positions; else all")
    parser.add_argument("--even", action="store_true", help="the sample from even positions")
    parser.add_argument("--generated", action="store_true", help="problems of bench/generated.py")
    parser.add_argument("--seconds", type=float, default=20.0, help="for A*, and for LAMA")
    parser.add_argument("--store", type=Path, help="a CSV file for the rows")
    args = parser.parse_args()
    done = {row["problem"] for row in stored(args.store)}
    for folder, position in chosen(args):
        is_asked = not args.domains or folder.parent.name in args.domains
        if is_asked and f"{folder.parent.name}/{folder.name}" not in done:
            row = row_of(folder, position, args.seconds)
            keep(args.store, row, FIELDS)
            print(*row.values(), file=sys.stderr)


if __name__ == "__main__":
    main()
