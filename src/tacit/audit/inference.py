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
from tacit.public.protocol.messages import Published
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
    if about.published is None:
        return []
    told = _Told(about, about.published)
    found: dict[Inferred, None] = {}
    for plan in about.plans:
        own = [step.action for step in plan if step.agent == about.agent]
        found |= dict.fromkeys(told.unsupported(own))
    return list(found)


class _Told:
    """What an agent has told of its actions.

    A step may be carried out by any action of the agent with the same public projection, so a step
    stands for all of these: it gives what one of them gives, and ends what all of them end.
    """

    def __init__(self, about: Knowledge, part: Published):
        self._needs = {action.id: set(action.tokens) for action in part.actions}
        self._needs[FINISH] = set(part.goal)
        alike: dict[object, list[int]] = {}
        for action in part.actions:
            alike.setdefault(_public_part(action), []).append(action.id)
        self._alike = {action: group for group in alike.values() for action in group}
        self._gives = _tokens_by_giver(edge for edge in about.edges if edge.positive)
        # Threats of repairs are certain. After others the agent may do something about it.
        self._ends = _tokens_by_giver(edge for _, edge in about.threats)

    def unsupported(self, steps: Sequence[int]) -> Iterator[Inferred]:
        """Tokens of steps that no told edge gave since told threats ended them last."""
        ended: dict[int, int] = {}  # per token, how many steps ago is too long ago
        held = set(self._gives.get(INIT, ()))
        for place, step in enumerate(steps):
            alike = self._alike.get(step, [step])
            lacking = [self._needs.get(action, set()) - held for action in alike]
            for token in sorted(set.intersection(*lacking)) if all(lacking) else ():
                first = ended.get(token, -1)
                before = {a for s in steps[max(0, first) : place] for a in self._alike.get(s, [s])}
                givers = before.union([INIT] if first < 0 else [])
                yield Inferred(token, tuple(sorted(givers)), step, "plan")
                held.add(token)
            for token in set.intersection(*(self._ends.get(action, set()) for action in alike)):
                held.discard(token)
                ended[token] = place + 1
            held.update(token for action in alike for token in self._gives.get(action, ()))


def _public_part(action: PublicAction) -> object:
    return action.cost, action.needs, action.adds, action.deletes


def _tokens_by_giver(edges: Iterable[PublicEdge]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for edge in edges:
        found.setdefault(edge.giver, set()).add(edge.token)
    return found


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
