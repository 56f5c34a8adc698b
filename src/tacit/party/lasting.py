"""What an agent's peers know from earlier runs, and what its owner still lets it disclose.

The owner keeps it (`tacit.net.lasting` on a disk); an agent sees no more of it than `Lasting`. It
is in the owner's names, because numbers are shuffled anew in each run: an edge is a private fact
and the ground actions that were published as its achiever.

What all peers of a run know already costs nothing: it is recalled before anything else, and counts
against no bound. Anything else is entered *before* it is disclosed, and is not disclosed if
a bound forbids it. What speaks about the initial state (its edges, restored tokens, prefixes of
plans) is true of that state alone, so it is known and counted for that state alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT, Edge, Graph
from tacit.party.disclosure.public_view import Shuffle
from tacit.public import disclosure
from tacit.public.disclosure import FINISH, PublicEdge, RestoredToken
from tacit.public.ledger import Entry, Kind, Prefix


@dataclass(frozen=True, slots=True)
class LastingItem:
    """Something disclosed, in the owner's names.

    `actions` are the ground actions behind an achiever, or own steps of a prefix; none for the
    initial state. `fact` is the private fact that is achieved or deleted, if there is one.
    """

    kind: Kind
    actions: tuple[str, ...]
    fact: str | None = None
    positive: bool = True
    joint: bool = False
    price: int = 1
    alike: str = ""
    """The class of an edge by name, where classes count."""

    @property
    def is_of_state(self) -> bool:
        """Does it speak about the initial state?"""
        return self.kind in (Kind.TOKEN, Kind.PREFIX) or not self.actions


class Lasting(Protocol):
    """What the peers of this run know, as their owner keeps it."""

    @property
    def is_bounded(self) -> bool:
        """Has the owner any bound?"""

    @property
    def repairs_left(self) -> int | None:
        """How many repairs the owner still allows; None for any number."""

    @property
    def knows_nothing(self) -> bool:
        """Is there a peer that knows nothing yet?"""

    def knows(self, item: LastingItem) -> bool:
        """Do all peers know this already?"""

    def enter(self, items: Sequence[LastingItem]) -> bool:
        """Write down what is about to be disclosed; False, and nothing is written, if a bound
        forbids it.
        """

    def draw(self, item: LastingItem) -> float:
        """A number between 0 and 1, drawn once for this item and this task."""


class Memory:
    """A `Lasting` in the numbers of one agent's dependencies."""

    def __init__(self, lasting: Lasting, own: Dependencies):
        self.lasting = lasting
        self._own = own
        self._action_names: dict[int, tuple[str, ...]] = {}
        self._fact_names: dict[int, str] = {}
        self._class_of: Callable[[Edge], str] | None = None

    def count_classes(self, class_of: Callable[[Edge], str]) -> None:
        """From now on an edge counts by its class, for which this has a name."""
        self._class_of = class_of

    @property
    def counts_classes(self) -> bool:
        return self._class_of is not None

    # In own numbers

    def take(self, edge: Edge) -> bool:
        """Enter an edge that is about to be disclosed; False if a bound forbids it."""
        return self.lasting.enter([self._counted(edge)])

    def knows_threat(self, action: int, fact: int) -> bool:
        """Do all peers know that a public action deletes a fact? Static facts are numbered behind
        the tokens.
        """
        return self.lasting.knows(self._edge(Kind.THREAT, Edge(action, fact, positive=False)))

    def knows_token(self, fact: int) -> bool:
        """Do all peers know that this static fact was restored?"""
        return self.lasting.knows(LastingItem(Kind.TOKEN, (), self._fact_name(fact)))

    def enter_free(self, edges: Sequence[Edge]) -> None:
        """Enter what is published without being counted."""
        self.lasting.enter([self._edge(Kind.FREE, edge) for edge in edges])

    @property
    def known_edges(self) -> tuple[Edge, ...]:
        """The edges that all peers know already."""
        edges = () if self.lasting.knows_nothing else self._own.graph.edges
        return tuple(e for e in edges if self.lasting.knows(self._edge(Kind.EDGE, e)))

    def drawn(self, graph: Graph) -> Graph:
        """The same graph with a number drawn for each edge, the same in every run of the task."""
        draws = [self.lasting.draw(self._edge(Kind.EDGE, edge)) for edge in graph.edges]
        return replace(graph, draws=draws)

    # As others see it

    def enter(
        self,
        entries: Sequence[Entry],
        numbers: tuple[Shuffle, Shuffle],
        static_fact: Callable[[int], int | None],
    ) -> bool:
        """Enter new entries of the run's ledger, which are about to be sent."""
        translate = _Translation(self, numbers, static_fact)
        return self.lasting.enter([translate.item(entry) for entry in entries])

    # In names

    def _counted(self, edge: Edge) -> LastingItem:
        """An edge with its class, where that counts."""
        item = self._edge(Kind.EDGE, edge)
        return item if self._class_of is None else replace(item, alike=self._class_of(edge))

    def _edge(self, kind: Kind, edge: Edge) -> LastingItem:
        own = self._own
        actions = () if edge.achiever == INIT else self.action_names(edge.achiever)
        price = own.price(edge.achiever, edge.token) or 0
        return LastingItem(kind, actions, self._fact_name(edge.token), edge.positive, price=price)

    def action_names(self, action: int) -> tuple[str, ...]:
        """The ground actions behind a public one."""
        found = self._action_names.get(action)
        if found is None:
            found = tuple(sorted(map(self._own.task.action_name, self._own.members[action])))
            self._action_names[action] = found
        return found

    def _fact_name(self, fact: int) -> str:
        """A token or, numbered behind the tokens, a static fact."""
        found = self._fact_names.get(fact)
        if found is None:
            found = self._fact_names[fact] = self._own.private_fact_name(fact)
        return found

    def edge_named(self, kind: Kind, achiever: int, fact: int, positive: bool) -> LastingItem:
        """An edge between a public action, or the initial state, and a token or static fact."""
        edge = Edge(achiever, fact, positive)
        return self._counted(edge) if kind is Kind.EDGE else self._edge(kind, edge)

    def token_named(self, fact: int) -> LastingItem:
        """A static fact that is restored as a token."""
        return LastingItem(Kind.TOKEN, (), self._fact_name(fact))


class _Translation:
    """From entries of the run's ledger, in published numbers, to what the owner keeps."""

    def __init__(
        self,
        memory: Memory,
        numbers: tuple[Shuffle, Shuffle],
        static_fact: Callable[[int], int | None],
    ):
        self._memory = memory
        self._actions, self._tokens = numbers
        self._static_fact = static_fact

    def item(self, entry: Entry) -> LastingItem:
        item = entry.item
        if isinstance(item, PublicEdge):
            initial = item.achiever == disclosure.INIT
            achiever = INIT if initial else self._actions.own[item.achiever]
            fact = self._fact(item.token)
            return self._memory.edge_named(entry.kind, achiever, fact, item.positive)
        if isinstance(item, RestoredToken):
            return self._memory.token_named(self._fact(item.token))
        return self._prefix(entry.agent, item)

    def _fact(self, token: int) -> int:
        """A token, or the static fact behind a restored one."""
        if token < len(self._tokens.own):
            return self._tokens.own[token]
        found = self._static_fact(token)
        assert found is not None, "a token that was never restored"
        return found

    def _prefix(self, agent: str, prefix: Prefix) -> LastingItem:
        own = [step.action for step in prefix.steps if step.agent == agent]
        names = tuple(
            "(reach its private goals)"
            if action == FINISH
            else " or ".join(self._memory.action_names(self._actions.own[action]))
            for action in own
        )
        return LastingItem(Kind.PREFIX, names, joint=prefix.joint)
