"""Options that commands share, so that they are called and explained alike everywhere."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tacit import files
from tacit.cli.grouped import OFFLINE, OUTPUT, PRICES, option
from tacit.errors import ExitCode, InputError, LimitReached, to_install
from tacit.watch import limited

if TYPE_CHECKING:
    from tacit.central.instance import Instance
    from tacit.central.price_policy import PricePolicy, Weights
    from tacit.central.validate.judge import Verdict
    from tacit.central.validate.plan import Plan
    from tacit.draw.page import Page

F = TypeVar("F", bound=Callable[..., Any])
K = TypeVar("K")

problem = click.argument("problem", nargs=-1, required=True)
as_json = option("--json", "as_json", group=OUTPUT, is_flag=True, help="Print the result as JSON.")
verbose = option("-v", "--verbose", group=OUTPUT, count=True, help="Print more on stderr.")


profile_name = option(
    "--profile",
    "profile_name",
    default="tacit",
    show_default=True,
    help="A bundle of settings: tacit, or paper for what the paper counts.",
)


html = option(
    "--html",
    group=OUTPUT,
    type=click.Path(path_type=Path),
    help="Draw what came of it here, as a page.",
)
k = option(
    "--k",
    group=OFFLINE,
    type=click.IntRange(min=0),
    metavar="N",
    help="Every agent discloses its k best edges.",
)
percent = option(
    "--percent",
    group=OFFLINE,
    type=click.FloatRange(0, 100),
    metavar="X",
    help="The same, in percent of the largest agent's.",
)
budget = option(
    "--budget",
    group=PRICES,
    type=click.IntRange(min=0),
    metavar="N",
    help="What every agent may spend, in the prices of --weights.",
)
weights = option(
    "--weights",
    group=PRICES,
    type=click.Path(path_type=Path),
    help="A file of prices for what agents disclose (TOML).",
)
time_limit = option(
    "--time-limit",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="Seconds of wall-clock time, after loading.",
)
plan_path = option(
    "--plan-file",
    group=OUTPUT,
    type=click.Path(path_type=Path),
    help="Write the plan here too.",
)
plugins = option(
    "--plugin",
    "plugins",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A file of your own: a ranking, a solver, a planner.",
)

_EXIT = {
    "solved": ExitCode.SOLVED,
    "no plan": ExitCode.NO_PLAN,
    "not extended": ExitCode.UNDECIDED,
    "undecided": ExitCode.UNDECIDED,
    "time": ExitCode.TIME,
    "memory": ExitCode.MEMORY,
}


def exit_code(outcome: str) -> int:
    """The exit code of a run that ended so."""
    return int(_EXIT[outcome])


def net(module: str) -> Any:
    """A module that needs the extra `net`."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError:
        raise InputError("this needs the extra 'net'", to_install("net")) from None


def check_budget(budget: int | None, weights: Path | None) -> None:
    """A budget means something only where there are prices."""
    if budget is not None and weights is None:
        raise click.UsageError("--budget is in prices: it needs --weights.")


def prices_of(weights: Path | None, budget: int | None = None) -> PricePolicy:
    """The user's prices, and what each agent may spend in them."""
    from tacit.central.price_policy import PricePolicy

    check_budget(budget, weights)
    return PricePolicy(read_weights(weights), budget)


def read_weights(path: Path | None) -> Weights | None:
    """A file of prices, if there is one."""
    from tacit.central.price_policy import as_weights

    return as_weights(path)


def loaded(problem: tuple[str, ...], verbosity: int) -> Instance:
    """The problem that was named; warnings about it are shown."""
    from tacit.central.instance import load

    instance = load(problem)
    show_warnings(instance.source.warnings, verbosity)
    return instance


def load_plugins(paths: tuple[Path, ...]) -> None:
    """Run the user's own files, which register what they define."""
    from tacit.registry import load_plugin

    for path in paths:
        load_plugin(path)


def make_folder(path: Path) -> None:
    """Make the folder that is to be written to, if it is not there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder '{path}': {error.strerror}") from None


def make_folder_of(path: Path | None) -> None:
    """Make the folder of a file that is to be written, if one was given."""
    if path is not None:
        make_folder(path.parent)


def write_text(path: Path, text: str) -> None:
    """Write a file, and make its folder if it is not there."""
    make_folder_of(path)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write '{path}': {error.strerror}") from None


def emit_json(kind: str, seed_used: int | None, **fields: Any) -> None:
    """Print a result as JSON; `schema` names its kind and the version of its layout."""
    import msgspec

    printed = {**json_head(kind), **({} if seed_used is None else {"seed": seed_used}), **fields}
    click.echo(msgspec.json.format(msgspec.json.encode(printed), indent=2).decode())


def json_head(kind: str) -> dict[str, str]:
    """What every result as JSON begins with."""
    from importlib.metadata import version

    from tacit.cli.layouts import LAYOUT

    return {"schema": f"tacit.{kind}/{LAYOUT}", "version": version("tacit-planner")}


def styled(text: str, **style: Any) -> str:
    """A text in colour, unless the user wants none (https://no-color.org)."""
    return text if os.environ.get("NO_COLOR") else click.style(text, **style)


def show_warnings(warnings: tuple[str, ...], verbosity: int) -> None:
    """Warnings go to stderr: all of them with -v, otherwise the first of every kind."""
    from tacit.pddl.report import summed_up

    shown = [(warning, 0) for warning in warnings] if verbosity else summed_up(warnings)
    for warning, more in shown:
        others = f"; and {more} more like this (-v shows all)" if more else ""
        click.echo(f"{styled('warning: ', fg='yellow')}{warning}{others}", err=True)


def log(message: str, verbosity: int) -> None:
    """A line for a user who wants to see more."""
    if verbosity:
        click.echo(message, err=True)
        sys.stderr.flush()


@contextmanager
def plan_file(path: Path | None, plan: Plan | None, verdict: Verdict | None) -> Iterator[None]:
    """Write a plan in IPC format before the block prints, in case nobody reads on.

    If the file cannot be written, the block prints all the same, and the error comes last.
    """
    from dataclasses import replace

    from tacit.central.validate.plan import write_plan

    failed: InputError | None = None
    if path is not None and plan is not None:
        cost = verdict.cost if verdict else None
        try:
            write_text(path, write_plan(replace(plan, cost=cost)))
        except InputError as error:
            failed = error
    yield
    if failed is not None:
        raise failed


def measured(
    measure: Callable[[], K], seconds: float | None, memory: int | None = None
) -> K | None:
    """What others can know, if finding out takes no longer than the run itself might have."""
    try:
        with limited(math.inf if seconds is None else seconds, memory):
            return measure()
    except LimitReached as limit:
        what = "What others can know was not measured: out of"
        click.echo(f"{what} {limit.outcome}; --{limit.outcome}-limit sets it.", err=True)
        return None


def write_page(path: Path | None, page: Callable[[], Page], for_owner: bool = False) -> None:
    """Write a page as one file, for its owner's eyes alone if it is one agent's."""
    if path is None:
        return
    text = page().html()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not for_owner:
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write '{path}': {error.strerror}") from None
    if for_owner:
        files.write(path, text.encode())
    click.echo(f"Wrote {path}.", err=True)


def write_files(folder: Path, files: dict[str, str], force: bool) -> None:
    """Write texts into a folder, which must be new or empty unless `force`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()) and not force:
            raise InputError(f"'{folder}' is not empty", "name another folder, or use --force")
        for name, text in files.items():
            if Path(name).name != name:
                raise InputError(f"'{name}' cannot be the name of a file")
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write to '{folder}': {error.strerror}") from None
