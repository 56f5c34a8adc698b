"""Is there a private name in what an agent sent? Searched for in every frame, by its owner.

Names of private objects, private predicates and actions are searched for as whole words in every
string of a message but those that are the protocol's own; and, if they are long enough not to be
there by chance, anywhere in bytes that are not text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from tacit.pddl.syntax import Pair

LONG_ENOUGH = 5
"""Bytes of a name that do not turn up by chance in other data."""

_WORD = re.compile(r"[^\s()]+")
_PROTOCOL = {"type", "settings", "terms", "ranking", "heuristic", "reason", "stage", "outcome"}
_PROTOCOL |= {"certificates"}  # TLS has shown them before, and they name the agent in other words


def private_names(pair: Pair) -> set[str]:
    """Names in an agent's own files that nobody else has to know."""
    domain = pair.domain
    private = {item.name for item in pair.objects if item.private}
    private |= {predicate.name for predicate in domain.predicates if predicate.private}
    private |= {action.name for action in domain.actions}
    public = {item.name for item in pair.objects if not item.private}
    public |= {predicate.name for predicate in domain.predicates if not predicate.private}
    return private - public - {str(pair.agent)}


def names_in(payloads: Iterable[bytes], names: set[str]) -> set[str]:
    """Those of the names that occur in frames."""
    long = {name.encode(): name for name in names if len(name.encode()) >= LONG_ENOUGH}
    found: set[str] = set()
    for payload in payloads:
        for part in _parts(payload):
            if isinstance(part, str):
                found |= {part, *_WORD.findall(part)} & names
            else:
                found |= {name for name_bytes, name in long.items() if name_bytes in part}
    return found


def _parts(payload: bytes) -> Iterator[str | bytes]:
    """The texts in a frame, and bytes that are none."""
    try:
        plain = msgspec.msgpack.decode(payload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        yield payload
        return
    stack = [plain]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            known = {key for key in item if key in _PROTOCOL}
            stack += (value for key, value in item.items() if key not in known)
        elif isinstance(item, list):
            stack += item
        elif isinstance(item, str | bytes):
            yield item
