"""What states show of an agent's actions, for metric A (`tacit.leakage.private_systems`).

A state has a descent: the actions since a state that its receiver has. So observers know from which
state an action of the agent led to which other one, and compare the agent's opaque indices. Two
states are *publicly equal but different* if their public facts are equal and the agent's indices
are not.

* `ia`: the action was done where the agent's index was that of its initial state;
* `pi`: one action was done in two states that are publicly equal but different;
* `pn`: one state and one action gave two states that are publicly equal but different;
* `pd`: the action was done in one of two such states and not in the other, of which all children
  are known: the agent has said that it has nothing left to do.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache

from tacit.errors import ProtocolError
from tacit.leakage.private_systems import Bounds, Property, leak
from tacit.leakage.view import View
from tacit.public.disclosure import FINISH
from tacit.public.protocol.messages import States, Status
from tacit.public.protocol.states import Batch, State, decode_batch

MOST_STATES = 50_000
"""States of a run that are looked at: reading one takes some 50 microseconds."""

Seen = tuple[int, frozenset[int], int]
"""A search, public facts, and the agent's index."""


@lru_cache(maxsize=4096)
def _decoded(batch: bytes) -> Batch | None:
    try:
        return decode_batch(batch)
    except ProtocolError:
        return None


@dataclass
class Transitions:
    """What is known of one agent's actions, by what its states and those of others show."""

    known: dict[int, set[Property]] = field(default_factory=lambda: defaultdict(set))
    states: int = 0
    is_whole: bool = True
    """False if there were too many states."""


class _Reader:
    def __init__(self, view: View, agent: str):
        self._view = view
        self._agents = list(view.traffic.agents)
        self._place = self._agents.index(agent)
        self._actions = [action.id for action in view.agents[agent].part.actions] + [FINISH]
        self._sent: dict[tuple[int, int, int], State] = {}
        self._from_agent: list[tuple[int, int, State]] = []
        self._is_idle = False
        self.found = Transitions()
        self._collect(agent)

    def _collect(self, agent: str) -> None:
        for seen in self._view.traffic.frames:
            message = seen.message
            if isinstance(message, Status) and seen.sender == agent:
                self._is_idle = message.is_idle
            if not isinstance(message, States) or seen.sender not in self._agents:
                continue
            if self.found.states >= MOST_STATES:
                self.found.is_whole = False
                return
            batch = _decoded(message.batch)
            for state in batch.states if batch is not None else ():
                self.found.states += 1
                key = (message.run, self._agents.index(seen.sender), state.ref)
                is_new = key not in self._sent
                self._sent[key] = state
                if seen.sender == agent and is_new:
                    receiver = self._receiver(seen.receiver)
                    self._from_agent.append((message.run, receiver, state))

    def _receiver(self, name: str) -> int:
        return self._agents.index(name) if name in self._agents else -1

    def _parent(self, run: int, receiver: int, state: State) -> Seen | None:
        """The state in which the agent began to act."""
        descent = state.descent
        if descent.before:
            before = descent.before[0]
            found = self._sent.get((run, before.agent, before.ref))
        elif descent.from_sender is not None:
            found = self._sent.get((run, self._place, descent.from_sender))
        elif descent.from_receiver == 0:
            names = self._view.names
            return run, frozenset(names.init if names is not None else ()), 0
        else:
            found = self._sent.get((run, receiver, descent.from_receiver or 0))
        return None if found is None else self._key(run, found)

    def _key(self, run: int, state: State) -> Seen:
        return run, state.facts, state.indices[self._place]

    def read(self) -> Transitions:
        at: dict[int, set[Seen]] = defaultdict(set)
        """Per action, the states in which it was done."""
        children: dict[tuple[int, Seen], set[Seen]] = defaultdict(set)
        for run, receiver, state in self._from_agent:
            parent = self._parent(run, receiver, state)
            if parent is None or not state.descent.actions:
                continue
            first = self._actions[state.descent.actions[-1]]
            if parent[2] == 0:
                self.found.known[first].add(Property.IA)
            if len(state.descent.actions) == 1:
                at[first].add(parent)
                children[first, parent].add(self._key(run, state))
        self._compare_parents(at)
        for (action, _), found in children.items():
            if _differ(found):
                self.found.known[action].add(Property.PN)
        return self.found

    def _compare_parents(self, at: dict[int, set[Seen]]) -> None:
        expanded: dict[tuple[int, frozenset[int]], set[int]] = defaultdict(set)
        if self._is_idle:
            for (run, sender, _), state in self._sent.items():
                if sender != self._place:
                    expanded[run, state.facts].add(state.indices[self._place])
        for action, parents in at.items():
            if _differ(parents):
                self.found.known[action].add(Property.PI)
            done: dict[tuple[int, frozenset[int]], set[int]] = defaultdict(set)
            for run, facts, index in parents:
                done[run, facts].add(index)
            if any(expanded.get(public, set()) - indices for public, indices in done.items()):
                self.found.known[action].add(Property.PD)


def _differ(states: set[Seen]) -> bool:
    """Are two of them publicly equal but different?"""
    public = {(run, facts) for run, facts, _ in states}
    return len(public) < len(states)


def transitions(view: View, agent: str) -> Transitions:
    """What the view shows of an agent's actions."""
    return _Reader(view, agent).read()


def bits_a(view: View, agent: str, bounds: Bounds = Bounds()) -> float:  # noqa: B008
    """How many bits of private transition systems forward search has shown, beyond what the public
    plan shows.
    """
    seen = view.agents[agent]
    before = {
        steps[0]: frozenset([Property.IA]) for steps in seen.plans if steps and steps[0] != FINISH
    }
    found = transitions(view, agent).known
    after = {action: frozenset(known) for action, known in found.items()}
    return leak((action.id for action in seen.part.actions), before, after, bounds)
