"""Secure-MAFS (`--harden secure`) beside plain MAFS: coverage, and what states leak by metric A.

At full disclosure (k = the largest number of edges of an agent), ranking `m3`, agents in turn. A
run may take 60 CPU seconds, from reading the files to the validated plan, and its agents 3 GiB. The
searches follow plans of the joint projection, which the literature's do not; `secure, alone` does
without them.
What was solved is run once more with a transcript, and metered for all others together
(`tacit.leakage.transitions`), with two private variables of two values and the `pn` of ICAPS 2019.
The ratio of a problem is the leak of all agents by that of their ground truth: what is known of
each published action if its private part, with the private actions before it, is known for every
private fact as a variable of its own. `wrong` counts what the meter says of actions and what is not
so there. `certain_ratio` has only what follows for an observer that knows the algorithm: under
`secure` an index is that of one message, so two of them say nothing of whether private states
differ, and of what the meter counts `ia` alone remains.

Rows go to a CSV file as they come, and what is in it is not run again:

    python bench/secure.py --store docs/results/secure.csv
    python bench/secure.py --tables
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
from measure import DOMAINS, measured, problems
from rows import keep, stored
from support.inside import published_of

from tacit.central.instance import Instance, load
from tacit.central.result import Result
from tacit.central.session import Session
from tacit.leakage.private_systems import Bounds, Known, Property, Several, leak
from tacit.leakage.reading.traffic import PublicNames
from tacit.leakage.transitions import known_before, transitions
from tacit.leakage.view import View, traffic_of, view_of
from tacit.party.disclosure.own_numbers import OwnNumbers
from tacit.party.local.task import LocalTask
from tacit.policy import POLICY
from tacit.profile import profile
from tacit.public.run_options import RunOptions
from tacit.public.settings import Harden, hardening
from tacit.solvers.limits import Limits

PLAIN, SECURE, ALONE = CHOICES = ("none", "secure", "secure, alone")
UNGUIDED = replace(POLICY, guidance=replace(POLICY.guidance, planner_share=0))
BOUNDS = Bounds(2, 2, Several.ICAPS)
SECONDS, MEMORY = 60.0, 3 << 10
METERED = 7_200
"""Seconds of a loaded machine within which two runs, one of them metered, are over for certain."""
FIELDS = (
    *("problem", "harden", "outcome", "k", "steps", "seconds", "evaluated", "stored", "states"),
    *("bytes", "memory", "bits", "truth", "ratio", "wrong", "properties", "whole"),
    "certain_ratio",
)
Row = dict[str, Any]


def session_of(instance: Instance, choice: str, record: bool) -> Session:
    harden = hardening("secure" if choice == ALONE else choice)
    settings = msgspec.structs.replace(profile("tacit"), harden=harden)
    options = RunOptions(
        "mafs", ranking="m3", drive="roundrobin", memory_limit=MEMORY, record=record
    )
    return Session(instance, settings, options, policy=UNGUIDED if choice == ALONE else POLICY)


def solve(folder: Path, choice: str, record: bool = False) -> tuple[Session, Result, float]:
    start = time.process_time()
    session = session_of(load(folder), choice, record)
    left = SECONDS - (time.process_time() - start)
    result = session.at(session.largest, Limits(left, clock=time.process_time))
    return session, result, time.process_time() - start


def run(folder: Path, choice: str) -> Row:
    _, result, seconds = solve(folder, choice)
    agents = result.searches.values()
    row: Row = {
        "outcome": result.outcome.value,
        "k": result.k,
        "steps": len(result.plan.steps) if result.plan else 0,
        "seconds": round(seconds, 2),
        "evaluated": sum(agent.evaluated for agent in agents),
        "stored": sum(agent.stored for agent in agents),
        "states": sum(agent.states_sent for agent in agents),
        "bytes": sum(agent.bytes_sent for agent in agents),
        "memory": sum(agent.memory for agent in agents) >> 20,
    }
    return row | (meter(*solve(folder, choice, record=True)[:2]) if result.solved else {})


# Metric A


def meter(session: Session, result: Result) -> Row:
    """What all others together learned of each agent's actions, summed over agents."""
    instance = session.instance
    names = PublicNames(instance.public.facts, instance.public.init, instance.public.goal)
    frames = [*instance.transcript.frames, *result.transcript.frames]
    bits = certain = truth = 0.0
    wrong = properties = 0
    is_whole = True
    for agent in instance.agents:
        others = [other for other in instance.agents if other != agent]
        view = view_of(traffic_of(frames, instance.agents, others), names)
        found = transitions(view, agent)
        learned = {action: frozenset(known) for action, known in found.known.items()}
        true = truth_of(published_of(session.agents[agent]).own_numbers)
        bits += leaked(view, agent, learned)
        certain += leaked(view, agent, _that_follows(view, learned))
        truth += leaked(view, agent, true)
        properties += sum(map(len, learned.values()))
        wrong += sum(len(own - true.get(action, own)) for action, own in learned.items())
        is_whole &= found.is_whole
    return {
        "bits": round(bits, 4),
        "truth": round(truth, 4),
        "ratio": round(bits / truth, 4) if truth else 0.0,
        "wrong": wrong,
        "properties": properties,
        "whole": int(is_whole),
        "certain_ratio": round(certain / truth, 4) if truth else 0.0,
    }


def _that_follows(view: View, learned: Known) -> Known:
    """Without what supposes that different indices stand for different private states."""
    if Harden.SECURE not in view.settings.harden:
        return learned
    return {action: known & {Property.IA} for action, known in learned.items()}


def leaked(view: View, agent: str, known: Known) -> float:
    actions = [action.id for action in view.agents[agent].part.actions]
    return leak(actions, known_before(view, agent), known, BOUNDS)


def truth_of(numbers: OwnNumbers) -> Known:
    """Per published action, what holds of its private part, private actions before it included."""
    task, members = numbers.own.task, numbers.own.members
    public = {action for group in members for action in group}
    hidden = [action for action in range(len(task.pre)) if action not in public]
    facts = range(task.public_count, task.public_count + task.private_count)
    before = {fact: _closure(_relation(task, hidden, fact)) for fact in facts}
    initial = set(task.arrays.init)

    def known(group: Sequence[int]) -> frozenset[Property]:
        relations = [_behind(before[fact], _relation(task, group, fact)) for fact in facts]
        return frozenset(_holding(relations, [int(fact in initial) for fact in facts]))

    return {numbers.action[number]: known(group) for number, group in enumerate(members)}


Relation = frozenset[tuple[int, int]]


def _holding(relations: Sequence[Relation], initial: Sequence[int]) -> Iterator[Property]:
    sources = [{source for source, _ in relation} for relation in relations]
    is_initial = all(value in own for value, own in zip(initial, sources, strict=True))
    yield Property.IA if is_initial else Property.NIA
    if any(len(own) == 2 for own in sources):
        yield Property.PI
    if any(len(own) == 1 for own in sources):
        yield Property.PD
    if any(len({target for _, target in relation}) == 2 for relation in relations):
        yield Property.PN


def _relation(task: LocalTask, actions: Iterable[int], fact: int) -> Relation:
    """From which value to which a private fact may come by one of these actions."""
    pairs = set()
    for action, value in product(actions, (0, 1)):
        if value or fact not in task.pre[action]:
            is_added, is_deleted = fact in task.add[action], fact in task.delete[action]
            pairs.add((value, 1 if is_added else 0 if is_deleted else value))
    return frozenset(pairs)


def _closure(relation: Relation) -> Relation:
    """Of two values: once is enough."""
    return relation | {(0, 0), (1, 1)}


def _behind(first: Relation, second: Relation) -> Relation:
    return frozenset((a, c) for a, b in first for d, c in second if b == d)


# All problems


def measure_all(args: argparse.Namespace) -> None:
    done = {(row["problem"], row["harden"]) for row in stored(args.store)}
    for choice, domain in product(args.choices, args.domains):
        folders = problems(domain)
        chosen = folders if args.positions is None else [folders[n - 1] for n in args.positions]
        for folder in chosen:
            name = f"{domain}/{folder.name}"
            if (name, choice) in done:
                continue
            work = measured(lambda f=folder, c=choice: run(f, c), timeout=METERED)
            row = {"problem": name, "harden": choice, **work.result}
            keep(args.store, row, FIELDS)
            print(name, choice, row["outcome"], row["seconds"], file=sys.stderr, flush=True)


# Tables


HEAD = (
    *("domain", "problems", "solved, plain", "solved, secure", "solved, secure alone"),
    *("states, plain", "states, secure", "ratio, plain", "ratio, secure", "metered"),
)


def tables(rows: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Per domain: what each solved of what was run, and, over the problems that plain and secure
    search both solved, states that crossed in the middle and the mean of leak ratios.
    """
    yield f"| {' | '.join(HEAD)} |"
    yield f"|---|{'--:|' * (len(HEAD) - 1)}"
    for domain in DOMAINS:
        yield _line(domain, [row for row in rows if row["problem"].startswith(f"{domain}/")])
    yield _line("all", rows)


def _line(name: str, rows: Sequence[Mapping[str, str]]) -> str:
    tried = {c: [r for r in rows if r["harden"] == c] for c in CHOICES}
    solved = {c: {r["problem"]: r for r in tried[c] if r["outcome"] == "solved"} for c in CHOICES}
    both = sorted(solved[PLAIN].keys() & solved[SECURE].keys())

    def of(choice: str, field: str) -> list[float]:
        return [float(solved[choice][problem][field]) for problem in both] or [0.0]

    problems = str(max(len(found) for found in tried.values()))
    covered = [f"{len(solved[c])} of {len(tried[c])}" if tried[c] else "not run" for c in CHOICES]
    states = [f"{statistics.median(of(c, 'states')):,.0f}" for c in (PLAIN, SECURE)]
    ratios = [f"{statistics.fmean(of(c, 'ratio')):.4f}" for c in (PLAIN, SECURE)]
    return f"| {' | '.join([name, problems, *covered, *states, *ratios, str(len(both))])} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--domains", nargs="+", default=DOMAINS, choices=DOMAINS)
    parser.add_argument("--choices", nargs="+", default=(SECURE, PLAIN), choices=CHOICES)
    parser.add_argument("--positions", nargs="+", type=int, help="problems of each domain, from 1")
    parser.add_argument("--store", type=Path, default=Path("docs/results/secure.csv"))
    parser.add_argument("--tables", action="store_true", help="print tables; run nothing")
    args = parser.parse_args()
    if not args.tables:
        measure_all(args)
    for line in tables(stored(args.store)):
        print(line)


if __name__ == "__main__":
    main()
