"""What the holders of transcripts can know of each other agent, and whether that is too much.

Of each agent: what it published and told, what follows from that, and *findings*, each a way in
which more was shown than its budget allows. A holder that was not told the edges of an agent (with
the projection only whoever leads is) cannot decide whether an inferred edge is one of them; then
only their number can be too large. With the agent's own files more can be decided
(`tacit.audit.owner`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tacit.audit.collecting import Collector
from tacit.audit.inference import Inferred, from_plans, from_rounds, from_states
from tacit.audit.knowledge import Knowledge, Round
from tacit.audit.states import SeenStates, StateAudit
from tacit.audit.traffic import Traffic
from tacit.public.disclosure import INIT, PublicEdge
from tacit.public.protocol.messages import Reached
from tacit.public.settings import Rule, Settings, Threats


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was shown beyond what is allowed, by kind and in words."""

    kind: str
    text: str


@dataclass
class AgentAudit:
    """What was shown of one agent."""

    knowledge: Knowledge
    states: SeenStates
    sees_edges: bool
    inferred: list[Inferred] = field(default_factory=list)
    """Dependencies that follow from plans and states, and that no told edge explains."""
    hints: list[Inferred] = field(default_factory=list)
    """Edges that follow from rounds of grounding and exploring, whatever the budget."""
    findings: list[Finding] = field(default_factory=list)
    checked_with: str = ""
    """What of the agent's own was there to compare with."""

    @property
    def surmised(self) -> set[PublicEdge]:
        """Edges that were not told and are known for certain."""
        return {PublicEdge(i.givers[0], i.token) for i in self.inferred if i.is_certain}


@dataclass
class Audit:
    """All of one run. `k` is the budget that is allowed, None if none was agreed on."""

    traffic: Traffic
    k: int | None
    agents: dict[str, AgentAudit]

    @property
    def is_clean(self) -> bool:
        return not any(about.findings for about in self.agents.values())


def audit(traffic: Traffic, k: int | None = None, own: str | None = None) -> Audit:
    """What the traffic shows of all agents but its holders, and of `own`, who wants to know it."""
    if k is None and traffic.terms is not None:
        k = traffic.terms.k
    collector = Collector(traffic)
    about = collector.about
    published = {a: part for a in traffic.agents if (part := about[a].published) is not None}
    edges = {agent: about[agent].told for agent in traffic.agents}
    states = StateAudit(traffic, published, edges)
    found = Audit(traffic, k, {})
    for agent in traffic.agents:
        if agent in traffic.holders and agent != own:
            continue
        seen = AgentAudit(about[agent], states.seen[agent], agent in collector.sees_edges)
        seen.inferred = _inferred(seen)
        seen.hints = _hints(traffic, seen.knowledge)
        seen.findings = list(_findings(traffic, k, seen))
        if not states.is_readable:
            seen.findings.append(Finding("states", "there are states that cannot be read"))
        found.agents[agent] = seen
    return found


def _inferred(seen: AgentAudit) -> list[Inferred]:
    about = seen.knowledge
    told = about.told
    found = (*from_plans(about), *from_states(about, seen.states))
    return sorted(item for item in found if item.evidence == "state" or not item.holds_by(told))


def _hints(traffic: Traffic, about: Knowledge) -> list[Inferred]:
    """Edges that follow for certain from rounds, and that were not told."""
    if traffic.names is None:
        return []
    init = traffic.names.init
    exploring = [Round(answer.known.union(init), answer.news) for answer in about.explored]
    rounds = {"grounding": _grounding(traffic, about.agent), "exploring": exploring}
    found = {
        (item.token, item.givers): item
        for evidence, answers in rounds.items()
        for item in from_rounds(about.published, answers, evidence)
        if item.is_certain and not item.holds_by(about.edges)
    }
    return sorted(found.values())


def _grounding(traffic: Traffic, agent: str) -> list[Round]:
    """What an agent said while grounding, in the numbers of facts."""
    assert traffic.names is not None
    number = {fact: n for n, fact in enumerate(traffic.names.facts)}
    said: dict[int, dict[str, Reached]] = {}
    for seen in traffic.frames:
        if isinstance(seen.message, Reached):
            said.setdefault(seen.message.round, {})[seen.sender] = seen.message
    known = set(traffic.names.init)
    rounds = []
    for _, messages in sorted(said.items()):
        news = {a: [number[f] for f in m.true if f in number] for a, m in messages.items()}
        rounds.append(Round(frozenset(known), tuple(news.get(agent, ()))))
        known.update(fact for facts in news.values() for fact in facts)
    return rounds


def _findings(traffic: Traffic, k: int | None, seen: AgentAudit) -> Iterator[Finding]:
    about, settings = seen.knowledge, traffic.settings
    yield from _about_edges(about, settings, k)
    yield from _about_repairs(traffic, about)
    yield from _about_rules(seen, settings)
    yield from _about_states(seen, traffic.is_complete_for(about.agent))
    yield from _about_plans(seen, k)
    garbage = sum(f.message is None and f.sender == about.agent for f in traffic.frames)
    if garbage:
        yield Finding("frames", f"it sent {garbage} frames that are no messages of the protocol")
    if len(about.publications) > 1:
        yield Finding("published", f"it published {len(about.publications)} different things")


def _about_edges(about: Knowledge, settings: Settings, k: int | None) -> Iterator[Finding]:
    if k is not None and len(about.edges) > k:
        yield Finding("budget", f"it told {len(about.edges)} edges, and k is {k}")
    for asked, told in about.over:
        yield Finding("budget", f"it told {told} edges when it was asked for {asked}")
    if about.known and settings.threats is not Threats.KNOWN:
        yield Finding("budget", f"it told {len(about.known)} threats that nobody asked for")
    if about.free:
        text = f"it told {len(about.free)} edges of the start that k does not count"
        yield Finding("budget", text)
    if about.total is not None and len(about.edges) > about.total:
        text = f"it told {len(about.edges)} edges, and says that it has {about.total}"
        yield Finding("budget", text)


def _about_repairs(traffic: Traffic, about: Knowledge) -> Iterator[Finding]:
    if about.repairs and not traffic.settings.repairs:
        yield Finding("repairs", f"it answered {about.repairs} repairs, and there are none here")
    if about.returned or about.threats:
        users = {action.id for part in about.publications for action in part.actions}
        if any(edge.positive or edge.giver not in users for _, edge in about.threats):
            yield Finding("repairs", "it told as a threat what is none")


def _about_rules(seen: AgentAudit, settings: Settings) -> Iterator[Finding]:
    """What profiles and rules other than the defaults let an agent show."""
    about = seen.knowledge
    if about.replanned:
        yield Finding("replan", f"it changed {about.replanned} public plans")
    if about.foreseen and settings.rule is not Rule.SUPPORTED:
        facts = sum(len(answer.news) for answer in about.foreseen)
        text = f"it foresaw {facts} facts by edges that it need not have told"
        yield Finding("foresight", f"{text} (rule '{settings.rule.value}')")
    if seen.states.values:
        agreed = "" if settings.own_values else ", and nobody had agreed to that"
        text = f"{len(seen.states.values)} values of its own view were sent{agreed}"
        yield Finding("values", text)


def _about_states(seen: AgentAudit, is_complete: bool) -> Iterator[Finding]:
    states = seen.states
    strange = sum(state.action is None for state in states.unexplained) if is_complete else 0
    if strange:
        yield Finding("states", f"{strange} states follow from nothing that it published")
    count = len(states.unexplained) - strange
    if count:
        yield Finding("states", f"{count} states need dependencies that it did not tell")
    if states.claimed:
        tokens = ", ".join(map(str, sorted(states.claimed)))
        yield Finding("states", f"it says that tokens hold which no told edge gives: {tokens}")


def _about_plans(seen: AgentAudit, k: int | None) -> Iterator[Finding]:
    plans = [item for item in seen.inferred if item.evidence == "plan"]
    if seen.sees_edges:
        for item in plans:
            yield Finding("inferred", f"from a plan that it can carry out: {in_words(item)}")
    elif k is not None:
        known = len(seen.surmised.union(seen.knowledge.edges))
        if known > k:
            yield Finding("budget", f"{known} of its edges are known, and k is {k}")


def in_words(item: Inferred) -> str:
    """An inferred dependency, in numbers."""
    if item.is_certain:
        return f"{giver_in_words(item.givers[0])} gives token {item.token}"
    if len(item.givers) > 6:
        return f"the start or an earlier action gives token {item.token}"
    givers = ", ".join(giver_in_words(giver) for giver in item.givers)
    return f"one of {givers} gives token {item.token}"


def giver_in_words(giver: int) -> str:
    return "the start" if giver == INIT else f"action {giver}"
