"""`tacit demo`: plan for an embedded problem."""

from __future__ import annotations

import click

from tacit.cli import declared_options
from tacit.words import counted

EMBEDDED = "logistics/small"


@click.command()
@declared_options.run_options("seed")
def command(seed: int) -> None:
    """Plan for an embedded problem: what each agent discloses, and what stays private."""
    from tacit.central.instance import load
    from tacit.central.session import Session
    from tacit.central.validate.judge import timetable
    from tacit.cli import render
    from tacit.domains import DOMAINS
    from tacit.profile import profile
    from tacit.public.run_options import RunOptions

    domain, _ = EMBEDDED.split("/")
    instance = load(EMBEDDED)
    out = render.console()
    out.print(render.heading(f"Tacit demo: {EMBEDDED}"))
    out.print(f"{DOMAINS.get(domain).about}\n")
    counts = {agent: instance.local(agent).counts for agent in instance.agents}
    out.print(render.instance_table(counts))
    out.print(
        f"{counted(len(instance.public.facts), 'fact')} and "
        f"{counted(len(instance.public.goal), 'goal')} are public; "
        "the rest stays with its agent.\n"
    )
    session = Session(instance, profile("tacit"), RunOptions(seed=seed), online=True)
    result = session.online()
    assert result.plan is not None
    assert result.verdict is not None
    out.print(render.heading(f"Solved online, ranked by {session.options.ranking}"))
    out.print(render.disclosure_table(result))
    for line in render.ledger_lines(result):
        out.print(line)
    out.print(
        "Nothing was disclosed in advance, and nothing was taken back. What was not disclosed may "
        "still be guessed: tacit solve --leakage shows how much.\n"
    )
    out.print(render.heading("The joint plan"))
    render.plan(out, timetable(instance.source, result.plan), instance.agents)
    out.print(f"[bold green]valid[/]: {result.verdict.message}")
    out.print(f"\nNext: tacit solve {EMBEDDED}, tacit generate --list, tacit --help")
