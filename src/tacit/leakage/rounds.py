"""What follows from when public facts came within an agent's reach.

While grounding agents tell each other in turns what they could newly make true if nothing were ever
deleted; an agent's turns are its *rounds* here. An observer knows all public facts of each round,
and what every action needs and adds. An action whose needs were there and whose effects were not
was out of reach: one of its tokens was. A new fact was made by an action, all of whose tokens were
there. So every token has a *time*, the round in which it came within reach, between bounds that are
found here.

What achieved a token, the first time? Before any public action of the agent: its initial state. In
a round: a public action that came within reach in that round, and did so without the token. This
is where edges and facts differ. A private action may need two private facts, so a token may come
later than an action that has an edge into it, and a late token excludes no edge of an action. But
the last piece of it was achieved by *some* action of that round, and the initial state alone
achieves at once what it achieves at all. That excludes edges of the initial state.

This is so if private actions have no public preconditions, and if the rule by which an agent has
its edges counts all that contributes (`Chain.is_complete`). Otherwise all that is certain is that a
token that came before any action came from the initial state. One case is not covered: under the
rules `tight` and `last` an action that contributes a private fact and certainly ends another one,
both of which one private action needs, has no edge though it is the last piece. None of 22,000
random owners was of that kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tacit.leakage.bits import bits, numbers_in
from tacit.leakage.reading.knowledge import Round
from tacit.public.protocol.messages import Publication

MOST_CHAINS = 5_000_000
"""Tokens times actions up to which chains of own actions within a round are followed; beyond that
more actions are taken to be possible achievers than are, which is safe."""


class Impossible(Exception):
    """No world fits these rounds: the agent, or its rule, is not as supposed."""


@dataclass
class Facts:
    """What is known of an agent's actions and tokens, as bits of integers."""

    part: Publication
    needs: list[int] = field(default_factory=list)
    adds: list[int] = field(default_factory=list)
    tokens: list[tuple[int, ...]] = field(default_factory=list)
    users: list[int] = field(default_factory=list)
    """Per token, the actions that need it, by their places."""

    def __post_init__(self) -> None:
        self.needs = [bits(action.needs) for action in self.part.actions]
        self.adds = [bits(action.adds) for action in self.part.actions]
        self.tokens = [action.tokens for action in self.part.actions]
        self.users = [0] * self.part.tokens
        for place, tokens in enumerate(self.tokens):
            for token in tokens:
                self.users[token] |= 1 << place

    @property
    def initial(self) -> int:
        """The bit of the initial state, behind those of the actions."""
        return 1 << len(self.needs)

    @cached_property
    def makers(self) -> dict[int, list[int]]:
        """Per public fact, the actions that add it."""
        found: dict[int, list[int]] = {}
        for place, action in enumerate(self.part.actions):
            for fact in action.adds:
                found.setdefault(fact, []).append(place)
        return found


class Timeline:
    """The rounds of one agent; `low` and `high` bound the time of each token.

    A time that equals the number of rounds is later than what was seen.
    """

    def __init__(self, facts: Facts, rounds: Sequence[Round]):
        self.facts = facts
        self.count = len(rounds)
        self.before: list[int] = []
        self.after: list[int] = []
        reached = 0
        for answer in rounds:
            self.before.append(reached | bits(answer.known))
            reached = self.before[-1] | bits(answer.news)
            self.after.append(reached)
        self.enabled = [self._first(needs) for needs in facts.needs]
        least = map(self._first, facts.adds)
        self.least = [max(pair) for pair in zip(self.enabled, least, strict=True)]
        """The round from which on an action may be within reach."""
        self.low = [0] * len(facts.users)
        self.high = [self.count] * len(facts.users)

    def _first(self, facts: int) -> int:
        """The first round at the end of which all these facts are there."""
        return next((r for r, known in enumerate(self.after) if not facts & ~known), self.count)

    @cached_property
    def late(self) -> list[int]:
        """Actions that were out of reach though their needs were there."""
        return [a for a, least in enumerate(self.least) if least > self.enabled[a]]

    @cached_property
    def _makers(self) -> list[tuple[int, list[int]]]:
        """Each new fact, as its round and the actions that could have made it."""
        return [
            (r, [a for a in self.facts.makers.get(fact, ()) if self.enabled[a] <= r])
            for r in range(self.count)
            for fact in numbers_in(self.after[r] & ~self.before[r])
        ]

    def narrow(self) -> None:
        """Narrow the bounds until nothing more follows; `Impossible` if nothing fits."""
        while self._narrow_late() | self._narrow_made() | self._narrow_achieved():
            pass

    def earliest(self, action: int) -> int:
        return max([self.enabled[action], *(self.low[t] for t in self.facts.tokens[action])])

    def latest(self, action: int) -> int:
        return max([self.enabled[action], *(self.high[t] for t in self.facts.tokens[action])])

    def _narrow_late(self) -> bool:
        is_new = False
        for action in self.late:
            least = self.least[action]
            blocking = [t for t in self.facts.tokens[action] if self.high[t] >= least]
            if not blocking:
                raise Impossible
            if len(blocking) == 1 and self.low[blocking[0]] < least:
                self.low[blocking[0]] = least
                is_new = True
        return is_new

    def _narrow_made(self) -> bool:
        is_new = False
        for r, actions in self._makers:
            makers = [a for a in actions if self.earliest(a) <= r <= self.latest(a)]
            if not makers:
                raise Impossible
            common = set(self.facts.tokens[makers[0]])
            for maker in makers[1:]:
                common &= set(self.facts.tokens[maker])
                if not common:
                    break
            for token in common:
                if self.high[token] > r:
                    self.high[token] = r
                    is_new = True
                if self.low[token] > r:
                    raise Impossible
        return is_new

    def _narrow_achieved(self) -> bool:
        """A token comes with an action; nothing else is new in a round."""
        new = self._new_actions
        is_new = False
        for token, users in enumerate(self.facts.users):
            low = self.low[token]
            while 0 < low < self.count and not new[low] & ~users:
                low += 1
            if low != self.low[token]:
                self.low[token] = low
                is_new = True
            if low > self.high[token]:
                raise Impossible
        return is_new

    @property
    def _new_actions(self) -> list[int]:
        """Per round, the actions that may have come within reach in it."""
        found = [0] * (self.count + 1)
        for action in range(len(self.enabled)):
            bit = 1 << action
            for r in range(self.earliest(action), self.latest(action) + 1):
                found[r] |= bit
        return found

    def achievers(self) -> Iterator[tuple[int, int]]:
        """Each token whose time is known to be seen, with what may have achieved it first."""
        new = self._new_actions
        follows = len(self.enabled) * len(self.low) <= MOST_CHAINS
        chains = [_Chains(self, r, new[r]) if follows else None for r in range(self.count)]
        for token, (low, high) in enumerate(zip(self.low, self.high, strict=True)):
            if high >= self.count:
                continue
            found = self.facts.initial if low == 0 else 0
            for r in range(low, high + 1):
                chain = chains[r]
                users = self.facts.users[token]
                found |= new[r] & ~users if chain is None else chain.without(users)
            yield token, found

    def coupled(self) -> Iterator[frozenset[int]]:
        """Sets of tokens not all of which the initial state achieves."""
        for action in self.late:
            least = self.least[action]
            tokens = [t for t in self.facts.tokens[action] if self.high[t] >= least]
            if not any(self.low[t] > 0 for t in tokens):
                yield frozenset(tokens)


class _Chains:
    """Actions that may be new in a round: some at once, others by facts that own actions make."""

    def __init__(self, line: Timeline, r: int, new: int):
        self._facts = line.facts
        self._before = line.before[r]
        needs = line.facts.needs
        self._at_once = bits(a for a in numbers_in(new) if not needs[a] & ~self._before)
        self._later = list(numbers_in(new & ~self._at_once))
        self._known: dict[int, int] = {}

    def without(self, users: int) -> int:
        """Those that do not need a token, nor a fact that only its users make."""
        if not self._later:
            return self._at_once & ~users
        if users not in self._known:
            self._known[users] = self._follow(users)
        return self._known[users]

    def _follow(self, users: int) -> int:
        facts, done = self._facts, self._at_once & ~users
        reached = self._before
        for action in numbers_in(done):
            reached |= facts.adds[action]
        left = [a for a in self._later if not users >> a & 1]
        is_new = True
        while is_new:
            is_new = False
            for action in left:
                if not done >> action & 1 and not facts.needs[action] & ~reached:
                    done |= 1 << action
                    reached |= facts.adds[action]
                    is_new = True
        return done


def initial_only(facts: Facts, rounds: Sequence[Round]) -> Iterator[int]:
    """Tokens that came within reach before any public action could have been done: the initial
    state achieves them, whatever the rule.
    """
    reached = 0
    for answer in rounds:
        before = reached | bits(answer.known)
        reached = before | bits(answer.news)
        at_once = bits(a for a, needs in enumerate(facts.needs) if not needs & ~before)
        for fact in answer.news:
            if before >> fact & 1:
                continue
            makers = [a for a in facts.makers.get(fact, ()) if not facts.needs[a] & ~reached]
            common = set.intersection(*(set(facts.tokens[a]) for a in makers)) if makers else ()
            yield from (token for token in common if not at_once & ~facts.users[token])
