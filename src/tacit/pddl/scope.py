"""Names in scope, and the checks that every use of a name goes through."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tacit.errors import nearest
from tacit.pddl.sexpr import Mistake
from tacit.pddl.syntax import EQUALS, Atom, Function, Object, Predicate, Typed
from tacit.pddl.types import Types

_Named = Typed | Object | Predicate | Function


class Scope:
    """What a formula may speak of: types, predicates, functions, objects."""

    def __init__(
        self,
        types: Types,
        predicates: Iterable[Predicate],
        functions: Iterable[Function],
        objects: Iterable[Object],
    ):
        self.types = types
        self.predicates = {p.name: p for p in predicates}
        self.functions = {f.name: f for f in functions}
        self.objects = {o.name: o for o in objects}

    def check_types(self, items: Iterable[Typed | Object]) -> None:
        """Every type that these names claim to have is declared."""
        for item in items:
            for name in item.types:
                if name not in self.types:
                    hint = nearest(name, self.types)
                    raise Mistake(item.at, f"'{item.name}' has the undeclared type '{name}'", hint)

    def check_fact(self, atom: Atom, variables: Mapping[str, Typed]) -> None:
        """A use of a predicate: declared, right number of arguments, arguments that can fit."""
        if atom.name == EQUALS:
            for arg in atom.args:
                self._types_of(atom, arg, variables)
            return
        predicate = self.predicates.get(atom.name)
        if predicate is None:
            hint = nearest(atom.name, self.predicates)
            raise Mistake(atom.at, f"predicate '{atom.name}' is not declared", hint)
        self._check_arguments(atom, "predicate", predicate.parameters, variables)

    def check_term(self, atom: Atom, variables: Mapping[str, Typed]) -> None:
        """A use of a numeric function."""
        function = self.functions.get(atom.name)
        if function is None:
            hint = nearest(atom.name, self.functions)
            raise Mistake(atom.at, f"function '{atom.name}' is not declared", hint)
        self._check_arguments(atom, "function", function.parameters, variables)

    def _check_arguments(
        self,
        atom: Atom,
        kind: str,
        parameters: tuple[Typed, ...],
        variables: Mapping[str, Typed],
    ) -> None:
        if len(atom.args) != len(parameters):
            raise Mistake(
                atom.at,
                f"{kind} '{atom.name}' takes {len(parameters)} arguments, found {len(atom.args)}",
            )
        for arg, parameter in zip(atom.args, parameters, strict=True):
            given = self._types_of(atom, arg, variables)
            fits = self.types.overlap if arg[0] == "?" else self.types.accepts
            if not fits(parameter.types, given):
                wanted = " or ".join(parameter.types)
                raise Mistake(
                    atom.at,
                    f"'{arg}' is of type '{' or '.join(given)}', but '{atom.name}' expects "
                    f"'{wanted}' as {parameter.name}",
                )

    def _types_of(self, atom: Atom, arg: str, variables: Mapping[str, Typed]) -> tuple[str, ...]:
        found = variables.get(arg) if arg[0] == "?" else self.objects.get(arg)
        if found is not None:
            return found.types
        if arg[0] == "?":
            raise Mistake(
                atom.at,
                f"variable '{arg}' in {atom} is not a parameter here",
                nearest(arg, variables),
            )
        raise Mistake(
            atom.at, f"object '{arg}' in {atom} is not declared", nearest(arg, self.objects)
        )


def check_unique(kind: str, items: Iterable[_Named]) -> None:
    """No name is declared twice."""
    seen: set[str] = set()
    for item in items:
        if item.name in seen:
            raise Mistake(item.at, f"{kind} '{item.name}' is declared twice")
        seen.add(item.name)
