"""`tacit rehearse`: rehearse: all agents here, each a process of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli import declared_options, options
from tacit.cli.grouped import OUTPUT, Command, option
from tacit.errors import ExitCode
from tacit.net.limits import BOUNDS, LimitsTable
from tacit.words import counted, listed

if TYPE_CHECKING:
    from tacit.central.validate.judge import Verdict
    from tacit.draw.page import Page
    from tacit.net.rehearsal import Ended
    from tacit.pddl.syntax import Description


@click.command(cls=Command)
@click.argument("what", metavar="PROBLEM|agents.toml", nargs=-1, required=True)
@options.plugins
@option("--force", is_flag=True, help="Write into a folder that is not empty.")
@option(
    "-o",
    "--output",
    group=OUTPUT,
    type=click.Path(path_type=Path),
    default=Path("rehearsal"),
    show_default=True,
    help="Folder for what the agents write.",
)
@option(
    "--transcript",
    group=OUTPUT,
    is_flag=True,
    help="Every agent writes every frame to NAME.transcript in that folder.",
)
@options.html
@options.as_json
@options.verbose
@option(
    "--weights",
    group=BOUNDS,
    type=click.Path(path_type=Path),
    help="A file of prices for what agents disclose (TOML).",
)
@option(
    "--ledger",
    group=BOUNDS,
    type=click.Path(path_type=Path),
    help="Folder for lasting ledgers of all agents [default: none, unless agents.toml has one].",
)
@declared_options.terms()
@declared_options.table(LimitsTable)
def command(
    what: tuple[str, ...],
    weights: Path | None,
    output: Path,
    ledger: Path | None,
    force: bool,
    transcript: bool,
    html: Path | None,
    plugins: tuple[Path, ...],
    as_json: bool,
    verbose: int,
    **given: Any,
) -> int:
    """Start every agent of an agents.toml, or of a PROBLEM, as a process of its own.

    For a PROBLEM the files of each agent, throw-away certificates and an agents.toml are written
    first, and the joint plan is validated in the end. Agents need a bound on what they disclose: if
    none is given, the rehearsal sets --max-k all.
    """
    options.net("tacit.net.keys")
    from tacit.net.config import read_run_file
    from tacit.net.rehearsal import rehearse

    options.load_plugins(plugins)
    file, description = _prepared(what, weights, output, force, given)
    flags = _flags(given) if description is None else []
    tables = read_run_file(file).agents
    keepers = [agent for agent, table in tables.items() if ledger or table.ledger]
    if not keepers:
        click.echo("This rehearsal keeps no lasting ledger (--ledger DIR keeps one).", err=True)
    options.make_folder(output)
    mine = [part for path in plugins for part in ("--plugin", str(path.absolute()))]

    def arguments(agent: str) -> list[str]:
        found = ["--config", str(file), "-o", str(output), *flags, *mine, *["-v"] * verbose]
        if ledger is not None:
            found += ["--ledger", str(ledger.absolute())]
        elif agent not in keepers:
            found.append("--no-ledger")
        name = agent.lower()
        found += ["--html", str(output / f"page-{name}.html")] if html else []
        return found + (["--transcript", str(output / f"{name}.transcript")] if transcript else [])

    if description and description.form.value == "unfactored":  # agents warn about their own files
        options.show_warnings(description.warnings, verbose)
    agents = list(tables)
    ended = rehearse(agents, arguments, lambda line: click.echo(line, err=True))
    is_solved = all(e.report is not None and e.report["solved"] for e in ended)
    verdict, plan = None, list[dict[str, Any]]()
    if description and is_solved:
        plans = [output / f"plan-{agent.lower()}.txt" for agent in agents]
        verdict, plan = _verdict(description, plans)
    if as_json:
        _print_json(ended, verdict, plan)
    else:
        _print_plain(ended, verdict, output)
    options.write_page(html, lambda: _page(file, output, ended, description))
    if verdict is not None and not verdict.valid:
        return int(ExitCode.INVALID_PLAN)
    return _code(ended)


def _page(file: Path, output: Path, ended: list[Ended], description: Description | None) -> Page:
    from tacit.cli.rehearse_page import rehearse_page
    from tacit.net.config import read_run_file, terms_of

    settings = terms_of(read_run_file(file).terms).settings
    why = _reasons([e.report for e in ended if e.report])
    return rehearse_page(output, ended, description, settings, why)


def _prepared(
    what: tuple[str, ...], weights: Path | None, output: Path, force: bool, given: dict[str, Any]
) -> tuple[Path, Description | None]:
    """The config file, made if there is none, and the problem if one was given."""
    if len(what) == 1 and what[0].endswith(".toml"):
        if weights is not None:
            raise click.UsageError("In an agents.toml each agent's table names its own weights.")
        return Path(what[0]), None
    options.check_budget(given["budget"], weights)
    from tacit.central.instance import describe
    from tacit.net.rehearsal import free_ports, own_prices, toml_of
    from tacit.pddl.factor_writer import texts_of

    make_keys = options.net("tacit.net.keys").make_keys
    description = describe(what)
    texts = texts_of(description)
    agents = list(texts)
    terms = {name: given[name] for name in declared_options.term_names() if given[name] is not None}
    limits = {
        name: given[name]
        for name in declared_options.table_names(LimitsTable)
        if given[name] is not None
    }
    if given["k"] is None and not limits.keys() & {"max_k", "budget"}:
        limits["max_k"] = "all"
        click.echo("No bound was given: this rehearsal sets --max-k all for every agent.", err=True)
    files = {f"domain-{agent}.pddl": domain for agent, (domain, _) in texts.items()}
    files |= {f"problem-{agent}.pddl": problem for agent, (_, problem) in texts.items()}
    prices = {} if weights is None else own_prices(weights, agents)
    files |= prices
    ports = free_ports(len(agents))
    files["agents.toml"] = toml_of(agents, ports, terms, limits, with_prices=bool(prices))
    options.write_files(output, files, force)
    make_keys(output / "keys", agents, 1, replace=force)
    return output / "agents.toml", description


def _flags(given: dict[str, Any]) -> list[str]:
    """What was given besides a file, for every agent."""
    found: list[str] = []
    for name, value in given.items():
        if isinstance(value, bool):
            found.append(f"--{'' if value else 'no-'}{name.replace('_', '-')}")
        elif value is not None:
            found += [f"--{name.replace('_', '-')}", str(value)]
    return found


def _verdict(description: Description, plans: list[Path]) -> tuple[Verdict, list[dict[str, Any]]]:
    """Whether the joint plan holds, and its steps."""
    from tacit.central.validate.judge import step_objects, validate
    from tacit.central.validate.plan import read_agent_plans

    plan = read_agent_plans(plans)
    return validate(description, plan), step_objects(description, plan)


def _code(ended: list[Ended]) -> int:
    """The code of all, or of the agent with the most specific one: others may only have lost it."""
    codes = [e.code for e in ended]
    specific = [code for code in codes if code not in (0, ExitCode.PROTOCOL)]
    return next(iter(specific), max(codes))


def _print_json(ended: list[Ended], verdict: Verdict | None, plan: list[dict[str, Any]]) -> None:
    reports = {e.agent: e.report for e in ended if e.report is not None}
    options.emit_json(
        "rehearse",
        None,
        mode="online",
        ledger=_ledger(reports),
        agents={e.agent: {"exit": e.code, **(e.report or {})} for e in ended},
        valid=verdict.valid if verdict else None,
        plan=plan if verdict else None,
        plan_length=verdict.length if verdict else None,
    )


def _ledger(reports: dict[str, dict[str, Any]]) -> dict[str, Any] | None:
    """The ledger that all agents hold, with what each kept as it reports for itself."""
    if not reports:
        return None
    found: dict[str, Any] = max((r["ledger"] for r in reports.values()), key=_size)
    agents = {
        agent: {**counts, **({"kept": _kept(reports[agent], agent)} if agent in reports else {})}
        for agent, counts in found["agents"].items()
    }
    return {**found, "agents": agents}


def _size(ledger: dict[str, Any]) -> int:
    return int(ledger["sum"])


def _kept(report: dict[str, Any], agent: str) -> int:
    return int(report["ledger"]["agents"][agent]["kept"])


def _print_plain(ended: list[Ended], verdict: Verdict | None, output: Path) -> None:
    for e in ended:
        if e.report is None:
            click.echo(f"{e.agent}: ended with code {e.code}")
            continue
        r = e.report
        own = r["ledger"]["agents"].get(e.agent, {"edges": 0, "repairs": 0})
        click.echo(
            f"{e.agent}: {r['outcome']} with k = {r['k']}; disclosed {own['edges']} of "
            f"{counted(r['dependencies'], 'dependency')} and {counted(own['repairs'], 'repair')}"
        )
    for line in _reasons([e.report for e in ended if e.report]):
        click.echo(line)
    if verdict is not None:
        what = options.styled("valid", fg="green") if verdict.valid else "not valid"
        click.echo(f"{what}: {verdict.message}")
    click.echo(f"Plans and records are in {output}.")


def _reasons(reports: list[dict[str, Any]]) -> list[str]:
    """Why there is no plan, as far as agents may know."""
    goals = {goal for r in reports for goal in r["unreachable"]["goals"]}
    agents = {agent for r in reports for agent in r["unreachable"]["agents"]}
    lines = [f"out of reach whatever is disclosed: {goal}" for goal in sorted(goals)]
    lines += [f"out of reach whatever is disclosed: private goals of {a}" for a in sorted(agents)]
    said = sorted({name for r in reports for name in r["no_more"]})
    kept = {r["agent"]: _kept(r, r["agent"]) for r in reports if r["agent"] in said}
    with_more = [f"{name} ({counted(kept[name], 'edge')} kept)" for name in said if kept.get(name)]
    if lines or not said:
        return lines
    why = f"{listed(said)} would disclose no more, and what is disclosed is not enough."
    if not with_more:
        return [why, "All of it is disclosed: 'tacit explain PROBLEM' looks further."]
    return [
        why,
        f"A bound stands in the way (--max-k, --k, --budget) of {listed(with_more)}.",
        "What would be needed: 'tacit explain PROBLEM', or 'tacit minimum PROBLEM'.",
    ]
