"""`tacit audit`: what transcripts show of each agent, and whether that is too much."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli import options
from tacit.errors import ExitCode

if TYPE_CHECKING:
    from tacit.audit.holder import AgentAudit, Audit
    from tacit.audit.owner import Own

FILE = click.Path(path_type=Path)


@click.command(short_help="What transcripts show of each agent.")
@click.argument("transcripts", nargs=-1, required=True, type=FILE)
@click.option("--agent", help="Whose files are given.")
@click.option("--domain", type=FILE, help="That agent's own domain file.")
@click.option("--problem", type=FILE, help="That agent's own problem file.")
@click.option("--record", type=FILE, help="That agent's own disclosure record.")
@click.option("--secret-seed", help="That agent's secret seed, if it had one.")
@click.option("--k", type=click.IntRange(min=0), help="The budget [default: as agreed].")
@click.option("--profile", help="The profile that should have been used.")
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
    details: bool,
    plugins: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Everything that the holders of TRANSCRIPTS can know of each other agent.

    Transcripts of one run are put together. An agent that gives its own files and record besides
    learns whether anything was shown beyond its budget and its repairs. The exit code is 1 if so.
    """
    from tacit.audit.holder import audit
    from tacit.audit.owner import check
    from tacit.audit.traffic import read_runs

    options.load_plugins(plugins)
    own = _own(agent, domain, problem, record, secret_seed)
    audits = []
    for traffic in read_runs(transcripts):
        found = audit(traffic, k, own.name if own else None)
        if profile is not None:
            _compare_profile(found, profile)
        if own is not None:
            check(found, own)
        audits.append(found)
    is_clean = all(found.is_clean for found in audits)
    if as_json:
        options.emit_json("audit", None, clean=is_clean, runs=[_run(found) for found in audits])
    else:
        for found in audits:
            _print(found, details)
    return ExitCode.SOLVED if is_clean else ExitCode.REVEALED


def _own(
    agent: str | None,
    domain: Path | None,
    problem: Path | None,
    record: Path | None,
    seed: str | None,
) -> Own | None:
    """What an owner brings, all of it or nothing."""
    from tacit.audit.owner import Own
    from tacit.audit.recorded import read_record
    from tacit.pddl.reader import read_agent
    from tacit.pddl.source import Source

    if agent is None and domain is None and problem is None:
        if record is not None or seed is not None:
            raise click.UsageError("--record and --secret-seed go with --agent, its files too.")
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


# As JSON


def _run(found: Audit) -> dict[str, Any]:
    traffic = found.traffic
    return {
        "holders": list(traffic.holders),
        "started": traffic.started,
        "frames": len(traffic.frames),
        "whole": traffic.is_whole,
        "k": found.k,
        "clean": found.is_clean,
        "agents": {name: _agent(about) for name, about in found.agents.items()},
    }


def _agent(about: AgentAudit) -> dict[str, Any]:
    from tacit.audit.holder import in_words

    known, states = about.knowledge, about.states
    part = known.published
    return {
        "clean": not about.findings,
        "findings": [{"kind": f.kind, "text": f.text} for f in about.findings],
        "public_actions": len(part.actions) if part else 0,
        "tokens": known.tokens,
        "private_goals": bool(part and part.has_private_goal),
        "private_actions_look_at_public_facts": bool(part and part.looks),
        "dependencies": known.total,
        "edges": [_edge(edge) for edge in known.edges],
        "known_threats": [_edge(edge) for edge in known.known],
        "repairs": {
            "threats": [_edge(edge) for _, edge in known.threats],
            "returned": [list(item.needed_by) for _, item in known.returned],
            "prefixes": [
                {"kind": kind, "steps": [[step.agent, step.action] for step in steps]}
                for kind, steps in known.prefixes
            ],
        },
        "plans": {"confirmed": len(known.plans), "failed": known.failures},
        "replanned": known.replanned,
        "rounds": {"grounding": known.rounds, "exploring": len(known.explored)},
        "foreseen": sum(len(answer.news) for answer in known.foreseen),
        "states": {
            "sent": states.sent,
            "private_states": states.indices,
            "linkable": states.linkable,
            "explained": states.explained,
            "elsewhere": states.elsewhere,
            "unchecked": states.unchecked,
            "unexplained": len(states.unexplained),
            "stored": known.stored,
        },
        "inferred": [_inferred(item, in_words(item)) for item in about.inferred],
        "hints": [_inferred(item, in_words(item)) for item in about.hints],
    }


def _edge(edge: Any) -> dict[str, Any]:
    return {"giver": edge.giver, "token": edge.token, "gives": edge.positive}


def _inferred(item: Any, text: str) -> dict[str, Any]:
    return {"token": item.token, "givers": list(item.givers), "from": item.evidence, "text": text}


# For people


def _print(found: Audit, details: bool) -> None:
    from tacit.cli import render

    traffic, out = found.traffic, render.console()
    who = " and ".join(traffic.holders)
    budget = "no k was agreed on" if found.k is None else f"k = {found.k}"
    out.print(render.heading(f"What {who} can know: {len(traffic.frames)} frames, {budget}"))
    if not traffic.is_whole:
        out.print("A transcript is cut short; what came after that is not in here.")
    if found.agents:
        out.print(render.audit_table({name: _rows(about) for name, about in found.agents.items()}))
    for name, about in found.agents.items():
        if details:
            _print_details(name, about, out)
        for finding in about.findings:
            out.print(f"[bold red]{name}[/]: {finding.text} ({finding.kind})")
        if not about.findings:
            told = f"{len(about.knowledge.edges)} edges and {about.knowledge.repairs} repairs"
            out.print(f"[bold green]{name}[/]: nothing was shown beyond {told}.")


def _rows(about: AgentAudit) -> dict[str, str]:
    known, states = about.knowledge, about.states
    part = known.published
    rows: dict[str, int | str | None] = {
        "public actions": len(part.actions) if part else None,
        "tokens": part.tokens if part else None,
        "private goals": ("yes" if part.has_private_goal else "no") if part else None,
        "dependencies in all": known.total,
        "edges told": len(known.edges),
        "repairs: threats": len(known.threats),
        "repairs: tokens brought back": len(known.returned),
        "repairs: prefixes": len(known.prefixes),
        "plans it can carry out": len(known.plans),
        "plans it cannot carry out": known.failures,
        "plans it changed": known.replanned,
        "facts foreseen": sum(len(answer.news) for answer in known.foreseen),
        "states it sent": states.sent,
        "its private states seen": states.indices,
        "states that can be linked": states.linkable,
        "states explained by told edges": states.explained,
        "states from elsewhere": states.elsewhere,
        "states not looked at": states.unchecked,
        "dependencies inferred": len(about.inferred),
        "hints, whatever k is": len(about.hints),
    }
    return {what: "?" if value is None else str(value) for what, value in rows.items()}


def _print_details(name: str, about: AgentAudit, out: Any) -> None:
    from tacit.audit.holder import giver_in_words, in_words

    known = about.knowledge
    for what, edges in (
        ("told", known.edges),
        ("told whatever k is", known.known),
        ("repair", [edge for _, edge in known.threats]),
    ):
        for edge in edges:
            word = "gives" if edge.positive else "ends"
            giver = giver_in_words(edge.giver)
            out.print(f"{name}: {what}: {giver} {word} token {edge.token}")
    for _, token in known.returned:
        users = ", ".join(map(str, token.needed_by))
        out.print(f"{name}: repair: a token that holds at the start matters to actions {users}")
    for _, steps in known.prefixes:
        shown = ", ".join(f"{step.agent} {step.action}" for step in steps)
        out.print(f"{name}: repair: these actions cannot be done first: {shown}")
    for what, items in (("inferred", about.inferred), ("hint", about.hints)):
        for item in items:
            out.print(f"{name}: {what} from a {item.evidence}: {in_words(item)}")
