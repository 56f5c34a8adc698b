"""The cheapest supported plan by brute force: Dijkstra's algorithm over the joint space."""

from __future__ import annotations

import heapq
import random
from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from support.brute import MOST_STATES, Joint, Op, TooLarge, mask
from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.party.agent import Agent
from tacit.party.disclosure.dependencies import Dependencies
from tacit.public.settings import Cost


def counted(op: Op, own: Mapping[str, Dependencies], cost: Cost) -> int:
    """What an action counts for."""
    is_counted = cost is Cost.TOTAL or op.public is not None
    return int(own[op.agent].task.cost[op.local]) if is_counted else 0


def cheapest(session: Session, cost: Cost) -> int | None:
    """What the cheapest plan costs that is supported on the session's ledger; None without one."""
    own = {name: agent.dependencies for name, agent in session.agents.items()}
    agents = session.agents.items()
    edges = {name: [e for e in agent.disclosed if e.positive] for name, agent in agents}
    joint = Joint(own, edges)
    return cheapest_from(joint, own, cost, joint.init)


def cheapest_from(
    joint: Joint, own: Mapping[str, Dependencies], cost: Cost, start: int
) -> int | None:
    """The same from a state of the joint space."""
    ops = [(op.needs, ~op.deletes, op.adds, counted(op, own, cost)) for op in joint.ops]
    return _dijkstra(start, joint.goal, ops)


def _dijkstra(start: int, goal: int, ops: Sequence[tuple[int, int, int, int]]) -> int | None:
    best = {start: 0}
    queue = [(0, start)]
    while queue:
        so_far, state = heapq.heappop(queue)
        if so_far > best[state]:
            continue
        if state & goal == goal:
            return so_far
        for needs, keeps, adds, price in ops:
            if state & needs == needs:
                then = state & keeps | adds
                if so_far + price < best.get(then, so_far + price + 1):
                    best[then] = so_far + price
                    heapq.heappush(queue, (so_far + price, then))
                    if len(best) > MOST_STATES:
                        raise TooLarge
    return None


def public_cost(session: Session) -> int:
    """What the public actions of the plan cost that the session's agents agreed on."""
    total = 0
    for agent in session.agents.values():
        assert agent.local_plan is not None
        for action, _ in agent.local_plan.actions:
            total += int(agent.task.cost[action]) if agent.task.arrays.is_public[action] else 0
    return total


class Late:
    """A driver that gives turns to agents at random, and delivers frames at random: those of one
    agent to another in their order, and any time later.
    """

    is_apart = False

    def __init__(self, agents: Sequence[Agent], seed: int):
        self._agents = {agent.name: agent for agent in agents}
        self._random = random.Random(seed)
        self._mail: dict[tuple[str, str], deque[bytes]] = {}

    def work(self, seconds: float, evaluations: int | None) -> None:
        for _ in range(self._random.randrange(1, 12)):
            waiting = [pair for pair, frames in self._mail.items() if frames]
            if waiting and self._random.random() < 0.5:
                sender, receiver = self._random.choice(waiting)
                frame = self._mail[sender, receiver].popleft()
                self._agents[receiver].receive(sender, frame)
            agent = self._random.choice(list(self._agents.values()))
            if not agent.is_idle:
                for receiver, frame in agent.work(self._random.randrange(1, 4)):
                    self._mail.setdefault((agent.name, receiver), deque()).append(frame)


def cheapest_of_all(instance: Instance) -> int | None:
    """What the cheapest plan costs, if nobody keeps anything to itself: nothing of tokens, edges or
    support is in it.
    """
    init = goal = 0
    ops: list[tuple[int, int, int, int]] = []
    shift = instance.local(instance.agents[0]).public_count
    for agent in instance.agents:
        task = instance.local(agent)

        def bits(row: Iterable[int], first: int = task.public_count, shift: int = shift) -> int:
            return mask(fact if fact < first else fact - first + shift for fact in row)

        init |= bits(task.arrays.init)
        goal |= bits(task.arrays.goal)
        rows = zip(task.pre, task.delete, task.add, task.cost, strict=True)
        ops += [(bits(n), ~bits(d), bits(a), int(cost)) for n, d, a, cost in rows]
        shift += task.private_count
    return _dijkstra(init, goal, ops)
