"""A file of JSON lines that only grows: locked, readable by its owner alone, written before use.

The operating system has a line when `append` returns, and it survives the process; the disk has it
as well then, or soon (`tacit.net.syncing`). A process that is killed while it writes leaves a last
line without an end; whoever opens the file next ends it with `#torn`, and such a line counts for
nothing, since whatever it was to announce had not happened yet. Any other line that cannot be read
is an error: nothing is guessed, and nothing is ever taken out.
"""

from __future__ import annotations

import fcntl
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from tacit.errors import Diagnostic, InputError
from tacit.net.syncing import Syncing

TORN = b"#torn"
"""The end of a line that was never finished; no JSON ends so."""

S = TypeVar("S")


class AppendedFile(Generic[S]):
    """One such file, open and locked until it is closed; `lines` is what was in it.

    If another process has it locked, that is an error, after some seconds if this one `waits`. With
    `syncing` nothing waits for the disk.
    """

    def __init__(
        self,
        path: Path,
        kind: Any,
        busy: str,
        waits: float = 0.0,
        syncing: Syncing | None = None,
    ):
        self.path = path
        self._syncing = syncing
        self._decoder: msgspec.json.Decoder[S] = msgspec.json.Decoder(kind)
        self._file = _open(path)
        try:
            _lock(self._file, path, busy, waits)
            content = _read(self._file)
            if content and not content.endswith(b"\n"):
                self._write(TORN + b"\n")
                content += TORN + b"\n"
            self.lines: list[S] = list(decoded(content, path, self._decoder))
        except BaseException:
            self.close()
            raise

    def append(self, *lines: S) -> None:
        """Write lines."""
        if lines:
            self._write(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))

    def _write(self, text: bytes) -> None:
        try:
            while text:
                text = text[os.write(self._file, text) :]
            if self._syncing is None:
                os.fsync(self._file)
            else:
                self._syncing.soon(self.path)
        except OSError as error:
            hint = "nothing was disclosed that is not in it; the run must end"
            raise InputError(Diagnostic(_reason(error), str(self.path), hint=hint)) from None

    def __enter__(self) -> AppendedFile[S]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of it, and of the lock."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def decoded(content: bytes, path: Path, decoder: msgspec.json.Decoder[S]) -> Iterator[S]:
    """The lines of such a file; an `InputError` for one that cannot be read."""
    *lines, _torn = content.split(b"\n")
    for number, line in enumerate(lines, 1):
        if line.endswith(TORN):
            continue
        try:
            yield decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            hint = "it was changed by something else than Tacit; restore it from a backup"
            text = f"this line is damaged: {error}"
            raise InputError(Diagnostic(text, str(path), number, hint=hint)) from None


def read_appended(path: Path, kind: Any) -> list[Any]:
    """The lines of such a file, for a reader that neither locks nor writes."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(Diagnostic(_reason(error), str(path))) from None
    return list(decoded(content, path, msgspec.json.Decoder(kind)))


def private_folder(path: Path) -> None:
    """Make a folder that nobody else can read, if there is none."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        hint = "choose another folder with --ledger DIR"
        raise InputError(Diagnostic(_reason(error), str(path), hint=hint)) from None


def _open(path: Path) -> int:
    private_folder(path.parent)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        is_new = not path.exists()
        number = os.open(path, flags, 0o600)
        if is_new:
            _sync_folder(path.parent)
    except OSError as error:
        raise InputError(Diagnostic(_reason(error), str(path))) from None
    if stat.S_IMODE(os.fstat(number).st_mode) & 0o077:
        os.close(number)
        hint = f"it has private names in it: chmod 600 '{path}'"
        raise InputError(Diagnostic("others can read or write this file", str(path), hint=hint))
    return number


def _sync_folder(folder: Path) -> None:
    """So that a new file is still there after a power failure."""
    number = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _lock(file: int, path: Path, busy: str, waits: float) -> None:
    end = time.monotonic() + waits
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError:
            if time.monotonic() >= end:
                hint = "wait until it has ended, or use another ledger (--ledger DIR)"
                raise InputError(Diagnostic(busy, str(path), hint=hint)) from None
        time.sleep(0.01)


def _read(file: int) -> bytes:
    parts = []
    os.lseek(file, 0, os.SEEK_SET)
    while part := os.read(file, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _reason(error: OSError) -> str:
    return error.strerror or "cannot be read or written"
