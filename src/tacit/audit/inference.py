"""Dependencies that nobody told and that follow all the same from what crossed.

Whoever sees an agent do a public action knows that it had the action's tokens then. Something gave
each of them: the start, or an own step before. If an edge that was told explains it, nothing new
was learned. If none does, one of the possible givers must be it, and where only one is possible,
the edge is known as if it had been told.

Rounds of exploring say when facts come within an agent's reach, and so do those of grounding. What
follows from these is a *hint*: it does not depend on the budget, since agents explore before they
disclose, and an agent that discloses nothing at all gives it away as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tacit.audit.knowledge import Knowledge, Round
from tacit.audit.states import SeenStates
from tacit.public.disclosure import FINISH, INIT, PublicEdge
from tacit.public.messages import Published
from tacit.public.task import PublicAction


@dataclass(frozen=True, slots=True, order=True)
class Inferred:
    """An action was done, so one of these gave it this token; `evidence` shows where from."""

    token: int
    givers: tuple[int, ...]
    action: int
    evidence: str

    @property
    def is_certain(self) -> bool:
        return len(self.givers) == 1

    def holds_by(self, edges: Iterable[PublicEdge]) -> bool:
        """Is it no news to who knows these edges?"""
        return any(e.positive and e.token == self.token and e.giver in self.givers for e in edges)


def from_plans(about: Knowledge) -> list[Inferred]:
    """What follows from plans that an agent can carry out, besides what was told."""
    part = about.published
    if part is None:
        return []
    needs = {action.id: action.tokens for action in part.actions} | {FINISH: part.goal}
    gives: dict[int, set[int]] = {}
    ends: dict[int, set[int]] = {}
    for edge in about.edges:
        if edge.positive:
            gives.setdefault(edge.giver, set()).add(edge.token)
    for _, edge in about.threats:  # these alone are certain; after others it may do something
        ends.setdefault(edge.giver, set()).add(edge.token)
    found: dict[Inferred, None] = {}
    for plan in about.plans:
        own = [step.action for step in plan if step.agent == about.agent]
        found |= dict.fromkeys(_unsupported(own, needs, gives, ends))
    return list(found)


def _unsupported(
    steps: Sequence[int],
    needs: dict[int, tuple[int, ...]],
    gives: dict[int, set[int]],
    ends: dict[int, set[int]],
) -> Iterator[Inferred]:
    """Tokens of steps that no told edge gave since a told threat ended them last."""
    since: dict[int, int] = {}  # per token, the steps that cannot have given it for good
    held = set(gives.get(INIT, ()))
    for place, step in enumerate(steps):
        for token in needs.get(step, ()):
            if token not in held:
                first = since.get(token, -1)
                before = ([INIT] if first < 0 else []) + list(steps[max(0, first) : place])
                yield Inferred(token, tuple(sorted(set(before))), step, "plan")
                held.add(token)
        for token in ends.get(step, ()):
            held.discard(token)
            since[token] = place + 1
        held |= gives.get(step, set())


def from_states(about: Knowledge, seen: SeenStates) -> list[Inferred]:
    """What follows from states that told edges do not explain."""
    part = about.published
    if part is None:
        return []
    everything = (INIT, *sorted(action.id for action in part.actions))
    found: dict[Inferred, None] = {}
    for state in seen.unexplained:
        givers = (INIT,) if state.is_first else everything
        for token in state.tokens if state.action is not None else ():
            found[Inferred(token, givers, int(state.action or 0), "state")] = None
    for token in sorted(seen.claimed):
        found[Inferred(token, everything, FINISH, "state")] = None
    return list(found)


def from_rounds(part: Published | None, rounds: Sequence[Round], evidence: str) -> list[Inferred]:
    """What follows from when facts came within an agent's reach.

    A fact that only one of its actions can have brought about says that this action is within
    reach, hence its tokens are, by the start or by other actions whose public needs are met.
    """
    found: dict[Inferred, None] = {}
    for answer in rounds if part is not None else ():
        reach = answer.known.union(answer.news)
        able = [action for action in part.actions if reach.issuperset(action.needs)] if part else []
        for fact in answer.news:
            makers = [action for action in able if fact in action.adds]
            if len(makers) == 1:
                found |= dict.fromkeys(_reached(makers[0], able, evidence))
    return list(found)


def _reached(
    action: PublicAction, able: Sequence[PublicAction], evidence: str
) -> Iterator[Inferred]:
    for token in action.tokens:
        others = (other.id for other in able if token not in other.tokens)
        yield Inferred(token, tuple(sorted([INIT, *others])), action.id, evidence)
