"""An agent finds its private dependencies (docs/semantics.md), and what it will publish of itself.

The graph comes from the core. Here are the choices that a user can make about it, and the way
between numberings: actions of the local task, and *public* actions, which are what a ranking and
the other agents count. If settings say `merge`, own actions that look alike in every way (public
part, cost, tokens needed, achieved and deleted) are one public action, so that their number does
not show how many private objects there are; `members` has the local actions behind each. If the
agent has prices, `graph` has only what it may disclose; everything else here is as without them.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterable, Sequence
from functools import cached_property

from tacit import native
from tacit.native import Rows
from tacit.party.disclosure.graph import INIT, PRIVATE_GOAL, Edge, EdgeColumns, Graph, Work
from tacit.party.disclosure.paper_index import indexed_threats
from tacit.party.disclosure.prices import Price, Prices
from tacit.party.local.task import LocalTask
from tacit.public.settings import Chain, NoOp, Objective, Settings, Threats, Tokens

RULES = {
    Chain.OBJECT: native.ChainRule.OBJECT,
    Chain.ANY: native.ChainRule.ANY,
    Chain.TIGHT: native.ChainRule.TIGHT,
    Chain.LAST: native.ChainRule.LAST,
}

PublicPart = tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Of a public action: its cost, and the public facts it needs, adds and deletes."""


class Dependencies:
    """The tokens, edges and threats of one agent."""

    def __init__(
        self,
        task: LocalTask,
        settings: Settings,
        layers: Sequence[int] = (),
        ties: int | None = None,
        prices: Prices | None = None,
    ):
        self.task = task.per_use() if settings.tokens is Tokens.PER_USE else task
        self._prices = prices
        self.settings = settings
        self._layers = layers
        self._ties = ties
        self._core = self._find(settings.chain)
        self.token_facts: list[int] = self._core.tokens.tolist()
        self.static_facts: list[int] = self._core.static_facts.tolist()
        self.goal: tuple[int, ...] = tuple(self._core.goal)
        self.achievers: list[list[int]] = list(Rows(self._core.achievers))
        """Per token, the local actions that achieve it, and the initial state."""
        self._needs = native.tuples(self._core.needs)
        self._graph: Graph | None = None

    def _find(self, chain: Chain) -> native.DependencyGraph:
        uses_deletes = chain in (Chain.TIGHT, Chain.LAST)
        return native.dependencies(
            self.task.arrays,
            _first_arguments(self.task),
            RULES[chain],
            self.settings.no_op is NoOp.DROP,
            self._core_deletes if uses_deletes else None,
        )

    @cached_property
    def _core_deletes(self) -> native.CertainDeletes:
        return native.CertainDeletes(self.task.arrays)

    @cached_property
    def members(self) -> list[list[int]]:
        """Per public action, the local actions behind it, in the order of declaration."""
        if not self.settings.merge:
            return [[action] for action in self.public_part]
        alike: dict[object, list[int]] = {}
        first, achieved, needs = len(self.token_facts), self._achieved_tokens, self._needs
        for action, public in self.public_part.items():
            deleted = tuple([token for token in self.certain_deletes[action] if token < first])
            look = (public, needs[action], achieved[action], deleted)
            alike.setdefault(look, []).append(action)
        return list(alike.values())

    @cached_property
    def public_part(self) -> dict[int, PublicPart]:
        """Per public action of the local task, what others may see of it."""
        shown = self.task.arrays.project()
        rows = (native.tuples(part) for part in (shown.pre, shown.add, shown.del_))
        return dict(zip(shown.action, zip(shown.cost, *rows, strict=True), strict=True))

    @cached_property
    def _achieved_tokens(self) -> list[tuple[int, ...]]:
        """Per local action, the tokens it achieves."""
        return native.tuples(self._core.achieves)

    @cached_property
    def certain_deletes(self) -> list[tuple[int, ...]]:
        """Per local action, the tokens and static facts it certainly deletes.

        Static facts are numbered behind the tokens.
        """
        return native.tuples(self._core_deletes.by_action(self.task.arrays, self._facts))

    def supported_task(
        self, achiever: Sequence[int], token: Sequence[int], cost: Sequence[int]
    ) -> native.StripsTask:
        """All that the agent can do if these local actions achieve these tokens; tokens are facts
        behind those of the task.
        """
        return native.supported_task(
            self.task.arrays, self._core, self._core_deletes, achiever, token, cost
        )

    def rank_by_layers(self, layers: Sequence[int]) -> None:
        """Order equal edges by the layers in which own actions come within reach."""
        self._layers = layers
        self._graph = None

    @cached_property
    def all_needs(self) -> list[frozenset[int]]:
        """Per public action, the tokens and static facts that every action behind it needs.

        Static facts are numbered behind the tokens.
        """
        return _equal_as_one(map(self.all_needs_of, range(len(self.members))))

    def all_needs_of(self, number: int) -> frozenset[int]:
        """The same of one public action."""
        place, pre = self.place, self.task.pre
        behind = (
            frozenset(place[fact] for fact in pre[action] if fact in place)
            for action in self.members[number]
        )
        return frozenset(self.graph.needs[number]).union(frozenset.intersection(*behind))

    @cached_property
    def may_be_achieved(self) -> frozenset[int]:
        """Static facts that a public action may achieve after all, by a chain not counted.

        They are no dependencies under the rule `object`, but nothing deletes them for good either.
        """
        if self.settings.chain.is_complete:
            return frozenset()
        achieved = set(self._find(Chain.ANY).tokens)
        first = len(self.token_facts)
        return frozenset(first + n for n, fact in enumerate(self.static_facts) if fact in achieved)

    @cached_property
    def all_deletes(self) -> list[frozenset[int]]:
        """Per public action, the tokens and static facts that every action behind it deletes."""
        return _equal_as_one(
            frozenset.intersection(*(frozenset(self.certain_deletes[action]) for action in group))
            for group in self.members
        )

    @cached_property
    def number(self) -> dict[int, int]:
        """From local actions to public ones."""
        return {local: public for public, group in enumerate(self.members) for local in group}

    @property
    def graph(self) -> Graph:
        """The graph as a ranking may see it, edges in tie-break order."""
        if self._graph is None:
            self._graph = self._make_graph()
        return self._graph

    def _make_graph(self) -> Graph:
        first = [group[0] for group in self.members]
        tokens = [self._needs[action] for action in first]
        achieves = [self.public_part[action][2] for action in first]
        if self.goal:
            tokens.append(self.goal)
            achieves.append((PRIVATE_GOAL,))
        columns, price = self._may_be_disclosed(self._in_tie_order())
        return Graph(len(self.token_facts), tokens, achieves, columns, price=price)

    def _may_be_disclosed(self, columns: EdgeColumns) -> tuple[EdgeColumns, list[int]]:
        """The edges that may be disclosed, and what each costs; no prices if each costs 1."""
        if self._prices is None:
            return columns, []
        asked = [self.price(*pair) for pair in zip(columns.achiever, columns.token, strict=True)]
        places = [place for place, price in enumerate(asked) if price is not None]
        rows = (columns.achiever, columns.token, columns.positive)
        allowed = EdgeColumns(*([row[place] for place in places] for row in rows))
        return allowed, [price for price in asked if price is not None]

    def price(self, achiever: int, fact: int) -> Price:
        """What it costs to disclose that a public action, or the initial state, achieves a token,
        or that an action deletes it.

        Static facts are numbered behind the tokens.
        """
        if self._prices is None:
            return 1
        actions = [INIT] if achiever == INIT else self.members[achiever]
        return self._prices.of(actions, self._facts[fact])

    @property
    def has_prices(self) -> bool:
        return self._prices is not None

    @property
    def usual_price(self) -> int:
        """What it costs to disclose something that no rule could be about."""
        default = 1 if self._prices is None else self._prices.default
        return 1 if default is None else default

    @cached_property
    def _facts(self) -> list[int]:
        """The facts of the task behind tokens and, after them, static facts."""
        return [*self.token_facts, *self.static_facts]

    @cached_property
    def place(self) -> dict[int, int]:
        """From facts of the task to the numbers of tokens and static facts."""
        return {fact: n for n, fact in enumerate(self._facts)}

    @property
    def graph_with_deletes(self) -> Graph:
        """The graph, and which tokens actions delete, unless that is never disclosed."""
        if self.settings.threats is Threats.NONE:
            return self.graph
        count = len(self.token_facts)
        deletes = [tuple(sorted(t for t in row if t < count)) for row in self.all_deletes]
        if self._prices is not None:
            rows = enumerate(deletes)
            deletes = [tuple(t for t in row if self.price(a, t) is not None) for a, row in rows]
        return dataclasses.replace(self.graph, deletes=deletes)

    @property
    def graph_with_work(self) -> Graph:
        """The same, and what the agent itself can do, in numbers."""
        return dataclasses.replace(self.graph_with_deletes, work=self._work())

    def _work(self) -> Work:
        task, count = self.task, len(self.token_facts)
        has_costs = self.settings.objective is Objective.COST
        return Work(
            task.public_count + task.private_count,
            task.arrays.init,
            task.arrays.goal,
            task.pre,
            task.add,
            task.delete,
            task.cost if has_costs else [1] * len(task.cost),
            self.number,
            [tuple([t for t in row if t < count]) for row in self.certain_deletes],
            self.goal,
        )

    def _in_tie_order(self) -> EdgeColumns:
        ranked = self.settings.threats in (Threats.RANKED, Threats.PAPER_INDEX)
        number = [self.number.get(a, -1) for a in range(len(self.task.arrays.schema))]
        layer = list(self._layers) or [0] * len(number)
        threats = native.flat(self.direct_threats if ranked else [])
        columns = native.edges_in_order(self._core, number, layer, *threats)
        if self._ties is None:
            return EdgeColumns(*columns)
        places = list(range(len(columns[0])))
        random.Random(f"{self._ties} ties {self.task.agent}").shuffle(places)
        return EdgeColumns(*([column[place] for place in places] for column in columns))

    @property
    def _direct(self) -> list[list[int]]:
        return list(Rows(self._core.direct))

    @cached_property
    def direct_threats(self) -> list[list[int]]:
        """Per token, the local public actions that delete it and do not achieve it."""
        if self.settings.threats is Threats.PAPER_INDEX:
            return indexed_threats(self.task, self.token_facts, self.achievers, self._direct)
        return self._direct

    @property
    def counts(self) -> dict[str, int]:
        """How many tokens and edges there are, as published: merged where settings say so."""
        number = self.number
        achievers = (len({number.get(a, INIT) for a in row}) for row in self.achievers)
        deleters = (len({number[a] for a in row}) for row in self.direct_threats)
        return {
            "tokens": len(self.token_facts),
            "positive": sum(achievers),
            "negative": sum(deleters),
        }

    def describe(self, edge: Edge) -> str:
        """An edge in the names of the agent's own files, for its owner alone."""
        verb = "achieves" if edge.positive else "deletes"
        return f"{self.action_name(edge.achiever)} {verb} {self.token_name(edge.token)}"

    def token_name(self, token: int) -> str:
        """The private fact behind a token."""
        return self.task.fact_name(self.task.to_facts([self.token_facts[token]])[0])

    def private_fact_name(self, number: int) -> str:
        """The private fact behind a token or, numbered behind the tokens, a static fact."""
        return self.task.fact_name(self.task.to_facts([self._facts[number]])[0])

    def action_name(self, number: int) -> str:
        """A public action, the initial state, or the last action of private goals."""
        if number == INIT:
            return "(the initial state)"
        if number == len(self.members):
            return "(reach its private goals)"
        more = len(self.members[number]) - 1
        first = self.task.action_name(self.members[number][0])
        return f"{first} and {more} like it" if more else first


def _first_arguments(task: LocalTask) -> list[int]:
    """Per fact, a number that stands for its first argument; facts without one share a number."""
    numbers, public = task.public_first_arguments
    known = dict(numbers)
    return [*public, *(known.setdefault(name, len(known)) for name in task.private_first_arguments)]


def _equal_as_one(sets: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """These sets; equal ones, of which there are many, exist once."""
    first: dict[frozenset[int], frozenset[int]] = {}
    return [first.setdefault(each, each) for each in sets]
