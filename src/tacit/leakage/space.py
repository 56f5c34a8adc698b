"""The graphs that fit: per token, which sets of achievers it may have, and how many these are.

A graph has, for each token, a set of achievers: the initial state, and published actions. All that
is known is of four kinds: an achiever is in the set (`must`), or is not (`never`); at least one of
several is (a *clause*), and the first clause is that some action is, as a token that only the
initial state achieves is not published; and, over several tokens, the initial state does not
achieve all of these (`couple`). But for the last kind, tokens have nothing to do with each other,
and counts multiply. Tokens that are coupled are counted together, by whether the initial state
achieves each; where too many are, what couples them is left out, and the count is an upper bound.

Achievers are bits of integers: actions by their places among those published, then the initial
state.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import combinations, product

from tacit.leakage.bits import numbers_in

MOST_CLAUSES = 10
"""Clauses of one token that are counted exactly; of more the widest are left out."""

MOST_COUPLED = 12
"""Coupled tokens that are counted together."""


@dataclass
class Achievers:
    """What is known of one token's achievers."""

    must: int = 0
    never: int = 0
    clauses: list[int] = field(default_factory=list)


class Space:
    """The graphs over so many actions and tokens that fit what was added."""

    def __init__(self, actions: int, tokens: int):
        self.actions = (1 << actions) - 1
        self.initial = 1 << actions
        self.tokens = [Achievers(clauses=[self.actions]) for _ in range(tokens)]
        self.coupled: set[frozenset[int]] = set()
        self.is_exact = True
        """False if a count is only an upper bound."""

    @property
    def pairs(self) -> int:
        """How many edges there could be."""
        return len(self.tokens) * self.initial.bit_length()

    def copy(self) -> Space:
        return deepcopy(self)

    def add_clause(self, token: int, achievers: int) -> None:
        """At least one of these achieves the token."""
        own = self.tokens[token]
        if not any(not clause & ~achievers for clause in own.clauses):
            own.clauses = [c for c in own.clauses if achievers & ~c] + [achievers]

    def couple(self, tokens: Iterable[int]) -> None:
        """The initial state does not achieve all of these."""
        self.coupled.add(frozenset(tokens))

    # What is certain

    def settle(self) -> None:
        """Draw the conclusions that one constraint allows after the other."""
        while self._settle_tokens() | self._settle_coupled():
            pass

    def _settle_tokens(self) -> bool:
        is_new = False
        for own in self.tokens:
            for clause in own.clauses:
                left = clause & ~own.never
                if not left & own.must and left and not left & (left - 1):
                    own.must |= left
                    is_new = True
        return is_new

    def _settle_coupled(self) -> bool:
        is_new = False
        for tokens in tuple(self.coupled):
            if any(self.tokens[t].never & self.initial for t in tokens):
                self.coupled.remove(tokens)
                continue
            free = [t for t in tokens if not self.tokens[t].must & self.initial]
            if len(free) == 1:
                self.tokens[free[0]].never |= self.initial
                self.coupled.remove(tokens)
                is_new = True
        return is_new

    def certain(self) -> Iterator[tuple[int, int]]:
        """Achievers and tokens of edges that all graphs have, once it is settled."""
        for token, own in enumerate(self.tokens):
            for achiever in numbers_in(own.must):
                yield achiever, token

    # Counting

    def bits(self) -> float:
        """The logarithm, to base 2, of how many graphs fit; -inf if none does."""
        weights = [self._weights(own) for own in self.tokens]
        done = 0.0
        left = set(range(len(weights)))
        for tokens, coupled in self._components():
            done += _log2(_together(tokens, coupled, weights))
            left -= set(tokens)
        return done + sum(_log2(sum(weights[token])) for token in left)

    def bits_with_total(self, total: int) -> float:
        """The same, if it is known how many edges there are."""
        rows = [self._weights_by_size(own) for own in self.tokens]
        if self.coupled:
            raise NotImplementedError("a total, and tokens that are coupled")
        done = [1]
        for without, with_initial in rows:
            done = _times(done, _plus(without, [0, *with_initial]))[: total + 1]
        return _log2(done[total] if total < len(done) else 0)

    def _weights(self, own: Achievers) -> tuple[int, int]:
        """How many sets of actions fit: without the initial state, and with it."""
        found = []
        for has_initial in (False, True):
            parts = self._inclusions(own, has_initial)
            found.append(sum(sign << free for sign, free in parts))
        return found[0], found[1]

    def _weights_by_size(self, own: Achievers) -> tuple[list[int], list[int]]:
        found = []
        must = (own.must & self.actions).bit_count()
        for has_initial in (False, True):
            sizes = [0] * (must + self.actions.bit_count() + 1)
            for sign, free in self._inclusions(own, has_initial):
                for size in range(free + 1):
                    sizes[must + size] += sign * math.comb(free, size)
            found.append(sizes)
        return found[0], found[1]

    def _inclusions(self, own: Achievers, has_initial: bool) -> list[tuple[int, int]]:
        """Sets of free actions that meet all clauses, by inclusion and exclusion: signs, and how
        many actions are free in each term.
        """
        if (own.never if has_initial else own.must) & self.initial:
            return []
        held = own.must | (self.initial if has_initial else 0)
        free = self.actions & ~own.must & ~own.never
        open_clauses = {c & free for c in own.clauses if not c & held}
        if own.must & own.never or 0 in open_clauses:
            return []
        least = [c for c in open_clauses if not any(o != c and not o & ~c for o in open_clauses)]
        if len(least) > MOST_CLAUSES:
            self.is_exact = False
            least = sorted(least, key=int.bit_count)[:MOST_CLAUSES]
        terms = []
        for count in range(len(least) + 1):
            for chosen in combinations(least, count):
                left_out = 0
                for clause in chosen:
                    left_out |= clause
                terms.append(((-1) ** count, (free & ~left_out).bit_count()))
        return terms

    def _components(self) -> Iterator[tuple[list[int], list[frozenset[int]]]]:
        """Tokens that are coupled, directly or by way of others."""
        left = set(self.coupled)
        while left:
            sets = [left.pop()]
            tokens = set(sets[0])
            while more := [other for other in left if other & tokens]:
                sets += more
                left -= set(more)
                tokens.update(*more)
            if len(tokens) > MOST_COUPLED:
                self.is_exact = False
            else:
                yield sorted(tokens), sets


def _together(
    tokens: list[int], coupled: list[frozenset[int]], weights: list[tuple[int, int]]
) -> int:
    done = 0
    for choice in product((0, 1), repeat=len(tokens)):
        initial = {token for token, chosen in zip(tokens, choice, strict=True) if chosen}
        if any(not tokens - initial for tokens in coupled):
            continue
        weight = 1
        for token, chosen in zip(tokens, choice, strict=True):
            weight *= weights[token][chosen]
        done += weight
    return done


def _log2(count: int) -> float:
    return math.log2(count) if count else -math.inf


def _plus(one: list[int], other: list[int]) -> list[int]:
    length = max(len(one), len(other))
    rows = [row + [0] * (length - len(row)) for row in (one, other)]
    return [a + b for a, b in zip(*rows, strict=True)]


def _times(one: list[int], other: list[int]) -> list[int]:
    done = [0] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            done[i + j] += a * b
    return done
