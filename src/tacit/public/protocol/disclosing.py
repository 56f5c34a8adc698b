"""Messages of publishing and disclosing: questions of the coordinator, and one answer to each.

* `Publish` → `Publication`: the public projections of my public actions, with the tokens they need.
* `Introduce` → `Ack`: what all published; it lets me follow the state, and check what follows.
* `EndLayers` → `LayersEnded`: whether my private goals are within reach if nothing is ever deleted,
  by what all told each other while grounding. Where they are not there is no plan, and the run is
  over before anything is disclosed.
* `Recall` → `Recalled`, online, once and before any turn, if some agent says that it can: all my
  edges that all members know from earlier runs of the same task, by my lasting ledger. They know
  them, so it counts for nothing; it shows by which numbers they go in this run.
* `NextEdge` → `EdgeDisclosed`, `Passed` or `NoMore`: my next edge; that I have none that is of use
  now; or that I disclose no more, never why. Asked with `must`, I do not pass. What I disclose I
  send to all members myself, so all of them know it. It counts from then on. Passing shows that my
  ranking wants nothing now.
* `Disclose` → `Disclosed`, *offline* alone, where one user holds all agents: my edges of the first
  k turns, or all, as a sorted set. This is the budget, and it begins my ledger anew.
"""

from __future__ import annotations

from tacit.public.disclosure import PublicEdge
from tacit.public.ledger import Mark
from tacit.public.protocol.base import Message
from tacit.public.protocol.known import MOST, Known, Numbers
from tacit.public.protocol.seen import Seen
from tacit.public.settings import Settings
from tacit.public.task import PublicAction


class Publish(Message, frozen=True, tag="publish"):
    """`offline`: one user holds all agents, and will ask for budgets independently of each other
    (`Disclose`); rankings do not see repairs then.
    """

    settings: Settings
    ranking: str
    offline: bool = False


class Publication(Message, frozen=True, tag="publication"):
    actions: tuple[PublicAction, ...]
    tokens: int
    goal: tuple[int, ...]
    has_private_goal: bool
    has_public_preconditions: bool = False
    """Do any of my private actions have public preconditions? If so, forward search must send me
    every state. It shows that there are such actions, not which.
    """
    is_interactive: bool = False
    """Does my ranking depend on the others' edges? It shows no more than the ranking's name, which
    the coordinator chose.
    """
    may_pass: bool = False
    """Does my ranking pass when no edge of mine is of use? It shows no more than its name."""
    threats: tuple[PublicEdge, ...] = ()
    """All my direct threats, where the settings say that they are no secret (`threats=known`)."""

    def fits(self, known: Known) -> bool:
        """A consistent publication, which is remembered; a second one must be the same."""
        ids = frozenset(action.id for action in self.actions)
        if not known.remember(self.sender, self, Numbers(ids, self.tokens, self.has_private_goal)):
            return False
        tokens = range(self.tokens)
        return (
            self.sender in known.agents
            and 0 <= self.tokens <= MOST
            and len(ids) == len(self.actions)
            and all(0 <= number <= MOST for number in ids)
            and all(token in tokens for token in self.goal)
            and known.are_edges(self.sender, self.threats)
            and not any(edge.positive for edge in self.threats)
            and all(
                action.agent == self.sender
                and 0 <= action.cost <= MOST
                and known.are_facts((*action.needs, *action.adds, *action.deletes))
                and all(token in tokens for token in action.tokens)
                for action in self.actions
            )
        )


class Introduce(Message, frozen=True, tag="introduce"):
    others: tuple[Publication, ...]

    def fits(self, known: Known) -> bool:
        names = tuple(part.sender for part in self.others)
        return names == known.agents and all(part.fits(known) for part in self.others)


class Ack(Message, frozen=True, tag="ack"):
    """Done; there is nothing to report."""


class EndLayers(Message, frozen=True, tag="end-layers"):
    """All have published: is what you need within reach?"""


class LayersEnded(Message, frozen=True, tag="layers-ended"):
    """`can_finish`: my private goals, if any, are within reach if nothing is ever deleted.
    `can_recall`: all members know edges of mine from earlier runs.
    """

    can_finish: bool = True
    can_recall: bool = False


class Recall(Message, frozen=True, tag="recall"):
    """What do all members know from earlier runs?"""


class Recalled(Message, frozen=True, tag="recalled"):
    """My edges that all members know from earlier runs, as a sorted set."""

    edges: tuple[PublicEdge, ...]

    def fits(self, known: Known) -> bool:
        return known.are_edges(self.sender, self.edges)


class NextEdge(Message, frozen=True, tag="next-edge"):
    """`ledger` counts the entries of each agent that you must have by now, offline none; `must`: do
    not pass.
    """

    ledger: Mark = ()
    must: bool = False

    def fits(self, known: Known) -> bool:
        return known.is_mark(self.ledger)


class EdgeDisclosed(Message, frozen=True, tag="edge-disclosed"):
    """My next edge; between hosts with what I have `seen`, the edge included."""

    edge: PublicEdge
    seen: Seen | None = None

    def fits(self, known: Known) -> bool:
        is_seen = self.seen is None or self.seen.fits(known)
        return is_seen and known.is_edge(self.sender, self.edge)


class Passed(Message, frozen=True, tag="passed"):
    """I have no edge that is of use now."""


class NoMore(Message, frozen=True, tag="no-more"):
    """I disclose no further edge: there is none, or my owner does not allow it."""


class Disclose(Message, frozen=True, tag="disclose"):
    """The edges of the first `budget` turns; None for all of them."""

    budget: int | None

    def fits(self, known: Known) -> bool:
        return self.budget is None or 0 <= self.budget <= MOST


class Disclosed(Message, frozen=True, tag="disclosed"):
    """The edges within the budget."""

    edges: tuple[PublicEdge, ...]

    def answers(self, question: Message, known: Known) -> bool:
        own = known.of(self.sender)
        if own is None or not isinstance(question, Disclose):
            return False
        own.restored.clear()  # every budget is a run of its own
        is_within = question.budget is None or len(self.edges) <= question.budget
        return is_within and known.are_edges(self.sender, self.edges)


Turn = EdgeDisclosed | Passed | NoMore
DisclosingQuestion = Publish | Introduce | EndLayers | Recall | NextEdge | Disclose
DisclosingAnswer = Publication | Ack | LayersEnded | Recalled | Turn | Disclosed
