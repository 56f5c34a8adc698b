"""One agent with its secrets, as it takes part in planning: it is asked, and it answers.

Everything it says is a message of `tacit.public.messages`. Its actions and tokens go by numbers
that are a seeded shuffle, and only this side knows both sides of that. What it found out for itself
(its dependencies, its local plan) stays here.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from functools import cached_property

from tacit.errors import ProtocolError
from tacit.party.dependencies import Dependencies
from tacit.party.exploration import Exploration
from tacit.party.extension import Extended, Extender, LocalPlan, Place
from tacit.party.forward import Forward, Joint, OwnNumbers
from tacit.party.graph import Edge
from tacit.party.local import LocalTask
from tacit.party.order import Order
from tacit.party.public_view import PublicView, Shuffle, show
from tacit.party.ranking import RANKINGS, listens
from tacit.party.repair import Repairs
from tacit.party.replanning import Replanner, Step
from tacit.public import disclosure
from tacit.public.disclosure import FINISH, PublicEdge, PublicStep
from tacit.public.messages import (
    Answer,
    Begin,
    Carried,
    Carry,
    Disclose,
    Disclosed,
    Explore,
    Explored,
    Learn,
    Meet,
    Noted,
    Poll,
    Publish,
    Published,
    Question,
    Replan,
    Replanned,
    States,
    Status,
    Told,
    Trace,
    Traced,
    Turn,
    decode,
    encode,
)
from tacit.public.settings import Extension, Settings, Threats
from tacit.public.task import PublicAction

NO_VALUE = 2**31 - 1


class Agent:
    """Answers questions; the owner can ask for `local_plan` and `dependencies` besides.

    `seed` is the agent's own secret: who knows it can undo the shuffle of its numbers. `ties` is a
    seed for breaking ties between edges at random, instead of by reachability and declaration.
    """

    def __init__(self, task: LocalTask, seed: int | str = 0, ties: int | None = None):
        self.task = task
        self._seed = seed
        self._ties = ties
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
            self._prepared = _Prepared(self.task, question, self._seed, self._ties)
            return self._prepared.publish()
        ready = self._ready()
        if isinstance(question, Explore):
            return Explored(self.name, ready.explore(question.facts))
        if isinstance(question, Meet):
            ready.meet(question.others)
            return Noted(self.name)
        if isinstance(question, Disclose):
            return ready.disclose(question.budget)
        if isinstance(question, Turn):
            return ready.turn(question)
        if isinstance(question, Replan):
            return self._replan(question)
        if isinstance(question, Carry):
            return self._carry(question)
        return ready.search(question)

    def work(self, evaluations: int) -> list[tuple[str, bytes]]:
        """Search on for so many evaluations; frames for other agents."""
        forward = self._ready().forward
        return [
            (receiver, encode(States(self.name, forward.run, batch)))
            for receiver, batch in forward.work(evaluations)
        ]

    def receive(self, sender: str, frame: bytes) -> None:
        """Take in what another agent found."""
        message = decode(frame)
        if not isinstance(message, States) or message.sender != sender:
            raise ProtocolError(f"'{sender}' sends something else than states")
        forward = self._ready().forward
        if message.run == forward.run:  # else it is left over from another search
            forward.take(sender, message.batch)

    @property
    def is_idle(self) -> bool:
        """Is there nothing left to search, or a goal found?"""
        return self._ready().forward.is_idle

    @property
    def has_found(self) -> bool:
        return self._ready().forward.has_found

    def _carry(self, question: Carry) -> Carried:
        ready = self._ready()
        places, with_goal = ready.places(question.steps)
        if ready.is_searching:
            self.local_plan = ready.forward.carry(question.steps)
            holds = self.local_plan is not None and ready.executes(self.local_plan, places)
            return Carried(self.name, succeeded=holds)
        result = ready.extender.extend(places, ready.disclosed, with_goal)
        self.local_plan = result.plan
        if result.plan is not None:
            return Carried(self.name, succeeded=True)
        if not ready.settings.repairs:
            return Carried(self.name, succeeded=False, decided=result.decided)
        return ready.repair(places, with_goal, result, question.urgent)

    def _replan(self, question: Replan) -> Replanned:
        ready = self._ready()
        if ready.settings.extension is not Extension.REPLAN:
            raise ProtocolError("nothing is replanned where extension is strict")
        seconds = math.inf if question.seconds is None else question.seconds
        found = ready.replanner.replan(ready.steps(question.steps), seconds)
        self.local_plan = found.plan if found else None
        if found is None:
            return Replanned(self.name, succeeded=False)
        return Replanned(self.name, True, tuple(map(ready.show_step, found.steps)))

    def _ready(self) -> _Prepared:
        if self._prepared is None:
            raise ProtocolError(f"agent '{self.name}' was not asked to publish yet")
        return self._prepared


class _Prepared:
    """What an agent knows once it has been asked to publish."""

    def __init__(self, task: LocalTask, question: Publish, seed: int | str, ties: int | None):
        self.settings: Settings = question.settings
        self._task = task
        self._seed = random.Random(f"{seed} ranking {task.agent}").getrandbits(32)
        self._ranking_name = question.ranking
        self.dependencies = Dependencies(task, question.settings, ties=ties)
        own = self.dependencies
        self._actions = Shuffle.of(len(own.members), f"{seed} actions {task.agent}")
        self._tokens = Shuffle.of(len(own.token_facts), f"{seed} tokens {task.agent}")
        self._public: dict[PublicStep, PublicAction] = {}
        self._published: dict[str, Published] = {}
        self._forward: Forward | None = None
        self._order: Order | None = None
        self.disclosed: list[Edge] = []
        self.extender = Extender(own, self._seed)
        self.repairs = Repairs(own)
        self.exploration = Exploration(task)
        self.replanner = Replanner(self.extender, task, own.number, self._seed)

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
        if not all(0 <= fact < self._task.public_count for fact in facts):
            raise ProtocolError("a public fact is within reach that nobody knows")
        return self.exploration.hear(facts)

    def meet(self, others: Sequence[Published]) -> None:
        """Hear what the others published; the exploration that decides ties is over by now."""
        self._published = {part.sender: part for part in others}
        for part in others:
            if part.sender == self._task.agent:
                continue
            self._remember(part.actions)
        self.dependencies.meet(self.exploration.layers)
        view = self._view(self._published | {self._own.sender: self._own})
        self._order = Order(self._ranking_name, self.dependencies.graph, view, self._seed)

    def _view(self, published: Mapping[str, Published]) -> PublicView:
        task, count = self._task, self._task.public_count
        init = tuple(fact for fact in task.arrays.init if fact < count)
        goal = tuple(fact for fact in task.arrays.goal if fact < count)
        numbers = (self._actions, self._tokens)
        return PublicView.of(task.agent, task.public_facts, init, goal, published, numbers)

    def turn(self, question: Turn) -> Told:
        edge = self._met().turn(question.heard)
        return Told(self._task.agent, None if edge is None else self.show(edge))

    def _met(self) -> Order:
        if self._order is None:
            raise ProtocolError("nothing is disclosed before the others are known")
        return self._order

    def disclose(self, budget: int) -> Disclosed:
        self.disclosed = self._met().first(budget)
        self._forward = self._forward if self._forward and self._forward.grows else None
        self.repairs = Repairs(self.dependencies)  # every budget is a run of its own
        total = len(self.dependencies.graph.columns)
        shown = tuple(self.show(edge) for edge in self.disclosed)
        return Disclosed(self._task.agent, shown, total, self._known)

    # Forward search

    @property
    def is_searching(self) -> bool:
        return self._forward is not None

    @property
    def forward(self) -> Forward:
        if self._forward is None:
            raise ProtocolError(f"agent '{self._task.agent}' was not asked to search yet")
        return self._forward

    @cached_property
    def _joint(self) -> Joint:
        return Joint(self._published)

    def search(self, question: Begin | Poll | Learn | Trace) -> Answer:
        """Answer a question of forward search."""
        name = self._task.agent
        if isinstance(question, Begin):
            numbers = OwnNumbers(self._actions.shown, self._tokens.shown)
            joint = self._joint
            told = dict(question.disclosed)
            if joint.agents != tuple(told):
                raise ProtocolError("a search begins with other agents than have published")
            self._forward = Forward(
                self.dependencies, numbers, joint, told, self.disclosed, question
            )
        elif isinstance(question, Learn):
            self.forward.learn(dict(question.disclosed), self.disclosed)
        elif isinstance(question, Trace):
            return Traced(name, *self.forward.trace(question.ref))
        else:
            return self._status()
        return Noted(name)

    def _status(self) -> Status:
        forward = self.forward
        counted = forward.counters()
        return Status(
            self._task.agent,
            forward.is_idle,
            forward.has_found,
            forward.frames_sent,
            forward.frames_received,
            counted["expanded"],
            counted["evaluated"],
            counted["generated"],
            counted["sent"],
            counted["received"],
            counted["parked"],
            counted["stored"],
            counted["memory"],
            forward.bytes_sent,
            counted["best"] if counted["best"] < NO_VALUE else None,
        )

    def executes(self, plan: LocalPlan, places: list[Place]) -> bool:
        """Can these own actions be done, each at its place, and do they reach the private goals?"""
        task, count = self._task, self._task.public_count
        private = {fact for fact in task.arrays.init if fact >= count}
        for action, before in plan.actions:
            if not private.union(places[before].holds).issuperset(task.pre[action]):
                return False
            private.difference_update(task.delete[action])
            private.update(fact for fact in task.add[action] if fact >= count)
        return private.issuperset(fact for fact in task.arrays.goal if fact >= count)

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
        return show(edge, self._actions, self._tokens)

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

    def steps(self, steps: Sequence[PublicStep]) -> list[Step]:
        """A public plan in which own steps go by own numbers, and others' are looked up."""
        if any(step not in self._public for step in steps):
            raise ProtocolError("a public plan has a step that nobody published")
        return [
            self._actions.own[step.action] if step.agent == self._task.agent else self._public[step]
            for step in steps
        ]

    def show_step(self, step: Step) -> PublicStep:
        """The other way."""
        if isinstance(step, PublicAction):
            return PublicStep(step.agent, step.id)
        return PublicStep(self._task.agent, self._actions.shown[step])

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
