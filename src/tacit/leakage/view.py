"""A view: what an observer, or several together, saw of each agent. Frames, and nothing else.

It is read by the same parser as an audit (`tacit.leakage.reading`), from the transcripts of the
observers. Everything that one may conclude is a function of it. What the numbers of public facts
stand for is in the frames of grounding; where one process read all files, there are none, and the
public task, which everybody knows, takes their place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tacit.leakage.reading.collecting import Collector
from tacit.leakage.reading.knowledge import Knowledge, Round
from tacit.leakage.reading.traffic import PublicNames, Traffic
from tacit.public.disclosure import PublicEdge, PublicStep
from tacit.public.ledger import Ledger
from tacit.public.protocol.messages import (
    Begin,
    Confirm,
    Disclose,
    Disclosed,
    Extend,
    Extended,
    NextEdge,
    NotExtended,
    Publication,
    Reached,
    States,
    Status,
    Threatened,
    decode,
    encode,
)
from tacit.public.protocol.recording import Entry, Head, Recording
from tacit.public.protocol.transcript import Frame
from tacit.public.settings import Settings
from tacit.public.task import PublicFact


@dataclass(frozen=True)
class AgentView:
    """What was seen of one agent, in the numbers of the run."""

    agent: str
    part: Publication
    edges: tuple[PublicEdge, ...] = ()
    """Positive edges that it disclosed, in its order."""
    threats: tuple[PublicEdge, ...] = ()
    """Certain threats, which it disclosed as repairs."""
    plans: tuple[tuple[int, ...], ...] = ()
    """Its own steps in plans that it can execute."""
    rounds: tuple[tuple[Round, ...], ...] = ()
    """What came within its reach, turn by turn, while grounding."""
    disclosed: int = 0
    """Edges and repairs on the ledger."""
    in_order: bool = False
    """Were the edges disclosed one by one?"""
    recalls: bool = False
    """Were some known from earlier runs?"""


@dataclass(frozen=True)
class View:
    """What all agents but the observers showed them."""

    observers: tuple[str, ...]
    settings: Settings
    ranking: str
    names: PublicNames | None
    agents: Mapping[str, AgentView]
    """All that published, the observers among them."""
    traffic: Traffic

    @property
    def observed(self) -> list[str]:
        """Those that did not see it themselves."""
        return [agent for agent in self.agents if agent not in self.observers]


def view_of(
    traffic: Traffic, names: PublicNames | None = None, collector: Collector | None = None
) -> View:
    """What the holders of transcripts saw; `names` if grounding is not among it, and `collector` if
    somebody has gone through the traffic already.
    """
    collector = collector or Collector(traffic)
    known = traffic.names or names
    seen = {
        agent: _seen(traffic, known, collector, about)
        for agent, about in collector.about.items()
        if about.published is not None and agent in traffic.agents
    }
    return View(traffic.holders, traffic.settings, traffic.ranking, known, seen, traffic)


def _seen(
    traffic: Traffic, names: PublicNames | None, collector: Collector, about: Knowledge
) -> AgentView:
    assert about.published is not None
    own = about.agent
    return AgentView(
        own,
        about.published,
        tuple(edge for edge in about.disclosed if edge.positive),
        tuple(about.threats),
        tuple(dict.fromkeys(_own_steps(own, plan) for plan in about.plans)),
        _turns(traffic, names, own),
        collector.ledgers.whole.counts(own).disclosed,
        not traffic.is_offline,
        bool(about.recalled),
    )


def _own_steps(agent: str, plan: Iterable[PublicStep]) -> tuple[int, ...]:
    return tuple(step.action for step in plan if step.agent == agent)


def _turns(
    traffic: Traffic, names: PublicNames | None, agent: str
) -> tuple[tuple[Round, ...], ...]:
    turns = turns_of(traffic, names, agent) if names is not None else ()
    return (turns,) if turns else ()


def turns_of(traffic: Traffic, names: PublicNames, agent: str) -> tuple[Round, ...]:
    """What an agent sent in its turns while grounding, in the numbers of facts, negations among
    them, each time with all that was known before.
    """
    number = {fact: n for n, fact in enumerate(names.facts)}
    sent = {m.turn: m for seen in traffic.frames if isinstance(m := seen.message, Reached)}
    known = set(names.init)
    turns = []
    for _, message in sorted(sent.items()):
        news = _numbers(message, number)
        if message.sender == agent:
            turns.append(Round(frozenset(known), tuple(news)))
        known.update(news)
    return tuple(turns)


def _numbers(message: Reached, number: Mapping[PublicFact, int]) -> list[int]:
    negated = (PublicFact(fact.predicate, fact.args, False) for fact in message.false)
    return [number[fact] for fact in (*message.true, *negated) if fact in number]


# Runs of one process


def traffic_of(
    frames: Sequence[Frame], agents: Sequence[str], observers: Iterable[str], asker: str = "solver"
) -> Traffic:
    """What some agents of one process saw, the one that asked included: it is one of them."""
    holders = {*observers, asker}
    entries: dict[str, list[Entry]] = {name: [] for name in sorted(holders)}
    for time, frame in enumerate(frames):
        if frame.sender in holders:
            entries[frame.sender].append(Entry(time, frame.receiver, True, frame.payload))
        elif frame.receiver in holders:
            entries[frame.receiver].append(Entry(time, frame.sender, False, frame.payload))
    heads = [Head(name, tuple(agents), 0) for name in entries]
    return Traffic([Recording(head, tuple(entries[head.holder])) for head in heads])


_OF_A_BUDGET = Begin | Extend | Confirm | Extended | NotExtended | States | Status


def frames_of_budget(
    frames: Sequence[Frame], ledger: Ledger, k: int, asker: str = "solver"
) -> list[Frame]:
    """The frames of an offline search as if budget k alone had been run: what comes before the
    first budget, what is on its ledger, and the plans and states of the last time it was tried.
    """
    kept, budgets = _by_budget(frames)
    for agent in ledger.agents:
        edges = tuple(sorted(edge for edge in ledger.edges(agent) if edge.positive))
        kept.append(Frame(agent, asker, encode(Disclosed(agent, edges))))
        threats, restored = tuple(sorted(ledger.threats(agent))), ledger.restored(agent)
        if threats:
            kept.append(Frame(agent, asker, encode(Threatened(agent, threats, restored))))
    tried = [found for budget, found in budgets if budget == k or budget is None]
    return kept + (tried[-1] if tried else [])


def frames_before_budgets(frames: Sequence[Frame]) -> list[Frame]:
    """What crossed before the first budget, or the first turn."""
    return _by_budget(frames)[0]


def _by_budget(
    frames: Sequence[Frame],
) -> tuple[list[Frame], list[tuple[int | None, list[Frame]]]]:
    """The frames before the first budget, and those about plans and states of each."""
    before: list[Frame] = []
    budgets: list[tuple[int | None, list[Frame]]] = []
    is_asking = False
    has_begun = False
    for frame in frames:
        message = decode(frame.payload)
        if isinstance(message, Disclose):
            if not is_asking:
                budgets.append((message.budget, []))
            is_asking = has_begun = True
        elif isinstance(message, NextEdge):
            has_begun = True  # rankings that take turns make their order first
        elif not has_begun:
            before.append(frame)
        elif isinstance(message, _OF_A_BUDGET):
            is_asking = False
            if budgets:
                budgets[-1][1].append(frame)
    return before, budgets
