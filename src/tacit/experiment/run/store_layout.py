"""The table of a store: its columns, what a file must be, and how one of an earlier layout is read.

`application_id` marks a file as a store of Tacit, `user_version` is its layout. Earlier layouts
lack columns, and call what is asked otherwise (`FORMER`). A reader sees their rows as those of
today without changing the file; a writer brings the file up to date first. The keys of units stay
the same.

A store may be somebody else's. It has one table of values and nothing that SQLite would execute (no
view, trigger or computed column), and a value has a longest length.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from tacit.errors import InputError
from tacit.experiment.run.row import COUNTS, FORMER, RUN_FIELDS, UNIT_FIELDS

APPLICATION = 0x54414354
SCHEMA = 9

LONGEST = 64 * 2**20
"""Bytes of the longest plan, or of any other value."""

_TYPES = {
    "seed": "INTEGER NOT NULL",
    "ties": "INTEGER",
    "time_limit": "REAL",
    "memory_limit": "INTEGER",
    "k": "INTEGER",
    "settled_by": "INTEGER",
    "settles": "INTEGER NOT NULL",
    "changed_over": "INTEGER NOT NULL",
    "taken_over": "INTEGER",
    "plan_length": "INTEGER",
    "cost": "INTEGER",
    "makespan": "INTEGER",
    "makespan_paper": "INTEGER",
    "expanded": "INTEGER",
    "evaluated": "INTEGER",
    "generated": "INTEGER",
    "seconds_load": "REAL",
    "seconds_dependencies": "REAL",
    "seconds_search": "REAL",
    "seconds_extension": "REAL",
    "seconds_total": "REAL",
    "started": "REAL NOT NULL",
    "ended": "REAL NOT NULL",
    "plan": "BLOB NOT NULL",
    "extension": "TEXT",
    "optimal": "INTEGER NOT NULL",
}
_MAXIMA = tuple(f"{name}_max" for name in COUNTS)
COLUMNS = ("unit", *UNIT_FIELDS, *RUN_FIELDS, *_MAXIMA)
"""The columns of the table `runs`; `unit` is the unit's key, `…_max` the maximum over agents."""


def prepare(path: Path, connection: sqlite3.Connection, write: bool) -> None:
    """Check that this is a store of this layout; initialise it if it is new."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    connection.execute("PRAGMA trusted_schema = OFF")
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (schema,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if write and (application, schema, tables) == (0, 0, 0):
        connection.execute("PRAGMA journal_mode = WAL")
        kinds = {name: _TYPES.get(name, "TEXT NOT NULL") for name in (*UNIT_FIELDS, *RUN_FIELDS)}
        columns = ", ".join(f"{name} {kind}" for name, kind in kinds.items())
        maxima = ", ".join(f"{name} INTEGER NOT NULL" for name in _MAXIMA)
        connection.executescript(
            f"BEGIN; CREATE TABLE runs (unit TEXT NOT NULL, {columns}, {maxima}, "
            "PRIMARY KEY (unit, asked)) WITHOUT ROWID; "
            f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA}; COMMIT"
        )
    elif application != APPLICATION:
        raise InputError(f"'{path}' is a database, but not a store of Tacit")
    elif not _is_plain(connection):
        raise InputError(f"'{path}' is not a store of Tacit: it has more than rows of runs")
    elif schema in _LATER:
        _upgrade(connection, schema, write)
    elif schema != SCHEMA:
        age = "an older" if schema < SCHEMA else "a newer"
        hint = "write to a new file; 'tacit export' of the Tacit that made it still reads it"
        raise InputError(
            f"'{path}' was made by {age} Tacit (layout {schema}, this one has {SCHEMA})", hint
        )
    connection.execute("PRAGMA synchronous = NORMAL")


def _is_plain(connection: sqlite3.Connection) -> bool:
    """Is there one table of values, and nothing that is executed?"""
    found = connection.execute("SELECT type, name, sql FROM sqlite_master LIMIT 2").fetchall()
    if [row[:2] for row in found] != [("table", "runs")] or "VIRTUAL" in found[0][2][:20].upper():
        return False
    return all(row[-1] == 0 for row in connection.execute("PRAGMA main.table_xinfo(runs)"))


_PRICES = {
    "weights": ("TEXT NOT NULL DEFAULT ''", "''"),
    "price": ("TEXT NOT NULL DEFAULT '{}'", "'{}'"),
    "price_max": ("INTEGER NOT NULL DEFAULT 0", "0"),
}
_MADE = {
    "extension": ("TEXT", "NULL"),
    "replanned": ("TEXT NOT NULL DEFAULT '{}'", "'{}'"),
    "replanned_max": ("INTEGER NOT NULL DEFAULT 0", "0"),
    "changed_over": ("INTEGER NOT NULL DEFAULT 0", "0"),
    "taken_over": ("INTEGER", "NULL"),
}
_PLANNER = {"planner": ("TEXT NOT NULL DEFAULT ''", "''")}
_CLEANED = {"cleaned": ("TEXT NOT NULL DEFAULT '{}'", "'{}'")}
_OPTIMAL = {"optimal": ("INTEGER NOT NULL DEFAULT 0", "0"), **_CLEANED}
_LEAKAGE = {"leakage": ("TEXT NOT NULL DEFAULT '{}'", "'{}'"), **_OPTIMAL}
_LATER = {
    1: {"ties": ("INTEGER", "NULL"), **_PRICES, **_MADE, **_PLANNER, **_LEAKAGE},
    2: _PRICES | _MADE | _PLANNER | _LEAKAGE,
    3: _MADE | _PLANNER | _LEAKAGE,
    4: _PLANNER | _LEAKAGE,
    5: _LEAKAGE,
    6: _LEAKAGE,
    7: _OPTIMAL,
    8: _CLEANED,
}
"""Per earlier layout, the columns that it lacks: their type, and what they hold for old runs."""


def _upgrade(connection: sqlite3.Connection, schema: int, write: bool) -> None:
    """Add the columns that an older store lacks, and rename what was asked; a reader does not
    change the file for it.
    """
    lacks = _LATER[schema]
    if write:
        added = "".join(
            f"ALTER TABLE runs ADD COLUMN {n} {kind}; " for n, (kind, _) in lacks.items()
        )
        renamed = "".join(
            f"UPDATE runs SET asked = '{now}' WHERE asked = '{before}'; "
            for before, now in FORMER.items()
        )
        connection.executescript(f"BEGIN; {added}{renamed}PRAGMA user_version = {SCHEMA}; COMMIT")
    else:
        values = {name: value for name, (_, value) in lacks.items()} | {"asked": _ASKED}
        columns = (f"{values[name]} AS {name}" if name in values else name for name in COLUMNS)
        view = f"SELECT {', '.join(columns)} FROM main.runs"
        connection.execute(f"CREATE TEMP VIEW runs AS {view}")


_ASKED = (
    "CASE asked "
    + " ".join(f"WHEN '{before}' THEN '{now}'" for before, now in FORMER.items())
    + " ELSE asked END"
)


def wanted(name: str, value: str | int | float) -> str | int | float | None:
    """A value that a query names, as the table has it."""
    if name == "asked":
        return FORMER.get(str(value), value)
    is_nullable = "NOT NULL" not in _TYPES.get(name, "TEXT NOT NULL")
    return None if is_nullable and value == "None" else value
