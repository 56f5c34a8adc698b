"""An agent's own record of what it disclosed: what, to which agent, when, in its own names.

One line per disclosure and receiver, written before it is sent, so that nothing crosses that is not
in here. Each run is appended to the runs before it, and begins with a summary (`record_summary`)
and what it is: the peers, its number as this owner and as each peer counts them, and its terms. The
own steps of a plan are written out once, and have a number from then on. The record has private
names in it and is for the owner's eyes alone: the file can be read by nobody else, and no line of
it is ever sent.
`tacit audit --record` reads it again (`tacit.audit.recorded`).
"""

from __future__ import annotations

import datetime
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO, get_args

from tacit import files
from tacit.errors import InternalError
from tacit.net.record_summary import room, summary
from tacit.party.agent import Agent
from tacit.public.disclosure import PublicEdge, PublicStep
from tacit.public.protocol.base import Message
from tacit.public.protocol.control import CONTROL
from tacit.public.protocol.link import (
    Farewell,
    Keep,
    Kept,
    Terms,
    fields,
)
from tacit.public.protocol.messages import (
    AnyMessage,
    Closing,
    Confirm,
    Disclosed,
    EdgeDisclosed,
    Extend,
    Extended,
    Failure,
    Improve,
    Improved,
    Introduce,
    JointReached,
    Opening,
    PrefixFails,
    Publication,
    Reached,
    Recalled,
    Replan,
    Replanned,
    Scope,
    States,
    Status,
    Threatened,
    Traced,
    Weighed,
    tag_of,
)

RECORDED: frozenset[type[Message]] = frozenset(
    {
        *(Opening, Reached, Closing, Publication, Introduce, JointReached),
        *(EdgeDisclosed, Recalled, Disclosed, *get_args(Failure)),
        *(Replanned, Traced, Extend, Confirm, Replan, Keep, Kept, Status, States),
        *(Improve, Improved, Weighed),
    }
)
"""Messages that may show something of their sender: what, is on its record."""
WITHOUT_SECRETS = CONTROL | {Extended, Farewell}
"""Messages that show nothing of their sender but what docs/protocol.md says."""


class DisclosureRecord:
    """Takes down every message that goes out. Without a path it forgets everything."""

    def __init__(self, path: Path | None, name: str, peers: Iterable[str] = ()):
        self._name = name
        self._path = path
        self._told: dict[str, Counter[str]] = {peer: Counter() for peer in peers}
        self._plans: dict[tuple[str, ...], int] = {}
        self._sent_plans: dict[str, set[int]] = {}
        self._summary_at = 0
        self._end: tuple[str, int | None] = ("ended early, without a conclusion", None)
        self._file: TextIO | None = None
        self._agent: Agent | None = None
        self._edges: dict[str, set[PublicEdge]] = {}
        self._known: dict[str, set[PublicEdge]] = {}
        self._threats: dict[str, set[PublicEdge]] = {}
        self._counts: Counter[str] = Counter()
        if path is not None:
            what = f"; what '{name}' disclosed: time (UTC), receiver, what; private"
            head = f"{what}; a run from {_now()} on\n".encode()
            raw = files.append(path)
            files.write_all(raw, head + room(len(self._told)))
            self._summary_at = raw.tell() - len(room(len(self._told)))
            self._file = io.TextIOWrapper(
                io.BufferedWriter(raw), encoding="utf-8", line_buffering=True
            )

    def begin(self, peer: str, number: int, theirs: int, terms: Terms) -> None:
        """Which run with a peer this is, as both count them, and what was agreed on."""
        listed = ", ".join(f"{name} {value}" for name, value in fields(terms).items())
        ours = f"run {number}" if number else "a run that is not counted (no lasting ledger)"
        other = f"run {theirs}" if theirs else "not counted"
        self._write(peer, f"{ours} with '{peer}', there {other}; terms: {listed}")

    def describe_with(self, agent: Agent) -> None:
        """From now on there are names for numbers."""
        self._agent = agent

    def sent(self, peer: str, message: AnyMessage) -> None:
        """A message goes to a peer, now. One of a kind that is not accounted for does not go."""
        if type(message) not in RECORDED | WITHOUT_SECRETS:
            raise InternalError(f"'{tag_of(message)}' is on no record, so it is not sent")
        if isinstance(message, Status):
            self._counts[peer] += 1
        else:
            for text in filter(None, self._lines(peer, message)):
                self._write(peer, text)

    def sent_states(self, peer: str, size: int) -> None:
        """A batch of states goes out; they are too many for a line each."""
        self._count(peer, batches=1, bytes=size)

    def _count(self, peer: str, **more: int) -> None:
        self._told.setdefault(peer, Counter()).update(more)

    def conclude(self, outcome: str, edges: int) -> None:
        """The run ended so, and the agent has so many edges."""
        self._end = (f"ended with '{outcome}'", edges)

    def _summarise(self) -> None:
        if self._path is not None:
            found = summary(self._name, *self._end, self._told)
            files.overwrite(self._path, self._summary_at, found)

    def _write(self, peer: str, text: str) -> None:
        if self._file is not None:
            self._file.write(f"{_now()}  to {peer}  {text}\n")

    def _lines(self, peer: str, message: AnyMessage) -> Iterator[str]:
        if isinstance(message, Opening):
            yield _listed("public predicates that its actions change", message.changes)
            yield _listed("public predicates that it needs negated", message.negates)
        elif isinstance(message, Reached):
            yield _listed("public facts that hold initially", message.initial)
            yield _listed("public facts within its reach", message.true)
            yield _listed("public facts that it can make false", message.false)
        elif isinstance(message, Closing):
            yield _listed("public facts that it needs negated", message.negated)
            yield _listed("public goals", message.goals)
        elif self._agent is not None:
            yield from self._planning(peer, message, self._agent)

    def _planning(self, peer: str, message: AnyMessage, agent: Agent) -> Iterator[str]:
        if isinstance(message, Publication):
            yield from self._published(peer, message, agent)
        elif isinstance(message, Introduce):
            own = [part for part in message.others if part.sender == self._name]
            yield from (line for part in own for line in self._published(peer, part, agent))
        elif isinstance(message, JointReached):
            facts = [agent.task.public_facts[fact] for fact in message.facts]
            yield _listed("public facts newly within its reach", facts)
            yield f"private goals are {'' if message.can_finish else 'not '}within its reach"
            yield from self._free_edges(peer, message, agent)
        elif isinstance(message, EdgeDisclosed | Disclosed):
            yield from self._edge_lines(peer, message, agent)
        elif isinstance(message, Recalled):
            for text in self._uncounted(peer, message.edges, agent):
                yield f"known from earlier runs: {text}"
        elif isinstance(message, Failure):
            yield from self._failure(peer, message, agent)
        else:
            yield from self._steps(peer, message)

    def _edge_lines(
        self, peer: str, message: EdgeDisclosed | Disclosed, agent: Agent
    ) -> Iterator[str]:
        """Own edges."""
        edges = message.edges if isinstance(message, Disclosed) else [message.edge]
        counted = self._edges.setdefault(peer, set())
        before = self._before(peer)
        for edge in (edge for edge in edges if edge not in before):
            counted.add(edge)
            self._count(peer, edges=1)
            yield f"dependency {len(counted)}: {agent.descriptions.edge(edge)}"

    def _published(self, peer: str, part: Publication, agent: Agent) -> Iterator[str]:
        """What everybody may know, and threats that are no secret."""
        yield from agent.descriptions.published(part)
        if not self._told.get(peer, Counter())["actions"]:
            self._count(peer, actions=len(part.actions), tokens=part.tokens)
        known = self._known.setdefault(peer, set())
        for edge in (edge for edge in part.threats if edge not in known):
            known.add(edge)
            self._count(peer, free=1)
            yield f"known threat: {agent.descriptions.edge(edge)}"

    def _free_edges(self, peer: str, message: JointReached, agent: Agent) -> Iterator[str]:
        """Edges of the initial state that a rule does not count."""
        for text in self._uncounted(peer, message.free, agent):
            yield f"free edge: {text}"

    def _uncounted(self, peer: str, edges: Sequence[PublicEdge], agent: Agent) -> Iterator[str]:
        """What does not count, unless the peer was sent it before."""
        known = self._known.setdefault(peer, set())
        for edge in (edge for edge in edges if edge not in known):
            known.add(edge)
            self._count(peer, free=1)
            yield agent.descriptions.edge(edge)

    def _steps(self, peer: str, message: AnyMessage) -> Iterator[str]:
        """Own steps of public plans."""
        if isinstance(message, Replanned):
            yield self._plan(peer, "a changed public plan (beyond k)", message.steps)
        elif isinstance(message, Traced):
            steps = [PublicStep(self._name, step) for step in message.steps]
            yield self._plan(peer, "the plan found", steps)
        elif isinstance(message, Extend | Confirm | Replan):
            yield self._plan(peer, "a public plan to extend", message.steps)
        elif isinstance(message, Improved) and message.steps:
            yield self._plan(peer, "a plan in which its part is cheaper", message.steps)
        elif isinstance(message, Weighed):
            yield "what its private actions in the plan cost, under masks"
        elif isinstance(message, Keep):
            yield self._plan(peer, "the plan that all confirmed", message.steps)
        elif isinstance(message, Kept) and message.spacing > 1_000:
            yield f"there are {message.spacing // 10} or more private actions in a row"

    def _plan(self, peer: str, what: str, steps: Sequence[PublicStep]) -> str:
        """Own steps of a plan, which has a number, and is written out where it comes first."""
        own = tuple(self._own(steps))
        if not own:
            return ""
        is_new = own not in self._plans
        number = self._plans.setdefault(own, len(self._plans) + 1)
        sent = self._sent_plans.setdefault(peer, set())
        self._count(peer, plans=number not in sent)
        sent.add(number)
        return f"{what}: own steps {number}" + (f": {', '.join(own)}" if is_new else ", as above")

    def _failure(self, peer: str, message: Failure, agent: Agent) -> Iterator[str]:
        match message:
            case Threatened():
                for token in message.restored:
                    users = ", ".join(agent.descriptions.action(user) for user in token.needed_by)
                    what = agent.descriptions.token(token.token)
                    self._count(peer, repairs=1)
                    yield f"repair: {what} is restored, needed by {users}"
                for text in self._new_threats(peer, message.threats, agent):
                    yield f"repair: threat: {text}"
            case PrefixFails():
                self._count(peer, repairs=1)
                whose = "its" if message.scope is Scope.OWN else "the"
                yield f"repair: {whose} first {message.steps} public steps cannot be executed"
            case _:
                yield "that it cannot execute a plan"

    def _new_threats(self, peer: str, threats: Sequence[PublicEdge], agent: Agent) -> Iterator[str]:
        """Threats that this peer was not sent before."""
        known, before = self._threats.setdefault(peer, set()), self._before(peer)
        for edge in threats:
            if edge not in before:
                known.add(edge)
                self._count(peer, repairs=1)
                yield agent.descriptions.edge(edge)

    def _before(self, peer: str) -> set[PublicEdge]:
        """What a peer was sent already, counted or not: the ledger has it once."""
        sent = (self._edges, self._threats, self._known)
        return set().union(*(found.get(peer, ()) for found in sent))

    def _own(self, steps: Sequence[PublicStep]) -> list[str]:
        if self._agent is None:
            return []
        action: Callable[[int], str] = self._agent.descriptions.action
        return [action(step.action) for step in steps if step.agent == self._name]

    def close(self) -> None:
        """What was only counted, and the end."""
        for peer in sorted({*self._told, *self._counts}):
            told = self._told.get(peer, Counter())
            if told["batches"]:
                count, size = told["batches"], told["bytes"]
                self._write(peer, f"in all {count} batches of states, {size} bytes")
            if self._counts[peer]:
                self._write(peer, f"in all {self._counts[peer]} times how far its search was")
        if self._file is not None:
            self._file.close()
            self._file = None
            self._summarise()


def _now() -> str:
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
    return f"{now.removesuffix('+00:00')}Z"


def _listed(what: str, items: Sequence[object]) -> str:
    return f"{what}: {', '.join(map(str, items))}" if items else ""
