"""The choices that all agents of a run must agree on.

They decide what counts as a dependency, what is disclosed about threats, and how a public plan is
extended. `tacit.profile` bundles them. A field of `Settings` with its description is all there is
to a setting: options of the command line, keys of `agents.toml`, the protocol's terms, the JSON
schema and the tables in the docs are read off it (`tacit.public.declared`).
"""

from __future__ import annotations

import enum
from collections.abc import Collection
from typing import Annotated

import msgspec

from tacit.errors import InputError, nearest
from tacit.public.declared import described


class Chain(enum.Enum):
    """Which chains of private actions make a dependency (docs/solving.md).

    `object`: over facts with the same first argument, as the paper counts. `any`: over any facts.
    `last`: those that may lead from the agent's last contributing public action to the fact.
    `tight`: `object` wherever it loses no plan, `last` elsewhere.
    """

    OBJECT = "object"
    ANY = "any"
    TIGHT = "tight"
    LAST = "last"

    @property
    def is_complete(self) -> bool:
        """Is every plan supported once all edges are disclosed?"""
        return self is not Chain.OBJECT


class NoOp(enum.Enum):
    """Whether adding a fact that the action also needs counts as achieving it."""

    DROP = "drop"
    KEEP = "keep"


class Threats(enum.Enum):
    """What is disclosed about actions that delete a token.

    `none`: nothing. `on-demand`: a certain threat, when a plan failed because of it. `ranked`:
    direct threats compete with the other edges for the budget. `known`: all direct threats, not
    counted. `paper-index`: as `ranked`, counted as the paper's program does; for counting only.
    """

    NONE = "none"
    ON_DEMAND = "on-demand"
    RANKED = "ranked"
    KNOWN = "known"
    PAPER_INDEX = "paper-index"


class Extension(enum.Enum):
    """How an agent extends a public plan.

    `strict`: its private actions alone are inserted. `replan`: where that fails, any of its actions
    may be, which discloses more than k; it takes the place of repair, and exists to compare with
    the paper.
    """

    STRICT = "strict"
    REPLAN = "replan"


class Count(enum.Enum):
    """What is counted, and bounded by k (docs/leakage.md).

    `edges`: every edge. `classes`: of an agent's edges that look alike, the first; others could
    guess the rest. Online runs alone.
    """

    EDGES = "edges"
    CLASSES = "classes"


class Tokens(enum.Enum):
    """What a token stands for.

    `shared`: a private fact, whichever actions need it. `per-use`: a private fact for the actions
    of one public projection that need it, so that nothing shows which actions share one.
    """

    SHARED = "shared"
    PER_USE = "per-use"


class Rule(enum.Enum):
    """Which states forward search may send (docs/forward.md).

    `supported`: a disclosed edge achieved every token of every step. `authors`: the same, with the
    edges of the initial state for free. `pairwise` is the paper's Algorithm 1 (docs/forward.md): an
    edge from an agent's last public action to its next one must be disclosed, older ones need not,
    and none if the next one reaches the goal.
    """

    SUPPORTED = "supported"
    PAIRWISE = "pairwise"
    AUTHORS = "authors"


class Harden(enum.Enum):
    """What else forward search does so that peers see less; each has its price (docs/privacy.md).

    `fresh`: a private state has another index wherever the others see something else around it.
    `once`: public facts with the others' indices are sent once, and again only when nobody can go
    on otherwise. `secure`: they are sent once, and what comes back is continued for all that was
    not sent; it has `fresh` and `once` in it, and finds a plan or goes on. `pad`: batches of states
    have one of few sizes.
    """

    FRESH = "fresh"
    ONCE = "once"
    SECURE = "secure"
    PAD = "pad"


def stands_for_several(chosen: Collection[Harden]) -> bool:
    """May a state that is sent stand for several private states of its sender?"""
    return Harden.ONCE in chosen or Harden.SECURE in chosen


def hidden_by(chosen: Collection[Harden]) -> frozenset[Harden]:
    """These options, and those whose promises they keep too."""
    has_more = (Harden.FRESH, Harden.ONCE) if Harden.SECURE in chosen else ()
    return frozenset((*chosen, *has_more))


class Recipients(enum.Enum):
    """Which agents are sent a state in forward search.

    `needed`: agents that could act there, as far as the public task tells. `all`: everybody, so
    that the traffic shows nothing to an observer of the network.
    """

    NEEDED = "needed"
    ALL = "all"


class Cost(enum.Enum):
    """What an optimal search counts (docs/optimal.md).

    `public`: what public actions cost; no cost of a private action crosses. `total`: what all
    actions cost; costs of private actions cross in sums.
    """

    PUBLIC = "public"
    TOTAL = "total"


class Objective(enum.Enum):
    """What makes a plan good.

    `cost`: the problem's own metric, and of plans that cost the same the makespan. `length`: the
    number of steps. `makespan`: how long it takes when agents work side by side, then its cost.
    """

    COST = "cost"
    LENGTH = "length"
    MAKESPAN = "makespan"


def hardening(names: str) -> tuple[Harden, ...]:
    """The options that a user listed with commas, in their own order, each once."""
    values = [item.value for item in Harden]
    wanted = {name.strip().lower() for name in names.split(",")} - {"", "none"}
    for name in sorted(wanted.difference(values)):
        hint = nearest(name, values) or f"there are: {', '.join(values)}"
        raise InputError(f"there is no hardening called '{name}'", hint)
    if "secure" in wanted and wanted & {"fresh", "once"}:
        raise InputError(
            "hardening 'secure' has 'fresh' and 'once' in it", "leave these out: --harden secure"
        )
    return tuple(item for item in Harden if item.value in wanted)


DEPENDENCIES, PLANNING = "dependencies", "planning"
"""What a setting is about: what counts as a dependency, or how agents plan with them."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One bundle of choices."""

    chain: Annotated[
        Chain, described("Which chains of private actions count as dependencies.", DEPENDENCIES)
    ] = Chain.TIGHT
    no_op: Annotated[
        NoOp, described("Whether adding a fact that is also needed counts.", DEPENDENCIES)
    ] = NoOp.DROP
    threats: Annotated[
        Threats, described("What is disclosed about actions that delete a token.", DEPENDENCIES)
    ] = Threats.ON_DEMAND
    tokens: Annotated[
        Tokens, described("Whether actions share the tokens of private facts.", DEPENDENCIES)
    ] = Tokens.SHARED
    count: Annotated[
        Count, described("What is counted: edges, or classes of edges that look alike.", PLANNING)
    ] = Count.EDGES
    extension: Annotated[
        Extension, described("What an agent may do to extend a public plan.", PLANNING)
    ] = Extension.STRICT
    repair: Annotated[
        bool, described("Whether an agent that cannot extend a plan answers why.", PLANNING)
    ] = True
    merge: Annotated[
        bool, described("Publish own actions that look alike in every way as one.", DEPENDENCIES)
    ] = True
    rule: Annotated[Rule, described("Which states forward search may send.", PLANNING)] = (
        Rule.SUPPORTED
    )
    own_values: Annotated[
        bool,
        described(
            "Forward search sends heuristic values, which disclose private costs, as in the paper.",
            PLANNING,
        ),
    ] = False
    harden: Annotated[
        tuple[Harden, ...],
        described(
            "Forward search shows peers less: fresh, once or secure, pad, with commas.", PLANNING
        ),
    ] = ()
    recipients: Annotated[
        Recipients, described("Which agents forward search sends a state to.", PLANNING)
    ] = Recipients.NEEDED
    cost: Annotated[
        Cost,
        described("What an optimal search counts: costs of public actions, or of all.", PLANNING),
    ] = Cost.TOTAL
    objective: Annotated[Objective, described("What makes a plan good.", PLANNING)] = Objective.COST
    clean: Annotated[
        bool,
        described(
            "Leave out redundant steps of the plan, and let agents do their parts at less cost.",
            PLANNING,
        ),
    ] = True

    def check(self) -> None:
        """An `InputError` for settings that no solver can plan with."""
        if self.threats is Threats.PAPER_INDEX:
            raise InputError("threats 'paper-index' are for counting only", "plan with 'ranked'")

    @property
    def loses_no_plan(self) -> bool:
        """With everything disclosed, is each plan of the agents a plan under these settings?"""
        excludes_none = self.threats in (Threats.NONE, Threats.ON_DEMAND)
        return self.chain.is_complete and excludes_none

    @property
    def uses_repair(self) -> bool:
        """Does an agent that cannot extend a plan send a repair? Not where it is of no use."""
        is_wanted = self.extension is Extension.STRICT and self.threats is not Threats.NONE
        return self.repair and is_wanted
