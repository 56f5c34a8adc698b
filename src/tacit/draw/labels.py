"""Which nodes of a row get a label with their name, and how.

If all names fit on a few lines, all are written horizontally. If they are at the edge of the
picture and the nodes are not too dense, all are written vertically. Otherwise the most important
ones that fit on one line are written, and the rest are shown on pointing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

SIZE = 11.0
LINE = 13.0
MOST = 30
"""Characters of a name that are written. A longer one is shortened at the end of its first word,
then at the start of the rest: arguments distinguish names, the last ones most.
"""


@dataclass(frozen=True, slots=True)
class Label:
    """A text and its line, the nearest to the nodes being 0."""

    text: str
    line: int = 0


@dataclass(frozen=True)
class RowLabels:
    """Per node its label or None; `height` is the space they need."""

    labels: tuple[Label | None, ...]
    upright: bool
    height: float


def short(name: str, agent: str) -> str:
    """A name without brackets and without the agent, which all names in a picture share."""
    head, bracket, tail = name.removeprefix("(").partition(")")
    words = [word for n, word in enumerate(head.split()) if n == 0 or word != agent]
    more = tail.replace(" and ", " +").replace(" like it", "") if bracket else ""
    text = " ".join(words) + more
    if len(text) <= MOST:
        return text
    first = words[0] if words else ""
    rest = text[len(first) :]
    room = max(MOST - len(rest) - 1, min(len(first), 7))
    first = first if len(first) <= room else f"{first[:room]}…"
    while len(first) + len(rest) > MOST and " " in rest[2:]:
        rest = " …" + rest[2:].partition(" ")[2]
    return first + (rest if len(first) + len(rest) <= MOST else f"…{rest[len(first) + 1 - MOST :]}")


def text_width(text: str, size: float = SIZE) -> float:
    """The approximate width of a text; the exact one depends on the font."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return size * (0.6 * (len(text) - wide) + wide)


def row_labels(
    texts: Sequence[str],
    places: Sequence[float],
    weights: Sequence[float],
    at_edge: bool,
    lines: int = 3,
) -> RowLabels:
    """Labels for the nodes of one row, the heaviest first where there is no room for all."""
    for count in range(1, lines + 1):
        level = _fit(texts, places, weights, count)
        if None not in level:
            return RowLabels(tuple(level), False, LINE * count)
    ordered = sorted(places)
    gaps = [b - a for a, b in pairwise(ordered)]
    if at_edge and min(gaps, default=LINE) >= SIZE:
        return RowLabels(tuple(map(Label, texts)), True, max(map(text_width, texts)))
    return RowLabels(tuple(_fit(texts, places, weights, 1)), False, LINE)


def _fit(
    texts: Sequence[str], places: Sequence[float], weights: Sequence[float], lines: int
) -> list[Label | None]:
    found: list[Label | None] = [None] * len(texts)
    taken: list[list[tuple[float, float]]] = [[] for _ in range(lines)]
    for node in sorted(range(len(texts)), key=lambda n: (-weights[n], places[n])):
        half = text_width(texts[node]) / 2 + 4
        left, right = places[node] - half, places[node] + half
        for line, spans in enumerate(taken):
            if all(right <= start or end <= left for start, end in spans):
                spans.append((left, right))
                found[node] = Label(texts[node], line)
                break
    return found
