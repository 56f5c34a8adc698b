"""Going through the traffic of a run once, for what is said about each agent."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tacit.audit.knowledge import Knowledge, Round, ToldEdge
from tacit.audit.traffic import Seen, Traffic
from tacit.public.disclosure import PublicEdge
from tacit.public.protocol.link import Farewell, Keep, Kept
from tacit.public.protocol.messages import (
    AnyMessage,
    Begin,
    Carried,
    Carry,
    Closing,
    Disclose,
    Disclosed,
    Explore,
    Explored,
    Foresee,
    Foreseen,
    Learn,
    Meet,
    Opening,
    Published,
    Reached,
    Replanned,
    States,
    Status,
    Told,
    Traced,
    Turn,
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
        if isinstance(message, Disclose | Carry | Explore | Foresee):
            self._asked[seen.sender, seen.receiver] = message
        take = _TAKE.get(type(message))
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

    def _published(self, seen: Seen, message: Published) -> None:
        self._publishes(message)

    def _meet(self, seen: Seen, message: Meet) -> None:
        for part in message.others:
            self._publishes(part)

    def _publishes(self, part: Published) -> None:
        about = self.about.get(part.sender)
        if about is not None and part not in about.publications:
            about.publications.append(part)

    # Edges

    def _tells(self, seen: Seen, agent: str, edges: Iterable[PublicEdge], known: bool) -> None:
        about = self.about.get(agent)
        if about is not None:
            self._note(seen, about, about.known if known else about.edges, edges)

    @staticmethod
    def _note(
        seen: Seen, about: Knowledge, kept: dict[PublicEdge, ToldEdge], edges: Iterable[PublicEdge]
    ) -> None:
        for edge in edges:
            told = _telling(edge, seen)
            kept.setdefault(edge, told)
            about.tellings.setdefault(told)

    def _sorts(self, seen: Seen, agent: str, edges: Iterable[PublicEdge]) -> None:
        """Edges passed on in a search, among them threats that do not count."""
        edges = list(edges)
        apart = [edge for edge in edges if self._threats_are_known and not edge.positive]
        self._tells(seen, agent, apart, True)
        self._tells(seen, agent, [edge for edge in edges if edge not in apart], False)

    def _told(self, seen: Seen, message: Told) -> None:
        self._tells(seen, seen.sender, [message.edge] if message.edge else [], False)

    def _turn(self, seen: Seen, message: Turn) -> None:
        for agent, edge in message.heard:
            self._tells(seen, agent, [edge], False)

    def _disclosed(self, seen: Seen, message: Disclosed) -> None:
        about, question = self._of(seen), self._question(seen)
        self._epoch[seen.sender] = self._epoch.get(seen.sender, 0) + 1
        self.sees_edges.add(seen.sender)
        about.total = message.total
        about.bounded |= message.bounded
        self._tells(seen, seen.sender, message.edges, False)
        self._tells(seen, seen.sender, message.known, True)
        if isinstance(question, Disclose):
            about.budget = max(about.budget, question.budget)
            if len(message.edges) > question.budget:
                about.over.append((question.budget, len(message.edges)))

    def _begin(self, seen: Seen, message: Begin | Learn) -> None:
        for agent, edges in message.disclosed:
            self.sees_edges.add(agent)
            self._sorts(seen, agent, edges)
        if isinstance(message, Begin):  # each search is foreseen anew
            self._reach.pop((seen.receiver, Foresee), None)

    # Plans

    def _carried(self, seen: Seen, message: Carried) -> None:
        about, question = self._of(seen), self._question(seen)
        steps = question.steps if isinstance(question, Carry) else ()
        if message.succeeded:
            about.plans[steps] = None
            return
        about.failures += 1
        epoch, tokens = self._epoch.get(seen.sender, 0), about.tokens
        for edge in message.threats:
            key = (epoch if edge.token >= tokens else 0, edge)
            about.threats.setdefault(key, _telling(edge, seen))
            about.tellings.setdefault(_telling(edge, seen))
        for item in message.returned:
            about.returned[epoch, item] = None
        own = tuple(step for step in steps if step.agent == seen.sender)
        if message.own_prefix:
            about.prefixes["own", own[: message.own_prefix]] = None
        if message.joint_prefix:
            about.prefixes["joint", steps[: message.joint_prefix]] = None

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
        if isinstance(question, Explore | Foresee):
            known.update(question.facts)
        found = Round(frozenset(known), tuple(news))
        known.update(news)
        return found

    def _explored(self, seen: Seen, message: Explored) -> None:
        self._of(seen).explored.append(self._within_reach(seen, message.facts))

    def _foreseen(self, seen: Seen, message: Foreseen) -> None:
        about = self._of(seen)
        about.foreseen.append(self._within_reach(seen, message.facts))
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


def _telling(edge: PublicEdge, seen: Seen) -> ToldEdge:
    return ToldEdge(edge, seen.sender, seen.receiver, seen.time)


_TAKE: dict[type, Callable[..., None]] = {
    Opening: Collector._opening,
    Reached: Collector._reached,
    Closing: Collector._closing,
    Published: Collector._published,
    Meet: Collector._meet,
    Told: Collector._told,
    Turn: Collector._turn,
    Disclosed: Collector._disclosed,
    Begin: Collector._begin,
    Learn: Collector._begin,
    Carried: Collector._carried,
    Keep: Collector._keep,
    Replanned: Collector._replanned,
    Explored: Collector._explored,
    Foreseen: Collector._foreseen,
    Status: Collector._status,
    Traced: Collector._traced,
    Kept: Collector._kept,
    Farewell: Collector._farewell,
}
