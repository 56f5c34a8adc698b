"""Views for tests of leakage: made from frames by hand, by random owners, and of sessions."""

from __future__ import annotations

import random
from collections.abc import Sequence

from support.inside import transcript_of
from tacit.central.session import Session
from tacit.leakage.reading.knowledge import Round
from tacit.leakage.reading.traffic import PublicNames
from tacit.leakage.view import AgentView, View, frames_of_budget, traffic_of, view_of
from tacit.public.disclosure import INIT, PublicEdge, PublicStep
from tacit.public.ledger import Ledger
from tacit.public.protocol.messages import (
    EdgeDisclosed,
    Extend,
    Extended,
    Message,
    Publication,
    Publish,
    encode,
)
from tacit.public.protocol.transcript import Frame
from tacit.public.settings import Settings
from tacit.public.task import PublicAction


def frame(message: Message, receiver: str = "solver") -> Frame:
    return Frame(message.sender, receiver, encode(message))


def frames_with(
    part: Publication, plan: Sequence[int] = (), edges: Sequence[PublicEdge] = ()
) -> list[Frame]:
    """What crosses if one agent publishes, extends a plan of these steps, and discloses edges."""
    own = part.sender
    steps = tuple(PublicStep(own, step) for step in plan)
    frames = [frame(Publish("solver", Settings(), "goal"), own), frame(part)]
    if plan:
        frames += [frame(Extend("solver", steps), own), frame(Extended(own))]
    return frames + [frame(EdgeDisclosed(own, edge)) for edge in edges]


def session_view(session: Session, agent: str, ledger: Ledger | None = None, k: int = 0) -> View:
    """What all others of a session saw together; offline with the ledger of one budget."""
    agents = session.instance.agents
    frames = [*session.instance.transcript.frames, *transcript_of(session).frames]
    if ledger is not None:
        frames = frames_of_budget(frames, ledger, k)
    public = session.instance.public
    names = PublicNames(public.facts, public.init, public.goal)
    others = [name for name in agents if name != agent]
    return view_of(traffic_of(frames, agents, others), names)


def true_edges(session: Session, agent: str) -> set[PublicEdge]:
    """All edges that an agent has, in the numbers of the run."""
    return set(session.agents[agent].all_edges)


# Random owners


class Owner:
    """A made-up agent: actions over public facts, and tokens that come by recipes, each of which
    takes several actions together, or with the initial state.
    """

    def __init__(self, seed: int, actions: int, tokens: int, facts: int):
        draw = self._draw = random.Random(seed)
        self.facts = facts
        self.actions = [
            PublicAction(
                *("a", n, 1, _some(draw, facts, 0.3), _some(draw, facts, 0.4) or (n % facts,), ()),
                _some(draw, tokens, 0.5),
            )
            for n in range(actions)
        ]
        self.initially = {t for t in range(tokens) if draw.random() < 0.35}
        self.recipes = {t: self._recipes(t, actions) for t in range(tokens)}
        self.part = Publication("a", tuple(self.actions), tokens, (), False)

    def _recipes(self, token: int, actions: int) -> list[tuple[int, ...]]:
        count = self._draw.choice((1, 1, 2))
        sizes = [self._draw.choice((1, 1, 2)) for _ in range(count)]
        return [tuple(self._draw.choices(range(actions), k=size)) for size in sizes]

    @property
    def edges(self) -> set[PublicEdge]:
        """An edge says that an action has a part in it."""
        found = {PublicEdge(a, t) for t, all_of in self.recipes.items() for r in all_of for a in r}
        return found | {PublicEdge(INIT, token) for token in self.initially}

    def rounds(self) -> tuple[Round, ...]:
        """What comes within its reach, while others make a fact now and then."""
        draw = self._draw
        known = {fact for fact in range(self.facts) if draw.random() < 0.3}
        done: set[int] = set()
        held = set(self.initially)
        rounds = []
        for _ in range(draw.choice((1, 2, 3))):
            known |= {fact for fact in range(self.facts) if draw.random() < 0.2}
            reached = set(known)
            self._close(reached, done, held)
            rounds.append(Round(frozenset(known), tuple(sorted(reached - known))))
            known = reached
        return tuple(rounds)

    def _close(self, reached: set[int], done: set[int], held: set[int]) -> None:
        is_new = True
        while is_new:
            able = {
                action.id
                for action in self.actions
                if reached.issuperset(action.needs) and held.issuperset(action.tokens)
            } - done
            done |= able
            reached.update(fact for a in able for fact in self.actions[a].adds)
            gained = {
                t for t, all_of in self.recipes.items() if any(done.issuperset(r) for r in all_of)
            } - held
            held |= gained
            is_new = bool(able or gained)

    def plan(self) -> tuple[int, ...]:
        """Some of its actions in an order in which it can do them, as far as tokens go."""
        done: list[int] = []
        for _ in range(self._draw.choice((0, 0, 2, 3))):
            held = self.initially | {
                t for t, all_of in self.recipes.items() if any(set(r) <= set(done) for r in all_of)
            }
            able = [action.id for action in self.actions if held.issuperset(action.tokens)]
            if able:
                done.append(self._draw.choice(able))
        return tuple(done)

    def view(self, sequences: int) -> AgentView:
        rounds = tuple(self.rounds() for _ in range(sequences))
        disclosed = [edge for edge in sorted(self.edges) if self._draw.random() < 0.2]
        plans = (self.plan(),)
        return AgentView("a", self.part, tuple(disclosed), (), plans, rounds)


def _some(draw: random.Random, count: int, share: float) -> tuple[int, ...]:
    return tuple(n for n in range(count) if draw.random() < share)
