"""Messages by which agents say what a plan costs in all, and nobody what its own part costs.

Public steps have costs that everybody knows. What private actions cost is summed up under masks
(secure aggregation: Bonawitz et al., 2017). Each pair of agents has a secret of its own, from a
Diffie-Hellman exchange; for each sum it gives a number that the one adds and the other subtracts.
So the numbers cancel out in the sum, and each answer alone is any number at all.

* `Mask` → `MaskKey`: a key for this run, made from random numbers. It shows nothing.
* `Weigh` → `Weighed`: what the private actions of the plan last agreed on cost me, or how many
  there are, with my masks added. The coordinator learns the sum over all agents. **Of two agents
  each can subtract its own**, so with two it shows the other's; audits report that. Two sums of
  plans that differ in one agent's part alone show by how much that part differs. Whoever shares all
  it sees with all but two agents learns the sum of these two.

The keys go through the coordinator. One that is dishonest could put its own in place of others';
nothing is claimed against that (docs/privacy.md).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tacit.public.protocol.base import Message
from tacit.public.protocol.known import Known

KEY = 256
"""Bytes of a key."""

MODULUS = 2**63
"""Sums are modulo this; no plan costs as much."""

Masked = Annotated[int, Meta(ge=0, le=MODULUS - 1)]
Key = Annotated[bytes, Meta(min_length=KEY, max_length=KEY)]


class Mask(Message, frozen=True, tag="mask"):
    """Make a key."""


class MaskKey(Message, frozen=True, tag="mask-key"):
    key: Key


class Weigh(Message, frozen=True, tag="weigh"):
    """`keys` are those of all agents, in their order; `number` counts sums, from 1."""

    keys: tuple[Key, ...]
    number: Annotated[int, Meta(ge=1, le=2**31 - 1)]

    def fits(self, known: Known) -> bool:
        return len(self.keys) == len(known.agents) and len(set(self.keys)) == len(self.keys)


class Weighed(Message, frozen=True, tag="weighed"):
    masked: Masked


WeighingQuestion = Mask | Weigh
WeighingAnswer = MaskKey | Weighed
