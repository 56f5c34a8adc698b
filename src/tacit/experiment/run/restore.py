"""Runs from the CSV files that `tacit export` writes, so that a sweep can continue from them.

Values are converted to the types of `Run` and `Unit`; empty means unknown. Columns that follow from
others (the unit's key, maxima over agents) are recomputed, so a line that was edited by hand cannot
contradict itself. What an earlier version called otherwise gets its name of today.
"""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from tacit.errors import InputError
from tacit.experiment.run.row import COUNTS, FORMER, RUN_FIELDS, UNIT_FIELDS, Run, Unit

_LATER = {
    **{"ties": "", "weights": "", "price": "{}", "extension": "", "replanned": "{}"},
    **{"changed_over": "False", "taken_over": "", "planner": ""},
}
"""Columns that files of an older Tacit lack, and their values there."""

_NULLABLE = {
    name
    for kind in (Unit, Run)
    for name, field in kind.__annotations__.items()
    if str(field).endswith("| None")
}


def read_runs(path: Path) -> Iterator[Run]:
    """The runs of a CSV file, compressed if its name ends with `.gz`."""
    reader = csv.DictReader(io.StringIO(_text(path), newline=""))
    there = {*(reader.fieldnames or ()), *_LATER}
    missing = [name for name in (*UNIT_FIELDS, *RUN_FIELDS) if name not in there]
    if missing:
        hint = "this reads files that 'tacit export --csv' of this version wrote"
        raise InputError(f"'{path}' has no column '{missing[0]}'", hint)
    for row in reader:
        try:
            yield _run(row)
        except (msgspec.MsgspecError, TypeError) as error:
            raise InputError(f"'{path}', line {reader.line_num}: {error}") from None


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
        if path.suffix == ".gz":
            content = gzip.decompress(content)
        return content.decode()
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot read '{path}': {error}") from None
    except UnicodeDecodeError:
        raise InputError(f"'{path}' is not a text in UTF-8") from None


def _run(given: dict[str, str]) -> Run:
    row = _LATER | given
    values: dict[str, Any] = {
        name: None if name in _NULLABLE and not row.get(name) else row[name]
        for name in (*UNIT_FIELDS, *RUN_FIELDS)
    }
    for name in COUNTS:
        values[name] = msgspec.json.decode(row[name], type=dict[str, int])
    values["asked"] = FORMER.get(row["asked"], row["asked"])
    values["plan"] = row["plan"] and row["plan"].replace(") ", ")\n") + "\n"
    unit = {name: values.pop(name) for name in UNIT_FIELDS}
    return msgspec.convert({"unit": unit, **values}, Run, strict=False)
