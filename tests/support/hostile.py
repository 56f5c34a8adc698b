"""Honest members of a run whose leader asks what it likes, without a network: for tests.

The leader is one of the agents and plays by no rules; its own agent is honest, so that what it
publishes is true. What honest members send to all is carried to all, as the network would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from support.forms import factored, generated
from support.frames import Wires
from tacit.central.instance import Instance
from tacit.errors import ProtocolError
from tacit.net.member import Member, Own
from tacit.net.record import DisclosureRecord
from tacit.net.talk import Heard, Talk
from tacit.party.agent import Agent
from tacit.party.bounds import NO_BOUNDS, Bounds
from tacit.pddl.factor_writer import factor
from tacit.public.disclosure import PublicStep
from tacit.public.ledger import Ledger
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.public.protocol import digest
from tacit.public.protocol.link import Terms
from tacit.public.protocol.messages import (
    AnyMessage,
    EdgeDisclosed,
    EndLayers,
    Extend,
    Introduce,
    NextEdge,
    Publication,
    Publish,
    Question,
    decode,
    encode,
    is_disclosure,
)
from tacit.searchers import Clock, make_search
from tacit.solvers.attempt import Counters


class _Carried(Wires):
    """A network of one member that hands on what it sends."""

    def __init__(self, own: str, company: Company):
        super().__init__()
        self._own = own
        self._company = company

    def send(self, peer: str, frame: bytes) -> None:
        super().send(peer, frame)
        self._company.carry(self._own, peer, frame)


class Company:
    """All agents of a problem; `leader` asks."""

    def __init__(
        self,
        instance: Instance,
        leader: str,
        terms: Terms = Terms(),  # noqa: B008
        bounds: Bounds = NO_BOUNDS,
    ):
        self.public = instance.public
        self.names = instance.agents
        self.leader = leader
        self.terms = terms
        public = instance.public
        ground = digest.of_ground(public.facts, public.init, public.goal)
        self.members: dict[str, Member] = {}
        for name in self.names:
            peers = [other for other in self.names if other != name]
            record = DisclosureRecord(None, name)
            talk = Talk(name, peers, _Carried(name, self), record, lambda text: None)
            agent = Agent(instance.local(name), f"h {name}", bounds=bounds)
            own = Own(agent, terms, seconds=0)
            self.members[name] = Member(own, self.names, talk, ground, leader)
        self.publications: dict[str, Publication] = {}
        self._heard: list[tuple[str, Heard]] = []

    @property
    def victims(self) -> list[str]:
        return [name for name in self.names if name != self.leader]

    def carry(self, sender: str, receiver: str, frame: bytes) -> None:
        """Answers to the leader come back from `ask`; what goes to all is heard by all."""
        message = decode(frame)
        if not isinstance(message, Question):
            self._heard.append((receiver, Heard(sender, message, frame)))

    def ask(self, agent: str, question: AnyMessage) -> AnyMessage:
        """What an agent answers to the leader; a fault if it refuses to."""
        self._heard = []
        answer = self.members[agent].answer(decode(encode(question)))
        self.members[agent].reply(answer)
        for receiver, heard in self._heard:
            is_answer = receiver == self.leader and encode(heard.message) == encode(answer)
            if not is_answer or is_disclosure(heard.message):
                self.members[receiver].handle(heard)
        return answer

    def ask_all(self, question: AnyMessage) -> list[AnyMessage]:
        return [self.ask(name, question) for name in self.names]

    def publish(self) -> None:
        """The beginning that a run needs, as far as all know each other."""
        terms = self.terms
        answers = self.ask_all(Publish(self.leader, terms.settings, terms.ranking))
        self.publications = {answer.sender: answer for answer in answers}

    def introduce(self) -> None:
        self.publish()
        self.ask_all(Introduce(self.leader, tuple(self.publications.values())))

    def begin(self) -> None:
        """All that comes before the first edge."""
        self.introduce()
        self.ask_all(EndLayers(self.leader))

    def turn(self, agent: str) -> AnyMessage:
        return self.ask(agent, NextEdge(self.leader, self.mark, must=True))

    @property
    def ledger(self) -> Ledger:
        """As the leader's own agent has it, with all that was heard."""
        return self.members[self.leader].agent.ledger

    @property
    def mark(self) -> tuple[int, ...]:
        """How much every agent has disclosed, by its own ledger."""
        return tuple(self.members[name].agent.ledger.count(name) for name in self.names)

    def extend(self, agent: str, steps: Iterable[PublicStep]) -> AnyMessage:
        return self.ask(agent, Extend(self.leader, tuple(steps), self.mark))

    def extend_all(self, steps: Iterable[PublicStep]) -> list[AnyMessage]:
        steps, mark = tuple(steps), self.mark
        return self.ask_all(Extend(self.leader, steps, mark))

    def projection(self) -> Projection:
        """Of all that was disclosed, each agent's part by its own ledger."""
        made = Projection.of(self.public, self.publications)
        for name in self.names:
            own = self.members[name].agent.ledger
            made.disclose(name, own.edges(name))
            made.restore(name, own.restored(name))
            made.disclose(name, own.threats(name))
        return made


def company(domain: str, leader: int = 0, seed: int = 0, **options: object) -> Company:
    """The agents of a small generated problem."""
    instance = Instance(factored(factor(generated(domain, seed))), {})
    return Company(instance, instance.agents[leader], **options)


def refusal(work: Callable[[], object]) -> str:
    """What a member says to what it refuses; nothing if it does not."""
    try:
        work()
    except ProtocolError as error:
        return str(error)
    return ""


def disclose_all(one: Company) -> None:
    """Everybody discloses every edge, so that there are plans to ask about."""
    is_open = set(one.names)
    while is_open:
        for name in sorted(is_open):
            if not isinstance(one.turn(name), EdgeDisclosed):
                is_open.discard(name)


def plan_of(projection: Projection, way: int = 0) -> tuple[PublicStep, ...]:
    search = make_search(projection, way, "native", 0, None, Clock())
    outcome, plan = search.run(60.0, 200_000, Counters())
    assert outcome is Outcome.SOLVED
    return projection.named(plan)


def is_plan(projection: Projection, steps: tuple[PublicStep, ...]) -> bool:
    """The same as members check, on the projection itself."""
    holds = set(projection.init)
    for step in steps:
        action = projection.number.get(step)
        if action is None or not holds.issuperset(projection.needs[action]):
            return False
        holds = holds.difference(projection.deletes[action]).union(projection.adds[action])
    return holds.issuperset(projection.goal)
