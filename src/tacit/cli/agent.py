"""`tacit agent`: plan as one agent, with peers on other hosts."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli import declared_options, options
from tacit.cli.grouped import FILES, OUTPUT, Command, option
from tacit.errors import ExitCode, InputError, TacitError, nearest
from tacit.net.limits import BOUNDS, LimitsTable
from tacit.words import counted, listed

if TYPE_CHECKING:
    from tacit.draw.page import Page
    from tacit.leakage.measure import Leakage
    from tacit.net.conclusion import Conclusion
    from tacit.net.config import AgentConfig, RunFile
    from tacit.net.host import Host


_TABLES = {
    "terms": declared_options.term_names(),
    "limits": declared_options.table_names(LimitsTable),
}

FILE = click.Path(path_type=Path)


@click.command(cls=Command)
@option("--name", required=True, help="Which agent this is.")
@option("--config", "file", type=FILE, help="A file with all of this (agents.toml).")
@option(
    "--check",
    "only_check",
    is_flag=True,
    help="Check files, certificate and port, meet all peers, compare problem and terms, and end.",
)
@options.plugins
@option(
    "--new-election",
    is_flag=True,
    help="Forget who was elected for this task, and who may not lead it; all owners must.",
)
@option(
    "--secret-seed",
    metavar="TEXT",
    help="Make what is random repeatable; a secret of this agent.",
)
@option(
    "-o",
    "--output",
    group=OUTPUT,
    type=FILE,
    default=Path(),
    help="Folder for plan-NAME.txt, calendar-NAME.csv and disclosed-NAME.txt [default: here].",
)
@options.html
@option("--transcript", group=OUTPUT, type=FILE, help="Write every frame to this file.")
@options.as_json
@options.verbose
@option("--domain", group=FILES, type=FILE, help="Its own domain file.")
@option("--problem", group=FILES, type=FILE, help="Its own problem file.")
@option("--listen", group=FILES, metavar="HOST:PORT", help="Where it listens.")
@option(
    "--peer",
    "peers",
    group=FILES,
    multiple=True,
    metavar="NAME=HOST:PORT",
    help="Another agent; once for each.",
)
@option("--cert", group=FILES, type=FILE, help="Its certificate (PEM).")
@option("--key", group=FILES, type=FILE, help="The certificate's key (PEM).")
@option("--ca", group=FILES, type=FILE, help="Whose certificates are trusted (PEM).")
@option("--crl", group=FILES, type=FILE, help="What they have revoked (PEM), if there are lists.")
@option(
    "--elections",
    group=FILES,
    type=FILE,
    help="Folder for what it remembers of elections [default: beside the key].",
)
@option("--weights", group=BOUNDS, type=FILE, help="A file of this agent's prices (TOML).")
@option(
    "--ledger",
    group=BOUNDS,
    type=FILE,
    help="Folder of the lasting ledger [default: 'ledger' beside the key].",
)
@option(
    "--no-ledger",
    group=BOUNDS,
    is_flag=True,
    help="Keep no lasting ledger: bounds hold for this run alone.",
)
@declared_options.terms()
@declared_options.table(LimitsTable)
def command(
    file: Path | None,
    name: str,
    output: Path,
    transcript: Path | None,
    elections: Path | None,
    new_election: bool,
    only_check: bool,
    html: Path | None,
    secret_seed: str | None,
    plugins: tuple[Path, ...],
    as_json: bool,
    verbose: int,
    **given: Any,
) -> int:
    """Plan as agent NAME, with its own two files, together with its peers.

    All agents are started so, in any order. Each writes its own plan and its own record of what it
    disclosed. The run is online: it starts with nothing disclosed, agents disclose one edge at a
    time, to all, and nothing is taken back. A bound must be chosen: --max-k, --budget or --k, or
    one in policy.toml beside the key. Bounds hold over all runs, by the lasting ledger.
    """
    from dataclasses import replace

    host_class = options.net("tacit.net.host").Host
    from tacit.net.config import Outputs, config_of

    options.load_plugins(plugins)
    run, folder = _run_file(file, name, given)
    name = name.lower()
    options.make_folder(output)
    options.make_folder_of(transcript)
    with ExitStack() as stack:
        frames = stack.enter_context(_transcript_for(html, transcript))
        names = (f"plan-{name}.txt", f"disclosed-{name}.txt", f"calendar-{name}.csv")
        plan, record, calendar = (output / file_name for file_name in names)
        config = config_of(run, name, folder, Outputs(plan, record, frames, calendar), secret_seed)
        memory = config.identity.key.with_suffix(".elections")
        config = replace(config, elections=elections or memory, anew=new_election)
        if only_check:
            config = replace(config, outputs=Outputs(), ledger=None)
        host = host_class(config, lambda text: click.echo(f"{name}: {text}", err=True))
        doubts = config.policy.doubts(list(config.peers))
        options.show_warnings((*host.warnings, *doubts), verbose)
        if only_check:
            return _check(config, host, as_json)
        found = _run(host, stack)
        known = None if html is None else _learned(config, found, frames)
        _print(config, found, known, as_json)
        options.write_page(html, lambda: _page(name, host, found, known), for_owner=True)
        return options.exit_code(found.outcome.value)


@contextmanager
def _transcript_for(page: Path | None, asked: Path | None) -> Iterator[Path | None]:
    """Where the transcript goes: where its owner asked for it; for a page alone, to a place that
    only this user can read, and that is gone afterwards.
    """
    if page is None or asked is not None:
        yield asked
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="tacit-") as folder:
        yield Path(folder) / "transcript"


def _learned(config: AgentConfig, found: Conclusion, transcript: Path | None) -> Leakage | None:
    from tacit.cli.agent_page import learned

    return options.measured(
        lambda: learned(config.name, found, transcript), config.terms.seconds, config.memory
    )


def _page(name: str, host: Host, found: Conclusion, known: Leakage | None) -> Page:
    from tacit.cli.agent_page import agent_page

    return agent_page(name, host.problem, found, _why(found), known)


def _run_file(file: Path | None, name: str, given: dict[str, Any]) -> tuple[RunFile, Path]:
    """The file, if there is one, with what was given besides on top."""
    import msgspec

    from tacit.net.config import convert, read_run_file

    plain: dict[str, Any] = {"agents": {}}
    folder = Path()
    if file is not None:
        plain = msgspec.to_builtins(read_run_file(file))
        folder = file.parent.absolute()
    here = {
        key: str(Path(value).absolute()) if isinstance(value, Path) else value
        for key, value in given.items()
        if value is not None
    }
    if here.pop("no_ledger", False):
        if "ledger" in here:
            raise click.UsageError("--ledger and --no-ledger exclude each other.")
        here["ledger"] = False
    agents = plain["agents"]
    own = agents.setdefault(next((a for a in agents if a.lower() == name.lower()), name), {})
    for peer in here.pop("peers", ()):
        other, _, address = peer.partition("=")
        if not (other and address):
            raise InputError(f"'{peer}' is no peer", "write NAME=HOST:PORT")
        agents.setdefault(other, {})["address"] = address
    for part in ("domain", "problem", "cert", "key", "listen", "weights", "ledger"):
        if part in here:
            own[part] = here.pop(part)
    if "listen" in own:
        own.setdefault("address", own["listen"])
    if "address" not in own:
        known = [agent for agent in agents if agent != name]
        hint = nearest(name, known) or "give it as --listen HOST:PORT"
        raise InputError(f"agent '{name}' has no address", hint)
    for part in ("ca", "crl"):
        if part in here:
            plain[part] = here.pop(part)
    for table, names in _TABLES.items():
        plain[table] = plain.get(table, {}) | {n: here.pop(n) for n in names if n in here}
    return convert(plain, str(file) if file else None), folder


def _run(host: Host, stack: ExitStack) -> Conclusion:
    """Run it; an agent that is still at work when all is over is left behind."""
    try:
        return host.run()
    except (TacitError, KeyboardInterrupt) as error:
        if host.is_stuck:
            from tacit.cli.main import fail

            text = str(error) if isinstance(error, TacitError) else "interrupted"
            code = fail(text, getattr(error, "exit_code", ExitCode.INTERRUPTED))
            sys.stderr.flush()
            stack.close()
            os._exit(code)
        raise


def _check(config: AgentConfig, host: Host, as_json: bool) -> int:
    """A rehearsal of the beginning: what could keep this agent from planning with the others."""
    missing = host.check()
    if as_json:
        options.emit_json("check", None, agent=config.name, ready=not missing, missing=missing)
    for peer, why in () if as_json else missing.items():
        click.echo(f"{config.name}: '{peer}' was not met: {why}")
    if not missing and not as_json:
        click.echo(f"{config.name}: ready. Files, certificate, port, all peers and terms are fine.")
    return int(ExitCode.PROTOCOL if missing else ExitCode.SOLVED)


def _print(config: AgentConfig, found: Conclusion, known: Leakage | None, as_json: bool) -> None:
    if as_json:
        _print_json(config, found, known)
    else:
        _print_plain(config, found)


def _print_json(config: AgentConfig, found: Conclusion, known: Leakage | None) -> None:
    own = found.ledger.counts(config.name).edges
    options.emit_json(
        "agent",
        None,
        agent=config.name,
        solved=found.outcome.value == "solved",
        outcome=found.outcome.value,
        mode="online",
        solver=config.terms.solver,
        ranking=config.terms.ranking,
        leader=found.leader,
        k=found.k,
        dependencies=found.dependencies,
        ledger=found.ledger.as_json({config.name: found.dependencies - own - found.recalled}),
        recalled=found.recalled,
        learned=known and {"certain": len(known.certain), "guessed": known.guessed_besides},
        no_more=found.no_more,
        unreachable={"goals": found.unreachable, "agents": found.unfinished},
        plan=str(found.plan) if found.plan else None,
        record=str(config.outputs.record),
    )


def _print_plain(config: AgentConfig, found: Conclusion) -> None:
    name, own = config.name, found.ledger.counts(config.name)
    if found.plan is None:
        click.echo(f"{name}: {found.outcome.value}{_why(found)}")
    else:
        click.echo(f"{name}: solved with k = {found.k}; its plan is {found.plan}")
    again = f" besides {found.recalled} that were known" if found.recalled else ""
    click.echo(
        f"{name}: disclosed {own.edges} of {counted(found.dependencies, 'dependency')}{again} and "
        f"{counted(own.repairs, 'repair')}, and kept "
        f"{found.dependencies - own.edges - found.recalled} private; "
        f"all agents together disclosed {found.ledger.sum}, the one with most "
        f"{found.ledger.largest}; by name in {config.outputs.record}"
    )


def _why(found: Conclusion) -> str:
    """Why there is no plan, as far as an agent may know."""
    names = [f"the private goals of '{agent}'" for agent in found.unfinished]
    goals = ", ".join((*found.unreachable, *names))
    if goals:
        return f": out of reach whatever is disclosed: {goals}"
    if not found.no_more:
        return ""
    quoted = listed([f"'{agent}'" for agent in found.no_more])
    return f": {quoted} said that no more is disclosed (all is, or a bound of its owner's holds)"
