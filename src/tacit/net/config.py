"""What one agent is started with: its own two files, its place among its peers, and its limits.

All of it can stand in a file (`agents.toml`). One file may serve all agents of a rehearsal; an
agent's own needs the addresses of the others, and nothing else of them. Paths in it are relative to
the folder that it is in. On the command line the same things have the same names.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from tacit.errors import Diagnostic, InputError, nearest
from tacit.native import heuristics
from tacit.net.bounds import Allowance
from tacit.party.disclosure.ranking import RANKINGS
from tacit.party.disclosure.weights import Weights, read_weights
from tacit.profile import profile as find_profile
from tacit.public.protocol.link import Terms
from tacit.public.settings import (
    DEFAULT_RANKING,
    Chain,
    Extension,
    NoOp,
    Recipients,
    Rule,
    Threats,
    hardening,
)
from tacit.transport.doors import Address
from tacit.transport.frames import LinkLimits
from tacit.transport.tls import Identity

MIB = 2**20
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Size = Annotated[int, Meta(ge=1, le=2**20)]
Seconds = Annotated[float, Meta(gt=0, le=10**9)]


class TermsTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all agents must want alike; the profile decides what is left out."""

    solver: str = "projection"
    ranking: str = DEFAULT_RANKING
    k: Count | None = None
    profile: str = "tacit"
    chain: Chain | None = None
    no_op: NoOp | None = None
    threats: Threats | None = None
    extension: Extension | None = None
    rule: Rule | None = None
    harden: str = ""
    recipients: Recipients | None = None
    heuristic: str = "ff"
    max_repairs: Count = 10_000
    time_limit: Annotated[float, Meta(ge=0)] | None = None


class LimitsTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What peers may cost (MiB, frames and MiB per second), how long things may take (s), how many
    edges and repairs this agent tells at most, and what its edges may cost in its own prices.
    """

    max_message: Size = 64
    max_pending: Size = 64
    max_frames: Annotated[int, Meta(ge=10)] = 50_000
    max_rate: Size = 256
    memory_limit: Size = 4096
    max_k: Count | None = None
    max_answers: Count | None = None
    budget: Count | None = None
    beat: Seconds = 2.0
    silence: Seconds = 20.0
    greeting: Seconds = 10.0
    wait: Seconds = 60.0
    answer_limit: Seconds = 600.0
    run_limit: Seconds = 3600.0


class AgentTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One agent. Of others only the address is needed."""

    address: str
    domain: str | None = None
    problem: str | None = None
    cert: str | None = None
    key: str | None = None
    listen: str | None = None
    weights: str | None = None


class RunFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole `agents.toml`."""

    agents: dict[str, AgentTable]
    ca: str | None = None
    terms: TermsTable = TermsTable()
    limits: LimitsTable = LimitsTable()


@dataclass(frozen=True)
class Timing:
    """Seconds: to `wait` for all peers, for one `answer`, and for the whole run from then on."""

    wait: float = 60.0
    answer: float = 600.0
    run: float = 3600.0


@dataclass(frozen=True)
class Outputs:
    """Where an agent writes what; None for nowhere."""

    plan: Path | None = None
    record: Path | None = None
    transcript: Path | None = None


@dataclass(frozen=True)
class AgentConfig:
    """One agent of a run. `memory` bounds the resident bytes of its process; `seed` is its own
    secret.
    """

    name: str
    domain: Path
    problem: Path
    listen: Address
    peers: Mapping[str, Address]
    identity: Identity
    terms: Terms = field(default_factory=Terms)
    limits: LinkLimits = field(default_factory=LinkLimits)
    timing: Timing = field(default_factory=Timing)
    memory: int = 4096 * MIB
    seed: str | None = None
    outputs: Outputs = field(default_factory=Outputs)
    allowance: Allowance = field(default_factory=Allowance)
    weights: Path | None = None
    """Its own prices; nobody else is told of them."""


def read_run_file(path: Path) -> RunFile:
    """An `agents.toml`, or an `InputError` that says what is wrong with it."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(Diagnostic(error.strerror or "cannot be read", str(path))) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(Diagnostic(f"this is no TOML: {error}", str(path))) from None
    return convert(found, str(path))


def convert(found: object, where: str | None = None) -> RunFile:
    """Plain data as a `RunFile`."""
    try:
        return msgspec.convert(found, RunFile)
    except msgspec.ValidationError as error:
        hint = "docs/network.md has an example"
        raise InputError(Diagnostic(str(error), where, hint=hint)) from None


def config_of(
    run: RunFile, name: str, folder: Path, outputs: Outputs, seed: str | None = None
) -> AgentConfig:
    """One agent's part of a run; names are not case-sensitive, as in PDDL."""
    agents = {agent.lower(): table for agent, table in run.agents.items()}
    name = name.lower()
    if len(agents) < len(run.agents):
        raise InputError("two agents are called the same", "letter case does not tell names apart")
    if name not in agents:
        hint = nearest(name, agents) or f"agents: {', '.join(agents)}"
        raise InputError(f"there is no agent '{name}'", hint)
    if len(agents) < 2:
        raise InputError("an agent plans with others: it needs a peer", "--peer NAME=HOST:PORT")
    own = agents[name]
    peers = {agent: address_of(t.address) for agent, t in agents.items() if agent != name}
    return AgentConfig(
        name,
        folder / _needed(own.domain, name, "domain"),
        folder / _needed(own.problem, name, "problem"),
        address_of(own.listen or own.address),
        peers,
        Identity(
            folder / _needed(own.cert, name, "cert"),
            folder / _needed(own.key, name, "key"),
            folder / _needed(run.ca, name, "ca"),
        ),
        terms_of(run.terms),
        _limits_of(run.limits),
        Timing(run.limits.wait, run.limits.answer_limit, run.limits.run_limit),
        run.limits.memory_limit * MIB,
        seed,
        outputs,
        _allowance_of(run, own),
        None if own.weights is None else folder / own.weights,
    )


def own_weights(config: AgentConfig) -> Weights | None:
    """The agent's own prices, if it has a file of them; it must be about nobody else."""
    if config.weights is None:
        return None
    found = read_weights(config.weights)
    found.check_agents([config.name], "an agent's file has its own prices and nobody else's")
    found.of(config.name).check(config.terms.settings)
    return found


def _allowance_of(run: RunFile, own: AgentTable) -> Allowance:
    found = Allowance(run.limits.max_k, run.limits.max_answers, run.limits.budget)
    replans = terms_of(run.terms).settings.extension is Extension.REPLAN
    if replans and found != Allowance():
        hint = "agents that replan show more than they count; use --extension strict"
        text = "max_k, max_answers and budget cannot be kept with extension 'replan'"
        raise InputError(text, hint)
    if found.price is not None and own.weights is None:
        hint = "give a file of prices (--weights), or a number of edges (--max-k)"
        raise InputError("a budget is in prices, and this agent has none", hint)
    return found


def _needed(value: str | None, name: str, what: str) -> str:
    if value is None:
        raise InputError(f"agent '{name}' has no '{what}'", f"give it as --{what}, or in the file")
    return value


def terms_of(table: TermsTable) -> Terms:
    """The terms of a run, with names that exist."""
    if table.solver not in ("projection", "mafs"):
        raise InputError(f"there is no solver called '{table.solver}'", "projection or mafs")
    if table.heuristic not in heuristics():
        known = ", ".join(heuristics())
        raise InputError(f"there is no heuristic called '{table.heuristic}'", f"there are: {known}")
    RANKINGS.get(table.ranking)
    if table.threats is Threats.PAPER_INDEX:
        raise InputError("threats 'paper-index' are for counting only", "plan with 'ranked'")
    names = ("chain", "no_op", "threats", "extension", "rule", "recipients")
    chosen = {n: getattr(table, n) for n in names if getattr(table, n) is not None}
    harden = hardening(table.harden)
    if harden and table.solver != "mafs":
        raise InputError("there is nothing to harden but forward search", "solver = mafs")
    settings = msgspec.structs.replace(find_profile(table.profile), harden=harden, **chosen)
    return Terms(
        table.solver,
        table.ranking,
        table.k,
        settings,
        table.heuristic,
        table.max_repairs,
        table.time_limit,
    )


def _limits_of(table: LimitsTable) -> LinkLimits:
    return LinkLimits(
        table.max_message * MIB,
        table.max_pending * MIB,
        table.max_frames,
        table.max_rate * MIB,
        table.beat,
        table.silence,
        table.greeting,
    )


def address_of(text: str) -> Address:
    """`HOST:PORT`; an IPv6 host stands in brackets."""
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not (colon and host and port.isascii() and port.isdigit() and int(port) < 2**16):
        raise InputError(f"'{text[:80]}' is no address", "write HOST:PORT, as 127.0.0.1:7411")
    return host, int(port)
