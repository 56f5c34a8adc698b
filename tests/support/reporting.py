"""What tests of reports share: runs made by hand, and a page taken apart."""

from __future__ import annotations

import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import msgspec

from support.runs import UNIT
from tacit.experiment.paper import phenomena
from tacit.experiment.run.row import Run, RunOutcome
from tacit.experiment.run.store import Store

VOID = {"meta", "link", "br", "img", "input"}


class Page(HTMLParser):
    """Checks that elements nest, and collects ids, links and the rows of tables."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.tags: Counter[str] = Counter()
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.tags[tag] += 1
        self.links += [v for n, v in attrs if n in ("href", "src") and v]
        if "id" in values and "template" not in self.open:
            self.ids[values["id"]] += 1
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags[tag] += 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("script", "style"):
            self.text += data


def embedded(text: str, name: str) -> dict:
    """The JSON that a page carries."""
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', text, re.S)
    assert found is not None
    return json.loads(found[1])


def run_of(problem: str, k: int, cost: int | None, seconds: float = 1.0, **unit) -> Run:
    return Run(
        unit=msgspec.structs.replace(UNIT, problem=problem, **unit),
        asked=str(k),
        outcome=RunOutcome.TIME if cost is None else RunOutcome.SOLVED,
        k=k,
        dependencies={"a": 10},
        disclosed={"a": k},
        used={"a": k} if cost else {},
        cost=cost,
        seconds_total=seconds,
    )


def write(path: Path, rows: list[Run]) -> Path:
    with Store.open(path, write=True) as store:
        for row in rows:
            store.add(row)
    return path


def cell(found: phenomena.Finding, column: str, **chosen: str) -> str:
    """The one cell of a finding's table in this column, in the line with these values."""
    header = list(found.grid.header)
    (line,) = [
        row
        for row in found.grid.rows
        if all(row[header.index(name)] == value for name, value in chosen.items())
    ]
    return line[header.index(column)]


def problem(
    name: str, firsts: dict[str, int], domain: str, solver: str = "projection"
) -> list[Run]:
    """A problem that each ranking solves from a budget on."""
    return [
        run_of(f"{domain}/{name}", k, 5 if k >= first else None, domain=domain, **unit)
        for ranking, first in firsts.items()
        for k in range(11)
        for unit in [{"ranking": ranking, "solver": solver}]
    ]
