"""The published numbers, for comparison with ours: Tables 1 and 2 of the paper, as printed.

They are in `table1.csv` and `table2.csv`, unchanged, also where they cannot be right; what we know
about such numbers is a remark. Three of the dependency maxima differ from those of the CoDMAP files
under profile `paper`, for known reasons.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
RANKINGS = ("m1", "m2", "m3", "m4")
SOLVERS = ("projection", "mafs")
PROBLEMS = 20
"""In each domain of CoDMAP."""
AVERAGE = "average"
"""The name of the last lines of Table 2."""


@dataclass(frozen=True)
class Averages:
    """A line of Table 2: makespans averaged over the solved problems, improvement in percent."""

    least: float
    most: float
    first: float
    last: float
    improvement: float


def _lines(name: str) -> list[dict[str, str]]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def _by_solver(lines: Iterable[tuple[dict[str, str], T]]) -> dict[str, dict[tuple[str, str], T]]:
    found: dict[str, dict[tuple[str, str], T]] = {solver: {} for solver in SOLVERS}
    for line, value in lines:
        found[line["solver"]][line["domain"], line["ranking"]] = value
    return found


_TABLE1, _TABLE2 = _lines("table1.csv"), _lines("table2.csv")
DEPENDENCIES = {line["domain"]: int(line["dep"]) for line in _TABLE1}
COVERAGE = _by_solver((line, (int(line["covered"]), int(line["md_percent"]))) for line in _TABLE1)
"""By solver, then by domain and ranking: #C and M_D%."""
MAKESPANS = _by_solver(
    (line, Averages(*(float(line[n]) for n in ("min", "max", "min_dep", "max_dep", "imp_percent"))))
    for line in _TABLE2
)
"""By solver, then by domain (`AVERAGE` for the last lines) and ranking."""


def averaged_over(solver: str, domain: str, ranking: str) -> int | None:
    """Over how many problems the paper's Table 2 averages, as the denominators of its fractions
    show: #C, and one more in BlocksWorld. None for a line that it does not have.

    >>> averaged_over("projection", "driverlog", "m1"), averaged_over("mafs", "blocksworld", "m1")
    (19, 15)
    """
    printed = COVERAGE.get(solver, {}).get((name(domain), ranking))
    return None if printed is None else printed[0] + (name(domain) == "blocksworld")


_SIBLINGS = (
    "the authors' program looks facts up by predicate and first argument, so that an action which "
    "deletes one fact negates its siblings too; counted that way it is the paper's number"
)
_ANOTHER_COUNT = {
    "depot": (4323, _SIBLINGS),
    "driverlog": (2780, _SIBLINGS),
    "zenotravel": (1560, "without pfile22 and pfile23 it is the paper's number, that of pfile21"),
}
"""The numbers of the CoDMAP files where the paper has other ones, and why."""


def name(domain: str) -> str:
    """The paper's name for a domain.

    >>> name("elevators08")
    'elevators'
    """
    return re.sub(r"\d+$", "", domain)


_NAMES = {
    "blocksworld": r"probBLOCKS-\d+-\d",
    "depot": r"pfile\d+",
    "driverlog": r"pfile\d+",
    "elevators": r"p\d\d",
    "logistics": r"probLOGISTICS-\d+-\d",
    "rovers": r"p\d\d",
    "zenotravel": r"pfile\d+",
}
"""What the problems of CoDMAP are called, which are those of the paper."""


def are_its_problems(domain: str, problems: Iterable[str]) -> bool:
    """Whether these are the paper's problems of a domain: by their names, and all of them.

    >>> are_its_problems("rovers", [f"rovers/p{n}" for n in range(10, 30)])
    True
    >>> are_its_problems("rovers", ["rovers/small"]), are_its_problems("rovers", ["rovers/p10"])
    (False, False)
    """
    pattern = _NAMES.get(name(domain))
    names = {problem.rpartition("/")[2] for problem in problems}
    if pattern is None or len(names) != PROBLEMS:
        return False
    return all(re.fullmatch(pattern, one) for one in names)


def why_another_count(domain: str, ours: int) -> str:
    """Why the paper has another number of dependencies; empty if that is not known.

    >>> why_another_count("depot", 4323)[:20]
    "the authors' program"
    >>> why_another_count("depot", 12)
    ''
    """
    known, why = _ANOTHER_COUNT.get(name(domain), (None, ""))
    return why if ours == known else ""


def remarks1(solver: str, domain: str) -> Iterator[str]:
    """What cannot be right in the paper's Table 1 for a solver and domain."""
    own = COVERAGE.get(solver, {})
    counts = [own[cell][0] for cell in own if cell[0] == name(domain)]
    if max(counts, default=0) > PROBLEMS:
        yield (
            f"In {domain} with {solver} the paper prints {max(counts)} solved problems, and "
            f"CoDMAP has {PROBLEMS}: its Table 2 averages over {max(counts)} there too, so a "
            "problem was added or counted twice. All of ours count as reaching it."
        )


def remarks2(solver: str, domain: str) -> Iterator[str]:
    """What cannot be right in the paper's Table 2 for a solver and domain."""
    lines = [line for line in _TABLE2 if (line["solver"], line["domain"]) == (solver, name(domain))]
    gains = {line["ranking"]: float(line["imp_percent"]) for line in lines}
    marked = [line["ranking"] for line in lines if line["imp_bold"] == "1"]
    least = [ranking for ranking, gain in gains.items() if gain == min(gains.values())]
    if marked != least:
        yield (
            f"In {domain} with {solver} the paper marks {', '.join(marked)} as the lowest "
            f"improvement; its own lowest number is that of {', '.join(least)}."
        )
