"""signature: an edge that anybody disclosed, and all pairs that look the same."""

from __future__ import annotations

from tacit.leakage.attacks import ATTACKS, Evidence, Guesses


@ATTACKS.add("signature")
def signature(seen: Evidence) -> Guesses:
    """Generalises from disclosed edges of all agents."""
    shapes = seen.shapes
    return {} if shapes is None else seen.guesses(shapes.alike(*seen.numbered(seen.disclosed())))
