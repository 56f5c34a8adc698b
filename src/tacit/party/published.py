"""The first two phases of an agent: new, and published.

A new agent is its local task and its owner's choices. Once it is asked to publish, it finds its
dependencies and shows the public projections of its actions. Its actions and tokens have numbers of
its own and, for others to see, a seeded shuffle of them; `Published` is the only place that knows
both sides of that.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from tacit import watch
from tacit.errors import InputError
from tacit.party.answers import Answers
from tacit.party.bounds import NO_BOUNDS, Bounds
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT, Edge
from tacit.party.disclosure.own_numbers import OwnNumbers
from tacit.party.disclosure.prices import Prices
from tacit.party.disclosure.public_view import PublicView, Shuffle, show
from tacit.party.disclosure.ranking import RANKINGS, is_interactive, may_pass
from tacit.party.disclosure.relaxed_layers import RelaxedLayers
from tacit.party.disclosure.withheld import Withheld
from tacit.party.extension.extension import Extender
from tacit.party.lasting import Lasting, Memory
from tacit.party.local.task import LocalTask
from tacit.party.masking import Masking
from tacit.policy import POLICY, Policy
from tacit.public.disclosure import FINISH, PublicEdge, PublicStep
from tacit.public.protocol.messages import Publication, Publish
from tacit.public.settings import Settings, Threats, Tokens
from tacit.public.task import PublicAction


@dataclass(frozen=True)
class New:
    """An agent that has not published: its local task, and what its owner chose."""

    task: LocalTask
    seed: int | str = 0
    ties: int | None = None
    prices: Prices | None = None
    bounds: Bounds = NO_BOUNDS
    policy: Policy = POLICY
    lasting: Lasting | None = None
    masking: Masking | None = None

    ANSWERS: ClassVar[Answers] = {}

    @property
    def name(self) -> str:
        return self.task.agent

    def publish(self, question: Publish) -> Published:
        """The next phase, with these settings and this ranking."""
        return Published(self, question)


class Published:
    """An agent that has published, and does not know yet what the others published."""

    def __init__(self, new: New, question: Publish):
        task = new.task
        if new.prices is not None:
            new.prices.table.check(question.settings)
        if new.lasting is not None and question.settings.tokens is Tokens.PER_USE:
            text = "a lasting ledger knows edges by private facts, so tokens must be shared"
            raise InputError(text, "use tokens 'shared', or keep no lasting ledger")
        self.name = task.agent
        self.settings: Settings = question.settings
        self.ranking = question.ranking
        self.is_offline = question.offline
        self.policy = new.policy
        self.masking = new.masking
        self.bounds = new.bounds
        self.seed = random.Random(f"{new.seed} ranking {self.name}").getrandbits(32)
        self.dependencies = own = Dependencies(
            task, question.settings, ties=new.ties, prices=new.prices
        )
        self.task = own.task
        self.memory = None if new.lasting is None else Memory(new.lasting, own)
        self.actions = Shuffle.of(len(own.members), f"{new.seed} actions {self.name}")
        self.tokens = Shuffle.of(len(own.token_facts), f"{new.seed} tokens {self.name}")
        self.statics = Shuffle.of(len(own.static_facts), f"{new.seed} statics {self.name}")
        self.extender = Extender(own, self.seed, new.policy.extension)
        self.relaxed_layers = RelaxedLayers(own.task)

    @property
    def is_bounded(self) -> bool:
        """Does the owner bound edges, in this run or over all runs?"""
        lasting = self.memory is not None and self.memory.lasting.is_bounded
        return lasting or not self.bounds.allow_free

    @cached_property
    def own_numbers(self) -> OwnNumbers:
        return OwnNumbers(self.dependencies, self.actions.shown, self.tokens.shown)

    @cached_property
    def withheld(self) -> Withheld:
        """What is never disclosed."""
        return Withheld(self.dependencies)

    @cached_property
    def publication(self) -> Publication:
        """What everybody may know from now on."""
        own, task = self.dependencies, self.task
        if self.memory is not None:
            self.memory.enter_free(self._direct_threats)
        return Publication(
            self.name,
            tuple(sorted(self._public_actions(), key=lambda action: action.id)),
            len(own.token_facts),
            tuple(sorted(self.tokens.shown[token] for token in own.goal)),
            any(fact >= task.public_count for fact in task.arrays.goal),
            self.extender.others_matter,
            is_interactive(RANKINGS.get(self.ranking)),
            may_pass(RANKINGS.get(self.ranking)),
            self._known_threats(),
        )

    def _known_threats(self) -> tuple[PublicEdge, ...]:
        return tuple(sorted(self.show(edge) for edge in self._direct_threats))

    @cached_property
    def _direct_threats(self) -> list[Edge]:
        """All direct threats, if the settings say that they are no secret."""
        if self.settings.threats is not Threats.KNOWN:
            return []
        own = self.dependencies
        threats = {
            Edge(own.number[action], token, positive=False)
            for token, actions in enumerate(own.direct_threats)
            for action in actions
            if own.price(own.number[action], token) is not None
        }
        return sorted(threats)

    def _public_actions(self) -> list[PublicAction]:
        own, actions = self.dependencies, []
        for number, group in enumerate(watch.checked(own.members)):
            cost, needs, adds, deletes = own.public_part[group[0]]
            tokens = tuple(sorted([self.tokens.shown[t] for t in own.graph.needs[number]]))
            shown = self.actions.shown[number]
            actions.append(PublicAction(self.name, shown, cost, needs, adds, deletes, tokens))
        return actions

    def view(self, sent: Mapping[str, Publication]) -> PublicView:
        """The public world, with the own publication as it was sent, if it came back as it was."""
        task, own = self.task, self.publication
        if sent.get(self.name) == own:
            self.publication = sent[self.name]  # agents of one process share it
        known = sent if sent.get(self.name) == own else {**sent, self.name: own}
        init, goal = (
            tuple([fact for fact in facts if fact < task.public_count])
            for facts in (task.arrays.init, task.arrays.goal)
        )
        numbers = (self.actions, self.tokens)
        return PublicView.of(self.name, task.public_facts, init, goal, known, numbers)

    def show(self, edge: Edge) -> PublicEdge:
        """An own edge in the numbers that others see."""
        return show(edge, self.actions, self.tokens)

    @property
    def all_edges(self) -> frozenset[PublicEdge]:
        """All that achieves its tokens, prices or not, in the numbers that others see."""
        own = self.dependencies
        pairs = {
            (own.number.get(action, INIT), token)
            for token, row in enumerate(own.achievers)
            for action in row
        }
        return frozenset(self.show(Edge(*pair)) for pair in pairs)

    def show_action(self, action: int) -> int:
        """An own public action, or `FINISH`, in the numbers that others see."""
        return action if action == FINISH else self.actions.shown[action]

    def show_step(self, action: int) -> PublicStep:
        """An own public action as a step of a public plan."""
        return PublicStep(self.name, self.actions.shown[action])

    ANSWERS: ClassVar[Answers] = {}
