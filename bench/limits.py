"""How late does `tacit solve` stop after its limits, in each phase?

Each problem is slow in one phase: a file that takes long to read, an action without preconditions,
millions of actions, 52 agents that introduce themselves and then rank by `goal`, agents that need
many private steps to extend a plan. Each is run as a command with limits that stop it there.
Printed are the phase that it reports, the seconds of the process, and how late that is without its
start-up, as measured just before. At most a tenth of the limit or one second is fine; on a busy
machine add what a second of CPU time takes there. For memory, the criterion is how far the peak of
resident memory exceeded the limit.

    python bench/limits.py [NAME…]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tacit.domains import DOMAINS

SHARE, SECONDS = 0.1, 1.0
"""Late by no more than this share of the limit, or by this many seconds."""

Texts = tuple[str, str]


def unrestricted(objects: int, parameters: int) -> Texts:
    """An action without preconditions."""
    variables = " ".join(f"?x{n} - thing" for n in range(parameters))
    domain = f"""(define (domain loose) (:requirements :typing :multi-agent)
      (:types agent thing - object)
      (:predicates (done ?t - thing))
      (:action any :agent ?a - agent :parameters ({variables})
        :precondition () :effect (done ?x0)))"""
    things = " ".join(f"t{n}" for n in range(objects))
    problem = f"""(define (problem loose) (:domain loose)
      (:objects a - agent {things} - thing) (:init) (:goal (done t0)))"""
    return domain, problem


def long_file(objects: int) -> Texts:
    """A long list of facts."""
    domain, problem = unrestricted(objects, 1)
    facts = " ".join(f"(done t{n})" for n in range(1, objects))
    return domain, problem.replace("(:init)", f"(:init {facts})")


def counting(agents: int, bits: int) -> Texts:
    """Agents that open a door in public once a private counter is full: 2^bits private steps."""
    steps = []
    for n in range(bits):
        lower = range(n)
        needs = " ".join([*(f"(set ?a b{m})" for m in lower), f"(not (set ?a b{n}))"])
        clears = " ".join(f"(not (set ?a b{m}))" for m in lower)
        steps.append(
            f"(:action add{n} :agent ?a - agent :parameters () "
            f":precondition (and {needs}) :effect (and (set ?a b{n}) {clears}))"
        )
    full = " ".join(f"(set ?a b{n})" for n in range(bits))
    names = " ".join(f"b{n}" for n in range(bits))
    doors = [f"(open d{n})" for n in range(agents)]
    domain = f"""(define (domain counting)
      (:requirements :typing :multi-agent :unfactored-privacy :negative-preconditions)
      (:types agent bit door - object)
      (:constants {names} - bit)
      (:predicates (open ?d - door) (own ?a - agent ?d - door)
        (:private ?a - agent (set ?a - agent ?b - bit)))
      {" ".join(steps)}
      (:action enter :agent ?a - agent :parameters (?d - door)
        :precondition (and (own ?a ?d) {full}) :effect (open ?d)))"""
    people = " ".join(f"a{n}" for n in range(agents))
    own = " ".join(f"(own a{n} d{n})" for n in range(agents))
    problem = f"""(define (problem counting) (:domain counting)
      (:objects {people} - agent {" ".join(f"d{n}" for n in range(agents))} - door)
      (:init {own}) (:goal (and {" ".join(doors)})))"""
    return domain, problem


def generated(domain: str, **parameters: int) -> Texts:
    made = DOMAINS.get(domain).generate(parameters)
    return made.domain, made.problem


@dataclass(frozen=True)
class Case:
    """A problem that is slow in one phase, and limits that stop it there."""

    phase: str
    make: Callable[[], Texts]
    limits: tuple[float, ...]
    options: tuple[str, ...] = ()
    memory: tuple[int, ...] = field(default=())


MANY = {"cities": 50, "places": 2, "planes": 2, "packages": 100}
LARGE = {"cities": 60, "places": 40, "planes": 10, "packages": 600}
CASES = {
    "long file": Case("reading", lambda: long_file(400_000), (1, 3), memory=(200,)),
    "no preconditions": Case("grounding", lambda: unrestricted(200, 8), (0.5, 1), memory=(150,)),
    "3,600,000 actions": Case(
        "grounding", lambda: generated("logistics", **LARGE), (3, 6), memory=(400,)
    ),
    "52 agents": Case("introducing", lambda: generated("logistics", **MANY), (1, 2), memory=(200,)),
    "52 agents, goal": Case("ranking", lambda: generated("logistics", **MANY), (20, 30)),
    "52 agents, m3": Case(
        "searching", lambda: generated("logistics", **MANY), (8,), ("--ranking", "m3")
    ),
    "counters": Case("extending", lambda: counting(6, 18), (2, 5), ("--percent", "100")),
    "counters, mafs": Case(
        "searching", lambda: counting(3, 18), (2, 5), ("--percent", "100", "--solver", "mafs")
    ),
}


def main(names: list[str]) -> None:
    print(f"{'problem':18} {'limit':>9} {'ends while':>12} {'took':>8} {'late':>7}")
    bad = 0
    for name, case in CASES.items():
        if names and name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            for file, text in zip(("domain.pddl", "problem.pddl"), case.make(), strict=True):
                (Path(folder) / file).write_text(text)
            for seconds in case.limits:
                bad += not in_time(name, case, folder, seconds)
            for mebibytes in case.memory:
                bad += not in_room(name, case, folder, mebibytes)
    print("all in time" if not bad else f"{bad} late")
    sys.exit(bool(bad))


def in_time(name: str, case: Case, folder: str, seconds: float) -> bool:
    _, _, start, _ = run("--help")
    outcome, phase, took, _ = run(folder, "--time-limit", str(seconds), *case.options, "--json")
    late = took - start - seconds
    is_fine = outcome != "time" or late <= max(SHARE * seconds, SECONDS)
    where = phase if outcome == "time" else outcome
    note = "" if is_fine else "  LATE"
    note += "" if where == case.phase else f"  (expected {case.phase})"
    print(f"{name:18} {seconds:7g} s {where:>12} {took:6.2f} s {late:5.2f} s{note}", flush=True)
    return is_fine


def in_room(name: str, case: Case, folder: str, mebibytes: int) -> bool:
    outcome, phase, _, peak = run(folder, "--memory-limit", str(mebibytes), *case.options, "--json")
    over = peak - mebibytes
    is_fine = outcome == "memory" and over <= max(SHARE * mebibytes, 100)
    where = phase if outcome == "memory" else outcome
    note = "" if is_fine else "  TOO MUCH"
    print(f"{name:18} {mebibytes:5} MiB {where:>12} {peak:5.0f} M {over:5.0f} M{note}", flush=True)
    return is_fine


def run(*options: str) -> tuple[str, str, float, float]:
    """The outcome, the phase, seconds from start to end, and MiB of memory at the peak."""
    command = [sys.executable, "-m", "tacit", "solve", *options]
    start = time.monotonic()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, _, used = os.wait4(process.pid, 0)
        took = time.monotonic() - start
        out.seek(0)
        text = out.read()
    is_result = text.startswith(b"{")
    found = json.loads(text) if is_result else {"outcome": "error", "phase": None}
    return found["outcome"], found["phase"] or "", took, used.ru_maxrss / 1024


if __name__ == "__main__":
    main(sys.argv[1:])
