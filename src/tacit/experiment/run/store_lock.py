"""One writer of a store at a time: the system's lock on a file beside it."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path
from typing import IO

from tacit.errors import InputError


def lock(path: Path) -> IO[bytes]:
    """Become the one writer of a store, or raise if another sweep is."""
    name = path.with_name(path.name + ".lock")
    for _ in range(100):
        try:
            file = name.open("ab")
        except OSError as error:
            raise InputError(f"cannot write '{path}': {error.strerror}") from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(file.fileno()).st_ino == name.stat().st_ino:
                return file
        except FileNotFoundError:
            pass  # its owner removed it in between: try again
        except OSError:
            file.close()
            hint = "wait for it to end, or write to another file"
            raise InputError(f"another sweep is writing to '{path}'", hint) from None
        file.close()
    raise InputError(f"cannot lock '{path}'")


def unlock(path: Path, held: IO[bytes] | None) -> None:
    if held is not None:
        with contextlib.suppress(OSError):
            os.unlink(path.with_name(path.name + ".lock"))
        held.close()
