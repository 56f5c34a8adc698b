"""A plan as lanes: a row for every agent that acts, over time.

Long plans are broken into bands of a few time steps, one below the other, so that they can be read
on a screen and on paper without scrolling sideways; a band has the lanes of those who act in it.
Steps of one agent and one time stand below each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from tacit.draw.page import Page, Section

FOR_NOTEBOOK = "It may have names of private things in it."
BAND = 8
"""Time steps side by side, if there are more than a few more."""


@dataclass(frozen=True)
class Box:
    """One step: when, whose, and what, in large and in small; `faint` if it is not done in the open
    and by whoever reads the page.
    """

    time: int
    agent: str
    name: str
    detail: str = ""
    faint: bool = False


def box_of(time: int, agent: str, step: str, faint: bool = False) -> Box:
    """A step written `(action argument …)`, without the agent among its arguments.

    >>> box_of(1, "t1", "(drive t1 a b)")
    Box(time=1, agent='t1', name='drive', detail='a b', faint=False)
    """
    name, *words = step.strip("()").split(" ")
    return Box(time, agent, name, " ".join(word for word in words if word != agent), faint)


def lanes(boxes: Sequence[Box], agents: Sequence[str]) -> str:
    """All steps; lanes are in the order of `agents`, with any others behind them."""
    if not boxes:
        return "<p>There is nothing to do.</p>"
    order = list(dict.fromkeys([*agents, *(box.agent for box in boxes)]))
    first, last = min(box.time for box in boxes), max(box.time for box in boxes)
    count = -(-(last - first + 1) // BAND) if last - first + 1 > BAND * 5 // 4 else 1
    width = -(-(last - first + 1) // count)
    found: list[str] = []
    for start in range(first, last + 1, width):
        own = [box for box in boxes if start <= box.time < start + width]
        found += _band(own, order, start, width, last) if own else ()
    return "".join(found)


def plan_page(title: str, steps: Sequence[tuple[int, str, str]]) -> str:
    """A plan alone, for a notebook: times, agents and steps."""
    boxes = [box_of(*step) for step in steps]
    agents = sorted({box.agent for box in boxes})
    section = Section("", lanes(boxes, agents))
    return Page(title, "in the order of the plan", FOR_NOTEBOOK, [section]).in_notebook(320)


def _band(
    boxes: Sequence[Box], order: Sequence[str], start: int, width: int, last: int
) -> Iterator[str]:
    acting = [agent for agent in order if any(box.agent == agent for box in boxes)]
    label = f"Time {start} to {min(start + width - 1, last)}, a lane per agent"
    yield f'<div class="scroll band" tabindex="0" role="region" aria-label="{label}">'
    yield f'<div class="lanes" style="--steps:{width}">'
    yield _put("who time", 1, 1, "time")
    for n in range(width):
        yield _put("time", 1, n + 2, str(start + n) if start + n <= last else "")
    for lane, agent in enumerate(acting, start=2):
        yield _put("who", lane, 1, escape(agent) or "plan")
        yield _put("rule", lane, f"2 / {width + 2}", "")
        own = [box for box in boxes if box.agent == agent]
        for time in sorted({box.time for box in own}):
            cell = "".join(_boxes(box for box in own if box.time == time))
            yield _put("cell", lane, time - start + 2, cell)
    yield "</div></div>\n"


def _boxes(boxes: Iterable[Box]) -> Iterator[str]:
    for box in boxes:
        small = f"<small>{escape(box.detail)}</small>" if box.detail else ""
        kind = "step faint" if box.faint else "step"
        title = escape(f"{box.name} {box.detail}".strip())
        yield f'<div class="{kind}" title="{title}"><b>{escape(box.name)}</b>{small}</div>'


def _put(kind: str, row: int, column: int | str, inner: str) -> str:
    return f'<div class="{kind}" style="grid-area:{_area(row, column)}">{inner}</div>\n'


def _area(row: int, column: int | str) -> str:
    if isinstance(column, int):
        return f"{row}/{column}"
    start, _, end = column.partition(" / ")
    return f"{row}/{start}/{row + 1}/{end}"
