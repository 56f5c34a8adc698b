"""Figures for papers: SVG and PDF, one style, made by matplotlib.

A figure is as wide as two columns of a page (7 inches) with a panel per domain, or as one column
(3.3 inches) with one. Text has 8 points in a typeface that matches Times. Fonts are embedded as
outlines in SVG and as TrueType in PDF. Two builds of the same store yield the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from tacit.experiment.report.lines import (
    BEST_FOUND,
    BITS,
    EDGES,
    HINDSIGHT,
    KNOWN,
    LOWER_BOUND,
    PERCENT,
    Line,
    Panel,
    until,
)
from tacit.experiment.report.style import LineStyle

ONE_COLUMN, TWO_COLUMNS, PANEL_HEIGHT = 3.3, 7.0, 1.75
STYLE: Any = {
    "font.family": "STIXGeneral",
    "text.parse_math": False,  # a name may hold dollars
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "legend.fontsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e3e5e8",
    "grid.linewidth": 0.5,
    "axes.axisbelow": True,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.2,
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "tacit",
}


@dataclass(frozen=True)
class Kind:
    """A kind of figure: what is measured over what, and the labels of its axes."""

    name: str
    measure: str
    unit: str
    title: str
    x: str
    y: str
    log: bool = False


_SHARE = "disclosed (% of the problem’s largest agent)"
KINDS = (
    Kind("coverage", "coverage", EDGES, "Coverage", "edges disclosed per agent", "problems solved"),
    Kind("coverage-percent", "coverage", PERCENT, "Coverage", _SHARE, "problems solved"),
    Kind(
        "coverage-known",
        "coverage",
        KNOWN,
        "Coverage",
        "edges known of an agent",
        "problems solved",
    ),
    Kind(
        "coverage-bits", "coverage", BITS, "Coverage", "bits learned of an agent", "problems solved"
    ),
    Kind("cost", "cost", PERCENT, "Cost", _SHARE, "cost ÷ best cost"),
    Kind("makespan", "makespan", PERCENT, "Makespan", _SHARE, "makespan ÷ best makespan"),
    Kind("time", "time", PERCENT, "Time", _SHARE, "CPU seconds", log=True),
)


def write_figures(
    panels: Iterable[Panel], styles: Mapping[str, LineStyle], folder: Path
) -> list[tuple[str, str]]:
    """All figures of all panels; the names without suffix, each with a caption."""
    written: list[tuple[str, str]] = []
    for solver, members in groupby(panels, lambda panel: panel.solver):
        own = list(members)
        for kind in KINDS:
            if kind.unit in (KNOWN, BITS) and not any(
                panel.lines.get((kind.measure, kind.unit)) for panel in own
            ):
                continue  # it was not measured
            caption = f"{kind.title}, solver {solver}"
            caption += f" ({kind.unit})" if kind.measure == "coverage" else ""
            name = f"{kind.name}-{file_name(solver)}"
            save(_figure(own, kind, styles), folder, name)
            written.append((name, caption))
            if kind.name == "coverage" and len(own) > 1:
                for panel in own:
                    name = f"coverage-{file_name(solver)}-{file_name(panel.domain)}"
                    save(_figure([panel], kind, styles), folder, name)
    return written


def write_coverage(
    panels: Iterable[Panel], styles: Mapping[str, LineStyle], folder: Path
) -> list[tuple[str, str]]:
    """Only coverage and only as SVG: a figure per solver; the names, each with a caption."""
    written: list[tuple[str, str]] = []
    for solver, members in groupby(panels, lambda panel: panel.solver):
        own = list(members)
        for kind in KINDS[:2]:
            name = f"{kind.name}-{file_name(solver)}"
            save(_figure(own, kind, styles), folder, name, suffixes=("svg",))
            written.append((name, f"{kind.title} with solver {solver}, over {kind.unit}"))
    return written


def file_name(text: str) -> str:
    """A text as part of the name of a file.

    >>> file_name("logistics/p-1 b")
    'logistics-p-1-b'
    """
    return "".join(letter if letter.isalnum() or letter in "._" else "-" for letter in text)


_DATES = {"svg": "Date", "pdf": "CreationDate"}


def save(figure: Figure, folder: Path, name: str, suffixes: Iterable[str] = ("svg", "pdf")) -> None:
    """Write a figure as SVG and as PDF, without the time of day in it."""
    with mpl.rc_context(STYLE):
        for suffix in suffixes:
            figure.savefig(folder / f"{name}.{suffix}", metadata={_DATES[suffix]: None})
            figure.set_layout_engine("none")  # keep the layout


def _figure(panels: Sequence[Panel], kind: Kind, styles: Mapping[str, LineStyle]) -> Figure:
    with mpl.rc_context(STYLE):
        columns = min(3, len(panels))
        rows = math.ceil(len(panels) / columns)
        width = ONE_COLUMN if len(panels) == 1 else TWO_COLUMNS
        height = rows * PANEL_HEIGHT + 0.45 + (0.35 if len(panels) == 1 else 0)
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.subplots(rows, columns, squeeze=False)
        flat: list[Axes] = list(axes.flat)
        drawn: dict[str, Any] = {}
        for axis, panel in zip(flat, panels, strict=False):
            drawn |= dict(_draw(axis, panel.lines.get((kind.measure, kind.unit), ()), styles))
            _set_axes(axis, panel, kind)
        for axis in flat[len(panels) :]:
            axis.set_visible(False)
        figure.supxlabel(kind.x, fontsize=8)
        figure.supylabel(kind.y, fontsize=8)
        names = [name for name in styles if name in drawn]
        if names:
            figure.legend(
                [drawn[name] for name in names],
                names,
                loc="outside upper center",
                ncols=min(len(names), 4 if width == ONE_COLUMN else 8),
                frameon=False,
                handlelength=3,
            )
    return figure


def _draw(
    axis: Axes, lines: Iterable[Line], styles: Mapping[str, LineStyle]
) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(lines):
        style = styles[line.name]
        below = line.name in (HINDSIGHT, BEST_FOUND, LOWER_BOUND)
        if line.low:
            axis.fill_between(
                line.x, line.low, line.high, step="post", color=style.light, alpha=0.18, linewidth=0
            )
        every = max(1, len(line.x) // 6)
        (drawn,) = axis.step(
            line.x,
            line.y,
            where="post",
            color=style.light,
            linestyle=(0, style.dash) if style.dash else "-",
            marker=style.marker or None,
            markersize=3.2,
            markevery=(number % every, every),
            markerfacecolor="white",
            markeredgewidth=0.8,
            zorder=1.9 if below else 2,
        )
        yield line.name, drawn


def _set_axes(axis: Axes, panel: Panel, kind: Kind) -> None:
    axis.set_title(panel.domain)
    if kind.log:
        axis.set_yscale("log")
        low, high = axis.get_ylim()
        axis.set_ylim(10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high)))
        axis.yaxis.set_minor_formatter(NullFormatter())
        axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    elif kind.measure == "coverage":
        axis.set_ylim(0, panel.problems * 1.06)
        axis.yaxis.set_major_locator(MaxNLocator(5, integer=True, steps=[1, 2, 5, 10]))
    else:
        axis.set_ylim(bottom=0.98)
        axis.yaxis.set_major_locator(MaxNLocator(5))
    if kind.unit == PERCENT:
        axis.set_xlim(0, 100)
    else:
        axis.set_xlim(0, until(panel.lines.get((kind.measure, kind.unit), ())) or 1)
        axis.xaxis.set_major_locator(MaxNLocator(5, integer=True, steps=[1, 2, 5, 10]))
