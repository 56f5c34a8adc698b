"""What actions reach if nothing is ever deleted. It grows with every fact and every effect told."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence


class Relaxed:
    """The facts within reach, from `init` on; actions are rows of facts."""

    def __init__(
        self,
        needs: Sequence[Collection[int]],
        adds: Iterable[Iterable[int]],
        init: Iterable[int],
    ):
        self.reached: set[int] = set()
        self._adds = [list(row) for row in adds]
        self._missing = [len(set(row)) for row in needs]
        self._users: dict[int, list[int]] = {}
        for action, row in enumerate(needs):
            for fact in set(row):
                self._users.setdefault(fact, []).append(action)
        self.reach(init)
        for action, count in enumerate(self._missing):
            if count == 0:
                self.reach(self._adds[action])

    def gain(self, action: int, fact: int) -> None:
        """An action has one more effect."""
        self._adds[action].append(fact)
        if self._missing[action] == 0:
            self.reach([fact])

    def reach(self, facts: Iterable[int]) -> None:
        """These facts are within reach from now on, and all that follows."""
        stack = [fact for fact in set(facts) if fact not in self.reached]
        self.reached.update(stack)
        while stack:
            for action in self._users.get(stack.pop(), ()):
                self._missing[action] -= 1
                if self._missing[action] == 0:
                    new = [fact for fact in set(self._adds[action]) if fact not in self.reached]
                    self.reached.update(new)
                    stack += new
