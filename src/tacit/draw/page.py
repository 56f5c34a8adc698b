"""Pages: what a run came to, as one HTML file that needs nothing else.

A page is a heading and sections, and a section is made of parts: tiles, a plan as lanes over time,
bars of what was disclosed, tables, lists, graphs (`lanes`, `parts`, `graph_part`). Parts take plain
values, escape every name and return text; whoever has a result says which parts there are. All
pages, those of `tacit report` too, have one style (`style.css`): light, dark, printed, on a phone.
Nothing is loaded from elsewhere, and a policy in the page has browsers refuse it if something did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

_HERE = Path(__file__)


def asset(*names: str) -> str:
    """The text of files beside this one."""
    return "".join(_HERE.with_name(name).read_text(encoding="utf-8") for name in names)


STYLE = asset("style.css")
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


@dataclass(frozen=True)
class Section:
    """A part of a page under a heading of its own. `body` is HTML, `note` is text above it."""

    heading: str
    body: str
    note: str = ""

    def html(self) -> str:
        note = f'<p class="note">{escape(self.note)}</p>\n' if self.note else ""
        heading = f"<h2>{escape(self.heading)}</h2>\n" if self.heading else ""
        return f"<section>\n{heading}{note}{self.body}\n</section>\n"


@dataclass(frozen=True)
class Page:
    """A page: its title, a line about it, whose eyes it is for, its sections, and the styles and
    scripts that these need.
    """

    title: str
    lead: str
    audience: str
    sections: Sequence[Section]
    style: str = ""
    script: str = ""

    def html(self) -> str:
        """The whole file."""
        script = f"<script>{self.script}</script>\n" if self.script else ""
        sections = "".join(section.html() for section in self.sections)
        return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{escape(self.title)}</title>
<link rel="icon" href="data:,">
<style>{STYLE}{self.style}</style>
</head>
<body class="page">
<header class="top">
<p class="brand">Tacit</p>
<h1>{escape(self.title)}</h1>
<p class="lead">{escape(self.lead)}</p>
</header>
<main id="content">
{sections}</main>
<footer>{escape(self.audience)}</footer>
{script}</body>
</html>
"""

    def in_notebook(self, height: int = 480) -> str:
        """The page in a frame of its own, so that neither style nor script meets the notebook's."""
        frame = f"width:100%;height:{height}px;border:1px solid #8884;border-radius:8px"
        return f'<iframe srcdoc="{escape(self.html())}" style="{frame}" title="Tacit"></iframe>'
