"""What belongs to which type: the closure over a domain's type hierarchy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from tacit.pddl.report import Mistake
from tacit.pddl.syntax import OBJECT, Typed

MAX_TYPES = 1000

_Names = tuple[str, ...]


class Types:
    """The hierarchy of a `(:types …)` section; a parent that is not declared is a type as well.

    A type that is not known at all fits everywhere: that it is not declared is reported elsewhere,
    once, and not at every use.
    """

    def __init__(self, declared: Iterable[Typed]):
        parents: dict[str, set[str]] = {OBJECT: set()}
        for item in declared:
            parents.setdefault(item.name, set()).update(t for t in item.types if t != item.name)
            for name in item.types:
                parents.setdefault(name, set())
        self._ancestors = {name: frozenset(_closure(name, parents)) for name in parents}
        self._accepts: dict[tuple[_Names, _Names], bool] = {}
        self._overlap: dict[tuple[_Names, _Names], bool] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._ancestors

    def __iter__(self) -> Iterator[str]:
        return iter(self._ancestors)

    def ancestors(self, name: str) -> frozenset[str]:
        """The type itself and every type above it, `object` included."""
        return self._ancestors[name]

    def accepts(self, wanted: _Names, given: _Names) -> bool:
        """Whether an object of the types `given` may be used where one of `wanted` is expected."""
        key = (wanted, given)
        if key not in self._accepts:
            self._accepts[key] = self._are_unknown(key) or any(
                not self._ancestors[name].isdisjoint(wanted) for name in given
            )
        return self._accepts[key]

    def overlap(self, wanted: _Names, given: _Names) -> bool:
        """Whether any type is below both; if none is, a variable can never fit."""
        key = (wanted, given)
        if key not in self._overlap:
            self._overlap[key] = self._are_unknown(key) or any(
                not (above.isdisjoint(wanted) or above.isdisjoint(given))
                for above in self._ancestors.values()
            )
        return self._overlap[key]

    def _are_unknown(self, key: tuple[_Names, _Names]) -> bool:
        return any(name not in self._ancestors for names in key for name in names)


@lru_cache(maxsize=8)
def types_of(declared: tuple[Typed, ...]) -> Types:
    """The hierarchy of a domain that was read; it is asked for from many places."""
    return Types(declared)


def check_types(declared: Iterable[Typed]) -> None:
    """No type is above itself, and there are not so many that their closure explodes."""
    items = [item for item in declared if item.name != OBJECT]
    parents: dict[str, set[str]] = {}
    for item in items:
        parents.setdefault(item.name, set()).update(item.types)
    if len(parents) > MAX_TYPES:
        at = items[MAX_TYPES].at
        raise Mistake(at, f"more than {MAX_TYPES} types are not supported", unsupported=True)
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
