"""What all generators share: a `Draft` that collects a problem and writes it as MA-PDDL."""

from __future__ import annotations

from tacit.domains import Generated
from tacit.errors import InputError

PER_LINE = 8


def need(least: int, **parameters: int) -> None:
    """Reject parameters below the least value that makes sense for them."""
    for name, value in parameters.items():
        if value < least:
            raise InputError(f"parameter '{name}' is {value}; expected {least} or more")


def named(prefix: str, count: int) -> list[str]:
    """`prefix1`, `prefix2`, ..."""
    return [f"{prefix}{i}" for i in range(1, count + 1)]


class Draft:
    """A problem in the making, with the plan that is known to solve it."""

    def __init__(self, domain: str, seed: int):
        self._domain = domain
        self._name = domain.partition("(domain ")[2].partition(")")[0]
        self._seed = seed
        self._objects: dict[str, list[str]] = {"": []}
        self._init: list[str] = []
        self._values: list[str] = []
        self._goal: list[str] = []
        self._plan: list[str] = []

    def has(self, kind: str, *names: str, owner: str = "") -> None:
        """Declare objects of a type: public ones, or private to an agent."""
        lines = self._objects.setdefault(owner, [])
        for i in range(0, len(names), PER_LINE):
            lines.append(f"{' '.join(names[i : i + PER_LINE])} - {kind}")

    def given(self, *words: str) -> None:
        """A fact of the initial state."""
        self._init.append(atom(words))

    def costs(self, number: int, *words: str) -> None:
        """The value of a numeric function; a problem with values minimises `total-cost`."""
        self._values.append(f"(= {atom(words)} {number})")

    def wants(self, *words: str) -> None:
        """A goal."""
        self._goal.append(atom(words))

    def does(self, *words: str) -> None:
        """The next step of the witness: action, agent, arguments."""
        self._plan.append(atom(words))

    def finish(self) -> Generated:
        """The texts and the witness."""
        values = [*self._values, "(= (total-cost) 0)"] if self._values else []
        metric = "  (:metric minimize (total-cost))\n" if values else ""
        problem = (
            f"(define (problem {self._name}-{self._seed})\n"
            f"  (:domain {self._name})\n"
            f"  (:objects{block(self._object_lines(), 4)})\n"
            f"  (:init{block([*self._init, *values], 4)})\n"
            f"  (:goal (and{block(self._goal, 4)}))\n"
            f"{metric})\n"
        )
        return Generated(self._domain, problem, tuple(self._plan))

    def _object_lines(self) -> list[str]:
        lines = list(self._objects[""])
        for owner, own in self._objects.items():
            if owner:
                lines.append(f"(:private {owner}{block(own, 6)})")
        return lines


def atom(words: tuple[str, ...]) -> str:
    return f"({' '.join(words)})"


def block(lines: list[str], indent: int) -> str:
    return "".join(f"\n{' ' * indent}{line}" for line in lines)
