"""Counts and lists in sentences: the one place that knows how a noun is written for several."""

from __future__ import annotations

from collections.abc import Sequence


def counted(count: int, noun: str) -> str:
    """A count with its noun.

    >>> counted(1, "repair"), counted(0, "edge"), counted(1200, "dependency"), counted(2, "class")
    ('1 repair', '0 edges', '1,200 dependencies', '2 classes')
    """
    return f"{count:,} {noun if count == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """A noun for several.

    >>> plural("key"), plural("search"), plural("initial state")
    ('keys', 'searches', 'initial states')
    """
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def form(count: float, one: str, several: str) -> str:
    """The form of a word that goes with a count.

    >>> form(1, "was", "were"), form(3, "was", "were")
    ('was', 'were')
    """
    return one if count == 1 else several


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed(["m1"]), listed(["m1", "m2", "goal"])
    ('m1', 'm1, m2 and goal')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
