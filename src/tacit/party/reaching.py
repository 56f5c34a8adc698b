"""The phase of an agent between publishing and disclosing: all know what all have published, and
find out together what is within reach if nothing is ever deleted.
"""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from tacit.errors import ProtocolError
from tacit.party.answers import Answers
from tacit.party.asked_layers import AskedLayers
from tacit.party.disclosure.public_world import PublicWorld
from tacit.party.published import Published
from tacit.public.protocol.messages import Introduce, Layer, NextLayer


class Reaching:
    """An agent that has been introduced to the others, and discloses nothing yet."""

    def __init__(self, published: Published, question: Introduce):
        self.name = published.name
        self.published = published
        self.others = question.others
        task = published.task
        init = [fact for fact in task.arrays.init if fact < task.public_count]
        self._asked = AskedLayers(self.name, lambda: self._world, task.public_count, init)

    @cached_property
    def _world(self) -> PublicWorld:
        return self.published.view({part.sender: part for part in self.others}).world

    def next_layer(self, question: NextLayer) -> Layer:
        """The public facts that I could newly make true, given that the others can these."""
        facts = question.facts
        if facts and not 0 <= min(facts) <= max(facts) < self.published.task.public_count:
            raise ProtocolError("a relaxed layer has a public fact that does not exist")
        if not self.published.is_offline:
            self._asked.check(question.sender, question.facts)
        layer = Layer(self.name, self.published.relaxed_layers.extend(question.facts))
        self._asked.note(layer.facts)
        return layer

    ANSWERS: ClassVar[Answers] = {NextLayer: next_layer}
