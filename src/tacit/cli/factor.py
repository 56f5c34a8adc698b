"""`tacit factor`: write a problem as the files of its agents."""

from __future__ import annotations

from pathlib import Path

import click

from tacit.cli import options
from tacit.words import counted


@click.command()
@options.problem
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="New folder.")
@click.option("--force", is_flag=True, help="Write into a folder that is not empty.")
@options.verbose
def command(problem: tuple[str, ...], output: Path, force: bool, verbose: int) -> None:
    """Write the unfactored PROBLEM as factored files: what each agent would be given."""
    from tacit.central.instance import describe
    from tacit.pddl.factor_writer import factor

    description = describe(problem)
    options.show_warnings(description.warnings, verbose)
    texts = factor(description)
    files = {}
    for agent, (domain, task) in texts.items():
        files[f"domain-{agent}.pddl"] = domain
        files[f"problem-{agent}.pddl"] = task
    options.write_files(output, files, force)
    click.echo(f"Wrote the files of {counted(len(texts), 'agent')} to {output}.")
