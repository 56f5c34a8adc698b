"""What hardening costs forward search, and what it hides: each option against none, in one run.

At full disclosure, agents in turn (repeatable). Cost: CPU milliseconds of the search, evaluations,
states and frames sent, bytes. What is hidden, from the transcript: the share of states whose
sender's index the receiver had already seen with other public facts (`linked`), and the share that
repeats a pair of public facts and others' indices (`again`). CPU time is the least of five runs.

Then searches without a plan, which exhaust all states: small embedded problems, with one edge less
than the smallest *k* that plain search finds.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
from mafs import Timed, mean
from measure import measured, problems
from msgspec.structs import replace

from tacit.central.instance import Instance, load
from tacit.central.session import Session
from tacit.profile import profile
from tacit.public.protocol.messages import States, decode
from tacit.public.protocol.states import State, decode_batch
from tacit.public.run_options import RunOptions
from tacit.public.settings import Recipients, hardening
from tacit.solvers.limits import Limits

PROBLEMS = (
    ("logistics00", "probLOGISTICS-10-0"),
    ("rovers", "p10"),
    ("elevators08", "p01"),
    ("zenotravel", "pfile10"),
    ("depot", "pfile1"),
    ("depot", "pfile7"),
    ("driverlog", "pfile13"),
    ("blocksworld", "probBLOCKS-9-0"),
)
ALL = "all recipients"
CHOICES = ("", "fresh", "once", "fresh,once", "secure", "pad", "fresh,once,pad", ALL)
EXHAUSTED = ("blocksworld", "depot", "elevators", "secrets")
MEMORY = 4 << 30
REPEATS = 5
TINY = 1e-4


class Run(NamedTuple):
    """What one search cost, and what its transcript shows."""

    outcome: str
    seconds: float
    evaluated: int
    states: int
    frames: int
    sent: int
    length: int
    linked: float
    again: float


def hardened(instance: Instance, choice: str) -> Session:
    settings = msgspec.structs.replace(
        profile("tacit"),
        harden=hardening("" if choice == ALL else choice),
        recipients=Recipients.ALL if choice == ALL else Recipients.NEEDED,
    )
    run_options = RunOptions("mafs", memory_limit=MEMORY >> 20, drive="roundrobin", record=True)
    return Session(instance, settings, replace(run_options, ranking="m3"))


def compare(folder: Path, limit: float) -> list[Run]:
    """One run for each choice."""
    instance = load(folder)
    return [search(hardened(instance, choice), limit) for choice in CHOICES]


def search(session: Session, limit: float) -> Run:
    """The same search several times, the least of its CPU times, and what its transcript shows."""
    seconds = []
    for _ in range(REPEATS):
        session._pool.transcript.frames.clear()
        timed = session.coordinator.driver = Timed(session.coordinator.driver, time.process_time)
        result = session.at(session.largest, Limits(limit))
        seconds.append(timed.seconds)
    agents = result.searches.values()
    return Run(
        result.outcome.value,
        min(seconds),
        sum(agent.evaluated for agent in agents),
        sum(agent.states_sent for agent in agents),
        sum(agent.sent for agent in agents),
        sum(agent.bytes_sent for agent in agents),
        len(result.plan.steps) if result.plan else 0,
        *seen(crossing(session), list(session.instance.agents)),
    )


def crossing(session: Session) -> Iterator[tuple[str, str, State]]:
    for frame in session._pool.transcript.frames:
        message = decode(frame.payload)
        if isinstance(message, States):
            for state in decode_batch(message.batch).states:
                yield frame.sender, frame.receiver, state


def seen(states: Iterable[tuple[str, str, State]], agents: list[str]) -> tuple[float, float]:
    """The shares of states that can be linked by their sender's index, and that repeat a pair."""
    first: dict[tuple[str, str, int], frozenset[int]] = {}
    pairs: set[tuple[str, str, frozenset[int], tuple[int, ...]]] = set()
    count = linked = again = 0
    for sender, receiver, state in states:
        own = agents.index(sender)
        count += 1
        before = first.setdefault((sender, receiver, state.indices[own]), state.facts)
        linked += before != state.facts
        pair = (sender, receiver, state.facts, (*state.indices[:own], *state.indices[own + 1 :]))
        again += pair in pairs
        pairs.add(pair)
    return linked / max(1, count), again / max(1, count)


def ratio(run: Run, plain: Run) -> tuple[float, ...]:
    """CPU time, evaluations, states sent and bytes, against plain search."""
    return tuple(
        max(getattr(run, name), TINY) / max(getattr(plain, name), TINY)
        for name in ("seconds", "evaluated", "states", "sent")
    )


def exhaust(limit: float) -> None:
    """States evaluated and sent until all agree that there is no plan."""
    print("\n| problem | k | options | outcome | evaluated | states |\n|---|---|---|---|---|---|")
    for domain in EXHAUSTED:
        problem = f"{domain}/small"
        instance = load(problem)
        k = hardened(instance, "").first(Limits(limit)).k - 1
        for choice in ("", "fresh", "once", "fresh,once"):
            result = hardened(instance, choice).at(k, Limits(limit))
            states = sum(agent.states_sent for agent in result.searches.values())
            print(
                f"| {problem} | {k} | {choice or 'none'} | {result.outcome.value} "
                f"| {result.counters.evaluated:,} | {states:,} |",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time-limit", type=float, default=60, help="seconds per search")
    limit: float = parser.parse_args().time_limit
    ratios: dict[str, list[tuple[float, ...]]] = {choice: [] for choice in CHOICES}
    columns = ["problem", "options", "outcome", "ms", "evaluated", "states", "frames", "KiB"]
    columns += ["steps", "linked", "again"]
    print(f"| {' | '.join(columns)} |")
    print("|---" * len(columns) + "|")
    for domain, name in PROBLEMS:
        folder = next(path for path in problems(domain) if path.name == name)
        work = partial(compare, folder, limit)
        runs: list[Run] = measured(work, timeout=limit * 60 + 300).result
        for choice, run in zip(CHOICES, runs, strict=True):
            print(
                f"| {domain}/{name.removeprefix('prob')} | {choice or 'none'} | {run.outcome} "
                f"| {run.seconds * 1000:.1f} | {run.evaluated:,} | {run.states:,} "
                f"| {run.frames:,} | {run.sent / 1024:,.0f} | {run.length} "
                f"| {run.linked:.0%} | {run.again:.0%} |",
                flush=True,
            )
            if run.outcome == runs[0].outcome == "solved":
                ratios[choice].append(ratio(run, runs[0]))
    print(f"\nload {os.getloadavg()[0]:.1f}; geometric means against none:\n")
    print("| options | CPU | evaluated | states | bytes | problems |\n|---|---|---|---|---|---|")
    for choice, found in ratios.items():
        means = " | ".join(f"{mean(column):.2f}" for column in zip(*found, strict=True))
        print(f"| {choice or 'none'} | {means} | {len(found)} |")
    exhaust(limit)


if __name__ == "__main__":
    main()
