"""What can go wrong, and the exit code a user sees for it.

    TacitError
    ├── InputError          31  a file, a name or an option the user gave is wrong
    │   └── UnsupportedError 34  it is right, but uses a feature Tacit does not have
    ├── InvalidPlan          1  `tacit validate`: the plan does not do what it claims
    ├── LimitReached     22/23  the user's limit on memory or time is reached
    ├── ProtocolError       33  an agent sent what the protocol does not allow
    └── InternalError       32  a bug in Tacit

Every `InputError` carries one `Diagnostic` per mistake found, so that a file with three mistakes
is reported once and not three times. A diagnostic says where (file, line, column), what is wrong
and, where there is one, what to do.
"""

from __future__ import annotations

import difflib
import enum
import errno
import re
import sys
import traceback
from collections.abc import Iterable
from dataclasses import dataclass

_DIGITS = re.compile(r"[0-9]+")


class ExitCode(enum.IntEnum):
    """Exit codes of the command line, after Fast Downward's."""

    SOLVED = 0
    INVALID_PLAN = 1
    REVEALED = 1
    NO_PLAN = 11
    UNDECIDED = 12
    MEMORY = 22
    TIME = 23
    BAD_INPUT = 31
    INTERNAL = 32
    PROTOCOL = 33
    UNSUPPORTED = 34
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake: where it is, what it is, what to do about it."""

    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    hint: str | None = None
    unsupported: bool = False

    def __str__(self) -> str:
        place = ":".join(str(p) for p in (self.file, self.line, self.column) if p is not None)
        text = f"{place}: {self.message}" if place else self.message
        return f"{text}\n  hint: {self.hint}" if self.hint else text


class TacitError(Exception):
    """Anything reported to a user instead of a result."""

    exit_code = ExitCode.INTERNAL


class InputError(TacitError):
    """The input is wrong. `diagnostics` lists every mistake that was found."""

    exit_code = ExitCode.BAD_INPUT

    def __init__(self, problem: str | Diagnostic | Iterable[Diagnostic], hint: str | None = None):
        if isinstance(problem, str):
            problem = Diagnostic(problem, hint=hint)
        found = (problem,) if isinstance(problem, Diagnostic) else tuple(problem)
        self.diagnostics: tuple[Diagnostic, ...] = found
        super().__init__("\n".join(str(d) for d in found))


class UnsupportedError(InputError):
    """The input is well formed, but needs a feature that Tacit does not have."""

    exit_code = ExitCode.UNSUPPORTED


class InvalidPlan(TacitError):
    """A plan that the validator rejects."""

    exit_code = ExitCode.INVALID_PLAN


class LimitReached(TacitError):
    """The user's limit on `time` or `memory` (the `outcome`) was reached in some `phase`."""

    def __init__(self, outcome: str, phase: str):
        self.outcome = outcome
        self.phase = phase
        self.exit_code = ExitCode.TIME if outcome == "time" else ExitCode.MEMORY
        super().__init__(f"out of {outcome} while {phase}")

    def __reduce__(self) -> tuple[type[LimitReached], tuple[str, str]]:
        return LimitReached, (self.outcome, self.phase)


class ProtocolError(TacitError):
    """An agent broke the protocol; the message names the agent and nothing private."""

    exit_code = ExitCode.PROTOCOL


class InternalError(TacitError):
    """A bug in Tacit."""


def input_error(diagnostics: Iterable[Diagnostic]) -> InputError:
    """The error for these diagnostics: unsupported only if nothing else is wrong."""
    found = tuple(diagnostics)
    if all(d.unsupported for d in found):
        return UnsupportedError(found)
    return InputError(found)


PLUGIN = "__tacit_plugin__"
"""What the package of a plugin has, so that its frames can be told from ours."""


def plugin_error(error: BaseException) -> InputError | None:
    """If a plugin was at work when this was raised: that it fails, and in which line."""
    found: BaseException | None = error
    while found is not None:
        for frame, line in reversed(list(traceback.walk_tb(found.__traceback__))):
            package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
            if PLUGIN in frame.f_globals or hasattr(sys.modules.get(package), PLUGIN):
                what = "".join(traceback.format_exception_only(found)[-1:]).strip()
                return InputError(
                    Diagnostic(
                        f"the plugin fails: {what}",
                        frame.f_code.co_filename,
                        line,
                        hint="it is not a part of Tacit; TACIT_TRACEBACK=1 shows the details",
                    )
                )
        found = found.__cause__
    return None


def defined_wrongly(thing: type, message: str, hint: str | None = None) -> InputError:
    """A class of a plugin that does not do what is asked of it: where its methods begin."""
    codes = [found for one in vars(thing).values() if (found := getattr(one, "__code__", None))]
    if not codes:
        return InputError(message, hint)
    first = min(codes, key=lambda code: int(code.co_firstlineno))
    return InputError(Diagnostic(message, first.co_filename, first.co_firstlineno, hint=hint))


_ROOM = "make room, or write elsewhere"
_LACKS = {
    errno.ENOSPC: ("the disk is full", _ROOM),
    errno.EDQUOT: ("the quota on the disk is used up", _ROOM),
    errno.EFBIG: ("a file would be larger than is allowed", _ROOM),
    errno.EROFS: ("the disk cannot be written to", _ROOM),
    errno.EIO: ("the disk cannot be read or written", "check the disk"),
    errno.EMFILE: ("too many files are open", "allow more of them: ulimit -n 1024"),
    errno.ENFILE: ("too many files are open on this system", "end other programs"),
    errno.EAGAIN: ("there are too many processes", "end other programs, or allow more: ulimit -u"),
}


def lack_error(error: BaseException) -> InputError | None:
    """If the system lacks something: what, and what to do."""
    number = error.errno if isinstance(error, OSError) else None
    if number not in _LACKS:
        return None
    message, hint = _LACKS[number]
    file = getattr(error, "filename", None)
    return InputError(Diagnostic(message, None if file is None else str(file), hint=hint))


def to_install(extra: str) -> str:
    """What to do where an extra is missing. Until there is a release, no index has the package."""
    return f"install the extra, in Tacit's folder: python -m pip install '.[{extra}]'"


def misspelled(name: str, known: Iterable[str]) -> str | None:
    """The known name that a name is almost certainly a misspelling of.

    Stricter than `nearest`: about one letter in five may be wrong, or letters may be swapped.
    Names that differ only in their digits are different on purpose.
    """
    names = [k for k in known if _DIGITS.sub("", k) != _DIGITS.sub("", name)]
    close = _closest(name, names, 0.8)
    swapped = [k for k in names if sorted(k) == sorted(name)]
    return next(iter((*close, *swapped)), None)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """A hint that offers the known name closest to a misspelled one."""
    close = _closest(name, list(known), 0.6)
    return f"did you mean '{close[0]}'?" if close else None


def _closest(name: str, known: list[str], cutoff: float) -> list[str]:
    return difflib.get_close_matches(name, known, n=1, cutoff=cutoff)
