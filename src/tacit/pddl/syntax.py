"""The syntax tree of MA-PDDL: one tree for both CoDMAP forms.

The tree holds what the files state, in lower case, with an offset (`at`) into the source text at
every node, and nothing else: no grounding, no closure over types, no compilation. Names are plain
strings; a variable is a string that starts with `?`. Everything is immutable, so that a tree can
be shared between agents, threads and the validator.

An *unfactored* problem is one `Pair` of a domain and a problem. A *factored* one is a pair per
agent. `Description` is either.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from tacit.pddl.source import Source

OBJECT = "object"
EQUALS = "="


class Form(enum.Enum):
    """The two ways in which CoDMAP writes privacy down."""

    UNFACTORED = "unfactored"
    FACTORED = "factored"


@dataclass(frozen=True, slots=True)
class Typed:
    """A variable or a name with its types (more than one only for `either`)."""

    name: str
    types: tuple[str, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Object:
    """An object or constant; `owner` is the agent it is private to, `""` for this file's agent."""

    name: str
    types: tuple[str, ...]
    owner: str | None
    at: int

    @property
    def private(self) -> bool:
        return self.owner is not None


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate. Of a private one, `agent` is the parameter that names the owner, if any does."""

    name: str
    parameters: tuple[Typed, ...]
    private: bool
    agent: int | None
    at: int


@dataclass(frozen=True, slots=True)
class Function:
    """A numeric function; only `total-cost` may change, all others are constants."""

    name: str
    parameters: tuple[Typed, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate or function applied to variables and object names."""

    name: str
    args: tuple[str, ...]
    at: int

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.args))})"


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom or its negation; the atom `(= x y)` is an equality."""

    atom: Atom
    positive: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.positive else f"(not {self.atom})"


@dataclass(frozen=True, slots=True)
class Action:
    """An action schema. `parameters` begins with the agent parameter where `agent` is set.

    `agent` is the value of `:agent` (unfactored files). `cost` is a sum of numbers and
    function terms; empty means that the action does not increase `total-cost`.
    """

    name: str
    agent: Typed | None
    parameters: tuple[Typed, ...]
    precondition: tuple[Literal, ...]
    effect: tuple[Literal, ...]
    cost: tuple[int | Atom, ...]
    at: int

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """Everything in the body: facts, equalities, and terms of the cost."""
        literals = (*self.precondition, *self.effect)
        terms = (term for term in self.cost if isinstance(term, Atom))
        return (*(literal.atom for literal in literals), *terms)

    def mentions(self, name: str) -> bool:
        """Whether a variable or an object occurs in the body."""
        return any(name in atom.args for atom in self.atoms)


@dataclass(frozen=True, slots=True)
class Domain:
    """A domain as its file states it. `warnings` are for the user."""

    source: Source
    form: Form
    name: str
    requirements: tuple[str, ...]
    types: tuple[Typed, ...]
    constants: tuple[Object, ...]
    predicates: tuple[Predicate, ...]
    functions: tuple[Function, ...]
    actions: tuple[Action, ...]
    warnings: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Problem:
    """`values` are the constants of numeric functions; `minimize` is true if costs count.

    `requirements` are those that the problem adds to its domain's.
    """

    source: Source
    name: str
    domain_name: str
    objects: tuple[Object, ...]
    init: tuple[Atom, ...]
    values: tuple[tuple[Atom, int], ...]
    goal: tuple[Literal, ...]
    minimize: bool
    requirements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """A domain with its problem: all of it (`agent` is None) or what one agent was given."""

    agent: str | None
    domain: Domain
    problem: Problem

    @property
    def objects(self) -> tuple[Object, ...]:
        """Constants of the domain, then objects of the problem, each name once."""
        first: dict[str, Object] = {}
        for item in (*self.domain.constants, *self.problem.objects):
            first.setdefault(item.name, item)
        return tuple(first.values())


@dataclass(frozen=True, slots=True)
class Description:
    """A multi-agent problem as its files state it. `warnings` are for the user."""

    form: Form
    name: str
    pairs: tuple[Pair, ...]
    warnings: tuple[str, ...] = field(default=(), compare=False)
