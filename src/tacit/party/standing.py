"""An agent that takes part: what it publishes and discloses, and the numbers it goes by.

Its actions and tokens have numbers of its own and, for others to see, a seeded shuffle of them;
this is the only place that knows both sides of that.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cached_property

from tacit import watch
from tacit.errors import ProtocolError
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.exploration import Exploration
from tacit.party.disclosure.graph import INIT, Edge
from tacit.party.disclosure.kept import Kept
from tacit.party.disclosure.order import Order
from tacit.party.disclosure.own_numbers import OwnNumbers
from tacit.party.disclosure.prices import Prices
from tacit.party.disclosure.public_view import PublicView, Shuffle, show
from tacit.party.disclosure.ranking import RANKINGS, listens
from tacit.party.extension.extension import Extender, Place
from tacit.party.extension.replanning import Step
from tacit.party.local.task import LocalTask
from tacit.public import disclosure
from tacit.public.disclosure import FINISH, PublicEdge, PublicStep
from tacit.public.protocol.messages import Disclosed, Publish, Published, Told, Turn
from tacit.public.settings import Settings, Threats
from tacit.public.task import PublicAction


class Standing:
    """What an agent knows once it has been asked to publish."""

    def __init__(
        self,
        task: LocalTask,
        question: Publish,
        seed: int | str,
        ties: int | None,
        prices: Prices | None = None,
        budget: int | None = None,
    ):
        if prices is not None:
            prices.table.check(question.settings)
        self._budget = budget
        self.settings: Settings = question.settings
        self.task = task
        self.seed = random.Random(f"{seed} ranking {task.agent}").getrandbits(32)
        self._ranking_name = question.ranking
        self.dependencies = Dependencies(task, question.settings, ties=ties, prices=prices)
        own = self.dependencies
        self.actions = Shuffle.of(len(own.members), f"{seed} actions {task.agent}")
        self.tokens = Shuffle.of(len(own.token_facts), f"{seed} tokens {task.agent}")
        self._public: dict[PublicStep, PublicAction] = {}
        self.published: dict[str, Published] = {}
        self._order: Order | None = None
        self.disclosed: list[Edge] = []
        self.extender = Extender(own, self.seed)
        self.exploration = Exploration(task)

    @cached_property
    def own_numbers(self) -> OwnNumbers:
        return OwnNumbers(self.dependencies, self.actions.shown, self.tokens.shown)

    def publish(self) -> Published:
        own, task, count = self.dependencies, self.task, self.task.public_count
        actions = []
        for number, group in enumerate(watch.checked(own.members)):
            cost, needs, adds, deletes = own.public_part[group[0]]
            tokens = tuple(sorted([self.tokens.shown[t] for t in own.graph.needs[number]]))
            name = self.actions.shown[number]
            actions.append(PublicAction(task.agent, name, cost, needs, adds, deletes, tokens))
        actions.sort(key=lambda action: action.id)
        self._remember(actions)
        goal = tuple(sorted(self.tokens.shown[token] for token in own.goal))
        has_goal = any(fact >= count for fact in task.arrays.goal)
        tokens_in_all, hears = len(own.token_facts), listens(RANKINGS.get(self._ranking_name))
        looks = self.extender.others_matter
        self._own = Published(
            task.agent, tuple(actions), tokens_in_all, goal, has_goal, looks, hears
        )
        return self._own

    def _remember(self, actions: Sequence[PublicAction]) -> None:
        for action in actions:
            self._public[PublicStep(action.agent, action.id)] = action

    def explore(self, facts: Sequence[int]) -> tuple[int, ...]:
        """The public facts that I could newly make true, given that the others can these."""
        if not all(0 <= fact < self.task.public_count for fact in facts):
            raise ProtocolError("a public fact is within reach that nobody knows")
        return self.exploration.hear(facts)

    def meet(self, others: Sequence[Published]) -> None:
        """Hear what the others published; the exploration that decides ties is over by now."""
        self.published = {part.sender: part for part in others}
        for part in others:
            if part.sender == self.task.agent:
                continue
            self._remember(part.actions)
        self.dependencies.meet(self.exploration.layers)
        view = self._view(self.published | {self._own.sender: self._own})
        own, name = self.dependencies, self._ranking_name
        self._order = Order(
            name, own.graph, lambda: own.graph_with_ends, view, self.seed, self._budget
        )

    def _view(self, published: Mapping[str, Published]) -> PublicView:
        task, count = self.task, self.task.public_count
        init = tuple(fact for fact in task.arrays.init if fact < count)
        goal = tuple(fact for fact in task.arrays.goal if fact < count)
        numbers = (self.actions, self.tokens)
        return PublicView.of(task.agent, task.public_facts, init, goal, published, numbers)

    def turn(self, question: Turn) -> Told:
        edge = self._met().turn(question.heard)
        return Told(self.task.agent, None if edge is None else self.show(edge))

    def _met(self) -> Order:
        if self._order is None:
            raise ProtocolError("nothing is disclosed before the others are known")
        return self._order

    @property
    def whole_order(self) -> list[Edge]:
        """For the owner: all own edges, as far as they are ranked without the others."""
        return self._met().whole()

    @property
    def is_bounded(self) -> bool:
        """Is there a budget in prices, beyond which nothing is told?"""
        return self._budget is not None

    @property
    def paid_for(self) -> int | None:
        """How many edges a budget in prices has paid for, once no more can be told."""
        return self._met().paid_for

    def disclose(self, budget: int) -> Disclosed:
        """My best edges as a set: sorted by numbers that tell nothing, and not by the ranking."""
        self.disclosed = self._met().first(budget)
        total = len(self.dependencies.graph.columns)
        giver, token = self._shown_giver, self.tokens.shown
        told = [PublicEdge(giver[e.giver], token[e.token], e.positive) for e in self.disclosed]
        shown = tuple(sorted(told))
        return Disclosed(self.task.agent, shown, total, self._known)

    @cached_property
    def kept(self) -> Kept:
        """What is never told."""
        return Kept(self.dependencies)

    def show_action(self, action: int) -> int:
        """An own public action, or `FINISH`, in the numbers that others see."""
        return action if action == FINISH else self.actions.shown[action]

    @cached_property
    def _known(self) -> tuple[PublicEdge, ...]:
        """All direct threats, if the settings say that they are no secret."""
        if self.settings.threats is not Threats.KNOWN:
            return ()
        own = self.dependencies
        threats = {
            Edge(own.number[action], token, positive=False)
            for token, actions in enumerate(own.direct_threats)
            for action in actions
            if own.price(own.number[action], token) is not None
        }
        return tuple(sorted(self.show(edge) for edge in threats))

    @cached_property
    def _shown_giver(self) -> dict[int, int]:
        """Per own giver of edges, the start among them, its number for others."""
        return {INIT: disclosure.INIT, **dict(enumerate(self.actions.shown))}

    def show(self, edge: Edge) -> PublicEdge:
        """An own edge in the numbers that others see."""
        return show(edge, self.actions, self.tokens)

    def places(self, steps: Sequence[PublicStep]) -> tuple[list[Place], bool]:
        """The public plan as this agent sees it, and whether its private goals are due."""
        holds = frozenset(f for f in self.task.arrays.init if f < self.task.public_count)
        places: list[Place] = []
        with_goal = False
        for step in steps:
            if step.action == FINISH:
                with_goal |= step.agent == self.task.agent
                continue
            action = self._public.get(step)
            if action is None or not holds.issuperset(action.needs):
                raise ProtocolError(f"a public plan has a step of '{step.agent}' that cannot be")
            is_own = step.agent == self.task.agent
            places.append(Place(self.actions.own[step.action] if is_own else None, holds))
            holds = holds.difference(action.deletes).union(action.adds)
        places.append(Place(None, holds))
        return places, with_goal

    def steps(self, steps: Sequence[PublicStep]) -> list[Step]:
        """A public plan in which own steps go by own numbers, and others' are looked up."""
        if any(step not in self._public for step in steps):
            raise ProtocolError("a public plan has a step that nobody published")
        return [
            self.actions.own[step.action] if step.agent == self.task.agent else self._public[step]
            for step in steps
        ]

    def show_step(self, step: Step) -> PublicStep:
        """The other way."""
        if isinstance(step, PublicAction):
            return PublicStep(step.agent, step.id)
        return PublicStep(self.task.agent, self.actions.shown[step])
