"""`tacit provision`: make a folder and an archive for each partner of a run."""

from __future__ import annotations

from pathlib import Path

import click

from tacit.cli import options
from tacit.words import form


@click.command()
@options.problem
@click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path),
    help="Addresses and terms [default: agents.toml in PROBLEM's folder].",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="New folder.")
@click.option(
    "--days",
    type=click.FloatRange(0, 36_500, min_open=True),
    default=30.0,
    show_default=True,
    help="How long the certificates are valid.",
)
@options.verbose
def command(
    problem: tuple[str, ...], file: Path | None, output: Path, days: float, verbose: int
) -> None:
    """Write what each agent of PROBLEM needs to run on its own host.

    Each gets a folder and an archive of it: its own two files, a certificate, a configuration, a
    policy to edit and a page with five commands. Whoever runs this sees all secrets.
    """
    provision = options.net("tacit.net.provisioning").provision
    from tacit.central.instance import describe
    from tacit.net.config import read_run_file
    from tacit.pddl.factor_writer import texts_of

    description = describe(problem)
    options.show_warnings(description.warnings, verbose)
    place = file or Path(problem[0]) / "agents.toml"
    archives = provision(texts_of(description), read_run_file(place), output, days)
    for path in archives:
        click.echo(f"{path}: hand it to {path.name.removesuffix('.tar.gz')}, and to nobody else.")
    until = f"{days:g} {form(days, 'day', 'days')}"
    click.echo(f"Each is unpacked in {output} as well; certificates are valid for {until}.")
