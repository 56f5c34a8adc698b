"""Attacks: which undisclosed edges a shrewd peer names. One file per attack.

An attack sees what its observers saw, and what they know of themselves, if they say so: nothing
else. It names pairs of a public action and a token of the same agent that it takes for edges.

    @ATTACKS.add("mine")
    def mine(seen: Evidence) -> Guesses: ...

All attacks are tried on a run, and the strongest counts. A file of your own is loaded with
`--plugin FILE.py` or through an entry point `tacit.attack`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tacit.leakage.attacks._evidence import Evidence as Evidence
from tacit.leakage.attacks._evidence import Guesses as Guesses
from tacit.registry import Registry

Attack = Callable[[Evidence], Guesses]

ATTACKS: Registry[Attack] = Registry("attack", "tacit.leakage.attacks")


def all_guesses(seen: Evidence) -> Mapping[str, Guesses]:
    """What each attack names."""
    return {name: ATTACKS.get(name)(seen) for name in ATTACKS}
