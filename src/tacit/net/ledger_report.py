"""What is in an owner's lasting ledger, counted and in words, for the owner alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from tacit.errors import Diagnostic, InputError
from tacit.net.lasting_files import Disclosed, Met, PeerTask, Place, Run, read_peer, read_runs
from tacit.public.ledger import REPAIRS, Kind


@dataclass(frozen=True)
class TaskReport:
    """What a peer knows about one task; what is about an initial state is apart."""

    task: str
    domain: str
    edges: int
    repairs: int
    free: int
    price: int
    states: int
    initial_edges: int
    initial_repairs: int
    items: tuple[str, ...]


@dataclass(frozen=True)
class PeerReport:
    """The runs with a peer, when the last one began and its number there, and all tasks."""

    peer: str
    runs: int
    last: str | None
    theirs: int
    tasks: tuple[TaskReport, ...]


def owners(folder: Path) -> list[str]:
    """The agents whose ledgers are in a folder."""
    return _names(folder)


def report(folder: Path, owner: str) -> list[PeerReport]:
    """What each peer of an owner knows."""
    place = Place(folder, owner)
    return [_peer(place, peer) for peer in _names(place.of(owner).parent)]


def _names(folder: Path) -> list[str]:
    try:
        return sorted(unquote(path.name) for path in folder.iterdir() if path.is_dir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(Diagnostic(error.strerror or "cannot be read", str(folder))) from None


def _peer(place: Place, peer: str) -> PeerReport:
    lines = read_runs(place, peer)
    runs = [line for line in lines if isinstance(line, Run)]
    last = runs[-1] if runs else None
    met = [line.theirs for line in lines if isinstance(line, Met) and last and line.run == last.run]
    tasks = tuple(_task(found) for found in read_peer(place, peer))
    theirs = met[-1] if met else 0
    return PeerReport(peer, len(runs), last.time if last else None, theirs, tasks)


def _task(found: PeerTask) -> TaskReport:
    lasting = [line for line in found.disclosed if line.state is None]
    of_state = [line for line in found.disclosed if line.state is not None]
    return TaskReport(
        found.about.task,
        found.about.domain,
        _count(lasting, Kind.EDGE),
        _count(lasting, *REPAIRS),
        _count(found.disclosed, Kind.FREE),
        sum(line.price for line in found.disclosed if line.kind is Kind.EDGE),
        len({line.state for line in of_state}),
        _count(of_state, Kind.EDGE),
        _count(of_state, *REPAIRS),
        tuple(map(_words, found.disclosed)),
    )


def _count(lines: list[Disclosed] | tuple[Disclosed, ...], *kinds: Kind) -> int:
    return sum(line.kind in kinds for line in lines)


def _words(line: Disclosed) -> str:
    """One item, as its owner would say it."""
    run = f"run {line.run}"
    if line.kind is Kind.TOKEN:
        return f"{run}: token: {line.fact} holds initially and is restored"
    if line.kind is Kind.PREFIX:
        whose = "everybody's steps" if line.joint else "own steps"
        return f"{run}: prefix of {whose} that cannot be executed: {', '.join(line.actions)}"
    verb = "achieves" if line.positive else "deletes"
    first, *more = line.actions or ("(the initial state)",)
    others = f" and {len(more)} like it" if more else ""
    return f"{run}: {line.kind.value}: {first}{others} {verb} {line.fact}"
