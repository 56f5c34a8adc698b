"""What actions reach if nothing is ever deleted. It grows with every fact and every effect."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence


class Rules:
    """Actions as rows of facts, found by what they need; made once, to begin from many times."""

    def __init__(self, needs: Sequence[Collection[int]], adds: Iterable[Sequence[int]]):
        self.adds = list(adds)
        self.counts: list[int] = []
        self.users: dict[int, list[int]] = {}
        for action, row in enumerate(needs):
            facts = set(row)
            self.counts.append(len(facts))
            for fact in facts:
                self.users.setdefault(fact, []).append(action)


class Relaxed:
    """The facts within reach, from `init` on; `gains` are effects, as pairs of action and fact."""

    def __init__(
        self, rules: Rules, init: Iterable[int], gains: Iterable[tuple[int, int]] = ()
    ) -> None:
        self.reached: set[int] = set()
        self._adds = rules.adds.copy()
        self._missing = rules.counts.copy()
        self._users = rules.users
        gained: dict[int, list[int]] = {}
        for action, fact in gains:
            gained.setdefault(action, []).append(fact)
        for action, facts in gained.items():
            self._adds[action] = (*self._adds[action], *facts)
        self.reach(init)
        for action, count in enumerate(rules.counts):
            if count == 0:
                self.reach(self._adds[action])

    def gain(self, action: int, fact: int) -> None:
        """An action has one more effect."""
        self._adds[action] = (*self._adds[action], fact)
        if self._missing[action] == 0:
            self.reach([fact])

    def reach(self, facts: Iterable[int]) -> None:
        """These facts are within reach from now on, and all that follows."""
        reached, missing, users, adds = self.reached, self._missing, self._users, self._adds
        stack = list(set(facts) - reached)
        reached.update(stack)
        while stack:
            for action in users.get(stack.pop(), ()):
                missing[action] -= 1
                if missing[action] == 0:
                    for fact in adds[action]:
                        if fact not in reached:
                            reached.add(fact)
                            stack.append(fact)
