"""`tacit export`: write the runs of a store for other tools."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import click

from tacit.cli import options
from tacit.errors import ExitCode, InputError
from tacit.words import counted


@click.command()
@click.argument("store", type=click.Path(path_type=Path))
@click.option("--lab", type=click.Path(path_type=Path), help="Folder for Downward Lab.")
@click.option(
    "--csv", "csv_file", type=click.Path(path_type=Path), help="CSV file; compressed if .gz."
)
@click.option("--no-plans", is_flag=True, help="Leave out the plans.")
@click.option("--parquet", type=click.Path(path_type=Path), help="Parquet file (extra 'parquet').")
@click.option(
    "--levels",
    help="Levels at which --lab has every problem [default: each run once].",
)
def command(
    store: Path,
    lab: Path | None,
    csv_file: Path | None,
    no_plans: bool,
    parquet: Path | None,
    levels: str | None,
) -> int:
    """Write all runs of STORE in one or more formats."""
    from tacit.experiment.run import export
    from tacit.experiment.run.levels import parse_levels
    from tacit.experiment.run.store import Store

    if lab is None and csv_file is None and parquet is None:
        raise click.UsageError("Choose a format: --lab, --csv or --parquet.")
    with Store.open(store) as opened:
        runs = opened.rows()
    if no_plans:
        runs = export.without_plans(runs)
    if csv_file is not None:
        _write(csv_file, export.to_csv(runs), compress=csv_file.suffix == ".gz")
    if parquet is not None:
        options.make_folder_of(parquet)
        export.write_parquet(runs, parquet)
    if lab is not None:
        wanted = None if levels is None else parse_levels(levels)
        properties = export.lab_properties(runs, wanted)
        _write(lab / "properties", json.dumps(properties, indent=2, sort_keys=True) + "\n")
    click.echo(f"Exported {counted(len(runs), 'run')}.")
    return ExitCode.SOLVED


def _write(path: Path, text: str, compress: bool = False) -> None:
    options.make_folder_of(path)
    content = text.encode()
    try:
        path.write_bytes(gzip.compress(content, mtime=0) if compress else content)
    except OSError as error:
        raise InputError(f"cannot write '{path}': {error.strerror}") from None
