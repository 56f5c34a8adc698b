"""What is certain on small views, exactly: all times of all tokens are tried.

Bounds on the times of tokens (`tacit.leakage.rounds`) lose something where either of two tokens
may have come first. Where there are few enough times, all of them are tried, with every choice of
what the initial state achieves: an edge is certain if no choice goes without it. More edges of
actions never hurt, so a choice is tried with all of them but the one in question.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, product

from tacit.leakage.rounds import Facts, Timeline
from tacit.leakage.space import Space

MOST_WORK = 200_000
"""Choices, times the edges that each may lack, times the actions that are then looked at: about a
tenth of a second. Views that take more are judged by bounds alone."""


def settle_exactly(space: Space, lines: Sequence[Timeline]) -> None:
    """Enter all edges that are certain, and all of the initial state that are excluded, if the view
    is small enough.
    """
    actions = space.actions.bit_count()
    if not lines or _choices(space, lines) * (1 + space.pairs) * (1 + actions) > MOST_WORK:
        return
    trial = _Trial(space, lines)
    initial = space.initial
    for token, own in enumerate(space.tokens):
        lacking = trial.lacking[token]
        if trial.is_possible:
            own.must |= (initial | space.actions) & ~lacking
            if not trial.initially >> token & 1:
                own.never |= initial


def _choices(space: Space, lines: Sequence[Timeline]) -> int:
    times = sum(
        math.prod(h - w + 1 for w, h in zip(line.low, line.high, strict=True)) for line in lines
    )
    return int(times) << len(space.tokens)


class _Trial:
    """`lacking`: per token the achievers without which some choice is possible."""

    def __init__(self, space: Space, lines: Sequence[Timeline]):
        self._space = space
        self._lines = lines
        self.is_possible = False
        self.lacking = [0] * len(space.tokens)
        self.initially = 0
        for chosen in self._initial_choices():
            self._try(chosen)

    def _initial_choices(self) -> Iterator[int]:
        initial, tokens = self._space.initial, self._space.tokens
        held = sum(1 << t for t, own in enumerate(tokens) if own.must & initial)
        free = [t for t, own in enumerate(tokens) if not (own.must | own.never) & initial]
        subsets = chain.from_iterable(combinations(free, n) for n in range(len(free) + 1))
        for subset in subsets:
            chosen = held | sum(1 << t for t in subset)
            if not any(all(chosen >> t & 1 for t in group) for group in self._space.coupled):
                yield chosen

    def _try(self, chosen: int) -> None:
        allowed = self._allowed(chosen)
        if not self._meets_clauses(allowed) or not self._fits(chosen, allowed):
            return
        self.is_possible = True
        self.initially |= chosen
        for token, own in enumerate(self._space.tokens):
            if not chosen >> token & 1:
                self.lacking[token] |= self._space.initial
            open_actions = self._space.actions & ~own.must & ~self.lacking[token]
            self.lacking[token] |= own.never & ~self._space.initial
            while open_actions:
                bit = open_actions & -open_actions
                open_actions ^= bit
                without = list(allowed)
                without[token] &= ~bit
                if self._meets_clauses(without) and self._fits(chosen, without):
                    self.lacking[token] |= bit

    def _allowed(self, chosen: int) -> list[int]:
        initial = self._space.initial
        return [
            (self._space.actions & ~own.never) | (initial if chosen >> token & 1 else 0)
            for token, own in enumerate(self._space.tokens)
        ]

    def _meets_clauses(self, allowed: Sequence[int]) -> bool:
        rows = zip(self._space.tokens, allowed, strict=True)
        return all(clause & mask for own, mask in rows for clause in own.clauses)

    def _fits(self, chosen: int, allowed: Sequence[int]) -> bool:
        return all(
            any(fits(line, times, chosen, allowed) for times in _times(line, chosen))
            for line in self._lines
        )


def _times(line: Timeline, chosen: int) -> Iterator[tuple[int, ...]]:
    ranges = [
        (range(line.low[t], 1) if chosen >> t & 1 else range(line.low[t], line.high[t] + 1))
        for t in range(len(line.low))
    ]
    return product(*ranges)


def fits(line: Timeline, times: Sequence[int], chosen: int, allowed: Sequence[int]) -> bool:
    """Do tokens that came at these times, those that are chosen with the initial state and the
    others by allowed achievers, explain all rounds?
    """
    facts = line.facts
    came = [
        max([line.enabled[a], *(times[t] for t in facts.tokens[a])])
        for a in range(len(line.enabled))
    ]
    if any(at < least for at, least in zip(came, line.least, strict=True)):
        return False
    return all(_explains(line, facts, r, times, came, chosen, allowed) for r in range(line.count))


def _explains(
    line: Timeline,
    facts: Facts,
    r: int,
    times: Sequence[int],
    came: Sequence[int],
    chosen: int,
    allowed: Sequence[int],
) -> bool:
    held = {t for t, at in enumerate(times) if at < r or (r == 0 and chosen >> t & 1)}
    left = {t for t, at in enumerate(times) if at == r} - held
    actions = {a for a, at in enumerate(came) if at == r}
    reached, done = line.before[r], 0
    is_new = True
    while is_new:
        able = {
            a for a in actions if not facts.needs[a] & ~reached and held.issuperset(facts.tokens[a])
        }
        for action in able:
            reached |= facts.adds[action]
            done |= 1 << action
        achieved = {t for t in left if allowed[t] & done}
        actions -= able
        held |= achieved
        left -= achieved
        is_new = bool(able or achieved)
    return not left and reached == line.after[r]
