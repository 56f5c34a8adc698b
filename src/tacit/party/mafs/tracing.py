"""The own part of a plan that forward search found, from the core's records.

A plan is traced back from agent to agent. Each finds the own actions that led to a state it sent,
its private ones among them, which it sends to nobody: `extend` places them between public steps.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate

from tacit import native
from tacit.errors import ProtocolError
from tacit.party.disclosure.own_numbers import OwnNumbers
from tacit.party.extension.extension import LocalPlan
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.settings import Rule, stands_for_several


class Tracing:
    """What one agent looks up in its own search."""

    def __init__(
        self, node: native.MafsNode | native.AstarNode, numbers: OwnNumbers, agents: Sequence[str]
    ):
        self._node = node
        self._own = own = numbers.own
        self._task = own.task
        self._numbers = numbers
        self._agents = agents
        self._action_count = len(own.task.arrays.schema)
        # Ways become shorter under `pairwise`, after steps were counted on them.
        self._shifts = stands_for_several(own.settings.harden) or own.settings.rule is Rule.PAIRWISE
        self._segments: list[tuple[int, list[int]]] = []  # public steps before, own actions
        self._begun_at = -1  # the own index where the first of them begins

    def trace(self, ref: int) -> tuple[tuple[int, ...], str | None, int]:
        """The own public steps that led to a state, and where the state before them is from."""
        node = self._node
        try:
            found = node.trace_found() if ref == 0 else node.trace_sent(ref, self._begun_at)
        except ValueError as error:
            raise ProtocolError(str(error)) from None
        actions, sender, sender_ref, before, self._begun_at = found
        self._segments.insert(0, (before, list(actions)))
        steps = tuple(self._step(a) for a in actions if self._is_public(a))
        return steps, None if sender < 0 else self._agents[sender], sender_ref

    def _is_public(self, action: int) -> bool:
        return action == self._action_count or bool(self._task.arrays.is_public[action])

    def _step(self, action: int) -> int:
        if action == self._action_count:
            return FINISH
        return self._numbers.action[self._own.number[action]]

    def extend(
        self, steps: Sequence[PublicStep], holds: Sequence[Collection[int]]
    ) -> LocalPlan | None:
        """The own actions of the plan that was traced, each where it was done; None if it differs.

        `holds` are the public facts before each step that is an action, and at the end. What is
        private behind the last own public step is of no use, and is dropped.
        """
        segments, self._segments, self._begun_at = self._segments, [], -1
        place = list(accumulate((step.action != FINISH for step in steps), initial=0))
        placed: list[tuple[int, int]] = []
        before_step = [holds[number] for number in place]
        at = own = needed = 0
        for before, actions in segments:
            at = at if self._shifts else before
            for action in actions:
                at = self._where(action, at, steps, before_step)
                if at < 0:
                    return None
                if action != self._action_count:
                    placed.append((action, place[at]))
                if self._is_public(action):
                    at += 1
                    own += 1
                    needed = len(placed)
        if own != sum(step.agent == self._task.agent for step in steps):
            return None
        return LocalPlan(tuple(placed[:needed]))

    def _where(
        self,
        action: int,
        at: int,
        steps: Sequence[PublicStep],
        holds: Sequence[Collection[int]],
    ) -> int:
        """Before which step an own action was done, from a step on; -1 if before none.

        A state's number of public steps decides it, but for states that stand for several (`once`,
        `secure`) or have a shorter way by now (`pairwise`): there it is the first place that will
        do, and for a public action that of the next own step.
        """
        while at < len(holds):
            if self._is_public(action):
                if self._is_mine(action, steps[at : at + 1]):
                    return at
            elif not self._shifts or self._public_needs(action).issubset(holds[at]):
                return at
            if not self._shifts or any(s.agent == self._task.agent for s in steps[at : at + 1]):
                break
            at += 1
        return -1

    def _public_needs(self, action: int) -> frozenset[int]:
        count = self._task.public_count
        return frozenset(fact for fact in self._task.pre[action] if fact < count)

    def _is_mine(self, action: int, steps: Sequence[PublicStep]) -> bool:
        return list(steps) == [PublicStep(self._task.agent, self._step(action))]
