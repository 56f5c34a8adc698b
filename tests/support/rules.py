"""The rules of forward search by their words: all states of a tiny problem are looked at."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from support import brute
from support.brute import is_given, reading
from tacit.central.session import Session
from tacit.party.agent import Agent
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT, Edge
from tacit.public.settings import Rule


def rule_holds(
    rule: Rule, own: Dependencies, disclosed: Sequence[Edge], steps: Sequence[int]
) -> bool:
    """May this sequence of own public actions (local numbers) be shown? By the words of §1.5."""
    edges = {(edge.achiever, edge.token) for edge in own.graph.edges if edge.positive}
    told = {(edge.achiever, edge.token) for edge in disclosed if edge.positive}
    if rule is not Rule.PAIRWISE:
        free = (
            {(achiever, t) for achiever, t in edges if achiever == INIT}
            if rule is Rule.AUTHORS
            else ()
        )
        plain = [Edge(achiever, token) for achiever, token in told.union(free)]
        return all(
            is_given(own, plain, steps[:n], token)
            for n, step in enumerate(steps)
            for token in reading(own).needs(step)
        )
    for n, step in enumerate(steps):
        last = own.number[steps[n - 1]] if n else INIT
        for token in reading(own).needs(step):
            if (last, token) in edges and (last, token) not in told:
                return False
    return True


def last_own_steps(rule: Rule, own: Dependencies, steps: tuple[int, ...]) -> object:
    """What of an agent's public steps decides how it may go on."""
    if rule is Rule.PAIRWISE:
        return steps[-1:]
    live = []
    for token in range(len(own.token_facts)):
        ends = [n for n, step in enumerate(steps) if token in own.certain_deletes[step]]
        since = ends[-1] if ends else -1  # a step that ends a token and gives it, gives it
        achievers = frozenset(own.number[step] for n, step in enumerate(steps) if n >= since)
        live.append((achievers, not ends))
    return tuple(live)


def is_goal(
    agents: Sequence[Agent], public: frozenset[int], private: Sequence[frozenset[int]]
) -> bool:
    return all(
        (public | own).issuperset(agent.task.arrays.goal)
        for agent, own in zip(agents, private, strict=True)
    )


def answers(session: Session, rule: Rule) -> bool:
    """Is there a plan that may be shown? All states are looked at."""
    agents = list(session.agents.values())
    count = agents[0].task.public_count
    public = frozenset(fact for fact in agents[0].task.arrays.init if fact < count)
    private = tuple(frozenset(f for f in a.task.arrays.init if f >= count) for a in agents)
    first = (public, private, ((),) * len(agents))
    seen, queue = set(), deque([first])
    while queue:
        public, private, steps = queue.popleft()
        if is_goal(agents, public, private):
            return True
        for n, agent in enumerate(agents):
            own, task = agent.dependencies, agent.task
            for action, is_public in enumerate(task.arrays.is_public):
                if not (public | private[n]).issuperset(task.pre[action]):
                    continue
                mine = (*steps[n], action) if is_public else steps[n]
                is_held = is_public and not rule_holds(rule, own, agent.disclosed, mine)
                then = (public | private[n]).difference(task.delete[action]).union(task.add[action])
                state = (
                    frozenset(f for f in then if f < count),
                    (*private[:n], frozenset(f for f in then if f >= count), *private[n + 1 :]),
                    (*steps[:n], mine, *steps[n + 1 :]),
                )
                if is_held and not (rule is Rule.PAIRWISE and is_goal(agents, *state[:2])):
                    continue  # Algorithm 1 asks for the goal before it asks for dependencies
                kept = [
                    last_own_steps(rule, a.dependencies, s)
                    for a, s in zip(agents, state[2], strict=True)
                ]
                key = (state[0], state[1], tuple(kept))
                if key not in seen:
                    seen.add(key)
                    queue.append(state)
        if len(seen) > 4000:
            raise brute.TooLarge
    return False
