"""Runs on disk: one SQLite file, one row per run, one writer.

The file is in WAL mode, so that others can read while a sweep writes, and every `add` is committed
before it returns, so that a process killed at any moment loses no run that it stored. A lock file
beside the store keeps a second sweep out; the system's lock counts, so a file left behind by a
killed process does no harm. `application_id` marks a file as a store of Tacit, `user_version` is
its layout.

Earlier layouts lack columns, and call what is asked otherwise (`FORMER`). A reader sees their rows
as those of today without changing the file; a writer brings the file up to date first. The keys of
units stay the same.

A store may be somebody else's. It has one table of values and nothing that SQLite would execute (no
view, trigger or computed column), a value has a longest length, and a query may take as many steps
as a file of its size can need: a table that leads back into itself ends with an error.
"""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import msgspec

from tacit.errors import InputError
from tacit.experiment.run.row import COUNTS, FORMER, RUN_FIELDS, UNIT_FIELDS, Run, largest
from tacit.experiment.run.store_lock import lock as lock_store
from tacit.experiment.run.store_lock import unlock

APPLICATION = 0x54414354
SCHEMA = 7

LONGEST = 64 * 2**20
"""Bytes of the longest plan, or of any other value."""

STEPS, STEPS_PER_BYTE = 2_000_000, 2
"""Instructions of SQLite's machine for one query; a row takes about 110, and more bytes."""

PULSE = 10_000
"""Instructions between two checks."""

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
}
_MAXIMA = tuple(f"{name}_max" for name in COUNTS)
COLUMNS = ("unit", *UNIT_FIELDS, *RUN_FIELDS, *_MAXIMA)
"""The columns of the table `runs`; `unit` is the unit's key, `…_max` the maximum over agents."""


class Store:
    """An open store. `Store.open` makes one; close it, or use it in a `with`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: IO[bytes] | None):
        self.path = path
        self._connection = connection
        self._lock = lock
        self._pulses = 0
        connection.set_progress_handler(self._is_endless, PULSE)

    def _is_endless(self) -> bool:
        self._pulses -= 1
        return self._pulses < 0

    def _allow_steps(self) -> None:
        """Let the next query, or change, take as many steps as it can need."""
        self._pulses = 2**62
        (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
        (size,) = self._connection.execute("PRAGMA page_size").fetchone()
        self._pulses = (STEPS + STEPS_PER_BYTE * pages * size) // PULSE

    @classmethod
    def open(cls, path: Path, write: bool = False) -> Store:
        """Open a store, for reading or as its one writer; a writer creates it if there is none."""
        if not write and not path.is_file():
            raise InputError(f"there is no store '{path}'")
        lock = lock_store(path) if write else None
        try:
            connection = sqlite3.connect(path, isolation_level=None, timeout=30)
            try:
                _prepare(path, connection, write)
            except BaseException:
                connection.close()
                raise
        except (sqlite3.Error, OSError) as error:
            unlock(path, lock)
            raise InputError(f"'{path}' is not a store of Tacit ({error})") from None
        except InputError:
            unlock(path, lock)
            raise
        return cls(path, connection, lock)

    def add(self, run: Run) -> None:
        """Store a run, unless it is already there."""
        self._insert("IGNORE", run)

    def _insert(self, otherwise: str, run: Run) -> None:
        values = _values(run)
        placeholders = ", ".join("?" * len(values))
        into = f"runs ({', '.join(COLUMNS)})"
        with self._writing():
            self._connection.execute(
                f"INSERT OR {otherwise} INTO {into} VALUES ({placeholders})", values
            )

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """A disk that is full, say, is no damage and no bug."""
        self._pulses = 2**62
        try:
            yield
        except sqlite3.Error as error:
            raise InputError(f"cannot write '{self.path}': {error}") from None

    def add_all(self, runs: Iterable[Run]) -> None:
        """Store many runs, all or none of them."""
        with self._transaction():
            for run in runs:
                self.add(run)

    def replace(self, runs: Iterable[Run]) -> None:
        """Store many runs, all or none of them, replacing existing ones."""
        with self._transaction():
            for run in runs:
                self._insert("REPLACE", run)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing."""
        with self._writing():
            self._connection.execute("BEGIN")
        try:
            yield
            with self._writing():
                self._connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # SQLite may have done it already
                self._connection.execute("ROLLBACK")
            raise

    def of_unit(self, key: str) -> dict[str, Run]:
        """The runs of one unit, by what was asked."""
        return {run.asked: run for _, run in self._select("WHERE unit = ?", (key,))}

    def done(self, keys: Iterable[str]) -> dict[str, dict[str, Run]]:
        """The runs of these units that are there: by the unit's key, then by what was asked."""
        found: dict[str, dict[str, Run]] = {key: {} for key in keys}
        for key, run in self._select("", ()):
            if key in found:
                found[key][run.asked] = run
        return found

    def rows(self, **columns: str | int | float) -> list[Run]:
        """All runs, or those with these values in these columns, in the order of their keys.

        The text `None` matches empty values in a column that may be empty.
        """
        for name in columns:
            if name not in COLUMNS:
                raise InputError(f"runs have no column '{name}'", f"columns: {', '.join(COLUMNS)}")
        where = " AND ".join(f"{name} IS ?" for name in columns)
        values = [_wanted(name, value) for name, value in columns.items()]
        found = self._select(f"WHERE {where}" if where else "", values)
        return [run for _, run in found]

    def _select(self, where: str, values: Sequence[Any]) -> Iterator[tuple[str, Run]]:
        names = ", ".join(("unit", *UNIT_FIELDS, *RUN_FIELDS))
        order = "domain, problem, solver, ranking, seed, ties, unit, k, asked"
        try:
            self._allow_steps()
            cursor = self._connection.execute(
                f"SELECT {names} FROM runs {where} ORDER BY {order}", values
            )
            for key, *row in cursor:
                yield key, _run(row)
        except (sqlite3.Error, msgspec.MsgspecError, zlib.error, ValueError, TypeError) as error:
            why = "a query does not end" if self._pulses < 0 else error
            raise InputError(f"the store '{self.path}' is damaged: {why}") from None

    def close(self) -> None:
        self._connection.close()
        unlock(self.path, self._lock)
        self._lock = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _prepare(path: Path, connection: sqlite3.Connection, write: bool) -> None:
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
_LEAKAGE = {"leakage": ("TEXT NOT NULL DEFAULT '{}'", "'{}'")}
_LATER = {
    1: {"ties": ("INTEGER", "NULL"), **_PRICES, **_MADE, **_PLANNER, **_LEAKAGE},
    2: _PRICES | _MADE | _PLANNER | _LEAKAGE,
    3: _MADE | _PLANNER | _LEAKAGE,
    4: _PLANNER | _LEAKAGE,
    5: _LEAKAGE,
    6: _LEAKAGE,
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


def _wanted(name: str, value: str | int | float) -> str | int | float | None:
    if name == "asked":
        return FORMER.get(str(value), value)
    is_nullable = "NOT NULL" not in _TYPES.get(name, "TEXT NOT NULL")
    return None if is_nullable and value == "None" else value


def _values(run: Run) -> list[Any]:
    values: list[Any] = [run.unit.key, *(getattr(run.unit, name) for name in UNIT_FIELDS)]
    for name in RUN_FIELDS:
        value = getattr(run, name)
        if name in COUNTS or name == "leakage":
            value = msgspec.json.encode(value).decode()
        elif name == "outcome":
            value = value.value
        elif name == "plan":
            value = zlib.compress(value.encode(), 9) if value else b""
        values.append(value)
    return [*values, *(largest(getattr(run, name)) for name in COUNTS)]


def _run(values: Sequence[Any]) -> Run:
    unit = dict(zip(UNIT_FIELDS, values[: len(UNIT_FIELDS)], strict=True))
    fields = dict(zip(RUN_FIELDS, values[len(UNIT_FIELDS) :], strict=True))
    for name in COUNTS:
        fields[name] = msgspec.json.decode(fields[name], type=dict[str, int])
    fields["leakage"] = msgspec.json.decode(fields["leakage"], type=dict[str, dict[str, float]])
    fields["plan"] = _unpacked(fields["plan"]).decode() if fields["plan"] else ""
    for name in ("settles", "changed_over"):
        fields[name] = bool(fields[name])
    return msgspec.convert({"unit": unit, **fields}, Run)


def _unpacked(data: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    found = unpacking.decompress(data, LONGEST + 1)
    if len(found) > LONGEST:
        raise ValueError(f"a plan of more than {LONGEST >> 20} MiB")
    if not unpacking.eof:
        raise ValueError("a plan that was cut short")
    return found
