"""Online runs with bounds: agents of one process, put together as a session does it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from support.brute import Joint
from tacit.central.instance import Instance
from tacit.party.agent import Agent
from tacit.party.bounds import Bounds
from tacit.party.lasting import Lasting
from tacit.policy import POLICY, Policy
from tacit.public.protocol.messages import AnyMessage, EdgeDisclosed, NextEdge, decode
from tacit.public.settings import Settings
from tacit.searchers import Clock, make_search
from tacit.solvers import SOLVERS as REGISTERED
from tacit.solvers.attempt import Attempt
from tacit.solvers.coordinator import Agents, Coordinator
from tacit.solvers.limits import Limits
from tacit.solvers.online import Online
from tacit.solvers.solver import Tools
from tacit.transport.drive import RoundRobin
from tacit.transport.in_process import Questions

RANKINGS = ("m1", "m2", "m3", "m4", "random", "goal")
SOLVERS = ("projection", "mafs", "auto")
NO_BOUNDS: Mapping[str, Bounds] = {}
NOT_KEPT: Mapping[str, Lasting] = {}


class Between:
    """Agents with bounds of their owners, and a solver; `run` plans online."""

    def __init__(
        self,
        instance: Instance,
        solver: str = "auto",
        ranking: str = "goal",
        bounds: Mapping[str, Bounds] = NO_BOUNDS,
        settings: Settings = Settings(),  # noqa: B008
        policy: Policy = POLICY,
        seed: int | str = 0,
        lasting: Mapping[str, Lasting] = NOT_KEPT,
        change_over: bool = True,
    ):
        self.agents = {
            name: Agent(
                instance.local(name),
                seed,
                bounds=bounds.get(name, Bounds()),
                policy=policy,
                lasting=lasting.get(name),
            )
            for name in instance.agents
        }
        questions = Questions(list(self.agents.values()), "solver")
        driver = RoundRobin(list(self.agents.values()), None, policy.forward)
        self.transcript = questions.transcript
        agents = Agents(instance.public, questions.ask, driver=driver)
        self.coordinator = Coordinator(agents, settings, ranking)
        search = seed if isinstance(seed, int) else 0
        make = partial(make_search, planner="native", seed=search, memory=None, clock=Clock())
        tools = Tools(make, policy=policy, change_over=change_over)
        self.solver = REGISTERED.get(solver)(self.coordinator, tools)

    def run(self, limits: Limits = Limits()) -> Attempt:  # noqa: B008
        return Online(self.solver).run(limits)

    def turns(self) -> list[AnyMessage]:
        """The answers of agents in their turns, in order."""
        frames = self.transcript.frames
        asked = [
            decode(frame.payload) for frame in frames if "solver" in (frame.sender, frame.receiver)
        ]
        pairs = zip(asked[::2], asked[1::2], strict=True)
        return [answer for question, answer in pairs if isinstance(question, NextEdge)]

    def edges(self) -> list[str]:
        """Whose edges were disclosed, one by one."""
        return [turn.sender for turn in self.turns() if isinstance(turn, EdgeDisclosed)]

    def could_have_been(self, attempt: Attempt) -> Joint:
        """All that agents can do with what is disclosed by those that said "no more", and with all
        edges of the others.
        """
        own = {name: agent.dependencies for name, agent in self.agents.items()}
        edges = {
            name: agent.disclosed if name in attempt.no_more else own[name].graph.edges
            for name, agent in self.agents.items()
        }
        return Joint(own, edges)

    def needed(self) -> set[str]:
        """Agents without whose tokens the goals are out of reach, by going round."""
        return {name for name in self.agents if not self._is_reached_without(name)}

    def _is_reached_without(self, name: str) -> bool:
        """Are the goals reached if nothing is deleted, this agent has no token and others all?"""
        parts = self.coordinator.publications
        every = [action for part in parts.values() for action in part.actions]
        actions = [a for a in every if a.agent != name or not a.tokens]
        held, is_new = set(self.coordinator.public.init), True
        while is_new:
            possible = [
                a
                for a in actions
                if held.issuperset(a.needs) and not (a.agent == name and a.tokens)
            ]
            now = held.union(*(a.adds for a in possible))
            held, is_new = now, now != held
        return held.issuperset(self.coordinator.public.goal) and not parts[name].goal
