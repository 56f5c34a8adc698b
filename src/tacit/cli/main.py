"""The command line: one file per command, found by listing this folder.

A command module has a click command called `command`, and the first line of its docstring says
what it does: "`tacit NAME`: what". Modules are imported when their command is run, and commands
import what they need when they run, so that the command line starts quickly; `tacit --help` reads
the docstrings of modules without running them. All errors end here: a clear message on stderr and a
documented exit code.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import os
import pkgutil
import sys
import traceback
from typing import Any, NoReturn

import click

from tacit.errors import ExitCode, InternalError, TacitError, lack_error, plugin_error
from tacit.garbage import collect_seldom

_SIGPIPE = 128 + 13
_ALIASES = {"up": "rehearse"}
"""Former names of commands, which still work."""
_HELPERS = {
    "advice",
    "agent_page",
    "bounds_progress",
    "declared_options",
    "exact_front",
    "grouped",
    "layouts",
    "main",
    "options",
    "progress",
    "rehearse_page",
    "render",
    "solve_output",
}
_FORMER_OPTIONS = {
    "--transcripts": "it is now --transcript, as everywhere",
    "--first": "it is now --smallest, an offline search; 'solve' without it runs online",
}
"""Former names of options, and what to do instead."""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        package = importlib.import_module("tacit.cli")
        names = (module.name for module in pkgutil.iter_modules(package.__path__))
        return sorted(name for name in names if name not in _HELPERS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        cmd_name = _ALIASES.get(cmd_name, cmd_name)
        if cmd_name not in self.list_commands(ctx):
            return None
        command = importlib.import_module(f"tacit.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _summary(name)) for name in self.list_commands(ctx)])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from tacit.errors import nearest

            hint = nearest(args[0], self.list_commands(ctx))
            if not hint:
                raise
            raise click.UsageError(f"{error.message} ({hint})", ctx) from None


def _summary(name: str) -> str:
    """What a command does, as the docstring of its module says."""
    module = f"tacit.cli.{name}"
    read: Any = getattr(importlib.util.find_spec(module), "loader", None)
    docstring = read.get_code(module).co_consts[0]  # without running it
    what = str(docstring).split("\n")[0].partition(": ")[2]
    return what[:1].upper() + what[1:]


_EPILOG = (
    "Exit codes: 0 solved, 1 invalid plan or audit, 2 wrong usage, 11 no plan, 12 undecided, 22 "
    "out of memory, 23 out of time, 31 bad input, 32 internal error, 33 protocol broken, 34 "
    "unsupported, 130 interrupted."
)


@click.command(
    cls=_Commands,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="tacit-planner", prog_name="tacit")
def cli() -> None:
    """Tacit: plan together, disclose little.

    PROBLEM is a CoDMAP problem folder (unfactored or factored), a 'domain.pddl problem.pddl' pair,
    or an embedded problem such as 'rovers/small' ('tacit generate --list' shows them all).
    """


def main(args: list[str] | None = None) -> None:
    """Run the command line and exit."""
    collect_seldom()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # never fail on a character
            stream.reconfigure(errors="backslashreplace")
    code = run(args)
    if code in (ExitCode.TIME, ExitCode.MEMORY):
        _leave_at_once(code)
    sys.exit(code)


def _leave_at_once(code: int) -> NoReturn:
    """Exit without cleaning up: with much in memory that takes long, and the limit is reached."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def run(args: list[str] | None = None) -> int:
    """Run the command line; the exit code."""
    try:
        code = cli.main(args, prog_name="tacit", standalone_mode=False)
        sys.stdout.flush()
        return int(code) if isinstance(code, int) else ExitCode.SOLVED
    except TacitError as error:
        return _failed(error)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        _with_hint(error).show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        return fail("interrupted", ExitCode.INTERRUPTED)
    except MemoryError:
        return fail("out of memory", ExitCode.MEMORY)
    except BrokenPipeError:
        return _closed_pipe()
    except SystemExit as error:  # click and rich exit like this on a closed pipe
        found = plugin_error(error)
        if found is not None:
            return _failed(found)
        return ExitCode.SOLVED if error.code == 0 else _closed_pipe()  # 0: a shell completes
    except Exception as error:
        return _internal(error)


def _failed(error: TacitError) -> int:
    """An error with a text of its own, unless it is that of a plugin."""
    found = plugin_error(error) if isinstance(error, InternalError) else None
    error = found or error
    return fail(str(error), error.exit_code)


def _with_hint(error: click.ClickException) -> click.ClickException:
    """Add what to do for those who use an option by its former name."""
    if not isinstance(error, click.NoSuchOption) or error.option_name not in _FORMER_OPTIONS:
        return error
    hint = _FORMER_OPTIONS[error.option_name]
    return click.UsageError(f"No such option '{error.option_name}': {hint}.", error.ctx)


def fail(message: str, code: ExitCode) -> int:
    """Print what went wrong; the exit code."""
    from tacit.cli.options import styled

    for part in message.split("\n"):
        is_hint = part.startswith("  hint:")
        click.echo(part if is_hint else styled("error: ", fg="red") + part, err=True)
    return int(code)


def _closed_pipe() -> int:
    """Exit as programs do when their output pipe is closed (`tacit … | head`)."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _SIGPIPE


def _give_up_output() -> None:
    """If what was printed cannot be written, do not try again at the very end."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        _closed_pipe()


def _internal(error: Exception) -> int:
    """A plugin's mistake, something that the system lacks, or a bug: one line; the traceback only
    on request.
    """
    if os.environ.get("TACIT_TRACEBACK"):
        traceback.print_exc()
    known = plugin_error(error) or lack_error(error)
    if known is not None:
        _give_up_output()
        return _failed(known)
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(where.filename)}:{where.lineno}"
    return fail(
        f"this is a bug in Tacit ({type(error).__name__} at {place})\n"
        "  hint: please report it; TACIT_TRACEBACK=1 shows the details",
        ExitCode.INTERNAL,
    )
