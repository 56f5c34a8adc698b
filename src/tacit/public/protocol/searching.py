"""Messages of forward search (docs/forward.md), which come after publishing and disclosing.

* `Begin` → `Ack`: search from the initial state with the edges on the ledger.
* `States`, from agent to agent and unasked: states that the sender reached by a public action, for
  the others to go on from. What is in a batch, and what it costs, is in `states`.
* `JointReach` → `JointReached`, in rounds, under rules other than `supported`: which public facts
  could you bring about next if nothing were ever deleted, and could you reach your private goals?
  It shows what the agent could do by edges that it did not disclose; the states that such a rule
  lets it send show the same once they are reached. Under `authors`, where edges of the initial
  state are free, it shows these too, so that the coordinator can plan with them.
* `Poll` → `Status`: how far are you? In an optimal search the question has what the best plan so
  far costs and how far to search, and the answer what the agent's own best goal state costs and the
  least estimate it has open. These are costs as the settings count them. It shows how much the
  agent has done and whether it is idle; the number of states it has stored and expanded hints at
  the size of its private space.
* `Learn` → `Ack`: more edges are on the ledger; go on with them.
* `Follow` → `Ack`: a plan of the joint projection with these edges; expand the states on it first.
  Everybody could make it from what was published and disclosed, so it shows nothing. The states
  that follow show how far the plan can be executed, as all states show what can be done.
* `Resend` → `Ack`, under the hardening `once` alone: nobody can go on, so send the states that were
  withheld because the others had seen such a state before. The states that follow show that there
  was more than one private state behind what was shown.
* `Trace` → `Traced`: the public steps that led to a state you found or sent, and where the state
  before them came from. Only the steps of the plan that is being put together are sent.
"""

from __future__ import annotations

from tacit.public.disclosure import FINISH, INIT, PublicEdge, PublicStep
from tacit.public.ledger import Mark
from tacit.public.protocol.base import Message
from tacit.public.protocol.known import Known

MOST_COST = 2**29
"""No cost in an optimal search is larger."""


class Begin(Message, frozen=True, tag="begin"):
    """`run` counts searches, so that states of an earlier one are known as such; `ledger` counts
    the entries of each agent that you must have by now; `grows`: more may be disclosed later in the
    same search.
    """

    run: int
    ledger: Mark = ()
    heuristic: str = "ff"
    grows: bool = False
    optimal: bool = False
    """Search for the cheapest plan: states cross with what they cost (docs/optimal.md)."""

    def fits(self, known: Known) -> bool:
        return known.is_mark(self.ledger)


class States(Message, frozen=True, tag="states"):
    """A batch of states, written by the core (`tacit.public.protocol.states` decodes it)."""

    run: int
    batch: bytes


class JointReach(Message, frozen=True, tag="joint-reach"):
    """The public facts, by number, that others could newly bring about as the rule has it."""

    facts: tuple[int, ...]

    def fits(self, known: Known) -> bool:
        return known.are_facts(self.facts)


class JointReached(Message, frozen=True, tag="joint-reached"):
    """`initial`, under `authors` alone: tokens achieved by edges of the initial state that were not
    disclosed and that the rule has free.
    """

    facts: tuple[int, ...]
    can_finish: bool
    initial: tuple[int, ...] = ()

    @property
    def free(self) -> tuple[PublicEdge, ...]:
        """The edges that achieve these tokens."""
        return tuple(PublicEdge(INIT, token) for token in self.initial)

    def fits(self, known: Known) -> bool:
        return known.are_facts(self.facts) and known.are_edges(self.sender, self.free)


class Poll(Message, frozen=True, tag="poll"):
    """How far are you? In an optimal search: `bound` is what the cheapest plan found so far costs,
    and no state is to be expanded from which plans cost more than `horizon`, for now.
    """

    bound: int | None = None
    horizon: int | None = None

    def fits(self, known: Known) -> bool:
        costs = [cost for cost in (self.bound, self.horizon) if cost is not None]
        return all(0 <= cost <= MOST_COST for cost in costs)


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
    deferred: int = 0
    stored: int = 0
    memory: int = 0
    bytes_sent: int = 0
    best: int | None = None
    """The lowest value that was sent or received: everybody could compute it."""
    cost: int | None = None
    """Optimal search: what the cheapest goal state costs that the agent has found."""
    lowest: int | None = None
    """Optimal search: the least that a plan from a state costs that the agent has yet to expand."""


class Learn(Message, frozen=True, tag="learn"):
    """`ledger` counts the entries of each agent that you must have by now."""

    ledger: Mark = ()

    def fits(self, known: Known) -> bool:
        return known.is_mark(self.ledger)


class Follow(Message, frozen=True, tag="follow"):
    """`ledger` counts the entries that the plan is one of the projection with."""

    steps: tuple[PublicStep, ...]
    ledger: Mark = ()

    def fits(self, known: Known) -> bool:
        return known.is_mark(self.ledger) and known.are_steps(self.steps)


class Resend(Message, frozen=True, tag="resend"):
    """Nobody can go on: send what `once` withheld."""


class Trace(Message, frozen=True, tag="trace"):
    """`ref` is the number under which the state was sent; 0 is the goal that was found."""

    ref: int


class Traced(Message, frozen=True, tag="traced"):
    """Own public steps in order; `origin` sent the state before them as `ref`, or it was INIT."""

    steps: tuple[int, ...]
    origin: str | None = None
    ref: int = 0

    def fits(self, known: Known) -> bool:
        own = known.of(self.sender)
        actions = frozenset[int]() if own is None else own.actions
        return (self.origin is None or self.origin in known.agents) and all(
            step in actions or step == FINISH for step in self.steps
        )


SearchingQuestion = Begin | JointReach | Poll | Learn | Follow | Resend | Trace
SearchingAnswer = JointReached | Status | Traced
