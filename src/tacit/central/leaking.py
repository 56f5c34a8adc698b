"""What the others could know of each agent after a run that one trusted user made.

The observer of an agent is all others together, each with its own edges, and whoever asked the
questions. Online that is what crossed in the whole run, offline what would have crossed if the
budget shown had been run alone. How right guesses are is known here, as all files are.
"""

from __future__ import annotations

from collections.abc import Sequence

from tacit import watch
from tacit.central.agent_pool import all_edges
from tacit.central.result import ONLINE, Result
from tacit.central.session import Session
from tacit.leakage.measure import Leakage, Meter
from tacit.leakage.reading.traffic import PublicNames
from tacit.leakage.view import frames_of_budget, traffic_of, view_of
from tacit.public.ledger import Ledger
from tacit.public.protocol.transcript import Frame


def leakage_of(session: Session, result: Result) -> dict[str, Leakage]:
    """What all others together know of each agent. States count if the session records them."""
    frames = [*session.instance.transcript.frames, *result.transcript.frames]
    if result.mode != ONLINE:
        frames = frames_of_budget(frames, result.ledger, result.k)
    return leakage_in(session, frames, result.ledger)


def leakage_in(session: Session, frames: Sequence[Frame], ledger: Ledger) -> dict[str, Leakage]:
    """The same of these frames, in which so much was disclosed."""
    agents, public = session.instance.agents, session.instance.public
    names = PublicNames(public.facts, public.init, public.goal)
    edges = {agent: session.recall(agent, all_edges) for agent in agents}
    found = {}
    for agent in agents:
        watch.check()
        others = [other for other in agents if other != agent]
        view = view_of(traffic_of(frames, agents, others), names)
        if agent in view.agents:
            meter = Meter(view, {other: edges[other] for other in others})
            found[agent] = meter.about(agent, edges[agent], ledger.counts(agent).disclosed)
    return found
