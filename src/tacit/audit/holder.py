"""What the holders of transcripts can know of each other agent, and whether that is too much.

Of each agent: what it published and disclosed, what follows from that, certainly or by guessing
(`tacit.leakage`), and *findings*, each a way in which it disclosed more than what is on the ledger,
or more than was agreed on. What follows from an honest run is no finding: it breaks no terms.
Agents send what they disclose to all members, so every holder can decide this. With the agent's own
files more can be decided (`tacit.audit.owner`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tacit.audit.election import faults_of_election
from tacit.audit.inference import Inferred, from_plans, from_states
from tacit.audit.seen_states import SeenStates
from tacit.audit.states import StateAudit
from tacit.leakage.measure import Leakage, Meter
from tacit.leakage.reading.collecting import Collector
from tacit.leakage.reading.knowledge import Knowledge
from tacit.leakage.reading.ledgers import Ledgers
from tacit.leakage.reading.traffic import Traffic
from tacit.leakage.view import view_of
from tacit.public.disclosure import INIT, PublicEdge
from tacit.public.ledger import Counts, Item, Kind, Ledger
from tacit.public.settings import Cost, Rule, Settings, Threats
from tacit.words import counted, form

if TYPE_CHECKING:
    from tacit.audit.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was shown beyond what is allowed, by kind, with a text."""

    kind: str
    text: str


@dataclass
class AgentAudit:
    """What was shown of one agent."""

    knowledge: Knowledge
    states: SeenStates
    ledgers: Ledgers
    inferred: list[Inferred] = field(default_factory=list)
    """Dependencies that follow from plans and states, and that no disclosed edge explains."""
    leakage: Leakage | None = None
    """What the holders can conclude beyond what was disclosed; None if it did not publish."""
    findings: list[Finding] = field(default_factory=list)
    checked_with: str = ""
    """What of the agent's own was there to compare with."""
    kept: int | None = None
    """How many edges it never disclosed; only its owner can know."""

    @property
    def surmised(self) -> set[PublicEdge]:
        """Edges that were not disclosed and are known for certain."""
        return {PublicEdge(i.achievers[0], i.token) for i in self.inferred if i.is_certain}

    @property
    def counts(self) -> Counts:
        """How much it disclosed."""
        return self.ledgers.whole.counts(self.knowledge.agent)

    def entries(self, kind: Kind) -> list[Item]:
        """What it disclosed of one kind, in its order."""
        agent = self.knowledge.agent
        return [e.item for e in self.ledgers.whole if e.agent == agent and e.kind is kind]

    def counts_to(self, receiver: str) -> Counts:
        """How much it disclosed to one agent."""
        return self.ledgers.received[receiver].counts(self.knowledge.agent)

    @property
    def receivers(self) -> list[str]:
        """Agents that are known to have been sent something that it disclosed."""
        agent = self.knowledge.agent
        return [r for r, own in self.ledgers.received.items() if own.counts(agent).disclosed]


@dataclass(repr=False)
class Audit:
    """All of one run. `k` is how many edges are allowed, None if nothing was agreed on."""

    traffic: Traffic
    k: int | None
    ledger: Ledger
    """What all agents disclosed, the holders among them."""
    agents: dict[str, AgentAudit]
    meter: Meter
    """What follows from the traffic, for whoever knows more of an agent."""
    evidence: Evidence | None = None
    """What signatures prove, where that was asked for."""

    def __repr__(self) -> str:
        findings = sum(len(about.findings) for about in self.agents.values())
        return f"<audit: {len(self.agents)} agents, {findings} findings>"

    @property
    def is_clean(self) -> bool:
        is_altered = self.evidence is not None and bool(self.evidence.problems)
        return not is_altered and not any(about.findings for about in self.agents.values())

    @property
    def kept(self) -> dict[str, int]:
        """Per agent, how many edges it never disclosed, where its owner asks."""
        return {a: about.kept for a, about in self.agents.items() if about.kept is not None}


def audit(traffic: Traffic, k: int | None = None, own: str | None = None) -> Audit:
    """What the traffic shows of all agents but its holders, and of `own`, whose owner asks."""
    if k is None and traffic.terms is not None:
        k = traffic.terms.k
    collector = Collector(traffic)
    about = collector.about
    published = {a: part for a in traffic.agents if (part := about[a].published) is not None}
    edges = {agent: about[agent].disclosed for agent in traffic.agents}
    states = StateAudit(traffic, published, edges)
    meter = Meter(view_of(traffic, collector=collector))
    found = Audit(traffic, k, collector.ledgers.whole, {}, meter)
    for agent in traffic.agents:
        if agent in traffic.holders and agent != own:
            continue
        seen = AgentAudit(about[agent], states.seen[agent], collector.ledgers)
        seen.inferred = _inferred(seen)
        seen.findings = list(_findings(traffic, k, seen))
        if not states.is_readable:
            seen.findings.append(Finding("states", "there are states that cannot be read"))
        if agent in found.meter.view.agents:
            seen.leakage = found.meter.about(agent)
        found.agents[agent] = seen
    for agent, text in dict.fromkeys(faults_of_election(traffic)):
        if agent in found.agents:
            found.agents[agent].findings.append(Finding("election", text))
    return found


def _inferred(seen: AgentAudit) -> list[Inferred]:
    about = seen.knowledge
    disclosed = about.disclosed
    found = (*from_plans(about), *from_states(about, seen.states))
    return sorted(
        item for item in found if item.evidence == "state" or not item.holds_by(disclosed)
    )


def _findings(traffic: Traffic, k: int | None, seen: AgentAudit) -> Iterator[Finding]:
    about, settings = seen.knowledge, traffic.settings
    yield from _about_edges(seen, settings, k)
    yield from _about_repairs(seen, settings)
    yield from _about_rules(seen, settings, traffic.is_optimal)
    yield from _about_sums(seen, len(traffic.agents))
    yield from _about_states(seen, traffic.is_complete_for(about.agent))
    yield from _about_plans(seen)
    garbage = sum(f.message is None and f.sender == about.agent for f in traffic.frames)
    if garbage:
        frames = counted(garbage, "frame")
        yield Finding("frames", f"it sent {frames} that the protocol does not have")
    if about.budgets and not traffic.is_offline:
        text = (
            f"it disclosed edges of {about.budgets} values of k at once, which is for offline runs"
        )
        yield Finding("frames", text)
    if len(about.publications) > 1:
        yield Finding("published", f"it published {len(about.publications)} different things")


def _about_edges(seen: AgentAudit, settings: Settings, k: int | None) -> Iterator[Finding]:
    about, edges = seen.knowledge, seen.counts.counted
    if k is not None and edges > k:
        yield Finding("budget", f"it disclosed {counted(edges, 'edge')}, and k is {k}")
    for asked, sent in about.over:
        text = f"it disclosed {counted(sent, 'edge')} when it was asked for {asked}"
        yield Finding("budget", text)
    if about.known and settings.threats is not Threats.KNOWN:
        yield Finding("budget", f"it disclosed {counted(len(about.known), 'threat')} unasked")
    if about.free:
        edges_free = counted(len(about.free), "edge")
        text = f"it disclosed {edges_free} of the initial state that k does not count"
        yield Finding("budget", text)


def _about_repairs(seen: AgentAudit, settings: Settings) -> Iterator[Finding]:
    about, repairs = seen.knowledge, seen.counts.repairs
    if repairs and not settings.uses_repair:
        text = f"it sent {counted(repairs, 'repair')} where settings ask for none"
        yield Finding("repairs", text)
    users = {action.id for part in about.publications for action in part.actions}
    if any(edge.positive or edge.achiever not in users for edge in about.threats):
        yield Finding("repairs", "it disclosed threats that cannot be threats")


def _about_sums(seen: AgentAudit, agents: int) -> Iterator[Finding]:
    """Of two agents each can tell the other's costs from a sum."""
    if sums := seen.knowledge.sums if agents == 2 else 0:
        what = f"what its private actions cost in {counted(sums, 'plan')}"
        yield Finding("costs", f"{what}: of two agents each can tell")


def _about_rules(seen: AgentAudit, settings: Settings, is_optimal: bool) -> Iterator[Finding]:
    """What profiles and rules other than the defaults let an agent show."""
    about = seen.knowledge
    if about.replanned:
        yield Finding("replan", f"it changed {counted(about.replanned, 'public plan')}")
    if about.jointly_reached and settings.rule is not Rule.SUPPORTED:
        facts = sum(map(len, about.jointly_reached))
        text = f"it can reach {counted(facts, 'fact')} by edges that it may not have disclosed"
        yield Finding("joint-reach", f"{text} (rule '{settings.rule.value}')")
    if seen.states.values:
        is_agreed = settings.own_values or is_optimal
        agreed = "" if is_agreed else ", and nobody had agreed to that"
        count = len(seen.states.values)
        were = form(count, "was", "were")
        text = f"{counted(count, 'value')} of its own view {were} sent{agreed}"
        yield Finding("values", text)
    told = seen.states.told
    if told.sums:
        is_agreed = is_optimal and settings.cost is Cost.TOTAL
        agreed = "" if is_agreed else ", and nobody had agreed to that"
        were = form(told.sums, "was", "were")
        text = f"{counted(told.sums, 'sum')} with costs of private actions {were} sent{agreed}"
        yield Finding("costs", text)
    if told.lost:
        count = len(told.lost)
        text = f"{counted(count, 'set')} of tokens {form(count, 'was', 'were')} said to be lost"
        yield Finding("lost tokens", text)


def _about_states(seen: AgentAudit, is_complete: bool) -> Iterator[Finding]:
    states = seen.states
    strange = sum(state.action is None for state in states.unexplained) if is_complete else 0
    if strange:
        follow = form(strange, "follows", "follow")
        text = f"{counted(strange, 'state')} {follow} from nothing that it published"
        yield Finding("states", text)
    count = len(states.unexplained) - strange
    if count:
        need = form(count, "needs", "need")
        text = f"{counted(count, 'state')} {need} dependencies that it did not disclose"
        yield Finding("states", text)
    if states.steps.overclaimed:
        tokens = ", ".join(map(str, sorted(states.steps.overclaimed)))
        yield Finding(
            "states", f"its states have tokens that no step on their way achieves: {tokens}"
        )
    if states.foreign:
        have = form(states.foreign, "has", "have")
        text = f"{counted(states.foreign, 'state')} {have} indices that were not introduced in"
        yield Finding("states", f"{text} its search: they may link it to another one")
    if states.told_apart:
        text = f"{states.told_apart} of its indices have some tokens only, where all have all"
        yield Finding("states", f"{text} (hardening 'secure')")
    if states.claimed:
        tokens = ", ".join(map(str, sorted(states.claimed)))
        yield Finding("states", f"its states have tokens that no disclosed edge achieves: {tokens}")


def _about_plans(seen: AgentAudit) -> Iterator[Finding]:
    for item in seen.inferred:
        if item.evidence == "plan":
            yield Finding("inferred", f"from a plan that it can execute: {describe(item)}")


def describe(item: Inferred) -> str:
    """An inferred dependency, in numbers."""
    if item.is_certain:
        return f"{describe_achiever(item.achievers[0])} achieves token {item.token}"
    if len(item.achievers) > 6:
        return f"the initial state or an earlier action achieves token {item.token}"
    achievers = ", ".join(describe_achiever(achiever) for achiever in item.achievers)
    return f"one of {achievers} achieves token {item.token}"


def describe_achiever(achiever: int) -> str:
    return "the initial state" if achiever == INIT else f"action {achiever}"
