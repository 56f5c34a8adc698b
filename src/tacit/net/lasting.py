"""The owner's ledger on a disk: what each peer knows after all runs, and what it may still learn.

A run's own ledger begins empty, so a bound that only looked at it could be had again by starting
again. This one lasts. It is kept per peer and *task*, which is the owner's domain and objects:
other goals or another initial state are the same task. Its files are those of `lasting_files`.
Nothing is ever taken out of them, and what is disclosed is written to them before it is sent:
a killed agent may have written down more than its peers know, never less. The disk follows as fast
as it can, and has everything when the run has ended (`syncing`). While a run lasts it
holds the lock on the files of its peers and its task, so no other run spends the same bound.

An edge counts once per peer, whatever the number of runs; where all agreed that classes count, so
does a class, by what its edges look like in the run in which they are disclosed. Edges of the
initial state are kept with a digest of that state and count for it alone (`tacit.party.lasting`).
"""

from __future__ import annotations

import datetime
import hmac
import os
import secrets
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from tacit.errors import Diagnostic, InputError
from tacit.net.appended import AppendedFile, private_folder
from tacit.net.lasting_files import About, Disclosed, Met, Place, Run, RunLine, TaskLine
from tacit.net.syncing import Syncing
from tacit.net.task_digest import TaskDigest
from tacit.party.bounds import Bounds
from tacit.party.lasting import LastingItem
from tacit.public.ledger import REPAIRS, Kind
from tacit.public.protocol.link import Terms, fields

Key = tuple[object, ...]

MOMENT = 10.0
"""Seconds to wait for a file that others lock only while they write a line."""


class Account:
    """What one peer knows about one task."""

    def __init__(self, lines: Iterable[TaskLine], state: str):
        self._state = state
        self._known: set[Key] = set()
        self.edges = self.repairs = self.price = 0
        self._classes: set[Key] = set()
        for line in lines:
            if isinstance(line, Disclosed):
                self.add(line)

    def add(self, line: Disclosed) -> None:
        self._known.update(_keys(line, line.state))
        if line.state in (None, self._state):
            if line.kind is Kind.EDGE:
                self.edges += 1
                self._classes.add(_class(line))
            self.repairs += line.kind in REPAIRS
            self.price += line.price if line.kind is Kind.EDGE else 0

    def knows(self, item: LastingItem) -> bool:
        """A prefix of everybody's plan has steps that only that run had names for."""
        is_lasting = not (item.kind is Kind.PREFIX and item.joint)
        return is_lasting and self._known.issuperset(_keys(item, self._state_of(item)))

    @property
    def knows_nothing(self) -> bool:
        return not self._known

    def line(self, item: LastingItem, run: int) -> Disclosed:
        state, price = self._state_of(item), item.price
        named = (item.actions, item.fact, item.positive, item.joint)
        return Disclosed(run, _now(), item.kind, *named, price, state, item.alike)

    def _state_of(self, item: LastingItem) -> str | None:
        return self._state if item.is_of_state else None

    def allows(self, new: Sequence[LastingItem], bounds: Bounds) -> bool:
        """May the peer learn these as well?"""
        edges = [item for item in new if item.kind is Kind.EDGE]
        repairs = sum(item.kind in REPAIRS for item in new)
        return (
            (not edges or _is_within(self._count(edges), bounds.edges))
            and (not repairs or _is_within(self.repairs + repairs, bounds.repairs))
            and (not edges or _is_within(self._cost(edges), bounds.price))
        )

    def _count(self, edges: Sequence[LastingItem]) -> int:
        """How many edges it would know, or classes of edges if these count in this run. An edge
        of a run in which they did not is a class of its own.
        """
        if any(edge.alike for edge in edges):
            return len(self._classes.union(map(_class, edges)))
        return self.edges + len(edges)

    def _cost(self, edges: Sequence[LastingItem]) -> int:
        return self.price + sum(edge.price for edge in edges)


def _is_within(count: int, bound: int | None) -> bool:
    return bound is None or count <= bound


def _class(edge: LastingItem | Disclosed) -> Key:
    return (edge.alike,) if edge.alike else (edge.actions, edge.fact, edge.positive)


def _keys(item: LastingItem | Disclosed, state: str | None) -> list[Key]:
    """One item as the facts that a peer knows by it: of each ground action, or of a state."""
    if item.kind is Kind.TOKEN:
        return [("token", item.fact, state)]
    if item.kind is Kind.PREFIX:
        return [("prefix", item.actions, state)]
    achievers = item.actions or ("",)
    return [(action, item.fact, item.positive, state) for action in achievers]


class LastingLedger:
    """An owner's ledger in one run: its peers with the bounds that hold for each."""

    def __init__(
        self,
        place: Place,
        task: TaskDigest,
        bounds: Mapping[str, Bounds],
        secret: str | None = None,
    ):
        self._place = place
        self._task = task
        self._bounds = dict(bounds)
        self._files: dict[str, AppendedFile[TaskLine]] = {}
        self._accounts: dict[str, Account] = {}
        self._run: dict[str, int] = {}
        self._syncing = Syncing()
        self.new_items = 0
        """How much was disclosed in this run that some peer had not known."""
        if not place.folder.absolute().parent.is_dir():
            hint = "give a folder for the lasting ledger with --ledger DIR"
            raise InputError(f"there is no folder '{place.folder.absolute().parent}'", hint)
        try:
            for peer in sorted(self._bounds):
                self._open(peer)
            key = _secret(place.secret) if secret is None else secret.encode()
        except BaseException:
            self.close()
            raise
        self._key = hmac.digest(key, task.task.encode(), "sha256")

    def _open(self, peer: str) -> None:
        task = self._task
        file: AppendedFile[TaskLine] = AppendedFile(
            self._place.task(peer, task.task),
            TaskLine,
            f"another run of '{self._place.owner}' with '{peer}' has this ledger open",
            syncing=self._syncing,
        )
        self._files[peer] = file
        about = About(self._place.owner, peer, task.task, task.domain)
        if not file.lines:
            file.append(about)
        elif file.lines[0] != about:
            raise InputError(Diagnostic("this is the ledger of something else", str(file.path), 1))
        self._accounts[peer] = Account(file.lines, task.state)

    # Runs

    def begin(self, peer: str, terms: Terms) -> int:
        """The number of this run with a peer, from 1; it is given when it is first asked for."""
        if peer not in self._run:
            with self._runs(peer) as file:
                before = sum(isinstance(line, Run) for line in file.lines)
                self._run[peer] = before + 1
                file.append(Run(before + 1, _now(), self._task.task, fields(terms)))
        return self._run[peer]

    def meet(self, peer: str, theirs: int) -> None:
        """The number that the peer gives this run."""
        with self._runs(peer) as file:
            file.append(Met(self._run[peer], theirs))

    def _runs(self, peer: str) -> AppendedFile[RunLine]:
        """Locked for a moment: runs of other tasks are on the same list."""
        path, busy = self._place.runs(peer), "another run has it open"
        return AppendedFile(path, RunLine, busy, MOMENT, self._syncing)

    # What `tacit.party.lasting` asks for

    @property
    def is_bounded(self) -> bool:
        return any(bounds != Bounds() for bounds in self._bounds.values())

    @property
    def repairs_left(self) -> int | None:
        left = [
            bounds.repairs_left(self._accounts[peer].repairs)
            for peer, bounds in self._bounds.items()
        ]
        return min((count for count in left if count is not None), default=None)

    @property
    def knows_nothing(self) -> bool:
        return any(account.knows_nothing for account in self._accounts.values())

    def knows(self, item: LastingItem) -> bool:
        return all(account.knows(item) for account in self._accounts.values())

    def enter(self, items: Sequence[LastingItem]) -> bool:
        new = {
            peer: [item for item in items if not account.knows(item)]
            for peer, account in self._accounts.items()
        }
        for peer, found in new.items():
            if not self._accounts[peer].allows(found, self._bounds[peer]):
                return False
        for peer, found in new.items():
            account = self._accounts[peer]
            lines = [account.line(item, self._run.get(peer, 0)) for item in found]
            self._files[peer].append(*lines)
            for line in lines:
                account.add(line)
        self.new_items += max(map(len, new.values()), default=0)
        return True

    def draw(self, item: LastingItem) -> float:
        state = self._task.state if item.is_of_state else ""
        text = msgspec.json.encode((item.actions, item.fact, item.positive, state))
        drawn = int.from_bytes(hmac.digest(self._key, text, "sha256")[:7], "big")
        return (drawn + 1) / (2**56 + 1)

    def close(self) -> None:
        """Wait for the disk, and let go of all files."""
        try:
            self._syncing.finish()
        finally:
            for file in self._files.values():
                file.close()


def _secret(path: Path) -> bytes:
    """The owner's lasting secret, made when it is first needed."""
    private_folder(path.parent)
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        made = path.with_name(f"secret-{os.getpid()}-{secrets.token_hex(4)}")
        number = os.open(made, flags, 0o600)
        with os.fdopen(number, "w") as file:
            file.write(secrets.token_hex(32) + "\n")
            file.flush()
            os.fsync(number)
        try:
            os.link(made, path, follow_symlinks=False)  # whoever is first
        except FileExistsError:
            pass
        finally:
            made.unlink()
        if stat.S_IMODE(path.lstat().st_mode) & 0o077:
            hint = f"chmod 600 '{path}'"
            raise InputError(Diagnostic("others can read this secret", str(path), hint=hint))
        return path.read_bytes().strip()
    except OSError as error:
        raise InputError(Diagnostic(error.strerror or "cannot be read", str(path))) from None


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
