"""Files for their owner's eyes alone, and names that may become part of a file's name.

Records, transcripts, plans and keys have secrets in them, or are evidence. Such a file is created
with mode 0600 and is never reached through a symbolic link: whoever can write into the folder could
otherwise point it elsewhere, or keep a wide one ready and read along. So one that is there already
is refused unless it is a regular file of this user's that nobody else can read or write.

Names of agents come from files and from command lines and become parts of names of files; one that
is no plain part of a name (`..`, `a/b`) is refused where it is read.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from io import FileIO
from pathlib import Path

from tacit.errors import Diagnostic, InputError

OWNER_ONLY = 0o600
OTHERS = 0o077
LONGEST_NAME = 100
"""Bytes of an agent's name: `disclosed-NAME.txt` and the like still fit into 255."""

_FLAGS = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_NO_PART = re.compile(r'[/\\:*?"<>|]')
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)


def create(path: Path) -> FileIO:
    """A new file, which must not be there yet."""
    return _opened(path, os.O_CREAT | os.O_EXCL)


def append(path: Path) -> FileIO:
    """A file to add to, which is created if it is not there. Nothing of it is ever overwritten."""
    return _opened(path, os.O_CREAT | os.O_APPEND)


def write(path: Path, data: bytes) -> None:
    """A file with this in it and nothing else, in place of one that is there."""
    file = _opened(path, os.O_CREAT)
    try:
        with file:
            file.truncate(0)
            write_all(file, data)
    except OSError as error:
        raise cannot_write(path, error) from None


def overwrite(path: Path, at: int, data: bytes) -> None:
    """Write over a part of a file that was left free for it."""
    try:
        with _opened(path, 0) as file:
            file.seek(at)
            write_all(file, data)
    except OSError as error:
        raise cannot_write(path, error) from None


def write_all(file: FileIO, data: bytes) -> None:
    """All of it, now: a raw file may take a part."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) or 0 :]


def cannot_write(path: Path, error: OSError) -> InputError:
    return InputError(f"cannot write '{path}': {error.strerror}")


def check_secret(path: Path) -> None:
    """Refuse a key that is there for others to read, too. A link to it is fine: it was not created
    here.
    """
    try:
        found = path.stat()
    except OSError as error:
        raise InputError(Diagnostic(error.strerror or "cannot be read", str(path))) from None
    _check_mode(path, found)


def check_agent_name(name: str, file: str | None = None) -> None:
    """Refuse a name that cannot be a part of a file's name."""
    why = _why_no_name(name)
    if why is not None:
        shown = "".join(c if c.isprintable() else "?" for c in name[:40])
        hint = "agents' names become parts of names of files"
        raise InputError(Diagnostic(f"'{shown}' cannot be an agent's name: {why}", file, hint=hint))


def _why_no_name(name: str) -> str | None:
    if not name:
        return "it is empty"
    if len(name.encode(errors="surrogatepass")) > LONGEST_NAME:
        return f"it has more than {LONGEST_NAME} bytes"
    if not name.isprintable():
        return "it has characters that cannot be printed"
    if found := _NO_PART.search(name):
        return f"it has a '{found[0]}' in it"
    if name.startswith(".") or name.endswith(".") or name != name.strip():
        return "it begins or ends with a dot or a space"
    if _DEVICES.fullmatch(name):
        return "some systems have a device of this name"
    return None


def _opened(path: Path, flags: int) -> FileIO:
    try:
        number = os.open(path, _FLAGS | flags, OWNER_ONLY)
    except FileExistsError:
        raise InputError(f"'{path}' is there already", "name a new file or folder") from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            hint = "name the file itself, so that nobody can lead it elsewhere"
            raise InputError(f"'{path}' is a symbolic link", hint) from None
        raise cannot_write(path, error) from None
    file = FileIO(number, "ab+" if flags & os.O_APPEND else "rb+")
    try:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode):
            raise InputError(f"'{path}' is not a regular file")
        _check_mode(path, found)
    except BaseException:
        file.close()
        raise
    return file


def _check_mode(path: Path, found: os.stat_result) -> None:
    if os.name != "posix":
        return
    if found.st_uid not in (os.geteuid(), 0):
        raise InputError(f"'{path}' belongs to another user", "name another file")
    if stat.S_IMODE(found.st_mode) & OTHERS:
        hint = f"it is for its owner alone: chmod 600 '{path}', or name another file"
        raise InputError(f"'{path}' is open to other users", hint)
