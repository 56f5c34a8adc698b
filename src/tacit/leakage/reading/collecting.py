"""Going through the traffic of a run once, for what it shows of each agent."""

from __future__ import annotations

from collections.abc import Callable

from tacit import watch
from tacit.leakage.reading.knowledge import Knowledge
from tacit.leakage.reading.ledgers import Ledgers
from tacit.leakage.reading.traffic import Seen, Traffic
from tacit.public.disclosure import PublicStep
from tacit.public.protocol.control import CONTROL
from tacit.public.protocol.link import (
    Farewell,
    Keep,
    Kept,
)
from tacit.public.protocol.messages import (
    AnyMessage,
    Closing,
    Confirm,
    Disclose,
    Disclosed,
    Disclosure,
    EdgeDisclosed,
    Extend,
    Extended,
    Failure,
    Improve,
    Improved,
    Introduce,
    JointReached,
    LayersEnded,
    NoMore,
    NotExtended,
    Opening,
    Passed,
    PrefixFails,
    Publication,
    Reached,
    Recalled,
    RepairWithheld,
    Replan,
    Replanned,
    States,
    Status,
    Threatened,
    Traced,
    Undecided,
    Weighed,
)


class Collector:
    """Goes through the traffic of a run once; `about` has what was found per agent, `ledgers` what
    was disclosed.
    """

    def __init__(self, traffic: Traffic):
        self.about = {agent: Knowledge(agent) for agent in traffic.agents}
        self.ledgers = Ledgers(traffic)
        self._asked: dict[tuple[str, str], AnyMessage] = {}
        for seen in watch.checked(traffic.frames):
            self._take(seen)

    def _take(self, seen: Seen) -> None:
        message = seen.message
        if message is None or isinstance(message, States):
            return
        if isinstance(message, Disclose | Extend | Confirm):
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
        if message.turn > about.last_turn:
            about.turns += 1
            about.last_turn = message.turn
            about.reached += len(message.true)

    def _closing(self, seen: Seen, message: Closing) -> None:
        about = self._of(seen)
        about.negates = tuple(sorted({*about.negates, *(f.predicate for f in message.negated)}))

    def _publication(self, seen: Seen, message: Publication) -> None:
        self._publishes(seen, message)

    def _introduce(self, seen: Seen, message: Introduce) -> None:
        for part in message.others:
            self._publishes(seen, part)

    def _publishes(self, seen: Seen, part: Publication) -> None:
        about = self.about.get(part.sender)
        if about is None:
            return
        if part not in about.publications:
            about.publications.append(part)
        about.known |= dict.fromkeys(part.threats)
        if part.sender != seen.receiver:
            self.ledgers.publish(seen.receiver, part)

    def _layers_ended(self, seen: Seen, message: LayersEnded) -> None:
        self._of(seen).can_finish.append(message.can_finish)

    # What is disclosed

    def _enter(self, seen: Seen, message: Disclosure) -> bool:
        """Enter it in the ledger; False if it went to another receiver before."""
        entries = self.ledgers.take(seen, message)
        for entry in entries or ():
            self._of(seen).note(entry)
        return entries is not None

    def _edge_disclosed(self, seen: Seen, message: EdgeDisclosed) -> None:
        self._enter(seen, message)

    def _recalled(self, seen: Seen, message: Recalled) -> None:
        if self.ledgers.take(seen, message) is not None:
            self._of(seen).recalled |= dict.fromkeys(message.edges)

    def _passed(self, seen: Seen, message: Passed) -> None:
        self._of(seen).passed += 1

    def _no_more(self, seen: Seen, message: NoMore) -> None:
        self._of(seen).has_no_more = True

    def _disclosed(self, seen: Seen, message: Disclosed) -> None:
        about, question = self._of(seen), self._question(seen)
        about.budgets += self._enter(seen, message)
        budget = question.budget if isinstance(question, Disclose) else None
        if budget is not None and len(message.edges) > budget:
            about.over.append((budget, len(message.edges)))

    # Plans

    def _extend(self, seen: Seen, message: Extend) -> None:
        self.ledgers.ask(message)

    def _steps(self, seen: Seen) -> tuple[PublicStep, ...]:
        """The public plan that an answer is about."""
        question = self._question(seen)
        return question.steps if isinstance(question, Extend | Confirm) else ()

    def _extended(self, seen: Seen, message: Extended) -> None:
        self._of(seen).plans[self._steps(seen)] = None

    def _failed(self, seen: Seen, message: Failure) -> None:
        self._of(seen).failures += 1

    def _repairs(self, seen: Seen, message: Threatened | PrefixFails) -> None:
        self._of(seen).failures += self._enter(seen, message)

    def _keep(self, seen: Seen, message: Keep) -> None:
        """Everybody has confirmed this plan."""
        for about in self.about.values():
            about.plans[message.steps] = None

    def _improved(self, seen: Seen, message: Improved) -> None:
        """A plan that its sender can execute."""
        if message.steps:
            self._of(seen).plans[message.steps] = None
            self._of(seen).responses += 1

    def _weighed(self, seen: Seen, message: Weighed) -> None:
        self._of(seen).sums += 1

    def _replanned(self, seen: Seen, message: Replanned) -> None:
        self._of(seen).replanned += message.succeeded

    # What is within reach, and counts

    def _joint_reached(self, seen: Seen, message: JointReached) -> None:
        if self._enter(seen, message):
            about = self._of(seen)
            about.jointly_reached.append(message.facts)
            about.can_finish.append(message.can_finish)

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


TAKEN: dict[type, Callable[..., None]] = {
    Opening: Collector._opening,
    Reached: Collector._reached,
    Closing: Collector._closing,
    Publication: Collector._publication,
    Introduce: Collector._introduce,
    LayersEnded: Collector._layers_ended,
    EdgeDisclosed: Collector._edge_disclosed,
    Recalled: Collector._recalled,
    Passed: Collector._passed,
    NoMore: Collector._no_more,
    Disclosed: Collector._disclosed,
    Extend: Collector._extend,
    Extended: Collector._extended,
    NotExtended: Collector._failed,
    Undecided: Collector._failed,
    RepairWithheld: Collector._failed,
    Threatened: Collector._repairs,
    PrefixFails: Collector._repairs,
    Improved: Collector._improved,
    Weighed: Collector._weighed,
    Keep: Collector._keep,
    Replanned: Collector._replanned,
    JointReached: Collector._joint_reached,
    Status: Collector._status,
    Traced: Collector._traced,
    Kept: Collector._kept,
    Farewell: Collector._farewell,
}
PASSED_OVER = (CONTROL | {Confirm, Replan, Improve, States}) - TAKEN.keys()
"""Messages that only steer, plans that are asked about, and states, which `tacit.audit.states`
explains.
"""
