"""`tacit restore`: a store from exported runs."""

from __future__ import annotations

from pathlib import Path

import click

from tacit.errors import ExitCode


@click.command(short_help="Make a store of exported runs.")
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

    runs = [run for file in files for run in read_runs(file)]
    with Store.open(output, write=True) as store:
        store.add_all(runs)
    click.echo(f"Restored {len(runs)} runs.")
    return ExitCode.SOLVED
