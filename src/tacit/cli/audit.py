"""`tacit audit`: what transcripts show of each agent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.cli import options
from tacit.errors import ExitCode
from tacit.words import counted

if TYPE_CHECKING:
    from tacit.audit.holder import Audit
    from tacit.audit.owner import Own
    from tacit.leakage.reading.traffic import Traffic

FILE = click.Path(path_type=Path)


@click.command()
@click.argument("transcripts", nargs=-1, required=True, type=FILE)
@click.option("--agent", help="Whose files are given.")
@click.option("--domain", type=FILE, help="That agent's own domain file.")
@click.option("--problem", type=FILE, help="That agent's own problem file.")
@click.option("--record", type=FILE, help="That agent's own disclosure record.")
@click.option("--secret-seed", help="That agent's secret seed, if it had one.")
@click.option(
    "--k", type=click.IntRange(min=0), help="The most edges allowed [default: as agreed]."
)
@click.option("--profile", help="The profile that should have been used.")
@click.option("--ca", type=FILE, help="Whose certificates are trusted (PEM), to check signatures.")
@click.option(
    "--observers",
    help="Whose transcripts count, NAME,NAME [default: those of all that are given, together].",
)
@click.option("--details", is_flag=True, help="List edges, repairs and what follows from them.")
@options.plugins
@options.as_json
def command(
    transcripts: tuple[Path, ...],
    agent: str | None,
    domain: Path | None,
    problem: Path | None,
    record: Path | None,
    secret_seed: str | None,
    k: int | None,
    profile: str | None,
    ca: Path | None,
    observers: str | None,
    details: bool,
    plugins: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Everything that the holders of TRANSCRIPTS can know about each other agent.

    Transcripts of one run are combined, as if their holders told each other everything. Shown is
    what was disclosed, what follows from the frames for certain, and what a shrewd peer guesses;
    with an agent's own files and record also how right these guesses are, and whether anything was
    disclosed beyond what is on the ledger. The receipts in transcripts are checked: what is proved
    by whose signature, and whether a frame before the last receipt was altered.

    The exit code is 1 if there is a finding: something that breaks the terms of the run. What can
    be concluded from an honest run is shown, and is none.
    """
    from tacit.audit.holder import audit
    from tacit.audit.owner import check
    from tacit.audit.report import as_dict
    from tacit.leakage.reading.traffic import read_runs

    options.load_plugins(plugins)
    evidence_of = options.net("tacit.audit.evidence").evidence_of
    own = _own(agent, domain, problem, record, secret_seed)
    audits = []
    for traffic in _observed(read_runs(transcripts), observers):
        found = audit(traffic, k, own.name if own else None)
        found.evidence = evidence_of(traffic.recordings, ca)
        if profile is not None:
            _compare_profile(found, profile)
        if own is not None:
            check(found, own)
        audits.append(found)
    is_clean = all(found.is_clean for found in audits)
    if as_json:
        options.emit_json("audit", None, clean=is_clean, runs=[as_dict(found) for found in audits])
    else:
        for found in audits:
            _print(found, details)
    return ExitCode.SOLVED if is_clean else ExitCode.REVEALED


def _observed(runs: list[Traffic], observers: str | None) -> list[Traffic]:
    """What some of the holders saw, of the runs in which there are any of them."""
    from tacit.errors import InputError
    from tacit.leakage.reading.traffic import Traffic

    if observers is None:
        return runs
    names = {name.strip().lower() for name in observers.split(",")}
    held = {holder for traffic in runs for holder in traffic.holders}
    if names - held:
        missing = ", ".join(sorted(names - held))
        raise InputError(f"there is no transcript of {missing}", f"there are: {sorted(held)}")
    chosen = ([r for r in traffic.recordings if r.holder in names] for traffic in runs)
    return [Traffic(recordings) for recordings in chosen if recordings]


def _own(
    agent: str | None,
    domain: Path | None,
    problem: Path | None,
    record: Path | None,
    seed: str | None,
) -> Own | None:
    """The owner's files and record; all of them or none."""
    from tacit.audit.owner import Own
    from tacit.audit.recorded import read_record
    from tacit.pddl.reader import read_agent
    from tacit.pddl.source import Source

    if agent is None and domain is None and problem is None:
        if record is not None or seed is not None:
            raise click.UsageError("--record and --secret-seed need --agent and its files.")
        return None
    if agent is None or domain is None or problem is None:
        raise click.UsageError("--agent, --domain and --problem go together.")
    described = read_agent(agent.lower(), Source.read(domain), Source.read(problem))
    return Own(described.pairs[0], None if record is None else read_record(record), seed)


def _compare_profile(found: Audit, name: str) -> None:
    from tacit.audit.holder import Finding
    from tacit.profile import profile

    if found.traffic.settings != profile(name):
        for about in found.agents.values():
            about.findings.append(Finding("settings", f"the run was not under profile '{name}'"))


def _print(found: Audit, details: bool) -> None:
    from tacit.audit.report import in_all, in_detail, in_short, proved, verdict
    from tacit.cli import render

    traffic, out = found.traffic, render.console()
    who = " and ".join(traffic.holders)
    budget = "no k was agreed on" if found.k is None else f"k = {found.k}"
    budget = f"offline, {budget}" if traffic.is_offline else budget
    out.print(
        render.heading(f"What {who} can know: {counted(len(traffic.frames), 'frame')}, {budget}")
    )
    if not traffic.is_whole:
        out.print("A transcript is incomplete; later messages are not covered.")
    if found.agents:
        out.print(
            render.audit_table({name: in_short(about) for name, about in found.agents.items()})
        )
    out.print(in_all(found.ledger), markup=False)
    for name, about in found.agents.items():
        if details:
            for line in in_detail(found.traffic, about):
                out.print(f"{name}: {line}", markup=False)
        for finding in about.findings:
            out.print(f"[bold red]{name}[/]: {finding.text} ({finding.kind})")
        if not about.findings:
            out.print(f"[bold green]{name}[/]: {verdict(about)}")
    if found.evidence is not None:
        for line in proved(found.evidence):
            out.print(line, markup=False)
        for problem in found.evidence.problems:
            out.print(f"evidence: {problem}", style="bold red", markup=False)
