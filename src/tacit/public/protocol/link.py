"""Messages between agents on separate hosts, besides those of grounding and planning.

A pair of agents has one stream. Nothing private is in these messages; what each of them
shows is said here and in `docs/protocol.md`.

* `Hello`, from both, first of all: version of the protocol, the agents of the run, its terms, and a
  digest of the public objects, the public initial facts and the public goals in the sender's own
  files. It confirms them to a receiver that can guess them all; a peer has them anyway. Also a
  commitment to a nonce for the election of the leader, and who does not lead this task. Where plans
  are to be improved, a random key for sums under masks (`tacit.public.protocol.weighing`).
* `Welcome`: all of that is the same here; with a random number, so that no two streams are alike,
  and the certificates that TLS has shown, for auditors. `Refused`: it is not, and what.
* `Ready`: I have reached everybody. It shows when an agent's connections were there. `run` is how
  many runs with the receiver the sender counts, this one included, over all tasks: both can count
  them. 0 shows that it keeps no lasting ledger.
* `Beat`: I am still here. It shows that the process runs.
* `Receipt`: what has crossed on this stream so far, signed (`tacit.public.evidence.chain`). It
  shows nothing that its receiver has not seen, and lets the receiver prove it to others.
* `Agreed`, to all, three times: a digest of the public task when it is ground, of what all have
  committed to, and of everything that was published. All of it is known to all by then, so it shows
  nothing of the agent; it shows whether all agents were sent the same.
* `Revealed`, to all: the nonce that was committed to. It is random, and shows nothing.
* `Go` → `Ack`: everybody has begun, so search (forward search). It shows nothing.
* `Halt` → `Ack`: do not search on before the next `Go`; something is asked. It shows nothing.
* `Keep` → `Kept`: everybody confirmed this plan; remember your part. The answer shows
  how far apart public steps must be numbered for the own private actions to fit between them:
  1,000, or more if there are as many in a row. So it shows that, and nothing below it.
* `Concluded`, from the leader: how the run ended; without a plan, which agents had said "no more",
  and which goals are out of reach if nothing is ever deleted, or whose private ones. These had
  reported it to the leader.
* `Settled`, to all, when the leader has concluded and no limit ended the run: what I have seen of
  it, and a digest of its end and of the plan that I keep. Nobody keeps a plan before all others
  have sent the same. All of it is known to all, so it shows nothing of the agent.
* `Farewell`: the sender leaves, and one of a fixed list of reasons. No reason shows anything of
  what is private; `about` is the name of another agent at most.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

import msgspec

from tacit.public.disclosure import PublicStep
from tacit.public.ledger import Mark
from tacit.public.outcome import Outcome
from tacit.public.protocol.base import Message
from tacit.public.protocol.known import MOST, Known
from tacit.public.protocol.seen import Seen
from tacit.public.run_options import DEFAULTS
from tacit.public.settings import Settings

VERSION = 5
"""Of the protocol: frames, messages and their order."""


class Reason(enum.Enum):
    """Why an agent refuses a connection, or leaves."""

    DONE = "done"
    CHECKED = "checked"
    NAME = "name"
    VERSION = "version"
    AGENTS = "agents"
    TERMS = "terms"
    PROBLEM = "problem"
    BUSY = "busy"
    ELECTION = "election"
    DISAGREEMENT = "disagreement"
    PROTOCOL = "protocol"
    LOST = "lost"
    TIME = "time"
    MEMORY = "memory"
    INPUT = "input"
    INTERRUPTED = "interrupted"
    INTERNAL = "internal"


class Stage(enum.Enum):
    """What a digest in `Agreed` is of."""

    COMMITTED = "committed"
    GROUND = "ground"
    PUBLISHED = "published"


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all agents of a run must want alike. `k` bounds the edges that each may disclose."""

    solver: str = DEFAULTS.solver
    ranking: str = DEFAULTS.ranking
    k: int | None = None
    settings: Settings = Settings()
    heuristic: str = "ff"
    repairs: int = DEFAULTS.max_repairs
    seconds: float | None = DEFAULTS.time_limit
    change_over: bool = DEFAULTS.change_over
    improve: float = DEFAULTS.improve


class Hello(Message, frozen=True, tag="hello"):
    version: int
    agents: tuple[str, ...]
    terms: Terms
    digest: bytes
    commitment: bytes = b""
    not_leading: tuple[str, ...] = ()
    key: bytes = b""


class Welcome(Message, frozen=True, tag="welcome"):
    """The hello is understood, and the same as mine. `nonce` is random; `certificates` (DER) are
    the sender's own, then those that lead to its CA.
    """

    nonce: bytes = b""
    certificates: tuple[bytes, ...] = ()


class Refused(Message, frozen=True, tag="refused"):
    reason: Reason


class Ready(Message, frozen=True, tag="ready"):
    """I have reached everybody; `run` is the number of our run as I count them, 0 if I do not."""

    run: int = 0


class Beat(Message, frozen=True, tag="beat"):
    """I am still here."""


class Receipt(Message, frozen=True, tag="receipt"):
    """How many frames I have sent before this one, and received up to your last receipt, each with
    their chain; signed with the key of my certificate.
    """

    sent: int
    sent_chain: bytes
    received: int
    received_chain: bytes
    signature: bytes


class Agreed(Message, frozen=True, tag="agreed"):
    stage: Stage
    digest: bytes


class Revealed(Message, frozen=True, tag="revealed"):
    """The nonce that I committed to in my hello."""

    nonce: bytes


class Go(Message, frozen=True, tag="go"):
    """Everybody has begun: search."""


class Halt(Message, frozen=True, tag="halt"):
    """Do not search on before the next `Go`."""


class Keep(Message, frozen=True, tag="keep"):
    """Everybody confirmed this plan."""

    steps: tuple[PublicStep, ...]


class Kept(Message, frozen=True, tag="kept"):
    """`spacing`: how far apart the numbers of public steps must be for my private actions."""

    spacing: int

    def fits(self, known: Known) -> bool:
        return 0 < self.spacing <= MOST


class Concluded(Message, frozen=True, tag="concluded"):
    """`no_more`: agents that said so, if there is no plan. `unreachable`: public goals, by number,
    and `unfinished`: agents with private goals, that are out of reach whatever is disclosed.
    `ledger` counts the entries of each agent, so that nobody reports fewer.
    """

    outcome: Outcome
    ledger: Mark = ()
    spacing: int = 0
    no_more: tuple[str, ...] = ()
    unreachable: tuple[int, ...] = ()
    unfinished: tuple[str, ...] = ()

    def fits(self, known: Known) -> bool:
        are_agents = set(known.agents).issuperset((*self.no_more, *self.unfinished))
        return are_agents and known.are_facts(self.unreachable) and known.is_mark(self.ledger)


class Settled(Message, frozen=True, tag="settled"):
    """What I have seen of the run, and how it ended for me: a digest."""

    seen: Seen
    end: bytes

    def fits(self, known: Known) -> bool:
        return self.seen.fits(known) and len(self.end) == len(self.seen.digest)


class Farewell(Message, frozen=True, tag="farewell"):
    reason: Reason
    about: str | None = None


Greeting = Hello | Welcome | Refused
Order = Go | Halt | Keep
Linking = Greeting | Ready | Beat | Receipt | Agreed | Revealed | Concluded | Settled | Farewell


def difference(mine: Hello, theirs: Hello) -> tuple[Reason, str] | None:
    """What prevents two agents from planning together, for the user of the first, if anything."""
    them = f"agent '{theirs.sender}'"
    if mine.version != theirs.version:
        text = f"{them} speaks version {theirs.version} of the protocol, '{mine.sender}' {VERSION}"
        return Reason.VERSION, text
    if mine.agents != theirs.agents:
        text = f"{them} plans with {_names(theirs)}, '{mine.sender}' with {_names(mine)}"
        return Reason.AGENTS, text
    if mine.terms != theirs.terms:
        ours, others = fields(mine.terms), fields(theirs.terms)
        differing = [name for name in ours if ours[name] != others[name]]
        found = ", ".join(
            f"{name} {_plain(others[name])} (here {ours[name]})" for name in differing
        )
        return Reason.TERMS, f"{them} wants other terms: {found}"
    if mine.digest != theirs.digest:
        text = f"{them} has other public objects, initial facts or goals than '{mine.sender}'"
        return Reason.PROBLEM, text
    disputed = set(mine.not_leading).symmetric_difference(theirs.not_leading)
    disputed -= {mine.sender, theirs.sender}  # nobody has to know of its own fault
    if disputed:
        names = ", ".join(_plain(name) for name in sorted(disputed))
        text = f"{them} and '{mine.sender}' disagree on whether {names} may lead this task"
        return Reason.ELECTION, f"{text}; their owners can begin a new election (--new-election)"
    return None


def _names(hello: Hello) -> str:
    return ", ".join(_plain(name) for name in hello.agents[:20])


def _plain(value: object) -> str:
    """What a peer sent, in a form that a terminal takes for nothing but text."""
    return "".join(c if c.isprintable() else "?" for c in str(value)[:40])


def fields(terms: Terms) -> dict[str, object]:
    """The terms by name, settings among them, as a user would write them."""
    plain = msgspec.to_builtins(terms)
    settings = plain.pop("settings")
    settings["harden"] = ",".join(settings["harden"]) or "none"
    return {**plain, **settings}


REASONS = {
    Reason.DONE: "it is done",
    Reason.CHECKED: "it has checked that it can reach all agents, and does not plan now",
    Reason.NAME: "the certificate has another name, or no agent of that name is expected",
    Reason.VERSION: "it speaks another version of the protocol",
    Reason.AGENTS: "it plans with other agents",
    Reason.TERMS: "it wants other terms",
    Reason.PROBLEM: "it has other public objects, initial facts or goals",
    Reason.BUSY: "it is connected already, or planning has begun",
    Reason.ELECTION: "somebody does not keep to the election of the leader",
    Reason.DISAGREEMENT: "the agents were not told the same",
    Reason.PROTOCOL: "it was sent what the protocol does not allow",
    Reason.LOST: "it lost an agent",
    Reason.TIME: "it ran out of time",
    Reason.MEMORY: "it ran out of memory",
    Reason.INPUT: "its own input is wrong",
    Reason.INTERRUPTED: "it was interrupted",
    Reason.INTERNAL: "it failed",
}


def reason_text(message: Refused | Farewell, agents: Sequence[str]) -> str:
    """Why an agent refuses or leaves, for this side's user."""
    about = getattr(message, "about", None)
    behind = f" ('{about}')" if about in agents else ""
    return f"{REASONS[message.reason]}{behind}"
