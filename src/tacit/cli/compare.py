"""`tacit compare`: show what changed between two sweeps."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.cli import options
from tacit.errors import ExitCode
from tacit.words import counted

if TYPE_CHECKING:
    from tacit.experiment.run.compare import Change, Comparison

SHOWN = 10
LOSS = 1


@click.command()
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@options.as_json
@options.verbose
def command(before: Path, after: Path, as_json: bool, verbose: int) -> int:
    """Compare the stores BEFORE and AFTER, run by run.

    Exit code 0: nothing that was solved is lost. 1: something is.
    """
    from tacit.experiment.run.compare import compare
    from tacit.experiment.run.store import Store

    with Store.open(before) as old, Store.open(after) as new:
        found = compare(old.rows(), new.rows())
    if as_json:
        options.emit_json("compare", 0, verdict=found.verdict, **asdict(found))
    else:
        _print(found, verbose)
    return LOSS if found.lost else ExitCode.SOLVED


def _print(found: Comparison, verbose: int) -> None:
    colour = {"worse": "red", "better": "green"}.get(found.verdict)
    counts = f"{len(found.gained)} newly solved, {len(found.lost)} lost"
    click.echo(f"{options.styled(found.verdict, fg=colour, bold=True)}: {counts}.")
    click.echo(
        f"{counted(found.matched, 'run')} in both: {found.solved_before} solved before, "
        f"{found.solved_after} after; {found.only_before} only before, "
        f"{found.only_after} only after."
    )
    _list("lost", found.lost, verbose)
    _list("newly solved", found.gained, verbose)
    _list("other outcomes", found.changed, verbose)
    _list("other k", found.k, verbose)
    _list("other cost", found.cost, verbose)
    _list("plan made otherwise", found.made, verbose)
    click.echo(
        f"Where both solved: cost {found.cost_before} before, {found.cost_after} after; "
        f"CPU {found.seconds_before:.1f} s before, {found.seconds_after:.1f} s after."
    )


def _list(title: str, changes: tuple[Change, ...], verbose: int) -> None:
    if not changes:
        return
    shown = changes if verbose else changes[:SHOWN]
    click.echo(f"{title}: {len(changes)}")
    for change in shown:
        click.echo(f"  {change.run}: {change.before} → {change.after}")
    if len(shown) < len(changes):
        click.echo(f"  … and {len(changes) - len(shown)} more; -v shows them all")
