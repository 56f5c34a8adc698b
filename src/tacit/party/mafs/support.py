"""The rules of forward search (docs/forward.md) as support bits, which is how the core knows them.

Under `supported` a bit is set if an edge's achiever was on the path and nothing has certainly
deleted its token since; under `authors` edges of the initial state count as disclosed; under
`pairwise` the bits are the edges of the agent's last public action. In a search at one k all edges
into a token share a bit; where k may grow, every edge has its own. See
`src/core/mafs/node_task.hpp`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from tacit import native
from tacit.party.disclosure.graph import INIT, Edge
from tacit.party.disclosure.own_numbers import OwnNumbers
from tacit.public.settings import Rule

Flat = tuple[list[int], list[int]]


@dataclass
class SupportBits:
    """Per bit its token and whether it is disclosed; per own action the bits it sets and clears."""

    token: list[int]
    disclosed: list[int]
    achieves: list[list[int]]
    deletes: list[list[int]]
    initial: list[int] = field(default_factory=list)

    def parts(self) -> tuple[list[int], list[int], Flat, Flat, list[int]]:
        """As the core takes them."""
        flat = native.flat
        return self.token, self.disclosed, flat(self.achieves), flat(self.deletes), self.initial


class SupportRules:
    """Makes the support bits of one agent, given what it has disclosed."""

    def __init__(
        self,
        numbers: OwnNumbers,
        disclosed: Sequence[Edge],
        grows: bool,
        counts_threats: bool = True,
    ):
        self._own = numbers.own
        self._numbers = numbers
        self._edges = disclosed
        self._disclosed = frozenset(disclosed)
        self._grows = grows
        self._counts_threats = counts_threats
        self._rule = numbers.own.settings.rule

    def support(self) -> SupportBits:
        """Bits that decide whether an action may be taken."""
        counts = self._rule is not Rule.PAIRWISE
        if self._grows:
            free = set(self._free())
            bits = self._per_edge([edge in free for edge in self._numbers.edges])
        elif counts:
            bits = self._per_token(self._free(), disclosed=True)
        else:
            secret = [edge for edge in self._numbers.edges if edge not in self._disclosed]
            bits = self._per_token(secret, disclosed=False)
        if counts:
            self._add_deletes(bits)
        return bits

    def shown(self) -> SupportBits:
        """Bits that others can follow: tokens achieved so far. Disclosed threats count in them
        unless values must be bounds: a threat may come true in some of an action's forms only.
        """
        if self._grows:
            return self._per_edge([edge in self._disclosed for edge in self._numbers.edges])
        bits = self._per_token([edge for edge in self._edges if edge.positive], disclosed=True)
        for edge in self._edges if self._counts_threats else ():
            for action in () if edge.positive else self._own.members[edge.achiever]:
                bits.deletes[action].append(self._numbers.token[edge.token])
        return bits

    def _free(self) -> Sequence[Edge]:
        """Own edges that count as disclosed."""
        free = [edge for edge in self._edges if edge.positive]
        if self._rule is Rule.AUTHORS:
            free += (edge for edge in self._numbers.initial_edges if edge not in self._disclosed)
        return free

    def _add_deletes(self, bits: SupportBits) -> None:
        """What certainly deletes a token clears all its bits."""
        if not self._grows:
            bits.deletes = self._numbers.deletes
            return
        of_token: dict[int, list[int]] = {}
        for bit, token in enumerate(bits.token):
            of_token.setdefault(token, []).append(bit)
        for row, deleted in zip(bits.deletes, self._numbers.deletes, strict=True):
            row.extend(chain.from_iterable(of_token.get(token, ()) for token in deleted))

    def _per_token(self, edges: Sequence[Edge], disclosed: bool) -> SupportBits:
        tokens = len(self._own.token_facts)
        bits = self._none(list(range(tokens)), [disclosed] * tokens)
        shown = self._numbers.token
        self._set(bits, [edge.achiever for edge in edges], [shown[edge.token] for edge in edges])
        return bits

    def _per_edge(self, disclosed: Sequence[bool]) -> SupportBits:
        edges, shown = self._numbers.edges, self._numbers.token
        bits = self._none([shown[edge.token] for edge in edges], disclosed)
        self._set(bits, [edge.achiever for edge in edges], range(len(edges)))
        return bits

    def _none(self, token: list[int], disclosed: Sequence[bool]) -> SupportBits:
        rows = range(len(self._numbers.tokens_of))
        return SupportBits(token, list(map(int, disclosed)), [[] for _ in rows], [[] for _ in rows])

    def _set(self, bits: SupportBits, achievers: Sequence[int], achieved: Sequence[int]) -> None:
        """Let each of these achievers set a bit."""
        members, achieves = self._own.members, bits.achieves
        for achiever, bit in zip(achievers, achieved, strict=True):
            if achiever == INIT:
                bits.initial.append(bit)
            else:
                for action in members[achiever]:
                    achieves[action].append(bit)
