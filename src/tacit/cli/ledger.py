"""`tacit ledger`: show what each peer knows after all runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli import options
from tacit.errors import InputError, nearest
from tacit.words import counted

if TYPE_CHECKING:
    from tacit.net.ledger_report import PeerReport, TaskReport


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--name", help="Which owner's, if the folder has ledgers of several.")
@click.option("--peer", "peers", multiple=True, help="Only what this peer knows.")
@click.option("--edges", is_flag=True, help="Every item, in the names of the owner's own files.")
@options.as_json
def command(
    folder: Path, name: str | None, peers: tuple[str, ...], edges: bool, as_json: bool
) -> None:
    """Show what each peer of an owner knows, from its lasting ledger in FOLDER.

    An edge counts once for each peer, however often it was disclosed. What is about an initial
    state is counted apart, since it is true of that state alone. With --edges, private names are
    printed.
    """
    from tacit.net.ledger_report import owners, report

    owner = _owner(folder, owners(folder), name)
    found = report(folder, owner)
    known = [one.peer for one in found]
    for peer in peers:
        if peer.lower() not in known:
            hint = nearest(peer, known) or f"peers: {', '.join(known)}"
            raise InputError(f"there is no ledger of '{owner}' for a peer '{peer}'", hint)
    wanted = [one for one in found if not peers or one.peer in {peer.lower() for peer in peers}]
    if as_json:
        listed = {one.peer: _peer_json(one, edges) for one in wanted}
        options.emit_json("lasting-ledger", None, agent=owner, folder=str(folder), peers=listed)
        return
    click.echo(f"What the peers of {owner} know after all runs:")
    for one in wanted:
        _print(one, edges)


def _owner(folder: Path, known: list[str], name: str | None) -> str:
    """The owner whose ledger is to be shown."""
    if not known:
        hint = "'tacit agent' keeps one beside its key, called 'ledger'"
        raise InputError(f"there is no lasting ledger in '{folder}'", hint)
    if name is None and len(known) == 1:
        return known[0]
    if name is None:
        raise InputError("there are ledgers of several owners", f"--name {' or '.join(known)}")
    if name.lower() not in known:
        hint = nearest(name, known) or f"owners: {', '.join(known)}"
        raise InputError(f"there is no ledger of '{name}' in '{folder}'", hint)
    return name.lower()


def _print(one: PeerReport, edges: bool) -> None:
    theirs = f", there run {one.theirs}" if one.theirs else ""
    last = f", the last at {one.last}{theirs}" if one.last else ""
    click.echo(f"{one.peer}: {counted(one.runs, 'run')}{last}")
    for task in one.tasks:
        click.echo(f"  task {task.task[:12]} ({task.domain}): {_counts(task)}")
        for line in task.items if edges else ():
            click.echo(f"    {line}")


def _counts(task: TaskReport) -> str:
    states = f" of {counted(task.states, 'initial state')}" if task.states else ""
    free = f", {task.free} free" if task.free else ""
    return (
        f"{counted(task.edges, 'edge')}, {counted(task.repairs, 'repair')}{free}; besides "
        f"{counted(task.initial_edges, 'edge')} and "
        f"{counted(task.initial_repairs, 'repair')}{states}"
    )


def _peer_json(one: PeerReport, edges: bool) -> dict[str, Any]:
    return {
        "runs": one.runs,
        "last": one.last,
        "last_run_there": one.theirs,
        "tasks": {
            task.task: {
                "domain": task.domain,
                "edges": task.edges,
                "repairs": task.repairs,
                "free": task.free,
                "price": task.price,
                "initial_states": task.states,
                "initial_edges": task.initial_edges,
                "initial_repairs": task.initial_repairs,
                **({"items": task.items} if edges else {}),
            }
            for task in one.tasks
        },
    }
