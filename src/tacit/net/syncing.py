"""Has the disk catch up with files that were written to, in a thread of its own.

What a process has written it cannot lose, whatever becomes of the process: the operating system has
it. Only a machine that fails can, until the disk has it, too. Waiting for the disk takes longer
than most messages, so nobody waits but at the end of a run; until then the disk is at work all the
time that there is something to do. A file that was written to several times meanwhile is synced
once. If the disk fails, whoever writes next, or the end, gets the error.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

from tacit.errors import Diagnostic, InputError


class Syncing:
    """Files on their way to the disk."""

    def __init__(self) -> None:
        self._waiting: dict[Path, None] = {}
        self._state = threading.Condition()
        self._is_at_work = False
        self._error: InputError | None = None

    def soon(self, path: Path) -> None:
        """Somebody wrote to a file."""
        with self._state:
            self._check()
            self._waiting[path] = None
            if not self._is_at_work:
                self._is_at_work = True
                threading.Thread(target=self._work, name="syncing", daemon=True).start()

    def finish(self) -> None:
        """Wait until the disk has everything."""
        with self._state:
            self._state.wait_for(lambda: not self._is_at_work)
            self._check()

    def _check(self) -> None:
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        while True:
            with self._state:
                if not self._waiting or self._error is not None:
                    self._is_at_work = False
                    self._state.notify_all()
                    return
                path = next(iter(self._waiting))
                del self._waiting[path]
            try:
                _sync(path)
            except OSError as error:
                text = error.strerror or "the disk does not take it"
                hint = "what was disclosed last may be lost if the machine fails; the run must end"
                self._error = InputError(Diagnostic(text, str(path), hint=hint))


def _sync(path: Path) -> None:
    """A file of its own for it: that of the writer has a lock, and may be closed meanwhile."""
    number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.fsync(number)
    finally:
        os.close(number)
