"""Cells of CSV files that no spreadsheet takes for a formula.

Names of problems and domains are somebody else's text, and a spreadsheet runs a cell that begins
with `=`, say. Such a cell gets an apostrophe in front, and one that begins with apostrophes before
such a character gets one more, so that `restored` gives back the text as it was. Numbers stay.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-][0-9]+(\.[0-9]+)?( ?%)?")


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Rows of values as a file; the csv module itself leaves a carriage return without quotes."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    lines = []
    for row in rows:
        writer.writerow([spelled(cell) if isinstance(cell, str) else cell for cell in row])
        lines.append(f"{buffer.getvalue()[:-2]}\n")
        buffer.seek(0)
        buffer.truncate()
    return "".join(lines)


def spelled(text: str) -> str:
    """A text as a cell."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def restored(cell: str) -> str:
    """The text of a cell."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
