"""What all agents published, made ready once per process and shared read-only.

Every agent of a run makes the same of the publications: a projection with nothing disclosed, and
the shapes of all actions and tokens. Where agents run in one process they get the very same
publications (`messages.decode` reads equal frames once), and with them the very same world. Nothing
in it depends on anybody's secrets, so an agent finds in it what it would have computed itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain
from weakref import WeakValueDictionary

from tacit import native, watch
from tacit.errors import ProtocolError
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.ledger import Entry
from tacit.public.protocol.messages import Publication
from tacit.public.task import PublicAction, PublicTask


class PublicWorld:
    """The public task, and what everybody published, by agent."""

    def __init__(self, task: PublicTask, published: Mapping[str, Publication]):
        self.task = task
        self.published = published
        self.number = {agent: place for place, agent in enumerate(published)}
        self._last_plan: tuple[tuple[PublicStep, ...], Sequence[frozenset[int]]] | None = None
        self.checked_plan: tuple[Sequence[PublicStep], list[Entry]] | None = None
        """The last public plan that agents of this process checked, and by which ledger."""
        parts = published.values()
        self.first_action = list(accumulate((len(part.actions) for part in parts), initial=0))
        self.first_token = list(accumulate((part.tokens for part in parts), initial=0))

    @classmethod
    def shared(cls, task: PublicTask, published: Mapping[str, Publication]) -> PublicWorld:
        """The world of these publications, the same one as long as it is in use."""
        key = tuple(map(id, published.values()))  # a world keeps them, so nothing else has their id
        found = _in_use.get(key)
        if found is None or found.task != task:
            found = _in_use[key] = cls(task, published)
        return found

    @cached_property
    def projection(self) -> native.PublicProjection:
        parts = list(self.published.values())
        actions = [action for part in parts for action in watch.checked(part.actions)]
        predicates: dict[tuple[str, bool], int] = {}
        objects: dict[str, int] = {}
        facts = self.task.facts
        return native.PublicProjection(
            [predicates.setdefault((f.predicate, f.positive), len(predicates)) for f in facts],
            native.flat([objects.setdefault(a, len(objects)) for a in f.args] for f in facts),
            native.flat([action.needs for action in actions]),
            native.flat([action.adds for action in actions]),
            native.flat([action.deletes for action in actions]),
            self._tokens(actions),
            self.first_action,
            self.first_token,
            self.task.init,
            self.task.goal,
            [action.cost for action in actions],
            [part.has_private_goal for part in parts],
            native.flat(
                [first + token for token in part.goal]
                for part, first in zip(parts, self.first_token, strict=False)
            ),
        )

    def _tokens(self, actions: list[PublicAction]) -> tuple[list[int], list[int]]:
        """Per action the tokens that it needs, numbered through all agents."""
        firsts = (
            (first, part.actions)
            for first, part in zip(self.first_token, self.published.values(), strict=False)
        )
        starts = accumulate((len(action.tokens) for action in actions), initial=0)
        tokens = ([first + t for a in own for t in a.tokens] for first, own in firsts)
        return list(starts), list(chain.from_iterable(tokens))

    @cached_property
    def actions(self) -> memoryview:
        """Per action, numbered through all agents, its number in the projection."""
        return self.projection.actions

    @cached_property
    def facts(self) -> memoryview:
        """Per token, numbered through all agents, its fact in the projection."""
        return self.projection.facts

    def action(self, agent: str, number: int) -> int:
        """A published action in the projection."""
        place = self._place(agent, number)
        assert place is not None
        return self.actions[self.first_action[self.number[agent]] + place]

    def fact(self, agent: str, token: int) -> int:
        """A token in the projection."""
        return self.facts[self.first_token[self.number[agent]] + token]

    def find(self, step: PublicStep) -> PublicAction | None:
        """What was published of a step, if anything was."""
        place = self._place(step.agent, step.action)
        return None if place is None else self.published[step.agent].actions[place]

    def states_along(self, steps: tuple[PublicStep, ...]) -> Sequence[frozenset[int]]:
        """The public facts that hold before each step of a plan but last actions, and at its end.
        All agents are asked about the same plan, so the last answer is kept.
        """
        last = self._last_plan
        if last is None or last[0] != steps:
            last = self._last_plan = steps, self._find_states(steps)
        return last[1]

    def _find_states(self, steps: tuple[PublicStep, ...]) -> list[frozenset[int]]:
        holds = frozenset(self.task.init)
        states = [holds]
        for step in steps:
            if step.action == FINISH:
                continue
            action = self.find(step)
            if action is None or not holds.issuperset(action.needs):
                raise ProtocolError(
                    f"a public plan has a step of '{step.agent}' that cannot be executed"
                )
            holds = holds.difference(action.deletes).union(action.adds)
            states.append(holds)
        return states

    def _place(self, agent: str, number: int) -> int | None:
        """Where an agent has published this action; most number them from 0 and leave none out."""
        if agent not in self.published:
            return None
        own = self.published[agent].actions
        if 0 <= number < len(own) and own[number].id == number:
            return number
        return next((place for place, action in enumerate(own) if action.id == number), None)


_in_use: WeakValueDictionary[tuple[int, ...], PublicWorld] = WeakValueDictionary()
