"""Messages about public plans: `Extend` and its answers, `Replan` and its answer.

* `Extend`: can you execute your part of this public plan? One of these is the answer:
  * `Extended`: I can.
  * `Threatened`, a repair: I cannot, because of these threats. They may be about static tokens,
    which are restored with it.
  * `PrefixFails`, a repair: I cannot execute even the first steps, of mine or of all agents.
  * `NotExtended`: I cannot. That is all where settings ask for no repair.
  * `Undecided`: my search gave up.
  * `RepairWithheld`: I cannot, and my owner does not allow a further repair.

  Every threat, restored token and prefix counts as disclosed, and its owner sends it to all members
  itself. Whether it answers with one threat or with many is its own decision. Online a repair has a
  digest of all plans that its sender was asked to extend so far (`asked`): all members were asked
  about these, so it shows nothing but whether all were asked the same.
* `Confirm` → `Extended` or `NotExtended`: the same of a plan that forward search found. The agent
  looks up its private actions in its own records.
* `Replan` → `Replanned`, under `extension=replan` alone and where an agent could not: the public
  plan with my own steps changed so that I can execute it. **This shows more than k**: that some
  steps of mine do not go together as disclosed, and which ones do. It is not counted edge by edge,
  so such a plan is labelled. `seconds` is what the user's time limit leaves, None without one.
* `Improve` → `Improved`: can you do your part of the plan that you last said you can execute at
  less cost, while the others do theirs as before? The answer is a public plan that is supported by
  the ledger and reaches all goals, or none. It shows that the agent can execute it, as any plan
  does, and that its part costs it less than before, not how much. With `spared`, the agent may take
  over what others did; then the plan shows less about costs, since what others save is estimated.
"""

from __future__ import annotations

import enum
from typing import Annotated

from msgspec import Meta

from tacit.public.disclosure import PublicEdge, PublicStep, RestoredToken
from tacit.public.ledger import Mark
from tacit.public.protocol.base import Message
from tacit.public.protocol.known import Known
from tacit.public.protocol.seen import Seen

DIGEST = (0, 32)
"""Bytes of a digest of plans: online SHA-256, offline none."""


class Scope(enum.Enum):
    """Whose steps a prefix is made of."""

    OWN = "own"
    JOINT = "joint"


class Extend(Message, frozen=True, tag="extend"):
    """`ledger` counts the entries of each agent that you must have by now."""

    steps: tuple[PublicStep, ...]
    ledger: Mark = ()

    def fits(self, known: Known) -> bool:
        return known.is_mark(self.ledger) and known.are_steps(self.steps)


class Confirm(Message, frozen=True, tag="confirm"):
    """Forward search found this plan: can you do your part by your records?"""

    steps: tuple[PublicStep, ...]

    def fits(self, known: Known) -> bool:
        return known.are_steps(self.steps)


class _ExtendAnswer(Message, frozen=True):
    def answers(self, question: Message, known: Known) -> bool:
        is_asked = isinstance(question, Extend) and self._fits_plan(question)
        return is_asked and self.fits(known)

    def fits(self, known: Known) -> bool:
        return known.of(self.sender) is not None

    def _fits_plan(self, question: Extend) -> bool:
        return True


class _ConfirmAnswer(_ExtendAnswer, frozen=True):
    def answers(self, question: Message, known: Known) -> bool:
        return isinstance(question, Extend | Confirm) and self.fits(known)


class Extended(_ConfirmAnswer, frozen=True, tag="extended"):
    """I can execute my part."""


class NotExtended(_ConfirmAnswer, frozen=True, tag="not-extended"):
    """I cannot execute my part; no repair is asked for."""


class Undecided(_ExtendAnswer, frozen=True, tag="undecided"):
    """I do not know whether I can: my search gave up."""


class Threatened(_ExtendAnswer, frozen=True, tag="threatened"):
    """I cannot: these actions of mine delete tokens that later steps need.

    `restored` are static tokens that the threats are about, and that nobody knew of before.
    """

    threats: tuple[PublicEdge, ...]
    restored: tuple[RestoredToken, ...] = ()
    asked: bytes = b""
    seen: Seen | None = None

    @property
    def disclosures(self) -> int:
        """How much it counts as disclosed."""
        return len(self.threats) + len(self.restored)

    def fits(self, known: Known) -> bool:
        return (
            bool(self.threats)
            and len(self.asked) in DIGEST
            and (self.seen is None or self.seen.fits(known))
            and known.restores(self.sender, self.restored)
            and all(known.is_threat(self.sender, edge) for edge in self.threats)
        )


class PrefixFails(_ExtendAnswer, frozen=True, tag="prefix-fails"):
    """I cannot: the first `steps` steps fail already, of my own ones or of all.

    `for_good`: whatever else I disclose. Otherwise it holds until I disclose another edge.
    """

    steps: int
    scope: Scope
    for_good: bool = False
    asked: bytes = b""
    seen: Seen | None = None

    @property
    def disclosures(self) -> int:
        return 1

    def fits(self, known: Known) -> bool:
        is_seen = self.seen is None or self.seen.fits(known)
        return is_seen and super().fits(known) and len(self.asked) in DIGEST

    def _fits_plan(self, question: Extend) -> bool:
        if self.scope is Scope.JOINT:
            return 0 < self.steps <= len(question.steps) + 1
        return 0 < self.steps <= sum(step.agent == self.sender for step in question.steps)


class RepairWithheld(_ExtendAnswer, frozen=True, tag="repair-withheld"):
    """I cannot, and my owner does not allow a further repair."""


class Replan(Message, frozen=True, tag="replan"):
    steps: tuple[PublicStep, ...]
    seconds: float | None = None

    def fits(self, known: Known) -> bool:
        return known.are_steps(self.steps)


class Replanned(Message, frozen=True, tag="replanned"):
    succeeded: bool
    steps: tuple[PublicStep, ...] = ()

    def fits(self, known: Known) -> bool:
        return known.are_steps(self.steps)


class Improve(Message, frozen=True, tag="improve"):
    """`spared`: others' steps may be left out, and each saves so much besides its cost."""

    spared: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None


class Improved(Message, frozen=True, tag="improved"):
    """The plan in which my part is cheaper; no steps if I found none."""

    steps: tuple[PublicStep, ...] = ()

    def fits(self, known: Known) -> bool:
        return known.are_steps(self.steps)


Repair = Threatened | PrefixFails
Failure = Repair | NotExtended | Undecided | RepairWithheld
ExtendAnswer = Extended | Failure
ExtendingQuestion = Extend | Confirm | Replan | Improve
ExtendingAnswer = ExtendAnswer | Replanned | Improved
