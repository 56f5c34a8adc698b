"""`tacit keys`: make certificates for a rehearsal."""

from __future__ import annotations

from pathlib import Path

import click

from tacit.cli import options
from tacit.words import counted, form


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("agents", nargs=-1, required=True)
@click.option(
    "--days",
    type=click.FloatRange(0, 36_500, min_open=True),
    default=7.0,
    show_default=True,
    help="How long they are valid.",
)
@click.option(
    "--revoke",
    "revoked",
    metavar="AGENT",
    multiple=True,
    help="Revoke this one's certificate at once, in crl.pem, to rehearse that.",
)
def command(folder: Path, agents: tuple[str, ...], days: float, revoked: tuple[str, ...]) -> None:
    """Make a CA and a certificate for each AGENT, in the new FOLDER.

    These are for trying things out: their maker could impersonate any agent. Between organisations,
    certificates come from the organisations' own PKI.
    """
    make_keys = options.net("tacit.net.keys").make_keys
    names, gone = ([agent.lower() for agent in group] for group in (agents, revoked))
    files = make_keys(folder, names, days, revoked=gone)
    until = f"{days:g} {form(days, 'day', 'days')}"
    click.echo(f"Wrote {counted(len(files), 'file')} to {folder}, valid for {until}.")
    click.echo("They are for rehearsals; real ones come from the organisations' own PKI.")
