"""`tacit inspect`: what a problem consists of, and what of it is private."""

from __future__ import annotations

import click

from tacit.cli import options


@click.command(short_help="Show what a problem consists of.")
@options.problem
@options.as_json
@options.seed
@options.verbose
def command(problem: tuple[str, ...], as_json: bool, seed: int, verbose: int) -> None:
    """Show the agents of PROBLEM, and how much of it is public and private."""
    from tacit.whole.instance import load

    instance = load(problem, seed)
    options.show_warnings(instance.source.warnings, verbose)
    public = instance.public
    counts = {agent: instance.local(agent).counts for agent in instance.agents}
    private_goals = sum(c["private_goals"] for c in counts.values())
    if as_json:
        options.emit_json(
            "inspect",
            seed,
            name=instance.name,
            form=instance.source.form.value,
            agents=counts,
            public_facts=len(public.facts),
            goals=len(public.goal) + private_goals,
            public_goals=len(public.goal),
            private_goals=private_goals,
            bytes_exchanged=instance.transcript.size,
            seconds=instance.seconds,
        )
        return
    from tacit.cli import render

    out = render.console()
    form = instance.source.form.value
    out.print(render.heading(f"{instance.name} ({form}, {len(instance.agents)} agents)"))
    out.print(render.instance_table(instance))
    goals = f"{len(public.goal)} public and {private_goals} private goals"
    out.print(f"{len(public.facts):,} public facts, {goals}.")
    spent = ", ".join(f"{what} {time * 1000:.1f} ms" for what, time in instance.seconds.items())
    out.print(f"CPU time: {spent}.")
