"""What belongs to which type: the closure over a domain's type hierarchy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tacit.pddl.sexpr import Mistake
from tacit.pddl.syntax import OBJECT, Typed


class Types:
    """The hierarchy of a `(:types …)` section; a parent that is not declared is a type as well."""

    def __init__(self, declared: Iterable[Typed]):
        parents: dict[str, set[str]] = {OBJECT: set()}
        for item in declared:
            parents.setdefault(item.name, set()).update(t for t in item.types if t != item.name)
            for name in item.types:
                parents.setdefault(name, set())
        self._ancestors = {name: frozenset(_closure(name, parents)) for name in parents}

    def __contains__(self, name: object) -> bool:
        return name in self._ancestors

    def __iter__(self) -> Iterator[str]:
        return iter(self._ancestors)

    def ancestors(self, name: str) -> frozenset[str]:
        """The type itself and every type above it, `object` included."""
        return self._ancestors[name]

    def accepts(self, wanted: tuple[str, ...], given: tuple[str, ...]) -> bool:
        """May something of the types `given` stand where one of `wanted` is asked for?"""
        return any(t in self._ancestors[g] for g in given for t in wanted)

    def overlap(self, wanted: tuple[str, ...], given: tuple[str, ...]) -> bool:
        """Can anything be of both? Used to find variables that can never fit."""
        return any(
            above.intersection(wanted) and above.intersection(given)
            for above in self._ancestors.values()
        )


def check_acyclic(declared: Iterable[Typed]) -> None:
    """A type above itself is a mistake at its declaration."""
    items = [item for item in declared if item.name != OBJECT]
    parents: dict[str, set[str]] = {}
    for item in items:
        parents.setdefault(item.name, set()).update(item.types)
    for item in items:
        above: set[str] = set()
        for parent in item.types:
            above |= _closure(parent, parents)
        if item.name in above and item.types != (item.name,):
            raise Mistake(item.at, f"type '{item.name}' is above itself in the hierarchy")


def _closure(name: str, parents: dict[str, set[str]]) -> set[str]:
    seen = {name}
    stack = [name]
    while stack:
        for parent in parents.get(stack.pop(), ()):
            if parent not in seen:
                seen.add(parent)
                stack.append(parent)
    seen.add(OBJECT)
    return seen
