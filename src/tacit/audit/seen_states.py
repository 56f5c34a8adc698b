"""What the states of a run show of one agent, as an audit of them (`states.py`) counts it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tacit.audit.descents import SeenSteps
from tacit.leakage.costs import ToldCosts


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A state that disclosed edges do not explain: the action that led to it, None if no published
    one does, the tokens that are not accounted for, and whether it is the agent's first public one.
    """

    agent: str
    action: int | None
    tokens: tuple[int, ...] = ()
    is_first: bool = False


@dataclass
class SeenStates:
    """What the states of one run show of one agent."""

    sent: int = 0
    indices: int = 0
    """Different private states of it that were seen, from any sender."""
    linkable: int = 0
    """States whose index for it occurs in others too, so that they are known to agree in it."""
    explained: int = 0
    elsewhere: int = 0
    """States that come from one which is not here."""
    unchecked: int = 0
    values: set[int] = field(default_factory=set)
    """Heuristic values that show more than whether the state was evaluated."""
    told: ToldCosts = field(default_factory=ToldCosts)
    """Sums that have costs of private actions in them, and lost tokens."""
    claimed: set[int] = field(default_factory=set)
    """Tokens that states have and that no disclosed edge achieves."""
    unexplained: list[Unexplained] = field(default_factory=list)
    told_apart: int = 0
    """Indices of it that were said to have some tokens only, where all have all (`secure`)."""
    foreign: int = 0
    """States it sent with an index that was not introduced to their receiver in their search."""
    steps: SeenSteps = field(default_factory=SeenSteps)
    """What the descents of states show of it, whoever sent them."""
