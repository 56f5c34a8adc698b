"""`tacit validate`: check a plan."""

from __future__ import annotations

from pathlib import Path

import click

from tacit.cli import options
from tacit.errors import ExitCode


@click.command()
@options.problem
@click.argument("plan", type=click.Path(path_type=Path))
@options.as_json
@options.verbose
def command(problem: tuple[str, ...], plan: Path, as_json: bool, verbose: int) -> int:
    """Check PLAN against PROBLEM, with neither grounder nor solver.

    PLAN is an IPC plan file, or a folder with a plan file per agent (CoDMAP, 'N: (action …)').
    Exit code 0: the plan is valid. 1: it is not, and the first failing step is named.
    """
    from tacit.central.instance import describe
    from tacit.central.validate.judge import validate
    from tacit.central.validate.plan import read_plan

    description = describe(problem)
    options.show_warnings(description.warnings, verbose)
    verdict = validate(description, read_plan(plan))
    if as_json:
        options.emit_json("validate", 0, **verdict.as_dict())
    else:
        colour = "green" if verdict.valid else "red"
        word = "valid" if verdict.valid else "invalid"
        click.echo(f"{options.styled(word, fg=colour, bold=True)}: {verdict.message}")
    return ExitCode.SOLVED if verdict.valid else ExitCode.INVALID_PLAN
