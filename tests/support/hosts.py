"""Agents of one problem, each a `Host` with its own files, in threads of one process: for tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from support.forms import generated
from tacit.central.validate.judge import validate
from tacit.central.validate.plan import read_agent_plans
from tacit.net.conclusion import Conclusion
from tacit.net.config import AgentConfig, Outputs, Timing
from tacit.net.grounding import public_problem
from tacit.net.host import Host
from tacit.net.keys import make_keys
from tacit.net.rehearsal import HOST, free_ports
from tacit.pddl.agents import natural_order
from tacit.pddl.factor_writer import factor
from tacit.pddl.syntax import Pair
from tacit.public.outcome import Outcome
from tacit.public.protocol import digest, election
from tacit.public.protocol.link import (
    Beat,
    Farewell,
    Keep,
    Kept,
    Receipt,
    Settled,
    Terms,
    Welcome,
)
from tacit.public.protocol.messages import (
    Ack,
    Confirm,
    Extended,
    Follow,
    Poll,
    Resend,
    States,
    Status,
    Trace,
    Traced,
    decode,
)
from tacit.public.protocol.recording import read_recording
from tacit.transport.frames import LinkLimits
from tacit.transport.tls import Identity

PATIENCE = 120
PATIENT = LinkLimits(beat=0.5, silence=60, greeting=60)
TIMING = Timing(wait=100, answer=100, run=200)


@cache
def keys_for(*agents: str) -> Path:
    folder = Path(mkdtemp(prefix="tacit-keys-"))
    make_keys(folder, agents, 1)
    return folder


def identity(folder: Path, agent: str) -> Identity:
    return Identity(folder / f"{agent}.pem", folder / f"{agent}.key", folder / "ca.pem")


@dataclass
class Troupe:
    """The agents of one problem, ready to be started; `logs` is what each of them says."""

    folder: Path
    configs: dict[str, AgentConfig]
    logs: dict[str, list[str]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return list(self.configs)

    def change(self, agent: str, **changes: object) -> None:
        self.configs[agent] = replace(self.configs[agent], **changes)

    def host(self, agent: str) -> Host:
        said = self.logs.setdefault(agent, [])
        return Host(self.configs[agent], said.append)


def troupe(
    texts: dict[str, tuple[str, str]],
    folder: Path,
    terms: Terms = Terms(),  # noqa: B008
    limits: LinkLimits = PATIENT,
    timing: Timing = TIMING,
    secret: str | None = None,
) -> Troupe:
    """Each agent with a folder of its own."""
    agents = list(texts)
    ports = dict(zip(agents, free_ports(len(agents)), strict=True))
    keys = keys_for(*agents)
    configs = {}
    for agent, (domain, problem) in texts.items():
        own = folder / agent
        own.mkdir(parents=True)
        (own / "domain.pddl").write_text(domain)
        (own / "problem.pddl").write_text(problem)
        configs[agent] = AgentConfig(
            agent,
            own / "domain.pddl",
            own / "problem.pddl",
            (HOST, ports[agent]),
            {other: (HOST, ports[other]) for other in agents if other != agent},
            identity(keys, agent),
            terms,
            limits,
            timing,
            seed=None if secret is None else f"{secret} {agent}",
            outputs=Outputs(
                folder / f"plan-{agent}.txt",
                own / "disclosed.txt",
                own / "transcript",
            ),
        )
    return Troupe(folder, configs)


def leader_of(agents: Iterable[str], pair: Pair, secret: str) -> str:
    """Who is elected where agents have this secret, as `troupe` gives it to them."""
    names = natural_order(agents)
    task = election.task_of(names, digest.of_problem(*public_problem(pair)))
    found = election.leader({name: election.nonce_of(f"{secret} {name}", task) for name in names})
    assert found is not None
    return found


def small(domain: str, folder: Path, seed: int = 0, **options: object) -> Troupe:
    return troupe(factor(generated(domain, seed)), folder, **options)


Ended = Conclusion | BaseException


def play(hosts: dict[str, Host], start: Iterable[Callable[[], None]] = ()) -> dict[str, Ended]:
    """Run all of them to the end; what came of each. Nobody may hang."""
    found: dict[str, Ended] = {}

    def live(agent: str, host: Host) -> None:
        try:
            found[agent] = host.run()
        except BaseException as error:
            found[agent] = error

    threads = [
        threading.Thread(target=live, args=item, daemon=True, name=item[0])
        for item in hosts.items()
    ]
    for thread in threads:
        thread.start()
    for action in start:
        action()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive(), f"{thread.name} hangs"
    return found


def all_solved(found: dict[str, Ended]) -> bool:
    return all(isinstance(e, Conclusion) and e.outcome is Outcome.SOLVED for e in found.values())


def traffic(made) -> dict[tuple[str, str, bool], list[bytes]]:
    """What each agent sent and received per peer, signs of life apart."""
    found: dict[tuple[str, str, bool], list[bytes]] = {}
    for agent, config in made.configs.items():
        recording = read_recording(config.outputs.transcript)
        assert (recording.holder, recording.is_whole) == (agent, True)
        for entry in recording.entries:
            # Signs of life, and whether a last word still arrives, are a matter of time; random
            # numbers and signatures are others each time.
            if not isinstance(decode(entry.payload), Beat | Farewell | Receipt | Welcome):
                found.setdefault((agent, entry.peer, entry.is_sent), []).append(entry.payload)
    return found


TIMED = (
    *(States, Poll, Status, Follow, Resend, Ack),
    *(Trace, Traced, Confirm, Extended, Keep, Kept, Settled, Farewell),
)
"""Messages of forward search that depend on timing: states, how often agents are polled and guided,
with an `Ack` for each guide, and which of several plans is found first, and so is kept.
"""


def untimed(payloads: list[bytes]) -> list[bytes]:
    """What does not depend on timing, in its order."""
    return [payload for payload in payloads if not isinstance(decode(payload), TIMED)]


def together(found, made, description):
    """All have solved, and their plan files are one plan of the whole problem."""
    assert all_solved(found), found
    plans = [config.outputs.plan for config in made.configs.values()]
    verdict = validate(description, read_agent_plans(plans))
    assert verdict.valid, verdict.message
    return verdict
