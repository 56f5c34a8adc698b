"""Options that commands share, so that they are called and explained alike everywhere."""

from __future__ import annotations

import enum
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tacit.errors import ExitCode, InputError
from tacit.public.settings import (
    DEFAULT_RANKING,
    Chain,
    Extension,
    NoOp,
    Recipients,
    Rule,
    Settings,
    Threats,
)

if TYPE_CHECKING:
    from tacit.central.billing import Weights
    from tacit.central.validate.plan import Plan

F = TypeVar("F", bound=Callable[..., Any])

problem = click.argument("problem", nargs=-1, required=True)
seed = click.option("--seed", type=int, default=0, show_default=True, help="Seed of every choice.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
verbose = click.option("-v", "--verbose", count=True, help="Say more on stderr.")


profile_name = click.option(
    "--profile", "profile_name", default="tacit", show_default=True, help="tacit or paper."
)


def choice(flag: str, kind: type[enum.Enum], text: str) -> Callable[[F], F]:
    """An option over the values of an enumeration; left out, the profile decides."""
    values = [str(item.value) for item in kind]
    return click.option(flag, type=click.Choice(values), help=f"{text} [default: the profile's]")


ranking = click.option(
    "--ranking",
    default=DEFAULT_RANKING,
    show_default=True,
    help="Which edges are disclosed first.",
)
k = click.option("--k", type=click.IntRange(min=0), help="Edges that every agent may disclose.")
percent = click.option(
    "--percent", type=click.FloatRange(0, 100), help="The same, in percent of the largest agent's."
)
weights = click.option(
    "--weights",
    type=click.Path(path_type=Path),
    help="A file of prices for what agents tell (TOML).",
)
time_limit = click.option(
    "--time-limit", type=click.FloatRange(min=0), help="Seconds for the whole run."
)
memory_limit = click.option(
    "--memory-limit", type=click.IntRange(min=1), help="MiB of resident memory for the whole run."
)
ties = click.option("--ties", type=int, help="Break ties between edges at random, by this seed.")
plugins = click.option(
    "--plugin",
    "plugins",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Your own ranking.",
)

chain = choice("--chain", Chain, "Which chains of private actions count.")
no_op = choice("--no-op", NoOp, "Whether adding a fact that is also needed counts.")
threats = choice("--threats", Threats, "What is told about actions that end a token.")
rule = choice("--rule", Rule, "Which states forward search may show.")
harden = click.option(
    "--harden", default="", help="Forward search shows peers less: fresh, once, pad, with commas."
)
recipients = choice("--recipients", Recipients, "Who is sent a state in forward search.")
extension = choice("--extension", Extension, "What an agent may do to carry out a public plan.")


TERMS = (
    *("solver", "ranking", "k", "profile", "chain", "no_op", "threats", "extension", "rule"),
    *("harden", "recipients"),
    *("heuristic", "max_repairs", "time_limit"),
)
LIMITS = (
    *("max_message", "max_pending", "max_frames", "max_rate", "memory_limit"),
    *("max_k", "max_answers", "budget"),
    *("beat", "silence", "greeting", "wait", "answer_limit", "run_limit"),
)


def terms(command: F) -> F:
    """What all agents of a run over the network must want alike; left out, the file decides."""
    for option in (
        click.option("--solver", type=click.Choice(["projection", "mafs"])),
        click.option("--ranking", help="Which edges are disclosed first."),
        k,
        click.option("--profile", help="tacit or paper."),
        *(chain, no_op, threats, extension, rule, recipients),
        click.option("--harden", help="Forward search shows less: fresh, once, pad."),
        click.option("--heuristic", help="What guides forward search."),
        click.option("--max-repairs", type=click.IntRange(min=0)),
        click.option("--time-limit", type=click.FloatRange(min=0), help="Seconds to plan."),
    ):
        command = option(command)
    return command


def limits(command: F) -> F:
    """What an agent grants its peers: cost, time, edges, repairs; left out, the file decides."""
    size, seconds = click.IntRange(min=1), click.FloatRange(min=0, min_open=True)
    count = click.IntRange(min=0)
    for flag, kind, text in (
        ("--max-message", size, "MiB of one frame."),
        ("--max-pending", size, "MiB of a peer's frames that wait here."),
        ("--max-frames", click.IntRange(min=10), "Frames per second read from a peer."),
        ("--max-rate", size, "MiB per second read from a peer."),
        ("--memory-limit", size, "MiB of resident memory of this agent."),
        ("--max-k", count, "Edges that this agent discloses at most, whatever others ask."),
        ("--max-answers", count, "Repairs that this agent tells at most."),
        ("--budget", count, "What this agent's edges may cost, in its own prices (--weights)."),
        ("--beat", seconds, "Seconds between signs of life."),
        ("--silence", seconds, "Seconds without one until a peer is gone."),
        ("--greeting", seconds, "Seconds for handshake and hello."),
        ("--wait", seconds, "Seconds to wait for all peers."),
        ("--answer-limit", seconds, "Seconds for one answer."),
        ("--run-limit", seconds, "Seconds for the whole run."),
    ):
        command = click.option(flag, type=kind, help=text)(command)
    return command


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
        hint = "python -m pip install 'tacit-planner[net]'"
        raise InputError("this needs the extra 'net'", hint) from None


def settings(
    profile_name: str, harden: str = "", own_values: bool = False, **choices: str | None
) -> Settings:
    """The settings of a profile, with the user's own choices on top."""
    import msgspec

    from tacit.profile import profile
    from tacit.public.settings import hardening

    base = profile(profile_name)
    kinds = {
        "chain": Chain,
        "no_op": NoOp,
        "threats": Threats,
        "extension": Extension,
        "rule": Rule,
        "recipients": Recipients,
    }
    chosen = {name: kinds[name](value) for name, value in choices.items() if value is not None}
    own_values |= base.own_values
    return msgspec.structs.replace(base, harden=hardening(harden), own_values=own_values, **chosen)


def check_budget(budget: int | None, weights: Path | None) -> None:
    """A budget means something only where there are prices."""
    if budget is not None and weights is None:
        raise click.UsageError("--budget is in prices: it needs --weights.")


def read_weights(path: Path | None) -> Weights | None:
    """A file of prices, if there is one."""
    from tacit.central.billing import as_weights

    return as_weights(path)


def load_plugins(paths: tuple[Path, ...]) -> None:
    """Run the user's own files, which register what they define."""
    from tacit.registry import load_plugin

    for path in paths:
        load_plugin(path)


def emit_json(kind: str, seed_used: int | None, **fields: Any) -> None:
    """Print a result as JSON; `schema` names its kind and the version of its layout."""
    import msgspec

    head: dict[str, Any] = {"schema": f"tacit.{kind}/1", "version": version("tacit-planner")}
    head |= {} if seed_used is None else {"seed": seed_used}
    encoded = msgspec.json.format(msgspec.json.encode({**head, **fields}), indent=2)
    click.echo(encoded.decode())


def styled(text: str, **style: Any) -> str:
    """A text in colour, but for who asked for none (https://no-color.org)."""
    return text if os.environ.get("NO_COLOR") else click.style(text, **style)


def show_warnings(warnings: tuple[str, ...], verbosity: int) -> None:
    """Warnings go to stderr: all of them with -v, otherwise the first of every kind."""
    from tacit.pddl.report import summed_up

    told = [(warning, 0) for warning in warnings] if verbosity else summed_up(warnings)
    for warning, more in told:
        others = f"; and {more} more like this (-v shows all)" if more else ""
        click.echo(f"{styled('warning: ', fg='yellow')}{warning}{others}", err=True)


def log(message: str, verbosity: int) -> None:
    """A line for who asked for more."""
    if verbosity:
        click.echo(message, err=True)
        sys.stderr.flush()


@contextmanager
def plan_file(path: Path | None, plan: Plan | None, cost: int | None) -> Iterator[None]:
    """Write a plan in IPC format before the block prints, which may lose its reader.

    If the file cannot be written, the block prints all the same, and the error comes last.
    """
    from dataclasses import replace

    from tacit.central.validate.plan import write_plan

    failed: InputError | None = None
    if path is not None and plan is not None:
        try:
            path.write_text(write_plan(replace(plan, cost=cost)), encoding="utf-8")
        except OSError as error:
            failed = InputError(f"cannot write '{path}': {error.strerror}")
    yield
    if failed is not None:
        raise failed


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
