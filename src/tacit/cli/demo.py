"""`tacit demo`: the first minute, on an embedded problem."""

from __future__ import annotations

import click

from tacit.cli import options

EMBEDDED = "sensors/small"


@click.command(short_help="A first look, on an embedded problem.")
@options.seed
def command(seed: int) -> None:
    """Show an embedded problem, what of it is private, and a plan that solves it."""
    from tacit.cli import render
    from tacit.domains import DOMAINS
    from tacit.whole.instance import load
    from tacit.whole.plan import plan_of
    from tacit.whole.validate import timetable, validate

    domain, size = EMBEDDED.split("/")
    generator = DOMAINS.get(domain)
    instance = load(EMBEDDED, seed)
    out = render.console()
    out.print(render.heading(f"Tacit demo: {EMBEDDED}"))
    out.print(f"{generator.about}\n")
    counts = {agent: instance.local(agent).counts for agent in instance.agents}
    out.print(render.instance_table(counts))
    out.print(
        f"{len(instance.public.facts)} facts and {len(instance.public.goal)} goals are public; "
        "the rest stays with its agent.\n"
    )
    plan = plan_of(generator.generate(size).plan)
    verdict = validate(instance.source, plan)
    out.print(render.heading("A joint plan"))
    out.print(render.lanes(timetable(instance.source, plan), instance.agents))
    out.print(f"[bold green]valid[/]: {verdict.message}")
    out.print(f"\nNext: tacit inspect {EMBEDDED}, tacit generate --list, tacit --help")
