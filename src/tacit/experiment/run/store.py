"""Runs on disk: one SQLite file, one row per run, one writer.

The file is in WAL mode, so that others can read while a sweep writes, and every `add` is committed
before it returns, so that a process killed at any moment loses no run that it stored. A lock file
beside the store keeps a second sweep out; the system's lock counts, so a file left behind by a
killed process does no harm. `store_layout.py` has the table, and checks what a file has in it.

A store may be somebody else's, so a query may take as many steps as a file of its size can need: a
table that leads back into itself ends with an error.
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
from tacit.experiment.run.row import COUNTS, RUN_FIELDS, UNIT_FIELDS, Run, largest
from tacit.experiment.run.store_layout import COLUMNS, LONGEST, prepare, wanted
from tacit.experiment.run.store_lock import lock as lock_store
from tacit.experiment.run.store_lock import unlock

STEPS, STEPS_PER_BYTE = 2_000_000, 2
"""Instructions of SQLite's machine for one query; a row takes about 110, and more bytes."""

PULSE = 10_000
"""Instructions between two checks."""


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
                prepare(path, connection, write)
            except BaseException:
                connection.close()
                raise
        except (sqlite3.Error, OSError) as error:
            unlock(path, lock)
            hint = "'tacit sweep -o runs.db' makes one, and 'tacit restore' one of CSV files"
            raise InputError(f"'{path}' is not a store of Tacit ({error})", hint) from None
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
        values = [wanted(name, value) for name, value in columns.items()]
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


def _values(run: Run) -> list[Any]:
    values: list[Any] = [run.unit.key, *(getattr(run.unit, name) for name in UNIT_FIELDS)]
    for name in RUN_FIELDS:
        value = getattr(run, name)
        if name in (*COUNTS, "leakage", "cleaned"):
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
    for name in (*COUNTS, "cleaned"):
        fields[name] = msgspec.json.decode(fields[name], type=dict[str, int])
    fields["leakage"] = msgspec.json.decode(fields["leakage"], type=dict[str, dict[str, float]])
    fields["plan"] = _unpacked(fields["plan"]).decode() if fields["plan"] else ""
    for name in ("settles", "changed_over", "optimal"):
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
