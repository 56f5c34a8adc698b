"""own: others are made as the observers are, as far as these know from their own files.

An observer knows all of its own edges, disclosed or not: what its domain file says of predicates.
Where agents have the same actions, this is all there is to know of the others, whatever k is.
"""

from __future__ import annotations

from tacit.leakage.attacks import ATTACKS, Evidence, Guesses


@ATTACKS.add("own")
def own(seen: Evidence) -> Guesses:
    """Generalises from all edges of the observers, and from what the others disclosed."""
    if seen.shapes is None or not seen.own:
        return {}
    known = {agent: {*edges} for agent, edges in seen.disclosed().items()}
    for agent, edges in seen.own.items():
        known.setdefault(agent, set()).update(edges)
    return seen.guesses(seen.shapes.alike(*seen.numbered(known)))
