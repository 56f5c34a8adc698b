"""Options of the command line, read off the declarations of settings and run options.

A new field of `Settings`, `RunOptions` or `LimitsTable` is an option of every command that takes
them, with its help, its choices and its default; nothing is listed here again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from tacit.cli.grouped import BASICS, TERMS
from tacit.cli.grouped import option as grouped_option
from tacit.public.declared import Declared, declared
from tacit.public.run_options import AGREED, RunOptions
from tacit.public.settings import DEPENDENCIES, PLANNING, Settings

F = TypeVar("F", bound=Callable[..., Any])

PROFILES = "[default: the profile's]"
_ABOUT = {DEPENDENCIES: "What counts as a dependency", PLANNING: "How agents plan"}
PROFILE = "A bundle of settings: tacit, or paper for what the paper counts."
_METAVARS = {int: "N", float: "SECONDS"}

if TYPE_CHECKING:
    _NameType = click.ParamType[str]
else:  # generic in later versions of click alone
    _NameType = click.ParamType


class RegisteredName(_NameType):
    """A name that a registry knows. Plugins may add to it, so it is looked up when it is used."""

    def __init__(self, kind: str):
        self.name = self.kind = kind

    def get_metavar(self, *_: Any, **__: Any) -> str:
        """The names there are, for --help alone."""
        return f"[{'|'.join(names(self.kind))}]"


class CountOr(_NameType):
    """A count, or one word that stands for none."""

    def __init__(self, word: str):
        self.name, self._word = f"count or {word}", word

    def get_metavar(self, *_: Any, **__: Any) -> str:
        return f"[N|{self._word}]"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if isinstance(value, int) or value == self._word:
            return value
        if not (str(value).isascii() and str(value).isdigit()):
            return self.fail(f"'{value}' is neither a count nor '{self._word}'.", param, ctx)
        return int(value)


def names(kind: str) -> list[str]:
    """What can be chosen: solvers, rankings, planners or heuristics."""
    from tacit import choices, native

    registries: dict[str, Iterable[str]] = {
        "solver": choices.SOLVERS,
        "ranking": choices.RANKINGS,
        "planner": choices.PLANNERS,
    }
    return list(registries[kind]) if kind in registries else list(native.heuristics())


def option(one: Declared, default: Any = None, note: str = "", group: str = "") -> Callable[[F], F]:
    """One declared field as an option, in its own group unless another is given."""
    group = group or one.group or _ABOUT.get(one.about, BASICS)
    text = f"{one.description} {note}".strip()
    shown = default is not None and not note
    if one.kind is bool:
        flag = f"{one.flag}/--no-{one.flag[2:]}"
        return grouped_option(flag, group=group, default=default, show_default=shown, help=text)
    return grouped_option(
        one.flag,
        group=group,
        type=_type(one),
        metavar=None if one.names or one.choices or one.word else _METAVARS.get(one.kind),
        default=default,
        show_default=shown,
        help=text,
    )


def _type(one: Declared) -> Any:
    if one.names:
        return RegisteredName(one.names)
    if one.choices:
        return click.Choice(one.choices)
    if one.word:
        return CountOr(one.word)
    if one.kind is int:
        return int if one.at_least is None else click.IntRange(min=int(one.at_least))
    if one.kind is float:
        low = 0 if one.is_positive else one.at_least
        return click.FloatRange(min=low, min_open=one.is_positive)
    return str


def settings(about: str | None = None) -> Callable[[F], F]:
    """All settings, or those about one thing; left out, the profile decides."""
    return _all(option(one, note=PROFILES) for one in declared(Settings, about))


def run_options(*wanted: str) -> Callable[[F], F]:
    """These run options, with their defaults; all of them if none is named."""
    known = {one.name: one for one in declared(RunOptions)}
    chosen = [known[name] for name in wanted or known]
    return _all(option(one, _plain(one.default)) for one in chosen)


def terms() -> Callable[[F], F]:
    """What all agents of a run must want alike; left out, the file decides."""
    return _all(
        (
            *(option(one, group=TERMS) for one in declared(RunOptions, AGREED)),
            grouped_option(
                "--k",
                group=TERMS,
                type=click.IntRange(min=0),
                metavar="N",
                help="Edges that every agent may disclose at most, as all agreed.",
            ),
            grouped_option("--profile", group=TERMS, help=PROFILE),
            settings(),
        )
    )


def term_names() -> list[str]:
    """The same, by name."""
    agreed = [one.name for one in declared(RunOptions, AGREED)]
    return [*agreed, "k", "profile", *(one.name for one in declared(Settings))]


def table(struct: type[msgspec.Struct]) -> Callable[[F], F]:
    """The fields of a table of a configuration file; left out, the file decides."""
    return _all(option(one) for one in declared(struct))


def table_names(struct: type[msgspec.Struct]) -> list[str]:
    """The same, by name."""
    return [one.name for one in declared(struct)]


def given(struct: type[msgspec.Struct], choices: dict[str, Any]) -> dict[str, Any]:
    """Of what was given on the command line, the fields of a struct; they are taken out of it."""
    known = [one.name for one in declared(struct)]
    return {name: choices.pop(name) for name in known if name in choices}


def _plain(default: Any) -> Any:
    return getattr(default, "value", default)


def _all(decorators: Iterable[Callable[[F], F]]) -> Callable[[F], F]:
    made = list(decorators)

    def decorate(command: F) -> F:
        for one in reversed(made):
            command = one(command)
        return command

    return decorate
