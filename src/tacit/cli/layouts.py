"""What `--json` prints, as types: `docs/schemas` is made of them, so that it cannot say otherwise.

The ledger is the same in `solve`, `rehearse` and `agent`, but that `agent` knows `kept` of itself
alone.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tacit.public.outcome import Outcome

LAYOUT = 2
"""The version of the layouts of all commands: `tacit.solve/2`."""


def _is(text: str) -> Meta:
    return Meta(description=text)


class AgentEntries(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one agent disclosed."""

    edges: Annotated[int, _is("Private dependencies that it disclosed.")]
    repairs: Annotated[int, _is("Threats, restored tokens and prefixes that it disclosed.")]
    alike: (
        Annotated[int, _is("Edges among these that are not counted, as they look like others.")]
        | UnsetType
    ) = UNSET
    free: Annotated[int, _is("What the settings show without counting it.")] | UnsetType = UNSET
    kept: Annotated[int, _is("Edges that it never disclosed to anybody.")] | UnsetType = UNSET


class LedgerLayout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was disclosed in a run; offline, as if its k alone had been run."""

    largest: Annotated[int, _is("Edges and repairs of the agent that disclosed most.")]
    sum: Annotated[int, _is("Edges and repairs of all agents.")]
    counted: Annotated[Literal["edges", "classes"], _is("What k and these numbers count.")]
    agents: dict[str, AgentEntries]


class StepLayout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step of a plan, in the order of execution; steps last one unit each."""

    agent: str
    action: str
    arguments: list[str]
    start: Annotated[int, _is("Its earliest start, from 0, if agents work in parallel.")]
    end: int


class UnreachableLayout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is out of reach even if nothing is ever deleted."""

    goals: Annotated[list[str], _is("Public goals.")]
    agents: Annotated[list[str], _is("Agents with private goals that are out of reach.")]


class AgentLayout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One agent: what it has, and what it did."""

    dependencies: Annotated[int, _is("Edges that it could disclose.")]
    replanned: Annotated[int, _is("Public steps that replanning inserted or removed.")]
    price: Annotated[int, _is("Price of its edges (--weights).")] | UnsetType = UNSET
    price_of_repairs: int | UnsetType = UNSET
    never: Annotated[int, _is("Edges that its prices withhold.")] | UnsetType = UNSET
    expanded: Annotated[int, _is("Of its own search, as all that follows.")] | UnsetType = UNSET
    evaluated: int | UnsetType = UNSET
    generated: int | UnsetType = UNSET
    sent: Annotated[int, _is("States.")] | UnsetType = UNSET
    received: Annotated[int, _is("States.")] | UnsetType = UNSET
    deferred: int | UnsetType = UNSET
    bytes: int | UnsetType = UNSET


class LeakageLayout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What observers know of one agent: all others together, each with its own edges."""

    disclosed: Annotated[int, _is("Edges and repairs on the ledger.")]
    certain: Annotated[int, _is("Undisclosed edges that follow for certain.")]
    guessed: Annotated[
        int, _is("Undisclosed action edges that the strongest attack names, certain ones included.")
    ]
    guessed_right: Annotated[int | None, _is("Those that are edges; null if nobody can tell.")]
    undisclosed: Annotated[int | None, _is("Action edges that were not disclosed.")]
    classes: Annotated[int, _is("Different-looking edges that it disclosed.")]
    bits_a: Annotated[float, _is("Bits of private transition systems (forward search).")]
    bits_b: Annotated[float, _is("Bits of its dependency graph that were learned.")]
    bits_b_all: Annotated[float, _is("Bits of its graph that were unknown at publishing.")]
    sums: Annotated[
        int, _is("Different sums with costs of private actions that an optimal search told.")
    ]
    lost: Annotated[int, _is("Tokens that it was said to have lost in some private state.")]


class ImprovementLayout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A better plan than the one before."""

    seconds: Annotated[float, _is("CPU time since the first plan.")]
    cost: int
    makespan: int


class SolveLayout(msgspec.Struct, frozen=True, kw_only=True):
    """`tacit solve --json`. Of all other options and settings there are those that the solver
    understands, under their own names.
    """

    schema: Annotated[str, Meta(pattern=rf"^tacit\.solve/{LAYOUT}$")]
    version: str
    seed: int
    solved: bool
    outcome: Outcome
    mode: Annotated[
        Literal["online", "offline"],
        _is("A run in which nothing is taken back, or values of k tried independently."),
    ]
    solver: str
    profile: str
    ranking: str
    ties: int | None
    threats: str
    budget: Annotated[int | None, _is("What each agent may spend.")] | UnsetType = UNSET
    k: Annotated[int, _is("Online the most edges of any agent; offline the k that was tried.")]
    iterative: dict[str, int] | UnsetType = UNSET
    phase: Annotated[str | None, _is("What the run was doing when a limit ended it.")]
    extension: Literal["strict", "replanned"] | None
    solved_by: str | None
    changed_over: bool
    ledger: LedgerLayout
    agents: dict[str, AgentLayout]
    leakage: (
        Annotated[dict[str, LeakageLayout], _is("What others know of each (--leakage).")]
        | UnsetType
    ) = UNSET
    no_more: Annotated[list[str], _is("Agents that disclose no more and kept something.")]
    unreachable: UnreachableLayout | None
    explain: Annotated[dict[str, Any] | None, _is("Why there is no plan.")]
    plan: list[StepLayout] | None
    plan_length: int | None
    cost: int | None
    optimal: Annotated[bool, _is("It is proved that no plan supported on this ledger is cheaper.")]
    cost_counted: Annotated[
        Literal["public", "total"] | None, _is("Which costs an optimal search counts.")
    ]
    makespan: int | None
    makespan_paper: int | None
    objective: Annotated[str, _is("What makes a plan good.")]
    improvements: Annotated[
        list[ImprovementLayout], _is("Better plans after the first, each better than before.")
    ]
    interrupted: Annotated[bool, _is("Improving ended before its time: the best so far.")]
    seconds: Annotated[dict[str, float], _is("CPU time.")]
    search: dict[str, int]


class FindingLayout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that breaks the terms of a run."""

    kind: str
    text: str


class ScoreLayout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How right guesses are, by the owner's files; of edges of actions."""

    precision: Annotated[float, _is("Guesses that are edges.")]
    recall: Annotated[float, _is("Undisclosed edges that are guessed.")]
    base_rate: Annotated[float, _is("How often any pair of an action and a token is an edge.")]
    lift: Annotated[float, _is("Precision by the base rate.")]


class InitialLayout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Edges of the initial state, which guesses do not count."""

    edges: int
    disclosed: int
    certain: Annotated[int, _is("Not disclosed, and certain.")]


class CertainEdgeLayout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An edge that was not disclosed and is certain, in the numbers of the run."""

    achiever: Annotated[int, _is("An action, or -1 for the initial state.")]
    token: int


class AuditLeakageLayout(LeakageLayout, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the holders can conclude of one agent."""

    certain_edges: list[CertainEdgeLayout]
    attack: Annotated[str, _is("The attack that guessed.")]
    bits_b_share: float
    bits_b_by_source: dict[str, float]
    bits_b_exact: Annotated[bool, _is("False if more may have been learned.")]
    scored: Annotated[ScoreLayout | None, _is("Only with the owner's files and numbers.")]
    initial: Annotated[InitialLayout | None, _is("Only with the owner's files and numbers.")]


class AuditAgentLayout(msgspec.Struct, frozen=True, kw_only=True):
    """One agent; there is more in it than is listed here."""

    clean: bool
    compared_with: str | None
    findings: list[FindingLayout]
    leakage: Annotated[AuditLeakageLayout | None, _is("Null if it did not publish.")]


class AuditRunLayout(msgspec.Struct, frozen=True, kw_only=True):
    """One run, as the holders of transcripts saw it."""

    holders: list[str]
    mode: Literal["online", "offline"]
    k: int | None
    ledger: LedgerLayout
    clean: bool
    agents: dict[str, AuditAgentLayout]


class AuditLayout(msgspec.Struct, frozen=True, kw_only=True):
    """`tacit audit --json`."""

    schema: Annotated[str, Meta(pattern=rf"^tacit\.audit/{LAYOUT}$")]
    version: str
    clean: bool
    runs: list[AuditRunLayout]
