"""Options in groups, so that `--help` begins with what most users need.

An option says itself to which group it belongs, where it is declared. Those without one are the
basics, and come first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

BASICS = "Options"
OFFLINE = "Offline, for one user with all files"
PRICES = "Prices"
OUTPUT = "Output"
FILES = "Files and addresses"
TERMS = "Terms, the same for all agents"

_FIRST = (BASICS, OUTPUT, FILES, PRICES, OFFLINE)

_ANY = ("x>=0", "x>0", "x>=1")
"""Ranges that need no mention."""


class Option(click.Option):
    """An option in a group."""

    def __init__(self, *args: Any, group: str = BASICS, **attributes: Any):
        super().__init__(*args, **attributes)
        self.group = group

    def get_help_extra(self, ctx: click.Context) -> Any:
        extra = super().get_help_extra(ctx)
        if extra.get("range") in _ANY:
            del extra["range"]
        return extra


def option(*names: str, group: str = BASICS, **attributes: Any) -> Callable[[F], F]:
    """As `click.option`, in a group."""
    return click.option(*names, cls=Option, group=group, **attributes)


def groups(params: Sequence[click.Parameter]) -> dict[str, list[click.Option]]:
    """The options that are shown, by group; the basics first, and then what most need."""
    found: dict[str, list[click.Option]] = {name: [] for name in _FIRST}
    for param in params:
        if isinstance(param, click.Option) and not param.hidden:
            found.setdefault(getattr(param, "group", BASICS), []).append(param)
    return {name: members for name, members in found.items() if members}


class Command(click.Command):
    """A command whose options are explained group by group."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for name, members in groups(self.get_params(ctx)).items():
            with formatter.section(name):
                records = [record for one in members if (record := one.get_help_record(ctx))]
                formatter.write_dl(records)
