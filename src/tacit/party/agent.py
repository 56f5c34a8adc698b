"""One agent with its secrets, as it takes part in planning: it is asked, and it answers.

Everything it says is a message of `tacit.public.messages`. Its actions and tokens go by numbers
that are a seeded shuffle; `_Names` is the only place that knows both sides of that. What it found
out for itself (its dependencies, its local plan) stays here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tacit import native
from tacit.errors import ProtocolError
from tacit.party.dependencies import Dependencies
from tacit.party.extension import Extended, Extender, LocalPlan, Place
from tacit.party.graph import INIT, Edge
from tacit.party.local import LocalTask
from tacit.party.ranking import RANKINGS, Ranking
from tacit.party.repair import Repairs
from tacit.public import disclosure
from tacit.public.disclosure import FINISH, PublicEdge, PublicStep
from tacit.public.messages import (
    Answer,
    Carried,
    Carry,
    Disclose,
    Disclosed,
    Meet,
    Noted,
    Publish,
    Published,
    Question,
    decode,
    encode,
)
from tacit.public.settings import Settings, Threats
from tacit.public.task import PublicAction


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Own numbers and the numbers that others see."""

    shown: list[int]
    own: list[int]

    @classmethod
    def of(cls, count: int, seed: str) -> Shuffle:
        shown = list(range(count))
        random.Random(seed).shuffle(shown)
        own = [0] * count
        for number, name in enumerate(shown):
            own[name] = number
        return cls(shown, own)


class Agent:
    """Answers questions; the owner can ask for `local_plan` and `dependencies` besides.

    `seed` is the agent's own secret: who knows it can undo the shuffle of its numbers.
    """

    def __init__(self, task: LocalTask, seed: int | str = 0):
        self.task = task
        self._seed = seed
        self.local_plan: LocalPlan | None = None
        self._prepared: _Prepared | None = None

    @property
    def name(self) -> str:
        return self.task.agent

    @property
    def dependencies(self) -> Dependencies:
        return self._ready().dependencies

    @property
    def disclosed(self) -> list[Edge]:
        """The edges this agent has told, in its own numbers."""
        return self._ready().disclosed

    def answer(self, sender: str, frame: bytes) -> bytes:
        question = decode(frame)
        if not isinstance(question, Question) or question.sender != sender:
            raise ProtocolError(f"'{sender}' asks what is no question")
        return encode(self._answer(question))

    def _answer(self, question: Question) -> Answer:
        if isinstance(question, Publish):
            self._prepared = _Prepared(self.task, question, self._seed)
            return self._prepared.publish()
        ready = self._ready()
        if isinstance(question, Meet):
            ready.meet(question.others)
            return Noted(self.name)
        if isinstance(question, Disclose):
            return ready.disclose(question.budget)
        return self._carry(question)

    def _carry(self, question: Carry) -> Carried:
        ready = self._ready()
        places, with_goal = ready.places(question.steps)
        result = ready.extender.extend(places, ready.disclosed, with_goal)
        self.local_plan = result.plan
        if result.plan is not None:
            return Carried(self.name, succeeded=True)
        if not ready.settings.repair:
            return Carried(self.name, succeeded=False, decided=result.decided)
        return ready.repair(places, with_goal, result, question.urgent)

    def _ready(self) -> _Prepared:
        if self._prepared is None:
            raise ProtocolError(f"agent '{self.name}' was not asked to publish yet")
        return self._prepared


class _Prepared:
    """What an agent knows once it has been asked to publish."""

    def __init__(self, task: LocalTask, question: Publish, seed: int | str):
        self.settings: Settings = question.settings
        self._task = task
        self._seed = random.Random(f"{seed} ranking {task.agent}").getrandbits(32)
        self._ranking_name = question.ranking
        self.dependencies = Dependencies(task, question.settings)
        own = self.dependencies
        self._actions = Shuffle.of(len(own.members), f"{seed} actions {task.agent}")
        self._tokens = Shuffle.of(len(own.token_facts), f"{seed} tokens {task.agent}")
        self._public: dict[PublicStep, PublicAction] = {}
        self._order: list[Edge] = []
        self._ranking: Ranking | None = None
        self.disclosed: list[Edge] = []
        self.extender = Extender(own, self._seed)
        self.repairs = Repairs(own)

    def publish(self) -> Published:
        own, task, count = self.dependencies, self._task, self._task.public_count
        actions = []
        for number, group in enumerate(own.members):
            cost, needs, adds, deletes = own.public_part[group[0]]
            tokens = tuple(sorted([self._tokens.shown[t] for t in own.graph.needs[number]]))
            name = self._actions.shown[number]
            actions.append(PublicAction(task.agent, name, cost, needs, adds, deletes, tokens))
        actions.sort(key=lambda action: action.id)
        self._remember(actions)
        goal = tuple(sorted(self._tokens.shown[token] for token in own.goal))
        has_goal = any(fact >= count for fact in task.arrays.goal)
        return Published(task.agent, tuple(actions), len(own.token_facts), goal, has_goal)

    def _remember(self, actions: Sequence[PublicAction]) -> None:
        for action in actions:
            self._public[PublicStep(action.agent, action.id)] = action

    def meet(self, others: Sequence[Published]) -> None:
        """Hear what the others published; ties are broken by what is reachable with them."""
        projections = []
        for part in others:
            if part.sender == self._task.agent:
                continue
            self._remember(part.actions)
            needs = native.flat(action.needs for action in part.actions)
            adds = native.flat(action.adds for action in part.actions)
            projections.append(native.Projection(*needs, *adds))
        self.dependencies.meet(projections)
        make = RANKINGS.get(self._ranking_name)
        self._ranking = make(self.dependencies.graph, None, self._seed)

    def disclose(self, budget: int) -> Disclosed:
        if self._ranking is None:
            raise ProtocolError("nothing is disclosed before the others are known")
        while len(self._order) < budget:
            edge = self._ranking.next()
            if edge is None:
                break
            self._order.append(edge)
        self.disclosed = self._order[:budget]
        self.repairs = Repairs(self.dependencies)  # every budget is a run of its own
        total = len(self.dependencies.graph.columns)
        shown = tuple(self.show(edge) for edge in self.disclosed)
        return Disclosed(self._task.agent, shown, total, self._known)

    def _shown(self, action: int) -> int:
        """An own public action, or `FINISH`, in the numbers that others see."""
        return action if action == FINISH else self._actions.shown[action]

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
        }
        return tuple(sorted(self.show(edge) for edge in threats))

    def show(self, edge: Edge) -> PublicEdge:
        """An own edge in the numbers that others see."""
        giver = disclosure.INIT if edge.giver == INIT else self._actions.shown[edge.giver]
        token = edge.token
        if token < len(self._tokens.shown):
            token = self._tokens.shown[token]
        return PublicEdge(giver, token, edge.positive)

    def places(self, steps: Sequence[PublicStep]) -> tuple[list[Place], bool]:
        """The public plan as this agent sees it, and whether its private goals are due."""
        holds = frozenset(f for f in self._task.arrays.init if f < self._task.public_count)
        places: list[Place] = []
        with_goal = False
        for step in steps:
            if step.action == FINISH:
                with_goal |= step.agent == self._task.agent
                continue
            action = self._public.get(step)
            if action is None or not holds.issuperset(action.needs):
                raise ProtocolError(f"a public plan has a step of '{step.agent}' that cannot be")
            is_own = step.agent == self._task.agent
            places.append(Place(self._actions.own[step.action] if is_own else None, holds))
            holds = holds.difference(action.deletes).union(action.adds)
        places.append(Place(None, holds))
        return places, with_goal

    def repair(
        self, places: list[Place], with_goal: bool, failed: Extended, urgent: bool
    ) -> Carried:
        """Say why a plan cannot be carried out, in the way that tells least."""
        answer = self.repairs.threat(places, self.disclosed, with_goal, urgent)
        if answer is not None:
            returned = tuple(
                disclosure.ReturnedToken(token, tuple(sorted(map(self._shown, users))))
                for token, users in answer.returned
            )
            threats = tuple(sorted(self.show(edge) for edge in answer.threats))
            return Carried(self._task.agent, False, True, threats, returned)
        if not failed.decided:
            return Carried(self._task.agent, False, decided=False)
        return self._prefix(places, with_goal)

    def _prefix(self, places: list[Place], with_goal: bool) -> Carried:
        """The shortest beginning of the plan that cannot be carried out."""
        own = [n for n, place in enumerate(places) if place.own is not None]
        low, high = (
            0,
            len(own),
        )  # the first `low` own steps can be done; all of them with the goal not
        while low < high:
            middle = (low + high + 1) // 2
            beginning = [*places[: own[middle - 1] + 1], places[own[middle - 1] + 1]]
            result = self.extender.extend(_as_end(beginning), self.disclosed, with_goal=False)
            if result.plan is not None:
                low = middle
            elif result.decided:
                high = middle - 1
            else:
                return Carried(self._task.agent, False, decided=False)
        name = self._task.agent
        steps = low + 1  # own steps, the last action of all included if that is what fails
        if self.extender.others_matter:
            joint = own[low] + 1 if low < len(own) else len(places)
            return Carried(name, False, joint_prefix=joint)
        return Carried(name, False, own_prefix=steps)


def _as_end(places: list[Place]) -> list[Place]:
    """The same places, the last one an end without a step."""
    return [*places[:-1], Place(None, places[-1].holds)]
