"""What an agent can bring about under a rule of forward search if nothing is ever deleted.

Rules other than `supported` let an agent use dependencies that the others do not know of, so that
nobody can tell alone whether the goals are within reach. The agents find out together, as they do
in `tacit.party.exploration`: each says which public facts it could newly make true by actions that
the rule lets it take. If the goals stay out of reach there is no plan, at this budget or a smaller
one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tacit.party.local import LocalTask
from tacit.party.marks import Marks
from tacit.public.relaxed import Relaxed


class Foresight:
    """One agent's side of it. Tokens are facts behind those of the task."""

    def __init__(self, task: LocalTask, tokens_of: Sequence[Sequence[int]], marks: Marks | None):
        self._public = task.public_count
        first = task.public_count + len(task.private_facts)
        needs, adds = [list(row) for row in task.pre], [list(row) for row in task.add]
        init = task.arrays.init.tolist()
        goal = task.arrays.goal.tolist()
        self._private_goal = {fact for fact in goal if fact >= self._public}
        if marks is not None:
            for action, tokens in enumerate(tokens_of[: len(needs)]):
                needs[action] += (first + token for token in tokens)
            for action, given in enumerate(marks.gives[: len(adds)]):
                adds[action] += (first + marks.token[mark] for mark in given)
            init += (first + marks.token[mark] for mark in marks.initial)
            if len(tokens_of) > len(needs):
                self._private_goal.update(first + token for token in tokens_of[-1])
        self._relaxed = Relaxed(needs, adds, init)
        self._told: set[int] = set(init)

    def hear(self, facts: Iterable[int]) -> tuple[int, ...]:
        """Public facts are within reach by others; those that are newly so by own actions."""
        self._told.update(facts)
        self._relaxed.reach(facts)
        news = {fact for fact in self._relaxed.reached - self._told if fact < self._public}
        self._told |= news
        return tuple(sorted(news))

    @property
    def can_finish(self) -> bool:
        """Are the private goals within reach?"""
        return self._relaxed.reached.issuperset(self._private_goal)
