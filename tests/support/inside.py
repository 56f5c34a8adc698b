"""The one place where tests reach behind the public interface of sessions and agents.

Tests ask here, so that a change behind the interface is a change of this file. Each function stands
for an accessor that the package could have.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tacit.central.agent_pool import joint_plan
from tacit.central.analysis.minimum import MinimumSearch
from tacit.central.analysis.minimum.choices import Choices
from tacit.central.session import Session
from tacit.central.validate.plan import Plan
from tacit.net.election import Election
from tacit.net.host import Host
from tacit.net.talk import Talk
from tacit.party.agent import Agent
from tacit.party.disclosure.graph import Edge
from tacit.party.disclosure.order import Order
from tacit.party.disclosure.public_view import PublicView
from tacit.party.extension.asked_plans import AskedPlans
from tacit.party.mafs.forward import Forward
from tacit.party.published import Published
from tacit.public.disclosure import PublicEdge
from tacit.public.projection import Projection
from tacit.public.protocol.messages import AnyMessage, Publication, Question
from tacit.public.protocol.transcript import Transcript
from tacit.registry import Registry
from tacit.solvers.coordinator import Driver
from tacit.solvers.mafs import MafsSolver
from tacit.solvers.offline import Offline
from tacit.solvers.projection import ProjectionSolver
from tacit.transport.link import Link
from tacit.transport.mailbox import Event
from tacit.transport.network import Network
from tacit.transport.processes import Processes


def transcript_of(session: Session) -> Transcript:
    return session._pool.transcript


def messages_of(session: Session) -> Iterator[AnyMessage]:
    return transcript_of(session).messages()


def solver_of(session: Session) -> ProjectionSolver | MafsSolver:
    return session.solver


def joint_plan_of(session: Session) -> Callable[[], Plan]:
    """The plan that all agents have at the moment, whenever it is asked for."""
    return partial(joint_plan, session._pool, session.instance.agents)


def drive_by(session: Session, driver: Driver) -> None:
    """Let another driver give the agents time."""
    session.coordinator.driver = driver


def projection_of(session: Session, k: int | None = None) -> Projection:
    """The joint projection at a budget; with everything disclosed, unless it is given."""
    return offline_of(session).projection(session.largest if k is None else k)


def offline_of(session: Session) -> Offline:
    """The budgets of a session that is offline."""
    return session.solver.offline


def agents_of(session: Session) -> dict[str, Agent]:
    """The agents of a session in this process."""
    return session._pool.agents


def published_of(agent: Agent) -> Published:
    """What an agent has published, with the public numbers of its own things."""
    return agent._published


def shown_edge(agent: Agent, edge: Edge) -> PublicEdge:
    """An agent's edge as the others see it."""
    return published_of(agent).show(edge)


def order_of(agent: Agent) -> Order:
    """The order in which an agent discloses, as far as it is made."""
    return agent._disclosing.order


def made_so_far(order: Order) -> list[Edge]:
    return order._made


def view_of(order: Order) -> PublicView:
    return order._view


def forward_of(agent: Agent) -> Forward:
    """An agent's own forward search."""
    return agent._forward


def lower_bound_of(session: Session) -> int:
    return session.budgets.lower_bound()


def unregister(registry: Registry[Any], *names: str) -> None:
    """Forget what a test has registered."""
    for name in names:
        registry._items.pop(name, None)


def nonce_of(election: Election) -> bytes:
    """What an agent reveals, before it does."""
    return election._note.nonce


def network_of(host: Host) -> Network:
    return host._network


def talk_of(host: Host) -> Talk:
    return host._talk


def agent_of(host: Host) -> Agent:
    """A host's own agent, from when it has ground its task on."""
    agent = host._record._agent
    assert agent is not None
    return agent


def asked_plans_of(agent: Agent) -> AskedPlans:
    return agent._disclosing.asked_plans


def links_of(host: Host) -> dict[str, Link]:
    """A host's open streams, by peer."""
    return network_of(host)._links


def on_network_thread(host: Host, call: Callable[..., object], *args: object) -> None:
    """Have the thread of a host's network call something."""
    network_of(host)._loop.call_soon_threadsafe(call, *args)


def write_raw(host: Host, peer: str, data: bytes) -> None:
    """Bytes as they are, past all that makes frames of them."""
    raw = links_of(host)[peer]._stream.write(data)
    asyncio.run_coroutine_threadsafe(raw, network_of(host)._loop)


def abort(host: Host) -> None:
    """End all streams of a host at once, as if it had died."""
    for link in list(links_of(host).values()):
        on_network_thread(host, link._stream.abort)
        on_network_thread(host, link.drop)


def wait_for_end(host: Host) -> None:
    """Wait for a host to end, its network included."""
    host._done.wait(60)
    network_of(host)._thread.join(60)


def interrupt(host: Host) -> None:
    """End a host as Ctrl-C would, from another thread."""
    host._error = KeyboardInterrupt()
    host._done.set()


def take(talk: Talk, event: Event) -> object:
    """What an agent makes of one event of its network."""
    return talk._take(event)


def pids_of(processes: Processes[Any]) -> dict[str, int]:
    return {name: desk.process.pid for name, desk in processes._desks.items()}


def pids_of_agents(session: Session) -> dict[str, int]:
    """The processes of agents that each have one."""
    return pids_of(session._pool._apart)


def choices_of(search: MinimumSearch) -> Choices:
    """All edges of all agents, numbered."""
    return search._choices


def ask_all(session: Session, question: Question) -> None:
    """Ask all agents something out of turn."""
    session.coordinator.ask_all(question)


def publications_of(session: Session) -> dict[str, Publication]:
    return session.coordinator.publications


def on_record(host: Host, call: Callable[[str, bool], None]) -> None:
    """Have something called, with the peer and whether it is sent, after frames were written down;
    before the host runs.
    """
    network = network_of(host)
    record = network._record

    def both(peer: str, *rest: Any) -> None:
        record(peer, *rest)
        call(peer, next(item for item in rest if isinstance(item, bool)))

    network._record = both
