"""`tacit init`: write a commented problem of three companies, to edit."""

from __future__ import annotations

from pathlib import Path

import click

from tacit.cli import options


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Write into a folder that is not empty.")
def command(folder: Path, force: bool) -> None:
    """Write a problem of three companies into the new FOLDER, as a start for your own.

    domain.pddl and problem.pddl explain themselves; agents.toml says who takes part and what they
    agree on.
    """
    from importlib.resources import files

    starter = files("tacit.net") / "starter"
    names = ("domain.pddl", "problem.pddl", "agents.toml")
    texts = {name: (starter / name).read_text(encoding="utf-8") for name in names}
    options.write_files(folder, texts, force)
    click.echo(f"Wrote {', '.join(names)} to {folder}.")
    click.echo(f"Next: tacit solve {folder}, then tacit provision {folder} -o partners")
