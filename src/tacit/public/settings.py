"""The choices that all agents of a run must agree on (DESIGN §1.2, §1.4).

They decide what counts as a dependency, what is told about threats, and how a public plan is
carried out. `tacit.profile` bundles them.
"""

from __future__ import annotations

import enum

import msgspec

from tacit.errors import InputError, nearest

DEFAULT_RANKING = "goal"
"""Which edges are disclosed first if nobody says."""


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
    """Whether adding a fact that the action also needs counts as giving it."""

    DROP = "drop"
    KEEP = "keep"


class Threats(enum.Enum):
    """What is told about actions that end a token.

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
    """How an agent carries out its part of a public plan.

    `strict`: its private actions alone are added. `replan`: where that fails, any of its actions
    may be, which shows more than was disclosed; it takes the place of repair, and exists to compare
    with the paper.
    """

    STRICT = "strict"
    REPLAN = "replan"


class Rule(enum.Enum):
    """Which states forward search may show (DESIGN §1.5).

    `supported`: every token of every step was given by a disclosed edge. `authors`: the same, with
    what holds at the start for free. `pairwise` is the paper's Algorithm 1 (docs/forward.md): an
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
    on otherwise. `pad`: batches of states have one of few sizes.
    """

    FRESH = "fresh"
    ONCE = "once"
    PAD = "pad"


class Recipients(enum.Enum):
    """Who is sent a state in forward search.

    `needed`: agents that could act there, as far as the public task tells. `all`: everybody, so
    that who talks to whom tells nothing to who watches the network.
    """

    NEEDED = "needed"
    ALL = "all"


def hardening(names: str) -> tuple[Harden, ...]:
    """The options that a user listed with commas, in their own order, each once."""
    values = [item.value for item in Harden]
    wanted = {name.strip().lower() for name in names.split(",")} - {"", "none"}
    for name in sorted(wanted.difference(values)):
        hint = nearest(name, values) or f"there are: {', '.join(values)}"
        raise InputError(f"there is no hardening called '{name}'", hint)
    return tuple(item for item in Harden if item.value in wanted)


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One bundle of choices."""

    chain: Chain = Chain.TIGHT
    no_op: NoOp = NoOp.DROP
    threats: Threats = Threats.ON_DEMAND
    extension: Extension = Extension.STRICT
    repair: bool = True
    merge: bool = True
    """Publish own actions that look alike in every way as one."""
    rule: Rule = Rule.SUPPORTED
    own_values: bool = False
    """Forward search sends each agent's own heuristic values, and whoever receives a state takes
    the larger one, as in the paper's Algorithm 1. They tell private costs. Otherwise none is sent.
    """
    harden: tuple[Harden, ...] = ()
    """In the order of `Harden`, each once; `hardening` makes it so."""
    recipients: Recipients = Recipients.NEEDED

    @property
    def loses_no_plan(self) -> bool:
        """With everything disclosed, is each plan of the agents a plan under these settings?"""
        excludes_none = self.threats in (Threats.NONE, Threats.ON_DEMAND)
        return self.chain.is_complete and excludes_none

    @property
    def repairs(self) -> bool:
        """Does an agent that cannot carry out a plan say why? Not where it would help nobody."""
        is_wanted = self.extension is Extension.STRICT and self.threats is not Threats.NONE
        return self.repair and is_wanted
