"""An evaluation compared with the paper: which cells of Table 1 it reaches, which claims it shows.

Both reports have it, as a section of the page and as text in Markdown. The paper runs 20 problems
in each of its domains. Cells are judged if there are as many and the same dependencies are counted
as in the paper; the page has claims if some domain has as many, and Markdown has them "so far".
Everything is computed from the runs except the notes on why a cell is not reached.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tacit.errors import InputError, nearest
from tacit.experiment.paper import published as paper
from tacit.experiment.paper.claims import findings
from tacit.experiment.paper.phenomena import UNKNOWN, Finding
from tacit.experiment.paper.published import PROBLEMS
from tacit.experiment.report import reached
from tacit.experiment.run.row import Run
from tacit.experiment.tables.coverage import Series, has_budgets

Notes = Mapping[str, str]
"""Why a cell is not reached, by `solver/domain/ranking` or `solver/domain`."""

_PARTS = (tuple(paper.COVERAGE), tuple(paper.DEPENDENCIES), paper.RANKINGS)
"""The possible names of a cell: solver, domain, ranking."""
_ANOTHER_COUNT = (
    "These settings count other dependencies than the paper does (#dep), so percentages are not "
    "comparable, and cells are not judged."
)


@dataclass(frozen=True)
class Judgement:
    """How many cells reach the paper's, in a sentence, and a sentence for each that does not."""

    text: str
    short: Sequence[str] = ()


def read_notes(path: Path | None) -> Notes:
    """The notes of a TOML file; an `InputError` if it has anything else."""
    if path is None:
        return {}
    try:
        notes = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"cannot read '{path}': {error}") from None
    for key, text in notes.items():
        if not isinstance(text, str) or key.count("/") not in (1, 2):
            hint = 'write "solver/domain/ranking" = "why", or "solver/domain" = "why"'
            raise InputError(f"'{path}': '{key}' is not a note", hint)
        for name, known in zip(key.split("/"), _PARTS, strict=False):
            if name not in known:
                hint = nearest(name, known) or f"there are: {', '.join(known)}"
                raise InputError(f"'{path}': '{key}' is not a cell of the paper's Table 1", hint)
    return notes


def judge(runs: Iterable[Run], found: Sequence[Series], notes: Notes) -> Judgement:
    """Judge all cells that can be; an empty text if there are none."""
    if any(run.unit.profile != "paper" for run in runs):
        return Judgement(_ANOTHER_COUNT)
    cells = reached.judged(found)
    if not cells:
        return Judgement("")
    short = [cell for cell in cells if not cell.is_reached]
    text = (
        f"{len(cells)} cells have all {PROBLEMS} problems; {len(cells) - len(short)} of them reach "
        "the paper's: up to its M_D% at least as many problems are solved."
    )
    return Judgement(text, [_shortfall(cell, notes) for cell in short])


def _shortfall(cell: reached.Cell, notes: Notes) -> str:
    key = f"{cell.solver}/{cell.domain}"
    why = notes.get(f"{key}/{cell.ranking}", notes.get(key, ""))
    return (
        f"{cell.solver}, {cell.domain}, {cell.ranking}: {cell.solved} solved up to "
        f"{cell.paper_share} %, {cell.paper_count} in the paper. {why}".rstrip()
    )


def claims(found: Sequence[Series]) -> Iterator[Finding]:
    """The paper's claims on which there are runs, if these can be compared with it."""
    if is_comparable(found):
        yield from (one for one in findings(found) if one.verdict != UNKNOWN)


def is_comparable(found: Sequence[Series]) -> bool:
    """Whether the runs have all problems of one of the paper's domains, at several budgets."""
    budgets = any(has_budgets(runs) for one in found for runs in one.problems.values())
    return budgets and any(_is_complete(one) for one in found)


def _is_complete(one: Series) -> bool:
    return paper.are_its_problems(one.domain, one.problems)
