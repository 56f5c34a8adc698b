"""A public plan as one agent reads it: with everybody's public actions, and own numbers for own
steps.
"""

from __future__ import annotations

from collections.abc import Sequence

from tacit.errors import ProtocolError
from tacit.party.disclosure.public_world import PublicWorld
from tacit.party.extension.extension import Place
from tacit.party.extension.replanning import Step
from tacit.party.published import Published
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.task import PublicAction


class PlanReader:
    """Reads public plans for an agent that knows what all have published."""

    def __init__(self, published: Published, world: PublicWorld):
        self._published = published
        self._name = published.name
        self._world = world

    def places(self, steps: Sequence[PublicStep]) -> tuple[list[Place], bool]:
        """The public plan as places, and whether this agent's private goals are due."""
        own, states = self._published.actions.own, self._world.states_along(tuple(steps))
        taken = [step for step in steps if step.action != FINISH]
        places = [
            Place(own[step.action] if step.agent == self._name else None, holds)
            for step, holds in zip(taken, states, strict=False)
        ]
        places.append(Place(None, states[-1]))
        return places, PublicStep(self._name, FINISH) in steps

    def steps(self, steps: Sequence[PublicStep]) -> list[Step]:
        """A public plan in which own steps go by own numbers, and others' are looked up."""
        own, read = self._published.actions.own, list[Step]()
        for step in steps:
            action = self._world.find(step)
            if action is None:
                raise ProtocolError("a public plan has a step that nobody published")
            read.append(own[step.action] if step.agent == self._name else action)
        return read

    def show_step(self, step: Step) -> PublicStep:
        """The other way."""
        if isinstance(step, PublicAction):
            return PublicStep(step.agent, step.id)
        return self._published.show_step(step)
