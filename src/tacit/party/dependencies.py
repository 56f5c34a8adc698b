"""An agent finds its private dependencies (DESIGN §1.2).

The graph itself comes from the core; here are the choices that a user can make about it, and the
way between the three numberings: actions of the local task, public actions among themselves (what
a ranking sees), and names (for the owner's own eyes).
"""

from __future__ import annotations

import enum
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from tacit import native
from tacit.native import Rows
from tacit.party.graph import PRIVATE_GOAL, EdgeColumns, Graph
from tacit.party.local import LocalTask


class Chain(enum.Enum):
    """Through which facts a chain of private actions may lead to a dependency."""

    OBJECT = "object"
    ANY = "any"


class NoOp(enum.Enum):
    """Whether adding a fact that the action also needs counts as giving it."""

    DROP = "drop"
    KEEP = "keep"


class Threats(enum.Enum):
    """What is told about actions that end a token."""

    NONE = "none"
    ON_DEMAND = "on-demand"
    RANKED = "ranked"
    KNOWN = "known"
    PAPER_INDEX = "paper-index"


@dataclass(frozen=True, slots=True)
class Rules:
    """The choices that decide what counts as a dependency."""

    chain: Chain = Chain.OBJECT
    no_op: NoOp = NoOp.DROP
    threats: Threats = Threats.ON_DEMAND


class Dependencies:
    """The tokens, edges and threats of one agent."""

    def __init__(
        self,
        task: LocalTask,
        others: Sequence[native.Projection],
        rules: Rules,
        ties: int | None = None,
    ):
        self.task = task
        self.rules = rules
        self._others = others
        self._ties = ties
        groups = first_arguments(task)
        self._core = native.dependencies(
            task.arrays, groups, rules.chain is Chain.ANY, rules.no_op is NoOp.DROP
        )
        self.token_facts: list[int] = self._core.tokens.tolist()
        self.actions = [a for a, shown in enumerate(task.arrays.is_public) if shown]

    @cached_property
    def graph(self) -> Graph:
        """The graph as a ranking may see it, edges in tie-break order."""
        count = self.task.public_count
        needs, adds = Rows(self._core.needs), self.task.add
        tokens = [tuple(needs[action]) for action in self.actions]
        achieves = [tuple(f for f in adds[action] if f < count) for action in self.actions]
        if goal := tuple(self._core.goal):
            tokens.append(goal)
            achieves.append((PRIVATE_GOAL,))
        return Graph(len(self.token_facts), tokens, achieves, self._in_tie_order())

    def _in_tie_order(self) -> EdgeColumns:
        ranked = self.rules.threats in (Threats.RANKED, Threats.PAPER_INDEX)
        threats = self.direct_threats if ranked else []
        starts = list(accumulate((len(row) for row in threats), initial=0))
        columns = native.edges_in_order(
            self._core,
            self.task.arrays,
            list(native.relaxed_layers(self.task.arrays, list(self._others))),
            starts,
            [action for row in threats for action in row],
        )
        if self._ties is None:
            return EdgeColumns(*columns)
        places = list(range(len(columns[0])))
        random.Random(self._ties).shuffle(places)
        return EdgeColumns(*([column[place] for place in places] for column in columns))

    @cached_property
    def direct_threats(self) -> list[list[int]]:
        """Per token, the public actions (local numbers) that delete it and do not give it."""
        if self.rules.threats is Threats.PAPER_INDEX:
            return self._indexed_threats()
        return list(Rows(self._core.direct))

    def _indexed_threats(self) -> list[list[int]]:
        """As the paper's program counts: deleting a fact also negates those of its siblings (same
        predicate and first argument) that the initial state gives.
        """
        key_of = [(predicate, args[:1]) for predicate, args in self.task.fact_atoms()]
        givers = [set(row) for row in Rows(self._core.givers)]
        siblings: dict[object, list[int]] = {}
        for token, fact in enumerate(self.token_facts):
            if native.INIT in givers[token]:
                siblings.setdefault(key_of[fact], []).append(token)
        found = [set(row) for row in Rows(self._core.direct)]
        for action in self.actions:
            for key in {key_of[fact] for fact in self.task.delete[action]}:
                for token in siblings.get(key, ()):
                    if action not in givers[token]:
                        found[token].add(action)
        return [sorted(actions) for actions in found]

    @property
    def counts(self) -> dict[str, int]:
        """How many tokens and edges there are."""
        return {
            "tokens": len(self.token_facts),
            "positive": len(Rows(self._core.givers).items),
            "negative": sum(map(len, self.direct_threats)),
        }


def first_arguments(task: LocalTask) -> list[int]:
    """Per fact, a number that stands for its first argument; facts without one share a number."""
    numbers: dict[str | None, int] = {}
    return [
        numbers.setdefault(args[0] if args else None, len(numbers)) for _, args in task.fact_atoms()
    ]
