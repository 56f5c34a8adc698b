"""What a run came to for one agent, as a page for its owner.

It has what this agent knows and nothing else: its own part of the plan in full, the others' by
their public steps, what it disclosed, and what its peers could conclude from that. The last of
these is measured on the transcript of the run.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tacit.draw.graph_part import GRAPH_SCRIPT, GRAPH_STYLE, graphs
from tacit.draw.lanes import Box, box_of, lanes
from tacit.draw.page import Page, Section
from tacit.draw.parts import Bar, bars, lists, sentences, tiles
from tacit.leakage.measure import Leakage, Meter
from tacit.leakage.reading.traffic import read_runs
from tacit.leakage.view import traffic_of, view_of
from tacit.net.conclusion import Conclusion
from tacit.public.protocol.transcript import Frame
from tacit.words import counted

if TYPE_CHECKING:
    from tacit.net.own_plan import KnownStep

LANES = (
    "Time n is when public step n is taken, for all agents alike. Dashed: what {0} does in private "
    "before that. Of the others it knows what their steps change in public."
)
GRAPH = (
    "From the bottom: what achieves its private tokens, the tokens, the public actions that need "
    "them, the public facts that these achieve. Disclosed edges are coloured."
)
BARS = (
    "Of the private dependencies of {0}: what it disclosed, what follows from what it sent for "
    "certain, what peers can guess right from that, and what nobody else knows. How many "
    "dependencies others have is their secret."
)


def agent_page(name: str, problem: str, found: Conclusion, why: str, known: Leakage | None) -> Page:
    """The page of one agent; `why` there is no plan, as far as it may know, and what peers know."""
    agents = list(found.ledger.agents) or [name]
    sections = [Section("", tiles(_numbers(name, found)))]
    if found.steps:
        sections.append(_plan(name, found.steps, agents))
    elif found.outcome.value != "solved":
        text = why or "The search ended without one. Its owner can say no more than that."
        sections.append(Section("Why there is no plan", sentences([text])))
    sections.append(_bars(name, found, agents, known))
    sections += _own(found, problem)
    title = f"{name}: {found.outcome.value}"
    about = f"{problem} · one of {counted(len(agents), 'agent')} · {found.leader} led"
    audience = f"This page has names of private things of {name}: for its owner alone."
    return Page(title, about, audience, sections, GRAPH_STYLE, GRAPH_SCRIPT)


def _numbers(name: str, found: Conclusion) -> dict[str, str]:
    own = found.ledger.counts(name)
    steps = [step for step in found.steps if step.agent == name]
    shown = {} if found.steps else {"outcome": found.outcome.value}
    if found.steps:
        shown["own steps"] = f"{len(steps):,}"
        shown["public steps of all"] = f"{sum(step.is_public for step in found.steps):,}"
    shown["disclosed by it"] = f"{own.disclosed:,}"
    shown["own private dependencies"] = f"{found.dependencies:,}"
    shown["disclosed by all together"] = f"{found.ledger.sum:,}"
    return shown


def _plan(name: str, steps: tuple[KnownStep, ...], agents: list[str]) -> Section:
    boxes = [
        box_of(step.time, name, step.action, faint=not step.is_public)
        if step.agent == name
        else Box(step.time, step.agent, *_effect(step))
        for step in steps
    ]
    first = [name, *(agent for agent in agents if agent != name)]
    return Section("Plan", lanes(boxes, first), LANES.format(name))


def _effect(step: KnownStep) -> tuple[str, str]:
    verb, _, facts = step.effect.partition(" ")
    return verb, facts


def _bars(name: str, found: Conclusion, agents: list[str], known: Leakage | None) -> Section:
    rows = []
    for agent in [name, *(other for other in agents if other != name)]:
        counts = found.ledger.counts(agent)
        if agent != name:
            rows.append(Bar(agent, counts.edges, None, counts.repairs))
            continue
        certain = None if known is None else len(known.certain)
        guessed = None if known is None else known.guessed_besides
        again = f"{found.recalled} known before" if found.recalled else ""
        total, repairs = found.dependencies, counts.repairs
        rows.append(Bar(agent, counts.edges, total, repairs, certain, guessed, again))
    return Section("Disclosed", bars(rows), BARS.format(name))


def _own(found: Conclusion, problem: str) -> list[Section]:
    """What it disclosed by name, and its graph."""
    graph, disclosed = found.graph(problem), found.disclosed
    if graph is None:
        return []
    listed = [Section("By name", lists({f"Disclosed by {graph.agent}": disclosed}))]
    drawn = Section("Own dependencies", graphs([(graph, len(disclosed))]), GRAPH)
    return [*(listed if disclosed else []), drawn]


def learned(name: str, found: Conclusion, transcript: Path | None) -> Leakage | None:
    """What all peers together could conclude of an agent, from what it sent and received."""
    agent, agents = found.agent, list(found.ledger.agents)
    is_measured = transcript is not None and agent is not None and agent.knows_others
    runs = read_runs([transcript]) if is_measured and transcript is not None else []
    others = [other for other in agents if other != name]
    if agent is None or not runs or not others:
        return None
    frames = [
        Frame(name, entry.peer, entry.payload)
        if entry.is_sent
        else Frame(entry.peer, name, entry.payload)
        for recording in runs[-1].recordings
        for entry in recording.entries
    ]
    view = view_of(traffic_of(frames, agents, others, asker=others[0]))
    if name not in view.agents:
        return None
    return Meter(view).about(name, agent.all_edges, found.ledger.counts(name).disclosed)
