"""together: what was disclosed, where some token of that look was; otherwise what is published."""

from __future__ import annotations

from tacit.leakage.attacks import ATTACKS, Evidence, Guesses
from tacit.leakage.attacks.signature import signature
from tacit.leakage.attacks.subjects import subjects


@ATTACKS.add("together")
def together(seen: Evidence) -> Guesses:
    """`signature` for tokens about which something was disclosed, `subjects` for the others."""
    learned, supposed = signature(seen), subjects(seen)
    found = dict(learned)
    for agent, pairs in supposed.items():
        known = {token for _, token in learned[agent]}
        found[agent] = learned[agent] | {pair for pair in pairs if pair[1] not in known}
    return found
