"""What an agent can bring about under a rule of forward search if nothing is ever deleted.

Rules other than `supported` let an agent use dependencies that the others do not know of, so that
no agent can know alone whether the goals are within reach. The agents find out together, as they do
in `party.disclosure.relaxed_layers`: each sends the public facts that it could newly make true by
actions that the rule lets it take. If the goals stay out of reach there is no plan, at this budget
or a smaller one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tacit.party.local.task import LocalTask
from tacit.public.relaxed import Relaxed, Rules

if TYPE_CHECKING:
    from tacit.party.mafs.support import SupportBits


class Abilities:
    """What an agent can do, whatever its budget. Tokens are facts behind those of the task.

    `tokens_of` has the tokens that own actions need, the last action included, if these count.
    """

    def __init__(self, task: LocalTask, tokens_of: Sequence[Sequence[int]]):
        self.public = task.public_count
        self.first_token = task.public_count + len(task.private_facts)
        self.actions = len(task.pre)
        self.init = task.arrays.init.tolist()
        self.private_goal = {fact for fact in task.arrays.goal if fact >= self.public}
        needs = [list(row) for row in task.pre]
        for action, tokens in enumerate(tokens_of[: self.actions]):
            needs[action] += (self.first_token + token for token in tokens)
        for tokens in tokens_of[self.actions :]:
            self.private_goal.update(self.first_token + token for token in tokens)
        self.rules = Rules(needs, task.add)


class JointReachability:
    """One agent's side of finding out; without support bits, tokens do not count."""

    def __init__(self, abilities: Abilities, support: SupportBits | None):
        self._public = abilities.public
        self._private_goal = abilities.private_goal
        init = list(abilities.init)
        if support is not None:
            init += (abilities.first_token + support.token[bit] for bit in support.initial)
        gains = _gains(abilities, support) if support is not None else ()
        self._relaxed = Relaxed(abilities.rules, init, gains)
        self._sent: set[int] = set(init)

    def extend(self, facts: Iterable[int]) -> tuple[int, ...]:
        """Public facts are within reach by others; those that are newly so by own actions."""
        self._sent.update(facts)
        self._relaxed.reach(facts)
        news = {fact for fact in self._relaxed.reached - self._sent if fact < self._public}
        self._sent |= news
        return tuple(sorted(news))

    @property
    def can_finish(self) -> bool:
        """Are the private goals within reach?"""
        return self._relaxed.reached.issuperset(self._private_goal)


def _gains(abilities: Abilities, support: SupportBits) -> Iterator[tuple[int, int]]:
    for action, bits in enumerate(support.achieves[: abilities.actions]):
        for bit in bits:
            yield action, abilities.first_token + support.token[bit]
