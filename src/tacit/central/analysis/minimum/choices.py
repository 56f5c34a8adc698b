"""All that could be disclosed: every agent's edges under one numbering, each with its price.

A *choice* is a set of these numbers. Edges that give nothing a plan could use are left out: an
action that gives a token it needs itself, and an edge whose price is None (it must never be
told). An edge that costs nothing is told always. `bare` is the projection with these alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from tacit.party.agent import Agent
from tacit.party.disclosure.graph import INIT, Edge
from tacit.public.disclosure import PublicEdge, PublicStep
from tacit.public.projection import Projection

Choice = frozenset[int]
Price = Callable[[str, Edge], int | None]
"""What it costs an agent to disclose an edge: a whole number from 0, or None for never."""

OBJECTIVES = ("max", "sum")


class Choices:
    """The edges that may be chosen; row n of each list belongs to edge n.

    `giver` is an action of the projection or -1 for the start, `fact` the token there, `group` the
    number of the agent.
    """

    def __init__(self, agents: Mapping[str, Agent], bare: Projection, price: Price):
        self.agents = agents
        self.names = tuple(agents)
        self.giver: list[int] = []
        self.fact: list[int] = []
        self.group: list[int] = []
        self.price: list[int] = []
        self.edges: list[Edge] = []
        self._shown: list[PublicEdge] = []
        self._always: dict[str, list[Edge]] = {name: [] for name in agents}
        self._bare = bare
        for group, (name, agent) in enumerate(agents.items()):
            edges = [edge for edge in agent.dependencies.graph.edges if edge.positive]
            for edge, shown in zip(edges, agent.tell(edges), strict=True):
                self._add(group, edge, shown, price(name, edge))
            bare.disclose(name, agent.tell(self._always[name]))
        self._number = {
            (self.names[group], edge): n
            for n, (group, edge) in enumerate(zip(self.group, self.edges, strict=True))
        }

    def _add(self, group: int, edge: Edge, shown: PublicEdge, price: int | None) -> None:
        agent, bare = self.names[group], self._bare
        fact = bare.tokens[agent, shown.token]
        giver = -1 if shown.giver == INIT else bare.number[PublicStep(agent, shown.giver)]
        if price is None or (giver >= 0 and fact in bare.needs[giver]):
            return
        if price == 0:
            self._always[agent].append(edge)
            return
        self.giver.append(giver)
        self.fact.append(fact)
        self.group.append(group)
        self.price.append(price)
        self.edges.append(edge)
        self._shown.append(shown)

    def __len__(self) -> int:
        return len(self.edges)

    @property
    def steps(self) -> Sequence[PublicStep]:
        """What each action of the projection is to everybody."""
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
        """What each agent tells, with what it tells always."""
        told = {name: list(edges) for name, edges in self._always.items()}
        for n in sorted(choice):
            told[self.names[self.group[n]]].append(self.edges[n])
        return told

    def tell(self, choice: Iterable[int]) -> None:
        """Let the agents disclose just this."""
        for name, edges in self.by_agent(choice).items():
            self.agents[name].tell(edges)

    def numbers(self, used: Mapping[str, Iterable[Edge]]) -> Choice:
        """Edges of agents as a choice."""
        pairs = ((name, edge) for name, edges in used.items() for edge in edges)
        return frozenset(self._number[pair] for pair in pairs if pair in self._number)

    def projection(self, choice: Iterable[int]) -> Projection:
        """The projection in which just this is disclosed; whoever gets it may change it."""
        bare = self._bare
        made = replace(
            bare,
            init=list(bare.init),
            goal=list(bare.goal),
            needs=[list(row) for row in bare.needs],
            adds=[list(row) for row in bare.adds],
            deletes=[list(row) for row in bare.deletes],
            tokens=dict(bare.tokens),
        )
        for n in sorted(choice):
            made.disclose(self.names[self.group[n]], [self._shown[n]])
        return made

    def used_in_public(self, choice: Choice, plan: Sequence[int]) -> Choice:
        """The edges of a choice that a plan of its projection needs, where nothing ends a token."""
        gives: dict[int, list[int]] = {}
        for n in sorted(choice):
            gives.setdefault(self.giver[n], []).append(n)
        had = set(self._bare.init)
        offered: dict[int, int] = {}
        used: set[int] = set()

        def offer(giver: int) -> None:
            for n in gives.get(giver, ()):
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
