"""The embedded problems: generators of multi-agent instances, one file per domain.

A generator is a function that takes plain keyword parameters and a `seed` and returns a
`Generated`: the two texts of an unfactored MA-PDDL problem and a witness plan. Every instance is
solvable by construction: the generator knows a plan because it built the instance around it, and
the tests validate it. Same parameters and seed, same texts.

    @generator("logistics", small={"cities": 2}, medium={"cities": 4}, large={"cities": 8})
    def logistics(*, cities: int = 2, seed: int = 0) -> Generated: ...

registers the embedded problems `logistics/small`, `logistics/medium` and `logistics/large`.

An `example` is one fixed problem: no sizes, no parameters, no seed. `embedded` finds either by name.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tacit.errors import InputError, nearest
from tacit.registry import Registry


@dataclass(frozen=True, slots=True)
class Generated:
    """An instance as text, with a plan that solves it, one ground action per line."""

    domain: str
    problem: str
    plan: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Generator:
    """A registered generator: its function, its parameters with defaults, its named sizes."""

    name: str
    make: Callable[..., Generated]
    parameters: Mapping[str, int]
    sizes: Mapping[str, Mapping[str, int]]
    about: str

    def generate(self, size: str | Mapping[str, int] = "small", seed: int = 0) -> Generated:
        """An instance of a named size, or with the given parameters over the small ones."""
        return self.make(**self.resolve(size), seed=seed)

    def resolve(self, size: str | Mapping[str, int]) -> dict[str, int]:
        """The parameters that a size stands for, or an `InputError`."""
        if isinstance(size, str):
            if size not in self.sizes:
                known = ", ".join(self.sizes)
                raise InputError(f"domain '{self.name}' has no size '{size}'", f"sizes: {known}")
            return {**self.parameters, **self.sizes[size]}
        for name, value in size.items():
            if name not in self.parameters:
                hint = nearest(name, self.parameters) or f"there are: {', '.join(self.parameters)}"
                raise InputError(f"domain '{self.name}' has no parameter '{name}'", hint)
            if value < 1:
                raise InputError(f"parameter '{name}' is {value}; expected 1 or more")
        return {**self.parameters, **self.sizes["small"], **size}


@dataclass(frozen=True, slots=True)
class Example:
    """A registered problem that is always the same."""

    name: str
    make: Callable[[], Generated]
    about: str


DOMAINS: Registry[Generator] = Registry("domain", "tacit.domains")
EXAMPLES: Registry[Example] = Registry("example", "tacit.domains")


def embedded(name: str) -> Generated | None:
    """The problem called `logistics/small`, `logistics` or `paper/example`; None if unknown."""
    domain, _, size = name.partition("/")
    if domain in DOMAINS and (not size or size in DOMAINS.get(domain).sizes):
        return DOMAINS.get(domain).generate(size or "small")
    if name in EXAMPLES:
        return EXAMPLES.get(name).make()
    return DOMAINS.get(domain).generate(size) if domain in DOMAINS else None


def embedded_names() -> list[str]:
    """The names of all embedded problems."""
    return [*(f"{d}/{s}" for d in DOMAINS for s in DOMAINS.get(d).sizes), *EXAMPLES]


def generator(
    name: str, **sizes: Mapping[str, int]
) -> Callable[[Callable[..., Generated]], Callable[..., Generated]]:
    """Decorator: register a generator under a name, with its `small`, `medium` and `large`."""

    def keep(make: Callable[..., Generated]) -> Callable[..., Generated]:
        options = inspect.signature(make).parameters
        defaults = {p: int(options[p].default) for p in options if p != "seed"}
        DOMAINS.add(name)(Generator(name, make, defaults, sizes, _about(make)))
        return make

    return keep


def example(name: str) -> Callable[[Callable[[], Generated]], Callable[[], Generated]]:
    """Decorator: register a fixed problem under its full name, as `paper/example`."""

    def keep(make: Callable[[], Generated]) -> Callable[[], Generated]:
        EXAMPLES.add(name)(Example(name, make, _about(make)))
        return make

    return keep


def _about(make: Callable[..., Generated]) -> str:
    return (inspect.getdoc(make) or "").split("\n")[0]
