"""What states show of an agent's actions, for metric A (`tacit.leakage.private_systems`).

A state has a descent: the actions since a state that its receiver has. So observers know from which
state an action of the agent led to which other one, and compare the agent's opaque indices. Two
states are *publicly equal but different* if their public facts are equal and the agent's indices
are not.

* `ia`: the action was done where the agent's index was that of its initial state;
* `pi`: one action was done in two states that are publicly equal but different;
* `pn`: one state and one action gave two states that are publicly equal but different;
* `pd`: the action was done in one of two such states and not in the other, of which all children
  are known: the agent has said that it has nothing left to do, after it had received the state,
  and not because it found a plan. In an optimal search it says so also where what is left would
  be too dear, so this is not used there.

Under the hardening `secure` an index is that of one message. Then two children with different
indices are different for certain only if all else in them is equal: of one parent, the others'
indices included. Otherwise, as in the literature, states with different indices count as different:
what is counted there is more than what is certain.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import lru_cache

from tacit import watch
from tacit.errors import ProtocolError
from tacit.leakage.private_systems import Bounds, Known, Property, leak
from tacit.leakage.view import View
from tacit.public.disclosure import FINISH
from tacit.public.protocol.messages import States, Status
from tacit.public.protocol.states import Batch, State, decode_batch
from tacit.public.settings import Harden

MOST_STATES = 50_000
"""States of a run that are looked at: reading one takes some 50 microseconds."""

Seen = tuple[int, frozenset[int], int]
"""A search, public facts, and the agent's index."""

Around = tuple[int, ...]
"""The others' indices, where these matter."""


@lru_cache(maxsize=MOST_STATES)
def decoded(batch: bytes) -> Batch | None:
    """A batch of states, None if it is none. Each observer reads nearly the same ones in the same
    order: a cache that did not hold all of them would hold none when the next observer comes.
    """
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
        self._taken: dict[tuple[int, frozenset[int]], set[int]] = defaultdict(set)
        """Indices in states, by their public facts, all of whose children are known."""
        self._is_secure = Harden.SECURE in view.settings.harden
        self.found = Transitions()
        self._collect(agent)

    def _collect(self, agent: str) -> None:
        waiting: list[tuple[int, State]] = []
        frames: Counter[int] = Counter()
        run, is_optimal = 0, self._view.traffic.is_optimal
        for seen in watch.checked(self._view.traffic.frames):
            message = seen.message
            if isinstance(message, Status) and seen.sender == agent:
                is_done = message.is_idle and not (message.has_found or is_optimal)
                if is_done and message.received == frames[run]:
                    self._take(waiting)
            if not isinstance(message, States) or seen.sender not in self._agents:
                continue
            if self.found.states >= MOST_STATES:
                self.found.is_whole = False
                return
            batch, run = decoded(message.batch), message.run
            frames[run] += seen.receiver == agent
            for state in batch.states if batch is not None else ():
                self.found.states += 1
                key = (message.run, self._agents.index(seen.sender), state.ref)
                is_new = key not in self._sent
                self._sent[key] = state
                if seen.receiver == agent:
                    waiting.append((run, state))
                if seen.sender == agent and is_new:
                    receiver = self._receiver(seen.receiver)
                    self._from_agent.append((message.run, receiver, state))

    def _take(self, waiting: list[tuple[int, State]]) -> None:
        for run, state in waiting:
            self._taken[run, state.facts].add(state.indices[self._place])
        waiting.clear()

    def _receiver(self, name: str) -> int:
        return self._agents.index(name) if name in self._agents else -1

    def _parent(self, run: int, receiver: int, state: State) -> tuple[Seen, Around] | None:
        """The state in which the agent began to act."""
        descent = state.descent
        if descent.before:
            before = descent.before[0]
            found = self._sent.get((run, before.agent, before.ref))
        elif descent.from_sender is not None:
            found = self._sent.get((run, self._place, descent.from_sender))
        elif descent.from_receiver == 0:
            names = self._view.names
            return (run, frozenset(names.init if names is not None else ()), 0), ()
        else:
            found = self._sent.get((run, receiver, descent.from_receiver or 0))
        return None if found is None else (self._key(run, found), self._around(found))

    def _key(self, run: int, state: State) -> Seen:
        return run, state.facts, state.indices[self._place]

    def _around(self, state: State) -> Around:
        place = self._place
        return state.indices[:place] + state.indices[place + 1 :] if self._is_secure else ()

    def read(self) -> Transitions:
        at: dict[int, set[Seen]] = defaultdict(set)
        """Per action, the states in which it was done."""
        children: dict[tuple[int, Seen, Around], set[Seen]] = defaultdict(set)
        for run, receiver, state in self._from_agent:
            found = self._parent(run, receiver, state)
            if found is None or not state.descent.actions:
                continue
            parent, around = found
            first = self._actions[state.descent.actions[-1]]
            if parent[2] == 0:
                self.found.known[first].add(Property.IA)
            if len(state.descent.actions) == 1:
                at[first].add(parent)
                children[first, parent, around].add(self._key(run, state))
        self._compare_parents(at)
        for (action, _, _), born in children.items():
            if _differ(born):
                self.found.known[action].add(Property.PN)
        return self.found

    def _compare_parents(self, at: dict[int, set[Seen]]) -> None:
        for action, parents in at.items():
            if _differ(parents):
                self.found.known[action].add(Property.PI)
            done: dict[tuple[int, frozenset[int]], set[int]] = defaultdict(set)
            for run, facts, index in parents:
                done[run, facts].add(index)
            if any(self._taken.get(public, set()) - indices for public, indices in done.items()):
                self.found.known[action].add(Property.PD)


def _differ(states: set[Seen]) -> bool:
    """Are two of them publicly equal but different?"""
    public = {(run, facts) for run, facts, _ in states}
    return len(public) < len(states)


def transitions(view: View, agent: str) -> Transitions:
    """What the view shows of an agent's actions."""
    return _Reader(view, agent).read()


def known_before(view: View, agent: str) -> Known:
    """What the public plan shows of an agent's actions."""
    plans = (steps for steps in view.agents[agent].plans if steps and steps[0] != FINISH)
    return {steps[0]: frozenset([Property.IA]) for steps in plans}


def bits_a(view: View, agent: str, bounds: Bounds = Bounds()) -> float:  # noqa: B008
    """How many bits of private transition systems forward search has shown, beyond what the public
    plan shows.
    """
    found = transitions(view, agent).known
    after = {action: frozenset(known) for action, known in found.items()}
    actions = (action.id for action in view.agents[agent].part.actions)
    return leak(actions, known_before(view, agent), after, bounds)
