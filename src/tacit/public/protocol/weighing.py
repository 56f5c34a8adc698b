"""Messages by which agents say what a plan costs in all, and nobody what its own part costs.

Public steps have costs that everybody knows. What private actions cost is summed up under masks
(secure aggregation: Bonawitz et al., 2017). Each pair of agents has a secret of its own, from a
Diffie-Hellman exchange; for each sum it gives a number that the one adds and the other subtracts.
So the numbers cancel out in the sum, and each answer alone is any number at all.

* `Weigh` → `Weighed`: what the private actions of the plan last agreed on cost me, or how many
  there are, with my masks added. The coordinator learns the sum over all agents. **Of two agents
  each can subtract its own**, so with two it shows the other's; audits report that. Two sums of
  plans that differ in one agent's part alone show by how much that part differs. Whoever shares all
  it sees with all but two agents learns the sum of these two.

Each pair has its keys from its own stream (`Hello`), which TLS protects, so whoever asks for a sum
cannot put others in their place.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tacit.public.protocol.base import Message

KEY = 256
"""Bytes of a key."""

MODULUS = 2**63
"""Sums are modulo this; no plan costs as much."""

Masked = Annotated[int, Meta(ge=0, le=MODULUS - 1)]


class Weigh(Message, frozen=True, tag="weigh"):
    """`number` counts sums, from 1."""

    number: Annotated[int, Meta(ge=1, le=2**31 - 1)]


class Weighed(Message, frozen=True, tag="weighed"):
    masked: Masked
