"""What tests of audits share: a run between hosts, and what it shows to whom."""

from __future__ import annotations

from pathlib import Path

from support.hosts import Troupe, play
from tacit.audit.holder import Audit, audit
from tacit.audit.owner import Own, check
from tacit.audit.recorded import read_record
from tacit.audit.traffic import read_runs
from tacit.pddl.reader import read_agent
from tacit.pddl.source import Source
from tacit.pddl.syntax import Pair


def files_of(made: Troupe, agent: str) -> Pair:
    config = made.configs[agent]
    return read_agent(agent, Source.read(config.domain), Source.read(config.problem)).pairs[0]


def owner(made: Troupe, agent: str) -> Own:
    """An agent's own side: its files and its record."""
    return Own(files_of(made, agent), read_record(made.configs[agent].outputs.record))


def transcripts(made: Troupe) -> list[Path]:
    return [config.outputs.transcript for config in made.configs.values()]


def audited(made: Troupe, holders: list[str], agent: str, with_files: bool = True) -> Audit:
    """What some agents can know of another one, with its own files if it likes."""
    paths = [made.configs[holder].outputs.transcript for holder in holders]
    (traffic,) = read_runs(paths)
    own = owner(made, agent)
    found = audit(traffic, own=own.name)
    if with_files:
        check(found, own)
    return found


def findings(made: Troupe, holder: str, agent: str, with_files: bool = True) -> set[str]:
    about = audited(made, [holder], agent, with_files).agents[agent]
    return {finding.kind for finding in about.findings}


def play_all(made: Troupe) -> dict[str, object]:
    return play({agent: made.host(agent) for agent in made.names})
