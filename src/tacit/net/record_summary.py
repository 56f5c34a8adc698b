"""The summary at the beginning of a run's record: what each peer was told, in sum and in words.

A record is written while a run goes on, and what is in it stays; its sum is known at the end. So
room is left at the beginning, a few lines of a fixed width, and the sum is written there when the
run is over. Until then, and if the run is cut short, a line says that there is none.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence

WIDTH = 100
HEAD, EACH = 7, 3
"""Lines for what all peers were told, and for each peer besides."""
MOST_PEERS = 40
UNFINISHED = "This run is not over, or was cut short: what was sent is below, and no summary of it."


def room(peers: int) -> bytes:
    """Lines to be written over, for so many peers."""
    return _padded([UNFINISHED], peers)


def summary(agent: str, outcome: str, edges: int | None, told: dict[str, Counter[str]]) -> bytes:
    """As many bytes as `room` has: what each peer was told of the agent, which has so many
    dependencies if that is known.
    """
    same: dict[str, list[str]] = {}
    for peer, counts in told.items():
        same.setdefault(_told(counts, edges), []).append(peer)
    said = [
        f"In sum: the run {outcome}.",
        *(f"{_names(peers)} {_were(peers)} told {what}." for what, peers in same.items()),
        f"A token is a number that stands for one private fact of {agent}: peers learn which of "
        "its public actions need it, and never which fact it is. "
        "Dependencies say which public action, or the initial state, achieves which token. "
        "Repairs are what else was disclosed where a plan failed.",
        "Below: time (UTC), receiver, what; a line for each receiver.",
    ]
    return _padded(said, len(told))


def _told(counts: Counter[str], edges: int | None) -> str:
    actions, tokens = _count(counts["actions"], "public action"), _count(counts["tokens"], "token")
    of = "" if edges is None else f" of {edges:,}"
    found = [f"{actions} and {tokens}", f"{counts['edges']:,}{of} dependencies"]
    found.append(_count(counts["repairs"], "repair"))
    if counts["free"]:
        found.append(f"{counts['free']:,} besides that do not count")
    if counts["plans"]:
        found.append(f"its steps in {_count(counts['plans'], 'plan')}")
    if counts["batches"]:
        batches = f"{counts['batches']:,} batch{'es' * (counts['batches'] != 1)}"
        found.append(f"{batches} of states ({counts['bytes']:,} bytes)")
    return ", ".join(found)


def _count(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"


def _names(peers: Sequence[str]) -> str:
    shown = [*peers[:-1][:MOST_PEERS], peers[-1]] if len(peers) > MOST_PEERS else list(peers)
    if len(shown) < len(peers):
        shown.insert(-1, f"{len(peers) - len(shown)} others")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _were(peers: Sequence[str]) -> str:
    return "was" if len(peers) == 1 else "were"


def _padded(paragraphs: Sequence[str], peers: int) -> bytes:
    """Comments of one width, as many lines as there is room for."""
    count = HEAD + EACH * peers
    wrapped = [line for text in paragraphs for line in _wrapped(text)]
    if len(wrapped) > count:
        wrapped = [*wrapped[: count - 1], b"; ... and more: see below."]
    lines = wrapped + [b""] * (count - len(wrapped))
    return b"".join(line.ljust(WIDTH - 1) + b"\n" for line in lines)


def _wrapped(text: str) -> list[bytes]:
    """Lines that are short enough in bytes."""
    width = WIDTH - 3
    while width > 10:
        lines = textwrap.wrap(text, width, break_on_hyphens=False)
        found = [f"; {line}".encode() for line in lines]
        if all(len(line) < WIDTH for line in found):
            return found
        width //= 2
    return [f"; {text}".encode("ascii", "replace")[: WIDTH - 1]]
