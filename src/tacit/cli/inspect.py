"""`tacit inspect`: what a problem consists of, and what of it is private."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tacit.cli import options

if TYPE_CHECKING:
    from tacit.whole.instance import Instance
    from tacit.whole.pipeline import Dependencies


@click.command(short_help="Show what a problem consists of.")
@options.problem
@click.option("--dependencies", is_flag=True, help="Count the private dependencies too.")
@click.option("--edges", is_flag=True, help="List them by name; implies --dependencies.")
@options.profile_name
@options.chain
@options.no_op
@options.threats
@options.as_json
@options.seed
@options.verbose
def command(
    problem: tuple[str, ...],
    dependencies: bool,
    edges: bool,
    profile_name: str,
    chain: str | None,
    no_op: str | None,
    threats: str | None,
    as_json: bool,
    seed: int,
    verbose: int,
) -> None:
    """Show the agents of PROBLEM, and how much of it is public and private."""
    from tacit.whole.instance import load
    from tacit.whole.pipeline import dependencies as find_dependencies

    settings = options.settings(profile_name, chain=chain, no_op=no_op, threats=threats)
    instance = load(problem, seed)
    options.show_warnings(instance.source.warnings, verbose)
    found = find_dependencies(instance, settings) if dependencies or edges else {}
    if as_json:
        _print_json(instance, found, profile_name, edges, seed)
    else:
        _print_plain(instance, found, edges)


def _agent_counts(instance: Instance, found: dict[str, Dependencies]) -> dict[str, dict[str, Any]]:
    counts: dict[str, dict[str, Any]] = {}
    for agent in instance.agents:
        counts[agent] = dict(instance.local(agent).counts)
        if agent in found:
            counts[agent]["dependencies"] = found[agent].counts
    return counts


def _print_json(
    instance: Instance, found: dict[str, Dependencies], profile_name: str, edges: bool, seed: int
) -> None:
    public = instance.public
    counts = _agent_counts(instance, found)
    private_goals = sum(c["private_goals"] for c in counts.values())
    if edges:
        for agent, own in found.items():
            counts[agent]["edges"] = [own.describe(edge) for edge in own.graph.edges]
    options.emit_json(
        "inspect",
        seed,
        name=instance.name,
        form=instance.source.form.value,
        profile=profile_name,
        agents=counts,
        public_facts=len(public.facts),
        goals=len(public.goal) + private_goals,
        public_goals=len(public.goal),
        private_goals=private_goals,
        bytes_exchanged=instance.transcript.size,
        seconds=instance.seconds,
    )


def _print_plain(instance: Instance, found: dict[str, Dependencies], edges: bool) -> None:
    from tacit.cli import render

    out = render.console()
    form = instance.source.form.value
    out.print(render.heading(f"{instance.name} ({form}, {len(instance.agents)} agents)"))
    counts = _agent_counts(instance, found)
    out.print(render.instance_table(counts))
    private_goals = sum(c["private_goals"] for c in counts.values())
    goals = f"{len(instance.public.goal)} public and {private_goals} private goals"
    out.print(f"{len(instance.public.facts):,} public facts, {goals}.")
    spent = ", ".join(f"{what} {time * 1000:.1f} ms" for what, time in instance.seconds.items())
    out.print(f"CPU time: {spent}.")
    for agent, own in found.items() if edges else ():
        out.print(render.heading(f"\nPrivate dependencies of {agent}"))
        for edge in own.graph.edges:
            out.print(own.describe(edge), markup=False)
