"""Messages of grounding together (docs/semantics.md), each sent to all.

* `Opening`: which public predicates my actions change, and which they need negated. Costs the
  names of public predicates that my public projections would show anyway.
* `Reached`, one agent after the other, until everybody had nothing to say in a row: the public
  facts that hold in my initial state (first turn), and those that nobody has named and that I can
  make true with all that was named, or, for predicates that an agent needs negated, make false.
  Costs what it does not name: what I lack for it (docs/leakage.md).
* `Closing`: the public facts whose negation I need, and the public goals in my files.
"""

from __future__ import annotations

from tacit.public.protocol.base import Message
from tacit.public.task import PublicFact


class Opening(Message, frozen=True, tag="opening"):
    changes: tuple[str, ...]
    negates: tuple[str, ...]


class Reached(Message, frozen=True, tag="reached"):
    turn: int
    initial: tuple[PublicFact, ...]
    true: tuple[PublicFact, ...]
    false: tuple[PublicFact, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.initial or self.true or self.false)


class Closing(Message, frozen=True, tag="closing"):
    negated: tuple[PublicFact, ...]
    goals: tuple[PublicFact, ...]


Grounding = Opening | Reached | Closing
