"""The rules of forward search (DESIGN §1.5) as marks, which is how the core knows them.

Under `supported` a mark says that an edge's giver was on the path and nothing has certainly ended
its token since; under `authors` edges of the start count as disclosed; under `pairwise` marks are
the edges of the agent's last public action. In a search at one k all edges into a token are one
mark; where k may grow, every edge is its own. See `src/core/mafs/node_task.hpp`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tacit import native
from tacit.party.disclosure.graph import INIT, Edge
from tacit.party.disclosure.own_numbers import OwnNumbers
from tacit.public.settings import Rule

Flat = tuple[list[int], list[int]]


@dataclass
class Marks:
    """Per mark its token and whether it is disclosed; per own action what it gives and ends."""

    token: list[int]
    disclosed: list[int]
    gives: list[list[int]]
    ends: list[list[int]]
    initial: list[int] = field(default_factory=list)

    def parts(self) -> tuple[list[int], list[int], Flat, Flat, list[int]]:
        """As the core takes them."""
        flat = native.flat
        return self.token, self.disclosed, flat(self.gives), flat(self.ends), self.initial


class Marking:
    """The marks of one agent, given what it has disclosed."""

    def __init__(
        self,
        numbers: OwnNumbers,
        disclosed: Sequence[Edge],
        grows: bool,
    ):
        self._own = numbers.own
        self._numbers = numbers
        self._told = disclosed
        self._disclosed = frozenset(disclosed)
        self._grows = grows
        self._rule = numbers.own.settings.rule

    def support(self) -> Marks:
        """Marks that decide whether an action may be taken."""
        counts = self._rule is not Rule.PAIRWISE
        if self._grows:
            free = set(self._free())
            marks = self._per_edge([edge in free for edge in self._numbers.edges])
        elif counts:
            marks = self._per_token(self._free(), disclosed=True)
        else:
            kept = [edge for edge in self._numbers.edges if edge not in self._disclosed]
            marks = self._per_token(kept, disclosed=False)
        if counts:
            self._add_ends(marks)
        return marks

    def shown(self) -> Marks:
        """Marks that others can follow: tokens given so far."""
        if self._grows:
            return self._per_edge([edge in self._disclosed for edge in self._numbers.edges])
        marks = self._per_token([edge for edge in self._told if edge.positive], disclosed=True)
        for edge in self._told:
            for action in () if edge.positive else self._own.members[edge.giver]:
                marks.ends[action].append(self._numbers.token[edge.token])
        return marks

    def _free(self) -> Sequence[Edge]:
        """Own edges that count as disclosed."""
        told = [edge for edge in self._told if edge.positive]
        if self._rule is Rule.AUTHORS:
            told += (edge for edge in self._numbers.of_start if edge not in self._disclosed)
        return told

    def _add_ends(self, marks: Marks) -> None:
        """What certainly ends a token ends all its marks."""
        if not self._grows:
            marks.ends = self._numbers.ended
            return
        of_token: dict[int, list[int]] = {}
        for mark, token in enumerate(marks.token):
            of_token.setdefault(token, []).append(mark)
        for row, ended in zip(marks.ends, self._numbers.ended, strict=True):
            row.extend(mark for token in ended for mark in of_token.get(token, ()))

    def _per_token(self, edges: Sequence[Edge], disclosed: bool) -> Marks:
        tokens = len(self._own.token_facts)
        marks = self._none(list(range(tokens)), [disclosed] * tokens)
        shown = self._numbers.token
        self._give(marks, [edge.giver for edge in edges], [shown[edge.token] for edge in edges])
        return marks

    def _per_edge(self, disclosed: Sequence[bool]) -> Marks:
        edges, shown = self._numbers.edges, self._numbers.token
        marks = self._none([shown[edge.token] for edge in edges], disclosed)
        self._give(marks, [edge.giver for edge in edges], range(len(edges)))
        return marks

    def _none(self, token: list[int], disclosed: Sequence[bool]) -> Marks:
        rows = range(len(self._numbers.tokens_of))
        return Marks(token, list(map(int, disclosed)), [[] for _ in rows], [[] for _ in rows])

    def _give(self, marks: Marks, givers: Sequence[int], given: Sequence[int]) -> None:
        """Add who gives which mark."""
        members, gives = self._own.members, marks.gives
        for giver, mark in zip(givers, given, strict=True):
            if giver == INIT:
                marks.initial.append(mark)
            else:
                for action in members[giver]:
                    gives[action].append(mark)
