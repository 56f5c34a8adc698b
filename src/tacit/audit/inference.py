"""Dependencies that were not disclosed and that follow all the same from what crossed.

An observer who sees an agent do a public action knows that it had the action's tokens then.
Something achieved each of them: the initial state, or an own step before. If a disclosed edge
explains it, nothing new was learned. If none does, one of the possible achievers must be it, and
where only one is possible, the edge is known as if it had been disclosed.

This is for findings: an honest agent never lets more follow from plans and states than it has
disclosed. What follows from an honest run all the same, from rounds of grounding and of relaxed
layers, say, is for `tacit.leakage.certain`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tacit.audit.seen_states import SeenStates
from tacit.leakage.reading.knowledge import Knowledge
from tacit.public.disclosure import FINISH, INIT, PublicEdge
from tacit.public.protocol.messages import Publication
from tacit.public.task import PublicAction


@dataclass(frozen=True, slots=True, order=True)
class Inferred:
    """An action was done, so one of these achieved this token; `evidence` is the source."""

    token: int
    achievers: tuple[int, ...]
    action: int
    evidence: str

    @property
    def is_certain(self) -> bool:
        return len(self.achievers) == 1

    def holds_by(self, edges: Iterable[PublicEdge]) -> bool:
        """Does it follow from these edges?"""
        return any(
            e.positive and e.token == self.token and e.achiever in self.achievers for e in edges
        )


def from_plans(about: Knowledge) -> list[Inferred]:
    """What follows from plans that an agent can execute, besides what was disclosed."""
    if about.published is None:
        return []
    explained = _Explained(about, about.published)
    found: dict[Inferred, None] = {}
    for plan in about.plans:
        own = [step.action for step in plan if step.agent == about.agent]
        found |= dict.fromkeys(explained.unsupported(own))
    return list(found)


class _Explained:
    """What an agent has disclosed of its actions.

    A step may be executed by any action of the agent with the same public projection, so a step
    stands for all of these: it achieves what one of them achieves, and deletes what all delete.
    """

    def __init__(self, about: Knowledge, part: Publication):
        self._needs = {action.id: set(action.tokens) for action in part.actions}
        self._needs[FINISH] = set(part.goal)
        alike: dict[object, list[int]] = {}
        for action in part.actions:
            alike.setdefault(_public_part(action), []).append(action.id)
        self._alike = {action: group for group in alike.values() for action in group}
        self._achieved_tokens = _tokens_by_achiever(edge for edge in about.edges if edge.positive)
        # Threats of repairs are certain. After others the agent may do something about it.
        self._deleted_tokens = _tokens_by_achiever(about.threats)

    def unsupported(self, steps: Sequence[int]) -> Iterator[Inferred]:
        """Tokens of steps that no disclosed edge achieved since disclosed threats last deleted
        them.
        """
        deleted: dict[int, int] = {}  # per token, how many steps ago is too long ago
        held = set(self._achieved_tokens.get(INIT, ()))
        for place, step in enumerate(steps):
            alike = self._alike.get(step, [step])
            lacking = [self._needs.get(action, set()) - held for action in alike]
            for token in sorted(set.intersection(*lacking)) if all(lacking) else ():
                first = deleted.get(token, -1)
                before = {a for s in steps[max(0, first) : place] for a in self._alike.get(s, [s])}
                achievers = before.union([INIT] if first < 0 else [])
                yield Inferred(token, tuple(sorted(achievers)), step, "plan")
                held.add(token)
            for token in set.intersection(
                *(self._deleted_tokens.get(action, set()) for action in alike)
            ):
                held.discard(token)
                deleted[token] = place + 1
            held.update(
                token for action in alike for token in self._achieved_tokens.get(action, ())
            )


def _public_part(action: PublicAction) -> object:
    return action.cost, action.needs, action.adds, action.deletes


def _tokens_by_achiever(edges: Iterable[PublicEdge]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for edge in edges:
        found.setdefault(edge.achiever, set()).add(edge.token)
    return found


def from_states(about: Knowledge, seen: SeenStates) -> list[Inferred]:
    """What follows from states, and from steps in their descents, that disclosed edges do not
    explain.
    """
    part = about.published
    if part is None:
        return []
    everything = (INIT, *sorted(action.id for action in part.actions))
    found: dict[Inferred, None] = {}
    for state in seen.unexplained:
        achievers = (INIT,) if state.is_first else everything
        for token in state.tokens if state.action is not None else ():
            found[Inferred(token, achievers, int(state.action or 0), "state")] = None
    for action, token, is_first in seen.steps.lacking:
        achievers = (INIT,) if is_first else everything
        found[Inferred(token, achievers, action, "state")] = None
    for token in sorted(seen.claimed):
        found[Inferred(token, everything, FINISH, "state")] = None
    return list(found)
