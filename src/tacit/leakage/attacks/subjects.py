"""subjects: an action achieves a token if it has all objects that the token's users share.

It needs nothing but what is published, so it works if nothing is ever disclosed.
"""

from __future__ import annotations

from tacit.leakage.attacks import ATTACKS, Evidence, Guesses


@ATTACKS.add("subjects")
def subjects(seen: Evidence) -> Guesses:
    """Takes published needs for what they seem to be about."""
    shapes = seen.shapes
    return {} if shapes is None else seen.guesses(shapes.speaking_of_subjects())
