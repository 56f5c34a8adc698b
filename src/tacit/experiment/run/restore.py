"""Runs from the CSV files that `tacit export` writes, so that a sweep can continue from them.

Values are converted to the types of `Run` and `Unit`; empty means unknown. Columns that follow from
others (the unit's key, maxima over agents) are recomputed, so a line that was edited by hand cannot
contradict itself. What an earlier version called otherwise gets its name of today.

A file may be somebody else's, and a small one can unpack to very much. It is read row by row, and
both a row and the file have bounds.
"""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import msgspec

from tacit.errors import InputError
from tacit.experiment.cells import restored
from tacit.experiment.run.row import COUNTS, FORMER, RUN_FIELDS, UNIT_FIELDS, Run, Unit
from tacit.experiment.run.store_layout import LONGEST

_LATER = {
    **{"ties": "", "weights": "", "price": "{}", "extension": "", "replanned": "{}"},
    **{"changed_over": "False", "taken_over": "", "planner": "", "leakage": "{}"},
    **{"optimal": "False", "cleaned": "{}"},
}
"""Columns that files of an older Tacit lack, and their values there."""

_NULLABLE = {
    name
    for kind in (Unit, Run)
    for name, field in kind.__annotations__.items()
    if str(field).endswith("| None")
}


@dataclass(frozen=True)
class Bounds:
    """How many characters a file may have, unpacked, and how many one row."""

    file: int = 2**30
    row: int = LONGEST


def read_runs(path: Path, bounds: Bounds = Bounds()) -> Iterator[Run]:  # noqa: B008 - frozen
    """The runs of a CSV file, compressed if its name ends with `.gz`."""
    try:
        with _open(path) as file:
            yield from _rows(path, _Lines(file, bounds))
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot read '{path}': {error}") from None
    except UnicodeDecodeError:
        raise InputError(f"'{path}' is not a text in UTF-8") from None


def _open(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", newline="")
    return path.open(encoding="utf-8", newline="")


class _TooMuch(Exception):
    """What has more than its bound."""


class _Lines:
    """The lines of a file, as long as it keeps to its bounds."""

    def __init__(self, file: IO[str], bounds: Bounds):
        self._file = file
        self._bounds = bounds
        self._in_file = 0
        self.in_row = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._file.readline(self._bounds.row + 1)
        if not line:
            raise StopIteration
        self._in_file += len(line)
        self.in_row += len(line)
        for what, count, most in (
            ("a row", self.in_row, self._bounds.row),
            ("it", self._in_file, self._bounds.file),
        ):
            if count > most:
                size = f"{most >> 20} MiB" if most >= 2**20 else f"{most} characters"
                raise _TooMuch(f"{what} has more than {size}")
        return line


def _rows(path: Path, lines: _Lines) -> Iterator[Run]:
    csv.field_size_limit(LONGEST)
    reader = csv.DictReader(lines)
    try:
        there = {*(reader.fieldnames or ()), *_LATER}
        missing = [name for name in (*UNIT_FIELDS, *RUN_FIELDS) if name not in there]
        if missing:
            hint = "this reads files that 'tacit export --csv' of this version wrote"
            raise InputError(f"'{path}' has no column '{missing[0]}'", hint)
        lines.in_row = 0
        for row in reader:
            yield _run({name: restored(cell or "") for name, cell in row.items() if name})
            lines.in_row = 0
    except (msgspec.MsgspecError, KeyError, csv.Error) as error:
        raise InputError(f"'{path}', line {reader.line_num}: {error}") from None
    except _TooMuch as error:
        raise InputError(f"'{path}', line {reader.line_num + 1}: {error}") from None


def _run(given: dict[str, str]) -> Run:
    row = _LATER | given
    values: dict[str, Any] = {
        name: None if name in _NULLABLE and not row.get(name) else row[name]
        for name in (*UNIT_FIELDS, *RUN_FIELDS)
    }
    for name in (*COUNTS, "cleaned"):
        values[name] = msgspec.json.decode(row[name], type=dict[str, int])
    values["leakage"] = msgspec.json.decode(row["leakage"], type=dict[str, dict[str, float]])
    values["asked"] = FORMER.get(row["asked"], row["asked"])
    values["plan"] = row["plan"] and row["plan"].replace(") ", ")\n") + "\n"
    unit = {name: values.pop(name) for name in UNIT_FIELDS}
    return msgspec.convert({"unit": unit, **values}, Run, strict=False)
