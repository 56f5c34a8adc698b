"""Rows of a bench in a CSV file, kept as they come, so that a run can be stopped and go on."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def stored(path: Path | None) -> list[dict[str, Any]]:
    """What is there already."""
    if path is None or not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [dict(row) for row in csv.DictReader(file)]


def keep(path: Path | None, row: Mapping[str, Any], fields: Sequence[str]) -> None:
    """Append a row; nothing where no file was asked for."""
    if path is None:
        return
    is_new = not path.is_file()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fields, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(row)
