"""How far a long search is: a line per agent on a terminal, and a summary when it is stopped."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from tacit.words import counted

if TYPE_CHECKING:
    from rich.table import Table

    from tacit.public.protocol.messages import Status


class Watcher:
    """Sees the agents' status now and then, and shows it on a terminal."""

    def __init__(self) -> None:
        self.k = 0
        self.statuses: Sequence[Status] = ()
        self._live = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(stderr=True), transient=True, refresh_per_second=4)

    def __call__(self, k: int, statuses: Sequence[Status]) -> None:
        self.k, self.statuses = k, statuses
        if self._live is not None:
            self._live.update(self._table())

    def _table(self) -> Table:
        from rich.table import Table

        table = Table(title=f"searching with k = {self.k}", title_justify="left")
        table.add_column("agent")
        for name in ("expanded", "evaluated", "best value", "deferred", "sent", "MiB"):
            table.add_column(name, justify="right")
        for status in self.statuses:
            numbers = (status.expanded, status.evaluated)
            best = "-" if status.best is None else str(status.best)
            table.add_row(
                status.sender,
                *(f"{number:,}" for number in numbers),
                best,
                f"{status.deferred:,}",
                f"{status.states_sent:,}",
                str(status.memory >> 20),
            )
        return table

    def say_how_far(self) -> None:
        """What was done until now, for a user who stops it."""
        expanded = sum(status.expanded for status in self.statuses)
        values = [status.best for status in self.statuses if status.best is not None]
        best = f", best value {min(values)}" if values else ""
        click.echo(
            f"stopped at k = {self.k}: {counted(expanded, 'state')} expanded{best}", err=True
        )


@contextmanager
def watching(agents_search: bool) -> Iterator[Watcher | None]:
    """A watcher for agents that search by themselves; others have no status to show."""
    if not agents_search:
        yield None
        return
    watcher = Watcher()
    try:
        if watcher._live is None:
            yield watcher
        else:
            with watcher._live:
                yield watcher
    except KeyboardInterrupt:
        watcher.say_how_far()
        raise
