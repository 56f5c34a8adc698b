"""A picture of the trade-off between disclosure and makespan, or cost: one panel per measure of
disclosure.

In each panel the step line is the best value with at most that much disclosed, among the points
found; a point off the line is not dominated in the other panel's measure. A dashed line is the
proven lower bound. Plain numbers in, SVG out; nothing is loaded from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 420, 300, 56, 44, 18, 46
MOST_TICKS = 8

_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#222}.axis{stroke:#888;fill:none}"
    ".grid{stroke:#ddd}.best{stroke:#0b6e99;fill:none;stroke-width:2}"
    ".point{fill:#0b6e99}.bound{stroke:#b3480a;stroke-dasharray:5 4}"
    "@media screen and (prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}"
    ".best{stroke:#5ab4da}.point{fill:#5ab4da}.bound{stroke:#f09a5f}}"
)


@dataclass(frozen=True)
class Panel:
    """Points as (disclosed, value, description)."""

    name: str
    points: Sequence[tuple[int, int, str]]
    lower: int | None = None
    value: str = "makespan"


def svg(title: str, panels: Sequence[Panel], has_heading: bool = True) -> str:
    """The complete picture; on a page it needs no heading."""
    width = WIDTH * len(panels)
    heading = f'<text x="{LEFT}" y="22">{escape(title)}</text>' if has_heading else ""
    body = "".join(
        f'<g transform="translate({n * WIDTH} 0)">{"".join(_panel(panel))}</g>'
        for n, panel in enumerate(panels)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" width="{width}" '
        f'height="{HEIGHT}" role="img" aria-label="{escape(title)}"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style>{heading}{body}</svg>\n"
    )


def _panel(panel: Panel) -> Iterator[str]:
    across = _Axis([x for x, _, _ in panel.points] + _known(panel.lower), LEFT, WIDTH - RIGHT)
    up = _Axis([y for _, y, _ in panel.points], HEIGHT - BOTTOM, TOP)
    yield f'<path class="axis" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>'
    for value in across.ticks:
        x = across.place(value)
        yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{value}</text>'
    for value in up.ticks:
        y = up.place(value)
        yield f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value}</text>'
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{escape(panel.name)}</text>'
    yield f'<text x="14" y="{TOP - 8}">{escape(panel.value)}</text>'
    if panel.lower is not None:
        x = across.place(panel.lower)
        yield f'<path class="bound" d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}"/>'
    yield f'<path class="best" d="{_steps(panel, across, up)}"/>'
    for x, y, text in panel.points:
        yield (
            f'<circle class="point" cx="{across.place(x):.1f}" cy="{up.place(y):.1f}" r="4">'
            f"<title>{escape(text)}</title></circle>"
        )


def _steps(panel: Panel, across: _Axis, up: _Axis) -> str:
    """Down with each point that is better than all to its left."""
    best: int | None = None
    path = ""
    for x, y, _ in sorted(panel.points):
        if best is None or y < best:
            to = f"{across.place(x):.1f} {up.place(y):.1f}"
            path += f"M{to}" if best is None else f"H{across.place(x):.1f}L{to}"
            best = y
    return f"{path}H{WIDTH - RIGHT}" if path else ""


class _Axis:
    """Whole numbers along a line."""

    def __init__(self, values: Sequence[int], start: float, end: float):
        self._low, self._high = min(values, default=0), max(values, default=0)
        self._start, self._end = start, end
        step = max(1, -(-(self._high - self._low) // MOST_TICKS))
        self.ticks = range(self._low, self._high + 1, step)

    def place(self, value: int) -> float:
        share = (value - self._low + 0.5) / (self._high - self._low + 1)
        return self._start + share * (self._end - self._start)


def _known(value: int | None) -> list[int]:
    return [] if value is None else [value]
