"""The projection Π: one classical task made of what all agents published (docs/solving.md).

Facts are the public facts, then every agent's tokens, then, for an agent with private goals, one
fact "may still act" and one fact "has finished". A published edge is an add effect, or a delete
effect if it is a threat; an edge from an agent's initial state makes its token hold initially.
The last action of an agent with private goals needs their tokens; no own action may follow it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tacit.public.disclosure import FINISH, INIT, PublicEdge, PublicStep, RestoredToken
from tacit.public.protocol.messages import Publication
from tacit.public.relaxed import Relaxed, Rules
from tacit.public.task import PublicTask


@dataclass
class Projection:
    """A classical task in lists of numbers; row a of each list belongs to action a. Rows are those
    of the publications as far as possible, so they are replaced and never changed.
    """

    facts: int
    init: list[int]
    goal: list[int]
    needs: list[Sequence[int]] = field(default_factory=list)
    adds: list[Sequence[int]] = field(default_factory=list)
    deletes: list[Sequence[int]] = field(default_factory=list)
    cost: list[int] = field(default_factory=list)
    group: list[int] = field(default_factory=list)
    steps: list[PublicStep] = field(default_factory=list)
    tokens: dict[tuple[str, int], int] = field(default_factory=dict)
    number: dict[PublicStep, int] = field(default_factory=dict)
    is_pessimistic: bool = False

    @classmethod
    def of(
        cls,
        public: PublicTask,
        published: Mapping[str, Publication],
        between: Callable[[], None] = lambda: None,
    ) -> Projection:
        """The projection with nothing disclosed; `between` is called between two agents.

        Where there are many agents it takes long.
        """
        made = cls(len(public.facts), list(public.init), list(public.goal))
        for group, (agent, part) in enumerate(published.items()):
            between()
            for token in range(part.tokens):
                made.tokens[agent, token] = made._new_fact()
            made._add_actions(agent, group, part)
        return made

    def is_plan(self, plan: Sequence[int]) -> bool:
        """Can these actions be done one after the other, and are the goals true in the end?"""
        state = set(self.init)
        for action in plan:
            if not state.issuperset(self.needs[action]):
                return False
            state.difference_update(self.deletes[action])
            state.update(self.adds[action])
        return state.issuperset(self.goal)

    def copy(self) -> Projection:
        """One of its own to put edges in; what edges do not change is shared."""
        return replace(
            self,
            init=self.init.copy(),
            needs=self.needs.copy(),
            adds=self.adds.copy(),
            deletes=self.deletes.copy(),
            tokens=self.tokens.copy(),
        )

    def _add_actions(self, agent: str, group: int, part: Publication) -> None:
        may_act = [self._new_fact()] if part.has_private_goal else []
        self.init += may_act
        for action in part.actions:
            tokens = [self.tokens[agent, token] for token in action.tokens]
            self._add_action(
                PublicStep(agent, action.id),
                group,
                (*action.needs, *tokens, *may_act) if tokens or may_act else action.needs,
                action.adds,
                action.deletes,
                action.cost,
            )
        if may_act:
            finished = self._new_fact()
            self.goal.append(finished)
            goal = [self.tokens[agent, token] for token in part.goal]
            self._add_action(
                PublicStep(agent, FINISH), group, goal + may_act, [finished], may_act, 0
            )

    def _add_action(
        self,
        step: PublicStep,
        group: int,
        needs: Sequence[int],
        adds: Sequence[int],
        deletes: Sequence[int],
        cost: int,
    ) -> None:
        self.number[step] = len(self.steps)
        self.steps.append(step)
        self.needs.append(needs)
        self.adds.append(adds)
        self.deletes.append(deletes)
        self.cost.append(cost)
        self.group.append(group)

    def _new_fact(self) -> int:
        self.facts += 1
        return self.facts - 1

    def disclose(self, agent: str, edges: Iterable[PublicEdge]) -> None:
        """Put published edges in."""
        for edge in edges:
            fact = self.tokens[agent, edge.token]
            if edge.achiever == INIT:
                self.init.append(fact)
                continue
            action = self.number[PublicStep(agent, edge.achiever)]
            rows = self.adds if edge.positive else self.deletes
            rows[action] = (*rows[action], fact)

    def restore(self, agent: str, restored: Iterable[RestoredToken]) -> None:
        """Put in static tokens: they hold initially."""
        for item in restored:
            fact = self.tokens[agent, item.token] = self._new_fact()
            self.init.append(fact)
            for action in item.needed_by:
                number = self.number[PublicStep(agent, action)]
                self.needs[number] = (*self.needs[number], fact)

    def named(self, plan: Iterable[int]) -> tuple[PublicStep, ...]:
        """The steps of a plan, which a planner knows by their rows."""
        return tuple(self.steps[number] for number in plan)

    def pessimistic(self) -> Projection:
        """The same, but every action deletes the tokens it needs unless it is known to achieve
        them.

        What really deletes them may be a secret. Hands are full after they have taken something,
        and this assumes that most tokens are like that. Its plans are plans of this projection too,
        and more of them can be extended. If it has none, that means nothing.
        """
        tokens = set(self.tokens.values())
        deletes = list[Sequence[int]]()
        for needs, adds, known in zip(self.needs, self.adds, self.deletes, strict=True):
            consumed = [f for f in needs if f in tokens and f not in adds and f not in known]
            deletes.append((*known, *consumed) if consumed else known)
        return replace(self, deletes=deletes, is_pessimistic=True)

    def is_relaxed_reachable(self) -> bool:
        """Could the goal be reached if nothing were ever deleted? If not, there is no plan."""
        return Reach(self).has_goal


class Reach:
    """What a projection reaches if nothing is ever deleted. It grows with every edge."""

    def __init__(self, projection: Projection):
        self._projection = projection
        self._relaxed = Relaxed(Rules(projection.needs, projection.adds), projection.init)

    @property
    def reached(self) -> set[int]:
        """All facts that are within reach."""
        return set(self._relaxed.reached)

    @property
    def has_goal(self) -> bool:
        return self._relaxed.reached.issuperset(self._projection.goal)

    def disclose(self, agent: str, edge: PublicEdge) -> None:
        """One more edge is known."""
        if not edge.positive:
            return
        fact = self._projection.tokens[agent, edge.token]
        if edge.achiever == INIT:
            self._relaxed.reach([fact])
        else:
            self._relaxed.gain(self._projection.number[PublicStep(agent, edge.achiever)], fact)
