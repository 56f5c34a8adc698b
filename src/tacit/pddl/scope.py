"""Names in scope, and the checks that every use of a name goes through."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tacit.errors import nearest
from tacit.pddl.report import Mistake, Report, Unknown
from tacit.pddl.syntax import EQUALS, Action, Atom, Function, Object, Predicate, Typed
from tacit.pddl.types import Types

_ANY = "?"  # a type that no file can declare, and so one that fits everywhere
_Named = Typed | Object | Predicate | Function | Action


class Scope:
    """What a formula may refer to: types, predicates, functions, objects."""

    def __init__(
        self,
        types: Types,
        predicates: Sequence[Predicate],
        functions: Sequence[Function],
        objects: Sequence[Object],
    ):
        self.types = types
        # Of a name that is declared twice, which is a mistake, the first declaration counts.
        self.predicates = {p.name: p for p in reversed(predicates)}
        self.functions = {f.name: f for f in reversed(functions)}
        self.objects = {o.name: o for o in reversed(objects)}

    def take_for_granted(self, name: str) -> None:
        """An object that may be declared later, of a type that is not known yet."""
        self.objects.setdefault(name, Object(name, (_ANY,), None, 0))

    def check_mentions(self, name: str, action: Action) -> None:
        """Check an action's uses of an object that was taken for granted, now that it is known."""
        variables = {p.name: p for p in action.parameters}
        facts = [x.atom for x in (*action.precondition, *action.effect) if name in x.atom.args]
        for atom in facts:
            self.check_fact(atom, variables)
        for term in action.cost:
            if isinstance(term, Atom) and name in term.args:
                self.check_term(term, variables)

    def check_types(self, items: Iterable[Typed | Object]) -> None:
        """Every type that these names claim to have is declared."""
        for item in items:
            for name in item.types:
                if name not in self.types:
                    message = f"'{item.name}' has the undeclared type '{name}'"
                    raise Unknown(item.at, "type", name, self.types, message=message, word=name)

    def check_fact(self, atom: Atom, variables: dict[str, Typed]) -> None:
        """A use of a predicate: declared, right number of arguments, arguments that can fit."""
        if atom.name == EQUALS:
            for number in range(len(atom.args)):
                self._types_of(atom, number, variables)
            return
        predicate = self.predicates.get(atom.name)
        if predicate is None:
            raise Unknown(atom.at, "predicate", atom.name, self.predicates, word=1)
        self._check_arguments(atom, predicate, variables)

    def check_term(self, atom: Atom, variables: dict[str, Typed]) -> None:
        """A use of a numeric function."""
        function = self.functions.get(atom.name)
        if function is None:
            raise Unknown(atom.at, "function", atom.name, self.functions, word=1)
        self._check_arguments(atom, function, variables)

    def _check_arguments(
        self, atom: Atom, declared: Predicate | Function, variables: dict[str, Typed]
    ) -> None:
        parameters = declared.parameters
        if len(atom.args) != len(parameters):
            raise Mistake(
                atom.at,
                f"'{atom.name}' takes {_count(len(parameters))}, found {len(atom.args)}",
                f"it is declared as {_signature(declared)}",
            )
        for number, parameter in enumerate(parameters):
            given = self._types_of(atom, number, variables)
            arg = atom.args[number]
            fits = self.types.overlap if arg[0] == "?" else self.types.accepts
            if not fits(parameter.types, given):
                raise Mistake(
                    atom.at,
                    f"'{arg}' is of type '{' or '.join(given)}', but '{atom.name}' expects "
                    f"'{' or '.join(parameter.types)}' as {parameter.name}",
                    f"it is declared as {_signature(declared)}",
                    word=number + 2,
                )

    def _types_of(self, atom: Atom, number: int, variables: dict[str, Typed]) -> tuple[str, ...]:
        arg = atom.args[number]
        found = variables.get(arg) if arg[0] == "?" else self.objects.get(arg)
        if found is not None:
            return found.types
        word = number + 2
        if arg[0] != "?":
            raise self._no_object(atom, arg, variables, word)
        if not variables:
            raise Mistake(atom.at, f"expected an object, found the variable '{arg}'", word=word)
        hint = nearest(arg, variables)
        variables[arg] = Typed(arg, (_ANY,), atom.at)  # reported once, not at every use
        message = f"variable '{arg}' in {atom} is not a parameter here"
        raise Mistake(atom.at, message, hint, word=word)

    def _no_object(self, atom: Atom, arg: str, variables: dict[str, Typed], word: int) -> Unknown:
        message = f"object '{arg}' in {atom} is not declared"
        if arg[0] in "-:":
            message = f"expected an object or variable, found '{arg}'"
        known = (*self.objects, *variables)
        hint = "actions mention parameters and constants: declare it under ':constants'"
        return Unknown(
            atom.at,
            *("object", arg, known),
            message=message,
            word=word,
            other_hint=hint if variables and arg[0] not in "-:" else None,
        )


def check_unique(report: Report, kind: str, items: Iterable[_Named]) -> None:
    """No name is declared twice."""
    first: dict[str, _Named] = {}
    for item in items:
        if first.setdefault(item.name, item) is item:
            continue
        line, _ = report.source.place(first[item.name].at)
        message = f"{kind} '{item.name}' is declared twice, first in line {line}"
        report.add(Mistake(item.at, message, word=_name_word(item)))


def _name_word(item: _Named) -> int:
    """How many words after the offset of a declaration its name is."""
    if isinstance(item, Action):
        return 2
    return int(isinstance(item, Predicate | Function))


def _signature(declared: Predicate | Function) -> str:
    words = [declared.name]
    for parameter in declared.parameters:
        kinds = " ".join(parameter.types)
        words += [parameter.name, "-", kinds if len(parameter.types) == 1 else f"(either {kinds})"]
    return f"({' '.join(words)})"


def _count(number: int) -> str:
    return f"{number} argument" if number == 1 else f"{number} arguments"
