"""Forward search between hosts: agents over loopback mutual TLS against agents as local processes.

    python bench/network.py [PROBLEM…] [--ranking goal] [--repeat N] [--solver mafs]

Both sides plan the same problem online, with the same solver, ranking, settings and heuristic,
without bounds, without cleaning the plan (which shows states in one process and none between
hosts), and with new secrets for each run. Each run is started from here as separate
programs: one `tacit agent` for each agent, with its own two files and a certificate, or one program
that forks a process for each agent (`--drive processes`). They alternate, so that other load on the
machine slows both.

*planning* is what the goal is about, at most 1.5 times as long: from the moment when all agents
have read their files (and, over the network, have connected) until all have the plan. It includes
grounding, publishing, ranking, all searches and the agents' own checks of the plan on both sides;
the local side includes forking, the network's does not include connections and handshakes. *whole*
is from the first start of a program to the last exit, with interpreters, imports, TLS, and writing
of plans and transcripts. Concurrent searches are not repeatable, so there are several runs: printed
are medians, and the ratios' range with the n-th runs as pairs. The messages and bytes per second
are those of planning over all streams, from the transcripts, without heartbeats.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import msgspec
from measure import CODMAP

from tacit.central.instance import Instance, describe
from tacit.central.session import Session
from tacit.central.validate.judge import validate
from tacit.central.validate.plan import read_agent_plans
from tacit.net.config import read_run_file
from tacit.net.keys import make_keys
from tacit.net.rehearsal import free_ports, rehearse, toml_of
from tacit.profile import profile
from tacit.public.protocol.link import Beat, Ready
from tacit.public.protocol.messages import decode, encode, is_receipt
from tacit.public.protocol.recording import read_recording
from tacit.public.run_options import RunOptions

FACTORED = CODMAP / "factored"
PROBLEMS = [
    "rovers/p10",
    "logistics00/probLOGISTICS-10-0",
    "elevators08/p01",
    "depot/pfile1",
    "blocksworld/probBLOCKS-9-0",
]


@dataclass(frozen=True)
class Question:
    """What is planned, and how."""

    problem: Path
    solver: str
    ranking: str


@dataclass(frozen=True)
class Run:
    """Seconds of one run, what the agent with most disclosed, and what was sent."""

    planning: float
    whole: float
    largest: int
    messages: int = 0
    size: int = 0


def over_network(question: Question) -> Run:
    description = describe(question.problem)
    agents = [str(pair.agent) for pair in description.pairs]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for pair in description.pairs:
            (folder / f"domain-{pair.agent}.pddl").write_text(pair.domain.source.text)
            (folder / f"problem-{pair.agent}.pddl").write_text(pair.problem.source.text)
        make_keys(folder / "keys", agents, 1)
        terms = {"solver": question.solver, "ranking": question.ranking, "clean": False}
        file = folder / "agents.toml"
        file.write_text(toml_of(agents, free_ports(len(agents)), terms, {}))
        assert list(read_run_file(file).agents) == agents

        def arguments(agent: str) -> list[str]:
            record = ["--transcript", str(folder / f"{agent}.transcript")]
            return ["--config", str(file), "--max-k", "all", "-o", str(folder), *record]

        start = time.monotonic()
        ended = rehearse(agents, arguments, lambda line: None)
        whole = time.monotonic() - start
        assert all(e.code == 0 and e.report for e in ended), ended
        verdict = validate(description, read_agent_plans(folder / f"plan-{a}.txt" for a in agents))
        assert verdict.valid, verdict.message
        planning, messages, size = measured([folder / f"{agent}.transcript" for agent in agents])
        return Run(planning, whole, ended[0].report["ledger"]["largest"], messages, size)


def measured(paths: list[Path]) -> tuple[float, int, int]:
    """Seconds from when all are ready to the last message, messages and bytes, with receipts."""
    first, last = [], []
    messages = size = 0
    for path in paths:
        recording = read_recording(path)
        for entry in recording.entries:
            sender = recording.holder if entry.is_sent else entry.peer
            if entry.payload == encode(Beat(sender)):
                continue
            if not is_receipt(entry.payload) and isinstance(decode(entry.payload), Ready):
                first.append(entry.time)
            if not is_receipt(entry.payload):  # the last ones follow the farewells
                last.append(entry.time)
            if entry.is_sent:
                messages, size = messages + 1, size + len(entry.payload)
    return (max(last) - max(first)) / 1e9, messages, size


def as_processes(question: Question) -> Run:
    """The same by a program that forks a process for each agent."""
    options = [str(question.problem), "--local", "--solver", question.solver]
    options += ["--ranking", question.ranking]
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, __file__, *options], stdout=subprocess.PIPE, check=True, text=True
    )
    whole = time.monotonic() - start
    found = json.loads(done.stdout)
    return Run(found["planning"], whole, found["largest"])


def plan_here(question: Question) -> None:
    """The program that `as_processes` starts."""
    description = describe(question.problem)
    seed = random.SystemRandom().getrandbits(31)
    start = time.monotonic()
    session = Session(
        Instance(description, {}),
        msgspec.structs.replace(profile("tacit"), clean=False),
        RunOptions(question.solver, drive="processes", ranking=question.ranking, seed=seed),
        online=True,
    )
    result = session.online()
    seconds = time.monotonic() - start
    session.close()
    assert result.solved
    print(json.dumps({"planning": seconds, "largest": result.ledger.largest}))


def compare(question: Question, repeat: int, name: str) -> float:
    """Run both in turn and print a line; the ratio of medians of planning."""
    there, here = [], []
    for _ in range(repeat):
        there.append(over_network(question))
        here.append(as_processes(question))
    planning, local = (statistics.median(run.planning for run in side) for side in (there, here))
    whole = [statistics.median(run.whole for run in side) for side in (there, here)]
    pairs = [one.planning / other.planning for one, other in zip(there, here, strict=True)]
    seconds = sum(run.planning for run in there)
    print(
        f"{name:32} {planning:8.2f} {local:8.2f} {planning / local:6.2f} "
        f"{min(pairs):5.2f}-{max(pairs):5.2f} {whole[0]:8.2f} {whole[1]:8.2f} "
        f"{statistics.median(run.largest for run in there):4.0f} "
        f"{statistics.median(run.largest for run in here):4.0f} "
        f"{sum(run.messages for run in there) / seconds:7.0f} "
        f"{sum(run.size for run in there) / seconds / 1024:7.0f}",
        flush=True,
    )
    return planning / local


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("problems", nargs="*", default=PROBLEMS)
    parser.add_argument("--ranking", default="goal")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--solver", default="mafs", choices=["mafs", "projection"])
    parser.add_argument("--local", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if not FACTORED.is_dir():
        sys.exit("the CoDMAP problems are not next to the repository (../shared/benchmarks)")
    questions = {
        problem: Question(FACTORED / problem, chosen.solver, chosen.ranking)
        for problem in chosen.problems
    }
    if chosen.local:
        plan_here(*questions.values())
        return
    print(
        f"{'problem':32} {'planning':>8} {'local':>8} {'ratio':>6} {'in pairs':>11} "
        f"{'whole':>8} {'local':>8} {'most':>4} {'loc.':>4} {'msg/s':>7} {'KiB/s':>7}"
    )
    ratios = [compare(question, chosen.repeat, name) for name, question in questions.items()]
    print(f"median ratio {statistics.median(ratios):.2f}, largest {max(ratios):.2f}; goal 1.5")


if __name__ == "__main__":
    main()
