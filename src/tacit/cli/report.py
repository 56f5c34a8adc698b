"""`tacit report`: make tables, figures and web pages of a store."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.cli import options
from tacit.errors import ExitCode, InputError, to_install
from tacit.words import counted

if TYPE_CHECKING:
    from tacit.experiment.report.build import Report
    from tacit.experiment.run.row import Run

_NEEDED = ("matplotlib", "jinja2")


@click.command()
@click.argument("store", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder for the report."
)
@click.option("--force", is_flag=True, help="Write into a folder that is not empty.")
@click.option(
    "--pages",
    default="1",
    show_default=True,
    metavar="N|all",
    help="How many problems of every domain get a page, the easiest first.",
)
@click.option(
    "--problems",
    "suites",
    multiple=True,
    metavar="SUITE",
    help="Where problems that are not embedded can be read again.",
)
@click.option(
    "--where",
    multiple=True,
    metavar="COLUMN=VALUE",
    help="Only runs with this value in this column.",
)
@click.option(
    "--markdown",
    is_flag=True,
    help="One page of Markdown with its curves instead, with the claims of the paper's text.",
)
@click.option(
    "--notes",
    type=click.Path(path_type=Path),
    help="A TOML file with reasons why a cell does not reach the paper's.",
)
@options.plugins
def command(
    store: Path,
    output: Path,
    force: bool,
    pages: str,
    suites: tuple[str, ...],
    where: tuple[str, ...],
    markdown: bool,
    notes: Path | None,
    plugins: tuple[Path, ...],
) -> int:
    """Make a report of the runs in STORE: the paper's tables, figures, and pages for a browser."""
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise InputError(f"reports need the package '{missing[0]}'", to_install("report"))
    from tacit.experiment.report import markdown as page
    from tacit.experiment.report.against import read_notes
    from tacit.experiment.report.build import build

    count, remarks = _page_count(pages), read_notes(notes)
    options.load_plugins(plugins)
    runs = _runs(store, where)
    options.write_files(output, {}, force)
    try:
        if markdown:
            made = page.write(runs, f"Evaluation: {store.stem}", output, remarks)
            click.echo(f"Reported on {counted(len(runs), 'run')}: {made}.")
        else:
            _print(build(runs, store.name, output, count, suites, remarks), len(runs))
    except OSError as error:
        raise InputError(f"cannot write to '{output}': {error.strerror}") from None
    return ExitCode.SOLVED


def _page_count(text: str) -> int | None:
    if text == "all":
        return None
    if not text.isdecimal() or len(text) > 9:
        raise InputError(f"'{text}' is not a number of pages", "--pages takes a number, or all")
    return int(text)


def _runs(path: Path, where: tuple[str, ...]) -> list[Run]:
    from tacit.experiment.run.store import Store
    from tacit.experiment.tables.coverage import differences

    chosen: dict[str, str] = {}
    for text in where:
        name, sign, value = text.partition("=")
        if not sign:
            raise InputError(f"'{text}' is not a condition", "write --where COLUMN=VALUE")
        chosen[name.strip()] = value.strip()
    with Store.open(path) as store:
        runs = store.rows(**chosen)
    if not runs:
        what = "" if not where else f" with {' and '.join(where)}"
        hint = "run 'tacit sweep' first" if not where else "tacit export --csv shows all values"
        raise InputError(f"there are no runs{what} in '{path}'", hint)
    for name, values in differences(runs).items():
        hint = f"choose one of them: --where {name}={values[0]!r}".replace("'", '"')
        raise InputError(f"these runs differ in '{name}': {', '.join(values)}", hint)
    return runs


def _print(report: Report, runs: int) -> None:
    pages, index = counted(len(report.pages), "page"), report.folder / "index.html"
    click.echo(f"Reported on {counted(runs, 'run')}: open {index} ({pages}).")
    for note in report.notes[:5]:
        click.echo(f"note: {note}", err=True)
    if len(report.notes) > 5:
        click.echo(f"note: {len(report.notes) - 5} more are in the report", err=True)
