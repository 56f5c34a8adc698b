"""One agent's part in forward search: its node in the core, and what it makes of it.

The node sees the agent's own actions in full and the others' as they published them. What may be
shown is decided by support bits (`tacit.party.mafs.support`). Its private actions stay with
the agent (`tacit.party.mafs.tracing`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from tacit import native
from tacit.errors import ProtocolError
from tacit.party.disclosure.graph import INIT, Edge
from tacit.party.disclosure.order import Order
from tacit.party.disclosure.own_numbers import OwnNumbers
from tacit.party.disclosure.public_world import PublicWorld
from tacit.party.mafs.joint_reachability import JointReachability
from tacit.party.mafs.support import SupportRules
from tacit.party.mafs.tracing import Tracing
from tacit.public import disclosure
from tacit.public.disclosure import FINISH, PublicEdge, PublicStep
from tacit.public.protocol.messages import Begin, Publication
from tacit.public.settings import Cost, Harden, Recipients, Rule, Settings
from tacit.safety import SAFETY

Disclosed = Mapping[str, Sequence[PublicEdge]]

COSTS = {Cost.PUBLIC: 1, Cost.TOTAL: 2}
"""As the core numbers them."""
NO_COST = 2**31 - 1


class Joint:
    """What all agents published, as the core takes it; agents of one process share it."""

    @classmethod
    def shared(cls, world: PublicWorld) -> Joint:
        """That of this world, made once."""
        found = _made.get(world)
        if found is None:
            found = _made[world] = cls(world.published)
        return found

    def __init__(self, published: Mapping[str, Publication]):
        self.agents = tuple(published)
        self._place: dict[str, dict[int, int]] = {}
        self._last = {p.sender: len(p.actions) for p in published.values() if p.has_private_goal}
        self.shown = [self._part(part) for part in published.values()]
        self.projections = native.SharedTasks()

    def _part(self, part: Publication) -> native.ShownActions:
        self._place[part.sender] = {action.id: n for n, action in enumerate(part.actions)}
        flat = native.flat
        return native.ShownActions(
            flat(action.needs for action in part.actions),
            flat(action.tokens for action in part.actions),
            flat(action.adds for action in part.actions),
            flat(action.deletes for action in part.actions),
            part.tokens,
            part.has_private_goal,
            part.goal,
            part.has_public_preconditions,
            [action.cost for action in part.actions],
        )

    def places(self, agent: str) -> Mapping[int, int]:
        """The place of each published action among those of its agent."""
        return self._place[agent]

    def gains(self, agent: str, edges: Iterable[PublicEdge]) -> tuple[list[int], list[int]]:
        """Published actions, each with a token that it achieves; and tokens that hold initially."""
        place = self._place[agent]
        rows: list[int] = []
        initial: list[int] = []
        for edge in edges:
            if edge.positive:
                if edge.achiever == disclosure.INIT:
                    initial.append(edge.token)
                else:
                    rows += (place[edge.achiever], edge.token)
        return rows, initial

    def rows(self, steps: Iterable[PublicStep]) -> list[int]:
        """Steps, each as the number of its agent and that of the action among the published."""
        rows: list[int] = []
        for step in steps:
            place = self._place.get(step.agent, {})
            row = self._last.get(step.agent) if step.action == FINISH else place.get(step.action)
            if row is None:
                raise ProtocolError("a public plan has a step that nobody published")
            rows += (self.agents.index(step.agent), row)
        return rows


_made: WeakKeyDictionary[PublicWorld, Joint] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Wish:
    """An own edge that the search is held up by; is what it would free as promising as anything
    that was found so far?
    """

    edge: Edge
    is_promising: bool


class Forward:
    """A search by one agent, from `Begin` to the plan."""

    def __init__(
        self,
        numbers: OwnNumbers,
        joint: Joint,
        disclosed: Disclosed,
        own_disclosed: Sequence[Edge],
        begin: Begin,
        expects_disclosures: bool = False,
    ):
        self.run = begin.run
        self._own = own = numbers.own
        self._task = own.task
        self._numbers = numbers
        self._joint = joint
        self.grows = begin.grows
        self._rule = own.settings.rule
        self._own_disclosed = own_disclosed
        if begin.grows:
            self._disclosed = {agent: set(edges) for agent, edges in disclosed.items()}
        if begin.optimal:
            _check_optimal(begin, own.settings)
        rules = SupportRules(numbers, own_disclosed, begin.grows, not begin.optimal)
        self._support = rules.support()
        self.plans = 0
        self.frames_sent = self.frames_received = self.bytes_sent = 0
        make_node = native.AstarNode if begin.optimal else native.MafsNode
        self._node: native.AstarNode | native.MafsNode = make_node(
            agent=joint.agents.index(self._task.agent),
            local=self._task.arrays,
            shown=joint.shown,
            disclosed=[joint.gains(agent, edges) for agent, edges in disclosed.items()],
            needed_tokens=native.flat(numbers.tokens_of),
            published=self._published(),
            own_gains=self._own_gains(own_disclosed),
            token_facts=self._token_facts(),
            support_bits=self._support.parts(),
            shown_bits=rules.shown().parts(),
            projections=joint.projections,
            heuristic=begin.heuristic,
            options=native.MafsOptions(
                any_disclosed=self._rule is not Rule.PAIRWISE,
                grows=begin.grows,
                expects_disclosures=expects_disclosures,
                is_exact=self._rule is Rule.SUPPORTED,
                sends_own_value=own.settings.own_values,
                fresh=Harden.FRESH in own.settings.harden,
                once=Harden.ONCE in own.settings.harden,
                pad=Harden.PAD in own.settings.harden,
                sends_to_all=own.settings.recipients is Recipients.ALL,
                secure=Harden.SECURE in own.settings.harden,
                costs=COSTS[own.settings.cost] if begin.optimal else 0,
            ),
        )
        self.tracing = Tracing(self._node, numbers, joint.agents)

    def _published(self) -> list[int]:
        """Per own action, its place among those published; -1 for a private one."""
        own, place = self._own, self._joint.places(self._task.agent)
        places = [-1] * len(self._task.arrays.schema)
        for number, members in enumerate(own.members):
            for action in members:
                places[action] = place[self._numbers.action[number]]
        return places

    def _own_gains(self, edges: Iterable[Edge]) -> list[int]:
        """Own actions, each with an own token that it achieves."""
        if self._rule is Rule.PAIRWISE:
            return []
        members, shown = self._own.members, self._numbers.token
        by_actions = [edge for edge in edges if edge.positive and edge.achiever != INIT]
        return _in_turns(
            [action for edge in by_actions for action in members[edge.achiever]],
            [shown[edge.token] for edge in by_actions for _ in members[edge.achiever]],
        )

    def _token_facts(self) -> list[int]:
        """Per own token, as others number them, the private fact that it stands for."""
        facts = [0] * len(self._own.token_facts)
        for token, fact in enumerate(self._own.token_facts):
            facts[self._numbers.token[token]] = fact
        return facts

    def wish(self, order: Order) -> Wish | None:
        """The edge, of those that are left, that would free the most promising pruned action."""
        edges = self._numbers.edges
        bit, is_promising = self._growing.wish([order.has_left(edge) for edge in edges])
        return None if bit < 0 else Wish(edges[bit], is_promising)

    @property
    def free_initially(self) -> tuple[int, ...]:
        """Own tokens of the initial state by edges that were not disclosed, if these are free."""
        if self._rule is not Rule.AUTHORS:
            return ()
        disclosed = set(self._own_disclosed)
        free = {e.token for e in self._numbers.initial_edges if e not in disclosed}
        return tuple(sorted(self._numbers.token[token] for token in free))

    @cached_property
    def joint_reachability(self) -> JointReachability:
        """What is within reach, for a search at one budget."""
        is_counted = self._rule is not Rule.PAIRWISE
        return JointReachability(self._numbers.abilities, self._support if is_counted else None)

    @property
    def _growing(self) -> native.MafsNode:
        """The node of a search that is not optimal, which can do more."""
        if not isinstance(self._node, native.MafsNode):
            raise ProtocolError("an optimal search does not do this")
        return self._node

    # At work

    def work(self, evaluations: int) -> list[tuple[str, bytes]]:
        """Search on; batches of states for others."""
        self._node.step(evaluations)
        agents = self._joint.agents
        out = [(agents[to], batch) for to, batch in self._node.take_outbox(len(agents))]
        self.frames_sent += len(out)
        self.bytes_sent += sum(len(batch) for _, batch in out)
        return out

    def take(self, sender: str, batch: bytes) -> None:
        """Take in another agent's states."""
        if sender not in self._joint.agents:
            raise ProtocolError(f"'{sender}' sends states and is not an agent of this run")
        self.frames_received += 1
        try:
            self._node.receive(self._joint.agents.index(sender), batch)
        except ValueError as error:
            raise ProtocolError(f"agent '{sender}': {error}") from None

    def limit(self, bound: int | None, horizon: int | None) -> None:
        """In an optimal search: what the best plan so far costs, and how far to search."""
        if isinstance(self._node, native.AstarNode):
            self._node.limit(
                NO_COST if bound is None else bound, NO_COST if horizon is None else horizon
            )

    @property
    def cost(self) -> int | None:
        """In an optimal search: what the cheapest goal state found here costs."""
        return _known(self._node.cost) if isinstance(self._node, native.AstarNode) else None

    @property
    def lowest(self) -> int | None:
        """In an optimal search: the least estimate of a state that is yet to be expanded."""
        return _known(self._node.lowest) if isinstance(self._node, native.AstarNode) else None

    @property
    def is_idle(self) -> bool:
        return bool(self._node.is_idle)

    @property
    def has_found(self) -> bool:
        return bool(self._node.has_found)

    def counters(self) -> dict[str, int]:
        return dict(self._node.counters())

    def learn(self, disclosed: Disclosed, own_disclosed: Sequence[Edge]) -> None:
        """More edges are disclosed: go on with them."""
        if not self.grows:
            raise ProtocolError("this search was begun for one budget")
        place = {edge: number for number, edge in enumerate(self._numbers.edges)}
        before = set(self._own_disclosed)
        new_own = [edge for edge in own_disclosed if edge not in before]
        fresh = [place[edge] for edge in new_own if edge in place]
        gains: list[int] = []
        initial_gains: list[int] = []
        for group, (agent, edges) in enumerate(disclosed.items()):
            new = [edge for edge in edges if edge not in self._disclosed[agent]]
            pairs, initial = self._joint.gains(agent, new)
            for action, token in zip(pairs[::2], pairs[1::2], strict=True):
                gains += (group, action, token)
            for token in initial:
                initial_gains += (group, token)
            self._disclosed[agent] = set(edges)
        self._own_disclosed = own_disclosed
        self._growing.grow(fresh, fresh, self._own_gains(new_own), gains, initial_gains)

    def follow(self, steps: Sequence[PublicStep]) -> None:
        """Expand the states on this public plan first."""
        self.plans += 1
        most = SAFETY.leader
        if self.plans > most.plans or len(steps) > most.steps:
            raise ProtocolError("too many or too long public plans to follow")
        self._growing.follow(self._joint.rows(steps))

    def send_again(self) -> None:
        """Nobody can go on: what was withheld goes out with the next batch."""
        if Harden.ONCE not in self._own.settings.harden:
            raise ProtocolError("the settings withhold no states")
        self._growing.send_again()


def _check_optimal(begin: Begin, settings: Settings) -> None:
    is_exact = settings.rule is Rule.SUPPORTED and Harden.ONCE not in settings.harden
    if begin.grows or not is_exact or begin.heuristic not in native.admissible_heuristics():
        raise ProtocolError("an optimal search was begun under settings that it does not have")


def _known(cost: int) -> int | None:
    return None if cost == NO_COST else cost


def _in_turns(first: list[int], second: list[int]) -> list[int]:
    """Two lists of the same length as one, a number of each in turns."""
    both = [0] * (2 * len(first))
    both[::2], both[1::2] = first, second
    return both
