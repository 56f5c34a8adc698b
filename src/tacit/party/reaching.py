"""The phase of an agent between publishing and disclosing: all know what all have published, and
each says whether what it needs is within reach, if nothing is ever deleted.
"""

from __future__ import annotations

from typing import ClassVar

from tacit.party.answers import Answers
from tacit.party.published import Published
from tacit.public.protocol.messages import Introduce


class Reaching:
    """An agent that has been introduced to the others, and discloses nothing yet."""

    def __init__(self, published: Published, question: Introduce):
        self.name = published.name
        self.published = published
        self.others = question.others

    ANSWERS: ClassVar[Answers] = {}
