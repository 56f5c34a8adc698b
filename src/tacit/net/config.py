"""What one agent is started with: its own two files, its place among its peers, and its limits.

All of it can stand in a file (`agents.toml`). One file may serve all agents of a rehearsal; an
agent's own needs the addresses of the others, and nothing else of them. Paths in it are relative to
the folder that it is in. On the command line the same things have the same names.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_origin, get_type_hints

import msgspec

from tacit.choices import check, heuristic_of, settings_of
from tacit.errors import Diagnostic, InputError, nearest
from tacit.files import check_agent_name
from tacit.net.limits import LimitsTable
from tacit.net.owner_policy import OwnerPolicy, policy_beside, strictest
from tacit.party.bounds import Bounds
from tacit.party.disclosure.weights import Weights, read_weights
from tacit.policy import POLICY
from tacit.public.declared import declared
from tacit.public.protocol.link import Terms
from tacit.public.run_options import AGREED, Count, RunOptions
from tacit.public.settings import Extension, Settings
from tacit.spelling import check_spelling
from tacit.transport.doors import Address
from tacit.transport.frames import LinkLimits
from tacit.transport.tls import Identity

MIB = 2**20


def _terms_fields() -> Iterator[tuple[str, Any, Any]]:
    """What all agents must want alike: run options, k, a profile, and settings on top of it."""
    hints = get_type_hints(RunOptions, include_extras=True)
    for one in declared(RunOptions, AGREED):
        yield one.name, hints[one.name], one.default
    yield "k", Count | None, None
    yield "profile", str, "tacit"
    for one in declared(Settings):
        yield one.name, (str if get_origin(one.kind) is tuple else one.kind) | None, None


TermsTable = msgspec.defstruct(
    "TermsTable", list(_terms_fields()), frozen=True, forbid_unknown_fields=True, kw_only=True
)
"""The table `terms`; the profile decides what is left out."""


class AgentTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One agent. Of others only the address is needed."""

    address: str
    domain: str | None = None
    problem: str | None = None
    cert: str | None = None
    key: str | None = None
    listen: str | None = None
    weights: str | None = None
    ledger: str | bool | None = None
    """A folder; left out it is `ledger` beside the key, and `false` is for none."""


class RunFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole `agents.toml`."""

    agents: dict[str, AgentTable]
    ca: str | None = None
    crl: str | None = None
    terms: TermsTable = TermsTable()  # type: ignore[valid-type]
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
    calendar: Path | None = None


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
    bounds: Bounds = field(default_factory=Bounds)
    """What holds in a run; the strictest for any peer."""
    weights: Path | None = None
    """Its own prices; no other agent learns of them."""
    elections: Path | None = None
    """A folder for what it must remember of elections, None to remember nothing."""
    anew: bool = False
    """Forget what is remembered of this task, and elect anew."""
    ledger: Path | None = None
    """The folder of its lasting ledger, if it keeps one."""
    lasting: Mapping[str, Bounds] = field(default_factory=dict)
    """What holds over all runs, per peer; `bounds` where there is nothing."""
    policy: OwnerPolicy = field(default_factory=OwnerPolicy)

    def lasting_bounds(self, peer: str) -> Bounds:
        """What a peer may learn over all runs."""
        return self.lasting.get(peer, self.bounds)


def read_run_file(path: Path) -> RunFile:
    """An `agents.toml`, or an `InputError` that says what is wrong with it."""
    try:
        text = path.read_text(encoding="utf-8")
        found = tomllib.loads(text)
    except OSError as error:
        raise InputError(Diagnostic(error.strerror or "cannot be read", str(path))) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        hint = "expected a file as 'tacit init' and 'tacit provision' write it: agents.toml"
        raise InputError(Diagnostic(f"this is not TOML: {error}", str(path), hint=hint)) from None
    return convert(found, str(path), text)


def convert(found: object, where: str | None = None, text: str = "") -> RunFile:
    """Plain data as a `RunFile`; `text` is where it was read, if it was."""
    try:
        run = msgspec.convert(found, RunFile)
    except msgspec.ValidationError as error:
        hint = "docs/network.md has an example"
        raise InputError(Diagnostic(str(error), where, hint=hint)) from None
    for agent in run.agents:
        check_spelling(agent, where, text)
    return run


def config_of(
    run: RunFile, name: str, folder: Path, outputs: Outputs, seed: str | None = None
) -> AgentConfig:
    """One agent's part of a run; names are not case-sensitive, as in PDDL."""
    for agent in (*run.agents, name):
        check_agent_name(agent)
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
    key = folder / _needed(own.key, name, "key")
    policy = policy_beside(key)
    bounds = _bounds_of(run, own, policy, list(peers))
    return AgentConfig(
        name,
        folder / _needed(own.domain, name, "domain"),
        folder / _needed(own.problem, name, "problem"),
        address_of(own.listen or own.address),
        peers,
        Identity(
            folder / _needed(own.cert, name, "cert"),
            key,
            folder / _needed(run.ca, name, "ca"),
            None if run.crl is None else folder / run.crl,
        ),
        terms_of(run.terms),
        _limits_of(run.limits),
        Timing(run.limits.wait, run.limits.answer_limit, run.limits.run_limit),
        run.limits.memory_limit * MIB,
        seed,
        outputs,
        _in_a_run(run, strictest(list(bounds.values()))),
        None if own.weights is None else folder / own.weights,
        ledger=_ledger_of(own, folder, key),
        lasting=_lasting(run, bounds, policy),
        policy=policy,
    )


def _ledger_of(own: AgentTable, folder: Path, key: Path) -> Path | None:
    """The folder of the lasting ledger: beside the key, unless the owner wants another or none."""
    if own.ledger is None:
        return key.parent / "ledger"
    if own.ledger is True:
        raise InputError("'ledger' is a folder, or false", "left out, it is beside the key")
    return None if own.ledger is False else folder / own.ledger


def own_weights(config: AgentConfig) -> Weights | None:
    """The agent's own prices, if it has a file of them, and what its policy says is never
    disclosed; the file must be about nobody else.
    """
    never = config.policy.never(list(config.peers))
    if config.weights is None and not never:
        return None
    found = Weights((), config.policy.name)
    if config.weights is not None:
        found = read_weights(config.weights)
        found.check_agents([config.name], "an agent's file has its own prices and nobody else's")
    found = found.with_rules(config.name, never) if never else found
    found.of(config.name).check(config.terms.settings)
    return found


NO_BOUND = InputError(
    "this agent has no bound on what it discloses",
    "give --max-k N (edges that it discloses at most, 'all' for no bound), --budget N (what they "
    "may cost, with --weights), or --k N (edges of each agent, agreed by all); a bound in "
    "policy.toml beside the key will do, too",
)


def _bounds_of(
    run: RunFile, own: AgentTable, policy: OwnerPolicy, peers: list[str]
) -> dict[str, Bounds]:
    """The owner's own bounds on what each peer may learn; there must be one, or a k that all agree
    on.
    """
    limits, terms = run.limits, terms_of(run.terms)
    policy.check(terms, peers)
    is_chosen = limits.max_k is not None or limits.budget is not None or terms.k is not None
    if not is_chosen and not policy.has_bound(peers):
        raise NO_BOUND
    edges = limits.max_k if isinstance(limits.max_k, int) else None
    repairs = limits.max_answers if isinstance(limits.max_answers, int) else None
    chosen = Bounds(edges, repairs, limits.budget, limits.ahead)
    found = {peer: strictest([chosen, policy.bounds(peer)]) for peer in peers}
    for bounds in found.values():
        _check_bounds(bounds, terms, own)
    return found


def _in_a_run(run: RunFile, bounds: Bounds) -> Bounds:
    """The same, with as many repairs in a run as come one by one if the owner chose no number."""
    if run.limits.max_answers is None and terms_of(run.terms).settings.uses_repair:
        return strictest([bounds, Bounds(repairs=POLICY.repair.single_answers)])
    return bounds


def _lasting(
    run: RunFile, bounds: Mapping[str, Bounds], policy: OwnerPolicy
) -> Mapping[str, Bounds]:
    """What holds over all runs. Where the owner chose no number of edges, the k of a run is one:
    starting again does not bring it back.
    """
    terms = terms_of(run.terms)
    if terms.settings.extension is Extension.REPLAN or run.limits.max_k is not None:
        return bounds
    is_chosen = {peer for peer in bounds if policy.bounds_edges(peer)}
    return {peer: b if peer in is_chosen else b.within(terms.k) for peer, b in bounds.items()}


def _check_bounds(found: Bounds, terms: Terms, own: AgentTable) -> None:
    """Can these be kept?"""
    if terms.settings.extension is Extension.REPLAN and found != Bounds():
        hint = "agents that replan show more than they count; use --extension strict"
        text = "max_k, max_answers, budget and ahead cannot be kept with extension 'replan'"
        raise InputError(text, hint)
    if found.price is not None and own.weights is None:
        hint = "give a file of prices (--weights), or a number of edges (--max-k)"
        raise InputError("a budget is in prices, and this agent has none", hint)


def _needed(value: str | None, name: str, what: str) -> str:
    if value is None:
        raise InputError(f"agent '{name}' has no '{what}'", f"give it as --{what}, or in the file")
    return value


def terms_of(table: Any) -> Terms:
    """The terms of a run, with names that exist."""
    changes = {one.name: getattr(table, one.name) for one in declared(Settings)}
    options = RunOptions(
        **{one.name: getattr(table, one.name) for one in declared(RunOptions, AGREED)}
    )
    settings = settings_of(table.profile, **changes)
    check(options, settings)
    return Terms(
        options.solver,
        options.ranking,
        table.k,
        settings,
        heuristic_of(options),
        options.max_repairs,
        options.time_limit,
        options.change_over,
        options.improve,
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
