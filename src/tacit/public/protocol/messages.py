"""Everything that may cross between agents, and how it is written.

Grounding together (DESIGN §1.1) takes three kinds of message, each sent to all:

* `Opening`: which public predicates my actions change, and which they need negated. Costs the
  names of public predicates that my public projections would show anyway.
* `Reached`, once a round until a round brings nothing new: the public facts that hold at my start
  (first round), that I can make true, and, for predicates somebody needs negated, make false.
* `Closing`: the public facts whose negation I need, and the public goals I was given.

Planning on the joint projection (DESIGN §1.4) is a series of questions from whoever solves it, and
one answer to each:

* `Publish` → `Published`: the public projections of my public actions, with the tokens they need.
* `Explore` → `Explored`, once a round until a round brings nothing new: the public facts that I
  could newly make true if nothing were ever deleted, given what all could so far. It decides ties.
  Costs what `Reached` costs while grounding: the facts are effects of my public projections anyway,
  but the round hints at what I need for them.
* `Meet` → `Noted`: what the others published; it lets me follow the state.
* `Turn` → `Told`: my next edge, or that there is none, after the edges that the others told since
  my last turn. Only for rankings that listen (`Published.listens`). The asker goes round: in one
  round everybody tells one edge, in an order that stays. What was told is told, and counts; that
  others hear it is why everybody, and not the asker alone, knows it.
* `Disclose` → `Disclosed`: my best k edges, as a sorted set. This is the budget. If my ranking
  listens, these must have been told before.
* `Carry` → `Carried`: whether I can carry out my part of a public plan. If not, a repair: the
  threats that broke it (and a token that was left out before, if it is about one), or how many of
  my steps, or of all steps, cannot be done from the start. Every one of them counts as disclosed.
* `Replan` → `Replanned`, under `extension=replan` alone and where somebody could not: the public
  plan with my own steps changed so that I can carry it out. **This shows more than k**: that some
  steps of mine do not go together as disclosed, and which ones do. It is not counted edge by edge,
  so such a plan is labelled. `seconds` is what the user's time limit leaves, None without one.

Forward search (DESIGN §1.5) asks the same first three questions, and then:

* `Begin` → `Noted`: search from the start with these edges, which all agents disclosed.
* `States`, from agent to agent and unasked: states that the sender reached by a public action, for
  the others to go on from. What is in a batch, and what it costs, is told in `states`.
* `Foresee` → `Foreseen`, in rounds, under rules other than `supported`: which public facts could
  you bring about next if nothing were ever deleted, and could you reach your private goals? It
  tells what the agent could do by edges that it did not disclose; the states that such a rule lets
  it send tell the same once they are reached. Under `authors`, where edges of the start are free,
  it tells these too, so that whoever asked can plan with them.
* `Poll` → `Status`: how far are you? It tells how much the agent has done and whether it is idle;
  the number of states it has stored and expanded hints at the size of its private space.
* `Learn` → `Noted`: more edges are disclosed; go on with them.
* `Follow` → `Noted`: a plan of the joint projection with these edges; look at the states on it
  first. Everybody could make it from what was published and disclosed, so it tells nothing. The
  states that follow show how far the plan can be carried out, as all states show what can be done.
* `Again` → `Noted`, under the hardening `once` alone: nobody can go on, so send what you kept back
  because the others had seen such a state before. The states that follow tell that there was more
  than one private state behind what was shown.
* `Trace` → `Traced`: the public steps that led to a state you found or sent, and where the state
  before them came from. Only the steps of the plan that is being put together are told.
* `Carry` → `Carried`, as above: the agent finds its own private actions in its own records.

Agents on separate hosts need some more, about their connections and the end of a run: they are in
`tacit.public.protocol.link`.

A frame is a MessagePack map: `type` is the message's name, the rest its fields. Decoding is strict:
a frame with unknown fields, wrong types or anything behind its end is a `ProtocolError`.
"""

from __future__ import annotations

import msgspec

from tacit.errors import ProtocolError
from tacit.public.disclosure import INIT, PublicEdge, PublicStep, ReturnedToken
from tacit.public.protocol.base import Message as Message
from tacit.public.protocol.link import Kept, Linking, Order
from tacit.public.settings import Settings
from tacit.public.task import PublicAction, PublicFact


class Opening(Message, frozen=True, tag="opening"):
    changes: tuple[str, ...]
    negates: tuple[str, ...]


class Reached(Message, frozen=True, tag="reached"):
    round: int
    initial: tuple[PublicFact, ...]
    true: tuple[PublicFact, ...]
    false: tuple[PublicFact, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.initial or self.true or self.false)


class Closing(Message, frozen=True, tag="closing"):
    negated: tuple[PublicFact, ...]
    goals: tuple[PublicFact, ...]


class Publish(Message, frozen=True, tag="publish"):
    settings: Settings
    ranking: str


class Published(Message, frozen=True, tag="published"):
    actions: tuple[PublicAction, ...]
    tokens: int
    goal: tuple[int, ...]
    has_private_goal: bool
    looks: bool = False
    """Have I private actions that look at public facts? If so, forward search must send me every
    state. It tells that there are such actions, not which.
    """
    listens: bool = False
    """Does my ranking want to hear the others? It tells no more than the ranking's name, which the
    asker chose.
    """


class Explore(Message, frozen=True, tag="explore"):
    """The public facts, by number, that came within reach in the round before."""

    facts: tuple[int, ...]


class Explored(Message, frozen=True, tag="explored"):
    facts: tuple[int, ...]


class Meet(Message, frozen=True, tag="meet"):
    others: tuple[Published, ...]


class Noted(Message, frozen=True, tag="noted"):
    """Nothing to say."""


class Turn(Message, frozen=True, tag="turn"):
    """It is your turn; `heard` are the others' edges since your last, in the order of telling."""

    heard: tuple[tuple[str, PublicEdge], ...] = ()


class Told(Message, frozen=True, tag="told"):
    """My next edge; None if I have told all."""

    edge: PublicEdge | None


class Disclose(Message, frozen=True, tag="disclose"):
    budget: int


class Disclosed(Message, frozen=True, tag="disclosed"):
    """The edges within the budget, how many there are in all, and threats known to everybody.

    `bounded`: there are more, but no larger budget gets them; my owner does not allow it. It tells
    that `total` is the owner's bound.
    """

    edges: tuple[PublicEdge, ...]
    total: int
    known: tuple[PublicEdge, ...] = ()
    bounded: bool = False


class Carry(Message, frozen=True, tag="carry"):
    """`urgent`: the search is hard already, so tell rather all direct threats than one by one."""

    steps: tuple[PublicStep, ...]
    urgent: bool = False


class Carried(Message, frozen=True, tag="carried"):
    """`bounded`: I cannot, and my owner does not allow to say more."""

    succeeded: bool
    decided: bool = True
    threats: tuple[PublicEdge, ...] = ()
    returned: tuple[ReturnedToken, ...] = ()
    own_prefix: int = 0
    joint_prefix: int = 0
    bounded: bool = False


class Replan(Message, frozen=True, tag="replan"):
    steps: tuple[PublicStep, ...]
    seconds: float | None = None


class Replanned(Message, frozen=True, tag="replanned"):
    succeeded: bool
    steps: tuple[PublicStep, ...] = ()


class Begin(Message, frozen=True, tag="begin"):
    """`run` counts searches, so that states of an earlier one are known as such; `grows`: more may
    be disclosed later in the same search.
    """

    run: int
    disclosed: tuple[tuple[str, tuple[PublicEdge, ...]], ...]
    heuristic: str = "ff"
    grows: bool = False


class States(Message, frozen=True, tag="states"):
    """A batch of states, written by the core (`tacit.public.protocol.states` decodes it)."""

    run: int
    batch: bytes


class Foresee(Message, frozen=True, tag="foresee"):
    """The public facts, by number, that others could newly bring about as the rule has it."""

    facts: tuple[int, ...]


class Foreseen(Message, frozen=True, tag="foreseen"):
    """`at_start`, under `authors` alone: tokens given by edges of the start that were not disclosed
    and that the rule has free.
    """

    facts: tuple[int, ...]
    can_finish: bool
    at_start: tuple[int, ...] = ()

    @property
    def free(self) -> tuple[PublicEdge, ...]:
        """The edges that give these tokens."""
        return tuple(PublicEdge(INIT, token) for token in self.at_start)


class Poll(Message, frozen=True, tag="poll"):
    """How far are you?"""


class Status(Message, frozen=True, tag="status"):
    """Counts since the search began; `sent` and `received` count frames, `states_…` states."""

    is_idle: bool
    has_found: bool
    sent: int
    received: int
    expanded: int = 0
    evaluated: int = 0
    generated: int = 0
    states_sent: int = 0
    states_received: int = 0
    parked: int = 0
    stored: int = 0
    memory: int = 0
    bytes_sent: int = 0
    best: int | None = None
    """The lowest value that was sent or received: everybody could compute it."""


class Learn(Message, frozen=True, tag="learn"):
    disclosed: tuple[tuple[str, tuple[PublicEdge, ...]], ...]


class Follow(Message, frozen=True, tag="follow"):
    steps: tuple[PublicStep, ...]


class Again(Message, frozen=True, tag="again"):
    """Nobody can go on: send what `once` kept back."""


class Trace(Message, frozen=True, tag="trace"):
    """`ref` is the number under which the state was sent; 0 is the goal that was found."""

    ref: int


class Traced(Message, frozen=True, tag="traced"):
    """Own public steps in order; `origin` sent the state before them as `ref`, or it was INIT."""

    steps: tuple[int, ...]
    origin: str | None = None
    ref: int = 0


Grounding = Opening | Reached | Closing
Question = (
    Publish
    | Explore
    | Meet
    | Turn
    | Disclose
    | Carry
    | Replan
    | Begin
    | Foresee
    | Poll
    | Learn
    | Follow
    | Again
    | Trace
)
Answer = (
    Published
    | Explored
    | Noted
    | Told
    | Disclosed
    | Carried
    | Replanned
    | Foreseen
    | Status
    | Traced
)
BULK = b"\x84\xa4type\xa6states"
"""How a frame of states begins if its type comes first, as it does here."""

AnyMessage = Grounding | Question | Answer | States | Linking | Order | Kept

_ENCODER = msgspec.msgpack.Encoder()
_DECODER: msgspec.msgpack.Decoder[AnyMessage] = msgspec.msgpack.Decoder(AnyMessage)


def encode(message: AnyMessage) -> bytes:
    """A message as the bytes of a frame."""
    return _ENCODER.encode(message)


def decode(frame: bytes) -> AnyMessage:
    """The message in a frame, or a `ProtocolError` that repeats nothing of the frame."""
    try:
        return _DECODER.decode(frame)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise ProtocolError("a frame is not a message of this protocol") from None
