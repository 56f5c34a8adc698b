"""All that could be disclosed: every agent's edges under one numbering, each with its price.

A *choice* is a set of these numbers. Edges that no plan could use are omitted: those of an action
that achieves a token it needs itself, and those whose price is None (they must never be disclosed).
An edge that costs nothing is always disclosed. `bare` is the projection with these alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from tacit.party.agent import Agent
from tacit.party.disclosure.graph import INIT, Edge
from tacit.public.disclosure import PublicEdge, PublicStep
from tacit.public.ledger import Kind, Ledger
from tacit.public.projection import Projection

Choice = frozenset[int]
Price = Callable[[str, Edge], int | None]
"""The price of an edge to its agent: a non-negative integer, or None for never."""

OBJECTIVES = ("max", "sum")


class Choices:
    """The edges that may be chosen; row n of each list belongs to edge n.

    `achiever` is an action of the projection or -1 for the initial state, `fact` the token there,
    `group` the number of the agent.
    """

    def __init__(self, agents: Mapping[str, Agent], bare: Projection, price: Price):
        self.agents = agents
        self.names = tuple(agents)
        self.achiever: list[int] = []
        self.fact: list[int] = []
        self.group: list[int] = []
        self.price: list[int] = []
        self.edges: list[Edge] = []
        self._shown: list[PublicEdge] = []
        self._always: dict[str, list[Edge]] = {name: [] for name in agents}
        self._bare = bare
        for group, (name, agent) in enumerate(agents.items()):
            edges = [edge for edge in agent.dependencies.graph.edges if edge.positive]
            for edge, shown in zip(edges, agent.disclose_exactly(edges), strict=True):
                self._add(group, edge, shown, price(name, edge))
            bare.disclose(name, agent.disclose_exactly(self._always[name]))
        self._number = {
            (self.names[group], edge): n
            for n, (group, edge) in enumerate(zip(self.group, self.edges, strict=True))
        }

    def _add(self, group: int, edge: Edge, shown: PublicEdge, price: int | None) -> None:
        agent, bare = self.names[group], self._bare
        fact = bare.tokens[agent, shown.token]
        achiever = -1 if shown.achiever == INIT else bare.number[PublicStep(agent, shown.achiever)]
        if price is None or (achiever >= 0 and fact in bare.needs[achiever]):
            return
        if price == 0:
            self._always[agent].append(edge)
            return
        self.achiever.append(achiever)
        self.fact.append(fact)
        self.group.append(group)
        self.price.append(price)
        self.edges.append(edge)
        self._shown.append(shown)

    def __len__(self) -> int:
        return len(self.edges)

    @property
    def steps(self) -> Sequence[PublicStep]:
        """The public step of each action of the projection."""
        return self._bare.steps

    @property
    def all(self) -> Choice:
        return frozenset(range(len(self)))

    def loads(self, choice: Iterable[int]) -> dict[str, int]:
        """What a choice costs each agent."""
        found = dict.fromkeys(self.names, 0)
        for n in choice:
            found[self.names[self.group[n]]] += self.price[n]
        return found

    def value(self, objective: str, choice: Iterable[int]) -> int:
        """What a choice costs: the agent that pays most, or all of them."""
        loads = self.loads(choice).values()
        return max(loads, default=0) if objective == "max" else sum(loads)

    def by_agent(self, choice: Iterable[int]) -> dict[str, list[Edge]]:
        """What each agent discloses, including what it always discloses."""
        disclosed = {name: list(edges) for name, edges in self._always.items()}
        for n in sorted(choice):
            disclosed[self.names[self.group[n]]].append(self.edges[n])
        return disclosed

    def disclose(self, choice: Iterable[int], ledger: Ledger) -> None:
        """Let the agents disclose exactly this, and enter it."""
        for name, edges in self.by_agent(choice).items():
            ledger.add(name, Kind.EDGE, self.agents[name].disclose_exactly(edges))

    def numbers(self, used: Mapping[str, Iterable[Edge]]) -> Choice:
        """Edges of agents as a choice."""
        pairs = ((name, edge) for name, edges in used.items() for edge in edges)
        return frozenset(self._number[pair] for pair in pairs if pair in self._number)

    def projection(self, choice: Iterable[int]) -> Projection:
        """The projection in which exactly this is disclosed; a copy that the caller may change."""
        bare = self._bare
        made = replace(
            bare,
            init=list(bare.init),
            goal=list(bare.goal),
            needs=list(bare.needs),
            adds=list(bare.adds),
            deletes=list(bare.deletes),
            tokens=dict(bare.tokens),
        )
        for n in sorted(choice):
            made.disclose(self.names[self.group[n]], [self._shown[n]])
        return made

    def used_in_public(self, choice: Choice, plan: Sequence[int]) -> Choice:
        """The edges of a choice that a plan of its projection uses, if tokens are never deleted."""
        by_achiever: dict[int, list[int]] = {}
        for n in sorted(choice):
            by_achiever.setdefault(self.achiever[n], []).append(n)
        had = set(self._bare.init)
        offered: dict[int, int] = {}
        used: set[int] = set()

        def offer(achiever: int) -> None:
            for n in by_achiever.get(achiever, ()):
                other = offered.get(self.fact[n])
                if other is None or self.price[n] < self.price[other]:
                    offered[self.fact[n]] = n

        offer(-1)
        for action in plan:
            for fact in self._bare.needs[action]:
                if fact not in had and fact in offered:
                    used.add(offered[fact])
                    had.add(fact)
            had.update(self._bare.adds[action])
            offer(action)
        return frozenset(used)
