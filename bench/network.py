"""Forward search between hosts: agents over loopback mutual TLS against agents as local processes.

    python bench/network.py [PROBLEM…] [--k K] [--repeat N] [--solver mafs]

Each agent of the first is a `tacit agent` of its own, with its own two files; what counts is the
time from when all are there until the end, so that starting Python does not. The second is
`--drive processes`, from files to the plan, in one program with one process for each agent. Both
search for the smallest k unless one is given. Printed are wall seconds (medians), their ratio, and
messages and bytes per second over all streams, signs of life apart, from the transcripts.
The goal: at most 1.5 times as long.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tacit.net.config import read_run_file
from tacit.net.keys import make_keys
from tacit.net.rehearsal import free_ports, rehearse, toml_of
from tacit.profile import profile
from tacit.public.link import Beat, Ready
from tacit.public.messages import encode
from tacit.public.recording import read_recording
from tacit.whole.instance import Instance, describe
from tacit.whole.plan import read_agent_plans
from tacit.whole.solve import Means, Session
from tacit.whole.validate import validate

CODMAP = (
    Path(__file__).resolve().parents[1].parent / "shared" / "benchmarks" / "codmap" / "factored"
)
PROBLEMS = [
    "rovers/p10",
    "logistics00/probLOGISTICS-10-0",
    "elevators08/p01",
    "depot/pfile1",
    "blocksworld/probBLOCKS-9-0",
]


def over_network(problem: Path, solver: str, k: int | None) -> tuple[float, int, int]:
    """Seconds from when all are there, messages and bytes."""
    description = describe(problem)
    agents = [str(pair.agent) for pair in description.pairs]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for pair in description.pairs:
            (folder / f"domain-{pair.agent}.pddl").write_text(pair.domain.source.text)
            (folder / f"problem-{pair.agent}.pddl").write_text(pair.problem.source.text)
        make_keys(folder / "keys", agents, 1)
        terms = {"solver": solver} | ({} if k is None else {"k": k})
        file = folder / "agents.toml"
        file.write_text(toml_of(agents, free_ports(len(agents)), terms, {}))
        assert list(read_run_file(file).agents) == agents

        def arguments(agent: str) -> list[str]:
            record = ["--transcript", str(folder / f"{agent}.transcript")]
            return ["--config", str(file), "-o", str(folder), *record]

        ended = rehearse(agents, arguments, lambda line: None)
        assert all(e.code == 0 for e in ended), ended
        verdict = validate(description, read_agent_plans(folder / f"plan-{a}.txt" for a in agents))
        assert verdict.valid, verdict.message
        return measured([folder / f"{agent}.transcript" for agent in agents])


def measured(paths: list[Path]) -> tuple[float, int, int]:
    first, last = [], []
    messages = size = 0
    for path in paths:
        recording = read_recording(path)
        for entry in recording.entries:
            sender = recording.holder if entry.is_sent else entry.peer
            if entry.payload == encode(Beat(sender)):
                continue
            if entry.payload == encode(Ready(sender)):
                first.append(entry.time)
            last.append(entry.time)
            if entry.is_sent:
                messages, size = messages + 1, size + len(entry.payload)
    return (max(last) - max(first)) / 1e9, messages, size


def as_processes(problem: Path, solver: str, k: int | None) -> float:
    """Seconds from files that were read to the plan."""
    description = describe(problem)
    start = time.monotonic()
    means = Means(solver, drive="processes")
    session = Session(Instance(description, {}), profile("tacit"), means=means)
    result = session.first() if k is None else session.at(k)
    seconds = time.monotonic() - start
    session.close()
    assert result.solved
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("problems", nargs="*", default=PROBLEMS)
    parser.add_argument("--k", type=int)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--solver", default="mafs", choices=["mafs", "projection"])
    chosen = parser.parse_args()
    if not CODMAP.is_dir():
        sys.exit("the CoDMAP problems are not beside the repository (../shared/benchmarks)")
    print(f"{'problem':34} {'network':>8} {'local':>8} {'ratio':>6} {'msg/s':>8} {'KiB/s':>8}")
    ratios = []
    for problem in chosen.problems:
        folder = CODMAP / problem
        here: list[float] = []
        there: list[tuple[float, int, int]] = []
        for _ in range(chosen.repeat):  # in turn: the machine is the same for both
            there.append(over_network(folder, chosen.solver, chosen.k))
            here.append(as_processes(folder, chosen.solver, chosen.k))
        seconds, local = statistics.median(t[0] for t in there), statistics.median(here)
        messages, size = (sum(t[n] for t in there) / sum(t[0] for t in there) for n in (1, 2))
        ratios.append(seconds / local)
        print(
            f"{problem:34} {seconds:8.2f} {local:8.2f} {ratios[-1]:6.2f} "
            f"{messages:8.0f} {size / 1024:8.0f}",
            flush=True,
        )
    print(f"median ratio {statistics.median(ratios):.2f}, largest {max(ratios):.2f}; goal 1.5")


if __name__ == "__main__":
    main()
