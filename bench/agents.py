"""What a run costs as agents become many: CPU, memory, what is disclosed, and messages.

Generated problems: logistics with 7 to 202 agents (two planes, a truck and two packages per city),
and rovers and sensors, whose agents depend on each other. Each is solved from text to validated
plan in a forked child of this process:

- `default`: as `tacit solve` does it, online;
- `full`: everything disclosed, ranking m3 (`tacit solve --ranking m3 --percent 100`);
- `forward`: online by forward search alone (`--solver mafs`);
- `lama-first`: Fast Downward on the centralised problem, nothing private, translate and search. It
  is not asked again in a domain once it has reached a limit, and its memory is not measured.

Agents take turns on one thread. A run ends at `--seconds` CPU seconds or `--memory` MiB; the peak
is that of the child, with some 60 MiB of imports. `messages` are frames, states among them, and
`kib` is all that is in them. `rounds` are the turns of the agent that had most, and `per_round` the
messages through the leader in one of them on average: a question to each of N agents that have not
said "no more", and its answer, so at most 2 N. Rows go to a CSV file as they come (`--store`), and
what is in it is not run again.

At the end: per domain and way, the exponent e of CPU = c · actions^e, a least-squares fit in
logarithms over the ground actions of solved problems that take at least `--least` seconds, since
below that constant costs prevail. The goal is at most 1.2.

    python bench/agents.py --store build/agents.csv [--ways default,forward] [DOMAIN …]
"""

from __future__ import annotations

import argparse
import math
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import solve
from grounding import NAMES, use_translator
from ledger import Row, keep, stored
from measure import measured, start_up

from tacit.central.instance import Instance, load
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.errors import LimitReached
from tacit.garbage import collect_seldom
from tacit.profile import profile
from tacit.public.protocol.messages import NextEdge, tag_of
from tacit.public.protocol.transcript import Transcript
from tacit.public.run_options import Drive, RunOptions
from tacit.solvers.limits import Limits
from tacit.watch import Watch, in_force

PEER = "lama-first"
WAYS = ("default", "full", "forward", PEER)
SIZE = ("problem", "agents", "actions", "way")
FIELDS = (
    *(*SIZE, "outcome", "seconds", "peak_mib", "disclosed", "messages", "kib", "steps"),
    *("rounds", "per_round"),
)


def logistics(cities: int) -> dict[str, int]:
    return {"cities": cities, "places": 2, "planes": 2, "packages": 2 * cities}


def rovers(n: int) -> dict[str, int]:
    goals = {"objectives": n // 2 + 2, "cameras": n, "goals": n // 2 + 1}
    return {"rovers": n, "waypoints": 2 * n + 5, **goals}


def sensors(n: int) -> dict[str, int]:
    return {"rovers": n, "stations": 2 * n, "sites": 2 * n, "sensors": n, "goals": 2 * n}


SIZES: dict[str, list[dict[str, int]]] = {
    "logistics": [logistics(cities) for cities in (5, 10, 20, 50, 100, 200)],
    "rovers": [rovers(n) for n in (5, 10, 20, 40)],
    "sensors": [sensors(n) for n in (5, 10, 20, 40)],
}


def opened(instance: Instance, way: str) -> Session:
    options = RunOptions(
        solver="mafs" if way == "forward" else "auto",
        ranking="m3" if way == "full" else "goal",
        drive=Drive.ROUNDROBIN,
    )
    return Session(instance, profile("tacit"), options, online=way != "full")


def run(folder: Path, way: str, seconds: float, memory: int) -> Row:
    """One run, from text to validated plan."""
    hard = memory * 2 << 20  # a net below the limit that the run itself keeps
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    row: dict[str, str | int] = {}
    collect_seldom()  # as `tacit solve` does
    start = time.process_time()
    try:
        with in_force(Watch(seconds, memory << 20, time.process_time)):
            instance = load(folder)
            row |= sizes(instance)
            session = opened(instance, way)
            left = seconds - (time.process_time() - start)
            limits = Limits(left, clock=time.process_time)
            result = (
                session.at(session.largest, limits) if way == "full" else session.online(limits)
            )
    except LimitReached as limit:
        return row | {"outcome": limit.outcome}
    except MemoryError:
        return row | {"outcome": "memory"}
    states = result.searches.values()
    return row | {
        "outcome": result.outcome.value,
        "disclosed": result.ledger.sum,
        "messages": len(result.transcript.frames) + sum(agent.sent for agent in states),
        "kib": (result.transcript.size + sum(agent.bytes_sent for agent in states)) >> 10,
        "steps": len(result.plan.steps) if result.plan else "",
        **turns(result.transcript),
    }


def turns(transcript: Transcript) -> dict[str, str | int]:
    """How many rounds of turns there were, and the messages of one through the leader."""
    tag = tag_of(NextEdge).encode()  # frames begin with their type
    asked = [frame.receiver for frame in transcript.frames if tag in frame.payload[:32]]
    rounds = max(Counter(asked).values(), default=0)
    return {"rounds": rounds, "per_round": round(2 * len(asked) / rounds) if rounds else 0}


def sizes(instance: Instance) -> dict[str, str | int]:
    actions = sum(len(instance.local(agent).arrays.schema) for agent in instance.agents)
    return {"agents": len(instance.agents), "actions": actions}


def peer(folder: Path, seconds: float) -> Row:
    row = measured(lambda: sizes(load(folder))).result
    try:
        spent = solve.lama_first(folder, seconds)
    except TimeoutError:
        spent = None
    if spent is None:
        return {**row, "outcome": "time", "seconds": seconds}
    return {**row, "outcome": "solved", "seconds": round(spent, 2)}


def one(problem: str, parameters: Mapping[str, int], way: str, args: argparse.Namespace) -> Row:
    made = DOMAINS.get(problem.split("/", maxsplit=1)[0]).generate(parameters)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name, text in zip(NAMES, (made.domain, made.problem), strict=True):
            (folder / name).write_text(text)
        if way == PEER:
            return {"problem": problem, "way": way, **peer(folder, args.peer_seconds)}
        try:
            done = measured(lambda: run(folder, way, args.seconds, args.memory), args.seconds * 6)
        except (TimeoutError, EOFError) as error:
            end = "time" if isinstance(error, TimeoutError) else "memory"
            return {"problem": problem, "way": way, "outcome": end}
        spent = {"seconds": round(done.seconds, 2), "peak_mib": round(done.peak_mib)}
        return {"problem": problem, "way": way, **done.result, **spent}


def exponent(rows: list[Row], least: float) -> str:
    """The fitted exponent of CPU over ground actions, and over how many problems."""
    points = [
        (math.log(float(str(row["actions"]))), math.log(float(str(row["seconds"]))))
        for row in rows
        if row["outcome"] == "solved" and float(str(row["seconds"])) >= least
    ]
    if len(points) < 2:
        return "-"
    x, y = (sum(values) / len(points) for values in zip(*points, strict=True))
    slope = sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)
    return f"{slope:.2f} over {len(points)}"


def show(rows: list[Row], least: float) -> None:
    print("".join(f"{field:>12}" for field in FIELDS))
    for row in rows:
        print("".join(f"{row.get(field) or '-':>12}" for field in FIELDS))
    for domain in SIZES:
        for way in WAYS:
            own = [r for r in rows if r["way"] == way and str(r["problem"]).startswith(domain)]
            if own:
                print(f"{domain:10} {way:10} exponent {exponent(own, least)}")


def has_ended(rows: list[Row], domain: str) -> bool:
    """Has Fast Downward reached a limit in this domain?"""
    return any(
        row["way"] == PEER and row["outcome"] != "solved"
        for row in rows
        if str(row["problem"]).startswith(f"{domain}/")
    )


def measure_all(args: argparse.Namespace) -> list[Row]:
    rows = stored(args.store)
    done = {(row["problem"], row["way"]): row for row in rows}
    for domain in args.domains:
        for parameters in SIZES[domain]:
            problem = f"{domain}/{next(iter(parameters.values()))}"
            for way in args.ways.split(","):
                if (problem, way) in done or (way == PEER and has_ended(rows, domain)):
                    continue
                row = one(problem, parameters, way, args)
                rows.append(row)
                keep(args.store, row, FIELDS)
                print(row, file=sys.stderr)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("domains", nargs="*", default=list(SIZES))
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--seconds", type=float, default=120.0, help="CPU seconds per run")
    parser.add_argument(
        "--peer-seconds", type=float, default=60.0, help="for Fast Downward's search"
    )
    parser.add_argument("--memory", type=int, default=4096, help="MiB per run")
    parser.add_argument("--least", type=float, default=0.3, help="seconds that count for the fit")
    parser.add_argument("--store", type=Path, help="a CSV file for the rows")
    args = parser.parse_args()
    if PEER in args.ways:
        use_translator()
        solve.DRIVER = start_up("import argparse, subprocess")
    show(measure_all(args), args.least)


if __name__ == "__main__":
    main()
