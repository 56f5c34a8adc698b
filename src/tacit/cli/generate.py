"""`tacit generate`: write an instance of an embedded domain."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.cli import declared_options, options
from tacit.errors import InputError
from tacit.words import counted

if TYPE_CHECKING:
    from tacit.domains import Generated


@click.command()
@click.argument("domain", required=False)
@click.option("--size", show_default="small", help="How large it is: small, medium or large.")
@click.option(
    "-p", "--parameter", "parameters", multiple=True, metavar="NAME=N", help="Override a parameter."
)
@declared_options.run_options("seed")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="New folder.")
@click.option("--factored", is_flag=True, help="Write the files of each agent.")
@click.option("--force", is_flag=True, help="Write into a folder that is not empty.")
@click.option(
    "--list", "list_all", is_flag=True, help="List the domains, sizes, parameters and examples."
)
def command(
    *,
    domain: str | None,
    size: str | None,
    parameters: tuple[str, ...],
    seed: int,
    output: Path | None,
    factored: bool,
    force: bool,
    list_all: bool,
) -> None:
    """Write an instance of DOMAIN, or the example of this name, with a plan that solves it."""
    if list_all or domain is None:
        _list()
        return
    if output is None:
        raise click.UsageError("Missing option '-o' / '--output': where to write the files.")
    made = _made(domain, size, parameters, seed)
    files = {"domain.pddl": made.domain, "problem.pddl": made.problem}
    if factored:
        files = _factored(made.domain, made.problem)
    files["plan.txt"] = "".join(f"{step}\n" for step in made.plan)
    options.write_files(output, files, force)
    click.echo(f"Wrote {counted(len(files), 'file')} to {output}; plan.txt solves the problem.")


def _made(domain: str, size: str | None, parameters: tuple[str, ...], seed: int) -> Generated:
    from tacit.domains import DOMAINS, EXAMPLES

    if domain not in EXAMPLES:
        generator = DOMAINS.get(domain)
        return generator.generate(
            {**generator.resolve(size or "small"), **_parsed(parameters)}, seed
        )
    if size or parameters or seed:
        raise InputError(f"'{domain}' is one fixed problem: it has no size, parameters or seed")
    return EXAMPLES.get(domain).make()


def _parsed(parameters: tuple[str, ...]) -> dict[str, int]:
    done: dict[str, int] = {}
    for text in parameters:
        found = re.fullmatch(r"([^=]*)=(-?[0-9]{1,6})", text)
        if found is None:
            raise InputError(f"'{text}' is not a parameter; expected NAME=NUMBER")
        done[found[1]] = int(found[2])
    return done


def _factored(domain: str, problem: str) -> dict[str, str]:
    from tacit.pddl.factor_writer import factor
    from tacit.pddl.reader import read_texts
    from tacit.pddl.source import Source

    texts = factor(read_texts(Source("domain.pddl", domain), Source("problem.pddl", problem)))
    files: dict[str, str] = {}
    for agent, (own_domain, own_problem) in texts.items():
        files[f"domain-{agent}.pddl"] = own_domain
        files[f"problem-{agent}.pddl"] = own_problem
    return files


def _list() -> None:
    from tacit.cli import render
    from tacit.domains import DOMAINS, EXAMPLES

    out = render.console()
    for name in DOMAINS:
        generator = DOMAINS.get(name)
        out.print(f"[bold]{name}[/]  {generator.about}")
        for size in generator.sizes:
            shown = ", ".join(f"{p}={v}" for p, v in generator.resolve(size).items())
            out.print(f"    {name}/{size:7} {shown}")
    for name in EXAMPLES:
        out.print(f"[bold]{name}[/]  {EXAMPLES.get(name).about}")
