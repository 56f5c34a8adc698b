"""Terms shared by reading and splitting: types of public and private objects, fluents, uses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from tacit.errors import UnsupportedError
from tacit.pddl.syntax import OBJECT, Pair


class Key(NamedTuple):
    """Identifies a fluent: its agent (None: the environment), its predicate or function.

    `private` marks the arguments that are private objects.
    """

    agent: str | None
    name: str
    private: tuple[bool, ...]
    number: bool = False


class Kind(NamedTuple):
    """A type of the public objects, or of those private to `owner`."""

    owner: str | None
    name: str


class Term(NamedTuple):
    """An object, or a parameter of an action."""

    kind: Kind
    name: str
    is_object: bool


class Use(NamedTuple):
    """A fluent applied to terms."""

    key: Key
    args: tuple[Term, ...]

    def __str__(self) -> str:
        return " ".join((self.key.name, *(term.name for term in self.args)))


class Equality(NamedTuple):
    """Two terms that must be the same."""

    args: tuple[Term, Term]


@dataclass(frozen=True)
class Variant:
    """An action of one agent. Each condition and effect has a flag: whether it is positive."""

    schema: str
    parameters: tuple[Term, ...]
    needs: tuple[tuple[Use | Equality, bool], ...]
    effects: tuple[tuple[Use, bool], ...]
    cost: tuple[int | Use, ...]

    @property
    def equated(self) -> list[Term]:
        """The terms of its equalities."""
        return [term for need, _ in self.needs if isinstance(need, Equality) for term in need.args]


class Hierarchy:
    """The types of all files as one tree."""

    def __init__(self, pairs: Iterable[Pair]):
        self.parents: dict[str, str] = {}
        for item in (item for pair in pairs for item in pair.domain.types):
            for parent in item.types:
                if item.name not in (OBJECT, parent):
                    if self.parents.setdefault(item.name, parent) != parent:
                        message = f"type '{item.name}' has two parents"
                        raise UnsupportedError(message, "unified-planning allows one for each type")
                    if parent != OBJECT:
                        self.parents.setdefault(parent, OBJECT)
                elif item.name != OBJECT:
                    self.parents.setdefault(item.name, OBJECT)

    def above(self, name: str) -> list[str]:
        """The type and all above it, up to `object`."""
        found = [name]
        while found[-1] in self.parents:
            found.append(self.parents[found[-1]])
        return found if found[-1] == OBJECT else [*found, OBJECT]

    def common(self, names: Iterable[str]) -> str:
        """The lowest type that is above all of these."""
        chains = [self.above(name) for name in dict.fromkeys(names)]
        return next(name for name in chains[0] if all(name in chain for chain in chains))


class Distinct:
    """Names, each used once. Names of an `inner` scope also differ from those outside it."""

    def __init__(self, outside: Distinct | None = None):
        self._outside = outside
        self._taken: set[str] = set()
        self._inner: list[Distinct] = []

    def inner(self) -> Distinct:
        made = Distinct(self)
        self._inner.append(made)
        return made

    def _is_taken(self, name: str) -> bool:
        outside = self._outside is not None and name in self._outside._taken
        return outside or name in self._taken or any(name in one._taken for one in self._inner)

    def new(self, wanted: str) -> str:
        """The name, or one like it that is not taken."""
        name, number = wanted, 2
        while self._is_taken(name):
            name, number = f"{wanted}-{number}", number + 1
        self._taken.add(name)
        return name


def distinct(names: Iterable[str]) -> list[str]:
    """The names, with numbers appended to those that repeat."""
    taken = Distinct()
    return [taken.new(name) for name in names]
