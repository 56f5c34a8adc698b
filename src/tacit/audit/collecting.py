"""Going through the traffic of a run once, for what it shows of each agent."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tacit.audit.knowledge import Knowledge, Round, SeenEdge
from tacit.audit.traffic import Seen, Traffic
from tacit.public.disclosure import PublicEdge, PublicStep
from tacit.public.protocol.control import CONTROL
from tacit.public.protocol.link import (
    Farewell,
    Keep,
    Kept,
)
from tacit.public.protocol.messages import (
    AnyMessage,
    Begin,
    Closing,
    Disclose,
    Disclosed,
    EdgeDisclosed,
    Extend,
    Extended,
    Failure,
    Introduce,
    JointReach,
    JointReached,
    Layer,
    Learn,
    NextEdge,
    NextLayer,
    NotExtended,
    Opening,
    PrefixFails,
    Publication,
    Reached,
    RepairWithheld,
    Replan,
    Replanned,
    Scope,
    States,
    Status,
    Threatened,
    Traced,
    Undecided,
)
from tacit.public.settings import Threats


class Collector:
    """Goes through the traffic of a run once; `about` has what was found per agent."""

    def __init__(self, traffic: Traffic):
        self.about = {agent: Knowledge(agent) for agent in traffic.agents}
        self.sees_edges: set[str] = set()
        """Agents whose edges are here as the search used them."""
        self._threats_are_known = traffic.settings.threats is Threats.KNOWN
        self._asked: dict[tuple[str, str], AnyMessage] = {}
        self._reach: dict[tuple[str, type], set[int]] = {}
        self._epoch = dict.fromkeys(traffic.agents, 0)
        for seen in traffic.frames:
            self._take(seen)

    def _take(self, seen: Seen) -> None:
        message = seen.message
        if message is None or isinstance(message, States):
            return
        if isinstance(message, Disclose | Extend | NextLayer | JointReach):
            self._asked[seen.sender, seen.receiver] = message
        take = TAKEN.get(type(message))
        if take is not None:
            take(self, seen, message)

    def _of(self, seen: Seen) -> Knowledge:
        return self.about.setdefault(seen.sender, Knowledge(seen.sender))

    def _question(self, seen: Seen) -> AnyMessage | None:
        """What an answer is the answer to."""
        return self._asked.get((seen.receiver, seen.sender))

    # Grounding and publishing

    def _opening(self, seen: Seen, message: Opening) -> None:
        about = self._of(seen)
        about.changes, about.negates = message.changes, message.negates

    def _reached(self, seen: Seen, message: Reached) -> None:
        about = self._of(seen)
        if message.round > about.rounds:
            about.rounds = message.round
            about.reached += len(message.true)

    def _closing(self, seen: Seen, message: Closing) -> None:
        about = self._of(seen)
        about.negates = tuple(sorted({*about.negates, *(f.predicate for f in message.negated)}))

    def _publication(self, seen: Seen, message: Publication) -> None:
        self._publishes(message)

    def _introduce(self, seen: Seen, message: Introduce) -> None:
        for part in message.others:
            self._publishes(part)

    def _publishes(self, part: Publication) -> None:
        about = self.about.get(part.sender)
        if about is not None and part not in about.publications:
            about.publications.append(part)

    # Edges

    def _disclose(self, seen: Seen, agent: str, edges: Iterable[PublicEdge], known: bool) -> None:
        about = self.about.get(agent)
        if about is not None:
            self._note(seen, about, about.known if known else about.edges, edges)

    @staticmethod
    def _note(
        seen: Seen, about: Knowledge, found: dict[PublicEdge, SeenEdge], edges: Iterable[PublicEdge]
    ) -> None:
        for edge in edges:
            disclosed = _disclosure(edge, seen)
            found.setdefault(edge, disclosed)
            about.disclosures.setdefault(disclosed)

    def _sorts(self, seen: Seen, agent: str, edges: Iterable[PublicEdge]) -> None:
        """Edges passed on in a search, among them threats that do not count."""
        edges = list(edges)
        apart = [edge for edge in edges if self._threats_are_known and not edge.positive]
        self._disclose(seen, agent, apart, True)
        self._disclose(seen, agent, [edge for edge in edges if edge not in apart], False)

    def _edge_disclosed(self, seen: Seen, message: EdgeDisclosed) -> None:
        self._disclose(seen, seen.sender, [message.edge] if message.edge else [], False)

    def _next_edge(self, seen: Seen, message: NextEdge) -> None:
        for agent, edge in message.heard:
            self._disclose(seen, agent, [edge], False)

    def _disclosed(self, seen: Seen, message: Disclosed) -> None:
        about, question = self._of(seen), self._question(seen)
        self._epoch[seen.sender] = self._epoch.get(seen.sender, 0) + 1
        self.sees_edges.add(seen.sender)
        about.total = message.total
        about.bounded |= message.bounded
        self._disclose(seen, seen.sender, message.edges, False)
        self._disclose(seen, seen.sender, message.known, True)
        if isinstance(question, Disclose):
            about.budget = max(about.budget, question.budget)
            if len(message.edges) > question.budget:
                about.over.append((question.budget, len(message.edges)))

    def _begin(self, seen: Seen, message: Begin | Learn) -> None:
        for agent, edges in message.disclosed:
            self.sees_edges.add(agent)
            self._sorts(seen, agent, edges)
        if isinstance(message, Begin):  # joint reachability starts over with each search
            self._reach.pop((seen.receiver, JointReach), None)

    # Plans

    def _steps(self, seen: Seen) -> tuple[PublicStep, ...]:
        """The public plan that an answer is about."""
        question = self._question(seen)
        return question.steps if isinstance(question, Extend) else ()

    def _extended(self, seen: Seen, message: Extended) -> None:
        self._of(seen).plans[self._steps(seen)] = None

    def _failed(self, seen: Seen, message: Failure) -> None:
        self._of(seen).failures += 1

    def _threatened(self, seen: Seen, message: Threatened) -> None:
        self._failed(seen, message)
        about = self._of(seen)
        epoch, tokens = self._epoch.get(seen.sender, 0), about.tokens
        for edge in message.threats:
            key = (epoch if edge.token >= tokens else 0, edge)
            about.threats.setdefault(key, _disclosure(edge, seen))
            about.disclosures.setdefault(_disclosure(edge, seen))
        for item in message.restored:
            about.restored[epoch, item] = None

    def _prefix_fails(self, seen: Seen, message: PrefixFails) -> None:
        self._failed(seen, message)
        steps = self._steps(seen)
        if message.scope is Scope.OWN:
            steps = tuple(step for step in steps if step.agent == seen.sender)
        self._of(seen).prefixes[message.scope, steps[: message.steps]] = None

    def _keep(self, seen: Seen, message: Keep) -> None:
        """Everybody has confirmed this plan."""
        for about in self.about.values():
            about.plans[message.steps] = None

    def _replanned(self, seen: Seen, message: Replanned) -> None:
        self._of(seen).replanned += message.succeeded

    # What is within reach, and counts

    def _within_reach(self, seen: Seen, news: Iterable[int]) -> Round:
        question = self._question(seen)
        known = self._reach.setdefault((seen.sender, type(question)), set())
        if isinstance(question, NextLayer | JointReach):
            known.update(question.facts)
        found = Round(frozenset(known), tuple(news))
        known.update(news)
        return found

    def _layer(self, seen: Seen, message: Layer) -> None:
        self._of(seen).layers.append(self._within_reach(seen, message.facts))

    def _joint_reached(self, seen: Seen, message: JointReached) -> None:
        about = self._of(seen)
        about.jointly_reached.append(self._within_reach(seen, message.facts))
        about.can_finish.append(message.can_finish)
        self._note(seen, about, about.free, message.free)

    def _status(self, seen: Seen, message: Status) -> None:
        about = self._of(seen)
        about.statuses += 1
        about.stored = max(about.stored, message.stored)

    def _traced(self, seen: Seen, message: Traced) -> None:
        self._of(seen).traced += len(message.steps)

    def _kept(self, seen: Seen, message: Kept) -> None:
        self._of(seen).spacing = max(self._of(seen).spacing, message.spacing)

    def _farewell(self, seen: Seen, message: Farewell) -> None:
        self._of(seen).left = message.reason.value


def _disclosure(edge: PublicEdge, seen: Seen) -> SeenEdge:
    return SeenEdge(edge, seen.sender, seen.receiver, seen.time)


TAKEN: dict[type, Callable[..., None]] = {
    Opening: Collector._opening,
    Reached: Collector._reached,
    Closing: Collector._closing,
    Publication: Collector._publication,
    Introduce: Collector._introduce,
    EdgeDisclosed: Collector._edge_disclosed,
    NextEdge: Collector._next_edge,
    Disclosed: Collector._disclosed,
    Begin: Collector._begin,
    Learn: Collector._begin,
    Extended: Collector._extended,
    NotExtended: Collector._failed,
    Undecided: Collector._failed,
    RepairWithheld: Collector._failed,
    Threatened: Collector._threatened,
    PrefixFails: Collector._prefix_fails,
    Keep: Collector._keep,
    Replanned: Collector._replanned,
    Layer: Collector._layer,
    JointReached: Collector._joint_reached,
    Status: Collector._status,
    Traced: Collector._traced,
    Kept: Collector._kept,
    Farewell: Collector._farewell,
}
PASSED_OVER = CONTROL | {Extend, Replan, States}
"""Plans that are asked about, and states, which `tacit.audit.states` explains."""
