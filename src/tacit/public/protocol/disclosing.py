"""Messages of publishing and disclosing: questions of the coordinator, and one answer to each.

* `Publish` → `Publication`: the public projections of my public actions, with the tokens they need.
* `NextLayer` → `Layer`, once a round until a round brings nothing new: the public facts that I
  could newly make true if nothing were ever deleted, given what all could so far. It decides ties.
  Costs what `Reached` costs while grounding: the facts are effects of my public projections anyway,
  but the round hints at what I need for them.
* `Introduce` → `Ack`: what all published; it lets me follow the state.
* `NextEdge` → `EdgeDisclosed`: my next edge, or that there is none, after the edges that the others
  disclosed since my last one. Only for interactive rankings (`Publication.is_interactive`). The
  coordinator asks in rounds: in one round everybody discloses one edge, in an order that stays. It
  counts from then on; that the others are sent it is why all agents, and not the coordinator alone,
  know it.
* `Disclose` → `Disclosed`: my best k edges, as a sorted set. This is the budget. If my ranking is
  interactive, these must have been disclosed before.
"""

from __future__ import annotations

from tacit.public.disclosure import PublicEdge
from tacit.public.protocol.base import Message
from tacit.public.protocol.known import MOST, Known, Numbers
from tacit.public.settings import Settings
from tacit.public.task import PublicAction


class Publish(Message, frozen=True, tag="publish"):
    settings: Settings
    ranking: str


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
            and all(
                action.agent == self.sender
                and 0 <= action.cost <= MOST
                and known.are_facts((*action.needs, *action.adds, *action.deletes))
                and all(token in tokens for token in action.tokens)
                for action in self.actions
            )
        )


class NextLayer(Message, frozen=True, tag="next-layer"):
    """The public facts, by number, that came within reach in the round before."""

    facts: tuple[int, ...]

    def fits(self, known: Known) -> bool:
        return known.are_facts(self.facts)


class Layer(Message, frozen=True, tag="layer"):
    facts: tuple[int, ...]

    def fits(self, known: Known) -> bool:
        return known.are_facts(self.facts)


class Introduce(Message, frozen=True, tag="introduce"):
    others: tuple[Publication, ...]

    def fits(self, known: Known) -> bool:
        names = tuple(part.sender for part in self.others)
        return names == known.agents and all(part.fits(known) for part in self.others)


class Ack(Message, frozen=True, tag="ack"):
    """Done; there is nothing to report."""


class NextEdge(Message, frozen=True, tag="next-edge"):
    """`heard` are the others' edges since your last one, in the order of their disclosure."""

    heard: tuple[tuple[str, PublicEdge], ...] = ()

    def fits(self, known: Known) -> bool:
        return all(known.is_edge(agent, edge) for agent, edge in self.heard)


class EdgeDisclosed(Message, frozen=True, tag="edge-disclosed"):
    """My next edge; None if I have disclosed all."""

    edge: PublicEdge | None

    def fits(self, known: Known) -> bool:
        return self.edge is None or known.is_edge(self.sender, self.edge)


class Disclose(Message, frozen=True, tag="disclose"):
    budget: int

    def fits(self, known: Known) -> bool:
        return 0 <= self.budget <= MOST


class Disclosed(Message, frozen=True, tag="disclosed"):
    """The edges within the budget, how many there are in all, and threats known to everybody.

    `bounded`: there are more, but no larger budget gets them; my owner does not allow it. It shows
    that `total` is the owner's bound.
    """

    edges: tuple[PublicEdge, ...]
    total: int
    known: tuple[PublicEdge, ...] = ()
    bounded: bool = False

    def answers(self, question: Message, known: Known) -> bool:
        own = known.of(self.sender)
        if own is None or not isinstance(question, Disclose):
            return False
        own.restored.clear()  # every budget is a run of its own
        return (
            0 <= self.total <= 2 * (len(own.actions) + 1) * own.tokens
            and len(self.edges) == min(question.budget, self.total)
            and known.are_edges(self.sender, self.edges)
            and known.are_edges(self.sender, self.known)
        )


DisclosingQuestion = Publish | NextLayer | Introduce | NextEdge | Disclose
DisclosingAnswer = Publication | Layer | Ack | EdgeDisclosed | Disclosed
