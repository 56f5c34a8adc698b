"""What `minimum` and `pareto` share: they see all secrets, and can be stopped at any time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from tacit.errors import ExitCode

SEES = "This uses every agent's secrets: for evaluation, not for use among agents."

WHY = "'tacit explain' says why."

T = TypeVar("T")


def was_stopped(run: Callable[[float], object], seconds: float) -> bool:
    """Run it; whether it was interrupted."""
    try:
        run(seconds)
    except KeyboardInterrupt:
        return True
    return False


def exit_code(
    solvable: bool | None, is_done: bool, interrupted: bool, seconds: float, limit: float | None
) -> ExitCode:
    """The exit code; `is_done` if the search found what it was asked for."""
    if interrupted:
        return ExitCode.INTERRUPTED
    if solvable is False:
        return ExitCode.NO_PLAN
    if is_done:
        return ExitCode.SOLVED
    return ExitCode.TIME if limit is not None and seconds >= limit else ExitCode.UNDECIDED


class StatusLine(Generic[T]):
    """A line on the terminal, if there is one, with the current result."""

    def __init__(self, first: str, describe: Callable[[T], str]):
        from rich.console import Console

        console = Console(stderr=True)
        self._describe = describe
        self._status = console.status(first) if console.is_terminal else None

    def __enter__(self) -> StatusLine[T]:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def __call__(self, known: T) -> None:
        if self._status is not None:
            self._status.update(self._describe(known))
