"""Digests of an owner's own files, by which its lasting ledger knows a task and an initial state.

A *task* is the domain and the objects: what an agent can do at all. Goals, the initial state,
values of functions, comments and the order of declarations have no part in it. An *initial state*
is what is private of it. Neither digest is ever sent.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from hashlib import sha256

import msgspec

from tacit.pddl.syntax import Pair

_PLACES = frozenset({"at", "source", "warnings"})
"""Fields that say where something stands, and not what it is."""


@dataclass(frozen=True)
class TaskDigest:
    """The `task` and its initial `state`, as short digests, and the `domain` by its name."""

    task: str
    state: str
    domain: str


def digest_of(pair: Pair) -> TaskDigest:
    """The digests of one agent's files."""
    domain = pair.domain
    parts = (domain.types, domain.predicates, domain.functions, domain.actions)
    task = [sorted(map(_plain, part), key=repr) for part in (*parts, pair.objects)]
    secret = {item.name for item in pair.objects if item.private}
    private = {predicate.name for predicate in domain.predicates if predicate.private}
    initial = {
        (atom.name, *atom.args)
        for atom in pair.problem.init
        if atom.name in private or not secret.isdisjoint(atom.args)
    }
    return TaskDigest(_digest(task), _digest(sorted(initial)), domain.name)


def _plain(thing: object) -> object:
    """A syntax tree as plain data, without places."""
    if dataclasses.is_dataclass(thing):
        fields = (field.name for field in dataclasses.fields(thing) if field.name not in _PLACES)
        return [type(thing).__name__, *(_plain(getattr(thing, name)) for name in fields)]
    if isinstance(thing, tuple | list):
        return [_plain(part) for part in thing]
    return thing


def _digest(parts: object) -> str:
    return sha256(msgspec.msgpack.encode(parts)).hexdigest()[:32]
