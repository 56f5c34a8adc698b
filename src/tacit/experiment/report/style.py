"""How the lines of a report look, the same in figures and on the page.

Colours are Okabe and Ito's, which colour-blind readers can tell apart. In grey they cannot be told
apart, so each line also has a dash pattern and a marker of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tacit.experiment.report.lines import BEST_FOUND, HINDSIGHT, LOWER_BOUND
from tacit.experiment.run.row import TIED


@dataclass(frozen=True)
class Look:
    """Colours on light and dark ground, a dash pattern in units of the line width, a marker."""

    light: str
    dark: str
    dash: tuple[float, ...]
    marker: str


_KNOWN = {
    HINDSIGHT: Look("#3c4149", "#e6e8ec", (1, 1.2), ""),
    LOWER_BOUND: Look("#a3163a", "#ff93a8", (7, 2, 1, 2), ""),
    BEST_FOUND: Look("#5a3a1c", "#d9b48a", (3, 1.2), ""),
    "m1": Look("#0072b2", "#56b4e9", (), "o"),
    "m2": Look("#d55e00", "#f08a3c", (5, 2), "s"),
    "m3": Look("#009e73", "#2cc79a", (6, 1.5, 1.2, 1.5), "^"),
    "m4": Look("#b0578a", "#e59ac4", (2.4, 1.6), "D"),
    "goal": Look("#c28400", "#e6b03c", (4, 1.5, 1.2, 1.5, 1.2, 1.5), "v"),
    "random": Look("#7a7f87", "#a3abb6", (9, 2), "x"),
}
_MORE = (
    Look("#3b6fd4", "#8fb4ff", (8, 1.5, 2, 1.5), "P"),
    Look("#8a5a2b", "#cf9d6b", (3, 3), "*"),
    Look("#7b4fb3", "#b99be6", (1.6, 1.6, 4, 1.6), "<"),
    Look("#4d7c0f", "#9fcf4f", (10, 3), ">"),
)


def looks(names: Iterable[str]) -> dict[str, Look]:
    """A look for every name; those of known rankings never change."""
    last = (HINDSIGHT, BEST_FOUND, LOWER_BOUND)
    wanted = sorted(set(names), key=lambda name: (name in last, name == "random", name))
    plain = dict.fromkeys(name.removesuffix(TIED) for name in wanted)
    others = [name for name in plain if name not in _KNOWN]
    own = {
        name: _KNOWN[name] if name in _KNOWN else _MORE[others.index(name) % len(_MORE)]
        for name in plain
    }
    return {
        name: own[name] if name in own else _tied(own[name.removesuffix(TIED)]) for name in wanted
    }


def _tied(look: Look) -> Look:
    """A ranking whose ties were broken by lot: its colour, with dots between its markers."""
    return replace(look, dash=(1.2, 1.4))
