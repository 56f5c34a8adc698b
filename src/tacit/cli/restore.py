"""`tacit restore`: make a store of exported runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.cli import options
from tacit.errors import ExitCode, InputError
from tacit.words import counted

if TYPE_CHECKING:
    from tacit.experiment.run.row import Run


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="The store: runs.db."
)
def command(files: tuple[Path, ...], output: Path) -> int:
    """Put the runs of CSV files, as 'tacit export --csv' writes them, into a store.

    A sweep with the same configuration continues from there. Runs already in the store are kept.
    """
    from tacit.experiment.run.restore import read_runs
    from tacit.experiment.run.store import Store

    count = 0

    def runs() -> Iterator[Run]:
        nonlocal count
        for file in files:
            for run in read_runs(file):
                count += 1
                yield run

    is_new = not output.exists()
    options.make_folder_of(output)
    try:
        with Store.open(output, write=True) as store:
            store.add_all(runs())
    except InputError:
        if is_new:
            output.unlink(missing_ok=True)
        raise
    click.echo(f"Restored {counted(count, 'run')}.")
    return ExitCode.SOLVED
