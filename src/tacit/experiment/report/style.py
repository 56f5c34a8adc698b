"""The style of the lines of a report, the same in figures and on the page.

Colours are Okabe and Ito's, which colour-blind readers can distinguish. In grey they look the same,
so each line also has its own dash pattern and marker.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tacit.experiment.report.lines import BEST_FOUND, HINDSIGHT, LOWER_BOUND
from tacit.experiment.run.row import TIED


@dataclass(frozen=True)
class LineStyle:
    """Colours on a light and a dark background, a dash pattern in line widths, a marker."""

    light: str
    dark: str
    dash: tuple[float, ...]
    marker: str


_KNOWN = {
    HINDSIGHT: LineStyle("#3c4149", "#e6e8ec", (1, 1.2), ""),
    LOWER_BOUND: LineStyle("#a3163a", "#ff93a8", (7, 2, 1, 2), ""),
    BEST_FOUND: LineStyle("#5a3a1c", "#d9b48a", (3, 1.2), ""),
    "m1": LineStyle("#0072b2", "#56b4e9", (), "o"),
    "m2": LineStyle("#d55e00", "#f08a3c", (5, 2), "s"),
    "m3": LineStyle("#009e73", "#2cc79a", (6, 1.5, 1.2, 1.5), "^"),
    "m4": LineStyle("#b0578a", "#e59ac4", (2.4, 1.6), "D"),
    "goal": LineStyle("#c28400", "#e6b03c", (4, 1.5, 1.2, 1.5, 1.2, 1.5), "v"),
    "random": LineStyle("#7a7f87", "#a3abb6", (9, 2), "x"),
}
_MORE = (
    LineStyle("#3b6fd4", "#8fb4ff", (8, 1.5, 2, 1.5), "P"),
    LineStyle("#8a5a2b", "#cf9d6b", (3, 3), "*"),
    LineStyle("#7b4fb3", "#b99be6", (1.6, 1.6, 4, 1.6), "<"),
    LineStyle("#4d7c0f", "#9fcf4f", (10, 3), ">"),
)


def line_styles(names: Iterable[str]) -> dict[str, LineStyle]:
    """The style of every name; those of known rankings never change."""
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


def _tied(style: LineStyle) -> LineStyle:
    """A ranking whose ties were broken at random: its colour, with dots between its markers."""
    return replace(style, dash=(1.2, 1.4))
