"""`tacit inspect`: show what a problem consists of."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli import declared_options, options
from tacit.cli.grouped import OUTPUT, Command, option
from tacit.errors import InputError
from tacit.public.settings import DEPENDENCIES
from tacit.words import counted

if TYPE_CHECKING:
    from tacit.central.instance import Instance
    from tacit.central.named_graph import NamedGraph
    from tacit.central.solve import Dependencies


@click.command(cls=Command)
@options.problem
@option("--dependencies", is_flag=True, help="Count the private dependencies too.")
@option("--edges", is_flag=True, help="List them by name; implies --dependencies.")
@option(
    "--graph",
    group=OUTPUT,
    type=click.Path(path_type=Path),
    help="Draw the dependencies of --agent, by name and so only for its owner, as .svg, or as "
    ".html with a slider over k.",
)
@option(
    "--scores",
    metavar="RANKING,...",
    help="Show how these rankings score each edge of --agent, once they have disclosed --k.",
)
@option("--agent", help="Whose dependencies --graph draws and --scores shows.")
@options.k
@options.percent
@declared_options.run_options("ranking", "ties")
@options.plugins
@options.profile_name
@declared_options.settings(DEPENDENCIES)
@options.as_json
@declared_options.run_options("seed")
@options.verbose
def command(
    problem: tuple[str, ...],
    dependencies: bool,
    edges: bool,
    graph: Path | None,
    scores: str | None,
    agent: str | None,
    k: int | None,
    percent: float | None,
    ranking: str,
    ties: int | None,
    plugins: tuple[Path, ...],
    profile_name: str,
    as_json: bool,
    seed: int,
    verbose: int,
    **choices: Any,
) -> None:
    """Show the agents of PROBLEM, and how much of it is public and private."""
    from tacit.central.named_graph import named_graph
    from tacit.central.session import Session
    from tacit.central.solve import dependencies as find_dependencies
    from tacit.choices import settings_of
    from tacit.public.run_options import RunOptions

    shows = graph is not None or scores is not None
    if not shows and any(option is not None for option in (agent, k, percent)):
        raise click.UsageError("--agent, --k and --percent are for --graph and --scores.")
    if k is not None and percent is not None:
        raise click.UsageError("--k and --percent exclude each other.")
    suffix = _suffix(graph) if graph is not None else ""
    options.load_plugins(plugins)
    settings = settings_of(profile_name, **choices)
    instance = options.loaded(problem, verbose)
    extra: dict[str, dict[str, Any] | None] = {"graph": None, "scores": None}
    if graph is not None:
        session = Session(instance, settings, RunOptions(ranking=ranking, seed=seed, ties=ties))
        named = named_graph(session, _agent(instance, agent), ranking)
        disclosed = _disclosed(named.agent, len(named.edges), session.largest, k, percent)
        _write(graph, suffix, named, disclosed)
        drawn = {"file": str(graph), "agent": named.agent, "ranking": ranking, "ties": ties}
        extra["graph"] = {**drawn, "k": disclosed, "edges": len(named.edges)}
    needed = dependencies or edges or scores is not None
    found = find_dependencies(instance, settings, ties) if needed else {}
    if scores is not None:
        extra["scores"] = _scores(found, _agent(instance, agent), scores, (k, percent), seed)
    if as_json:
        _print_json(instance, found, profile_name, edges, extra, seed)
    else:
        _print_plain(instance, found, edges, extra)


def _suffix(path: Path) -> str:
    if path.suffix.lower() not in (".svg", ".html"):
        raise InputError(f"cannot draw a graph as '{path.name}'", "use a name in .svg or .html")
    return path.suffix.lower()


def _agent(instance: Instance, agent: str | None) -> str:
    known = f"agents: {', '.join(instance.agents)}"
    if agent is None:
        raise InputError("the agent to show is missing", f"add --agent NAME; {known}")
    if agent not in instance.agents:
        raise InputError(f"there is no agent '{agent}'", known)
    return agent


def _disclosed(agent: str, total: int, largest: int, k: int | None, percent: float | None) -> int:
    """How many of the agent's edges are taken as disclosed; 0 by default."""
    if percent is not None:
        return min(total, math.ceil(largest * percent / 100))
    if k is not None and k > total:
        raise InputError(
            f"agent '{agent}' has fewer than {counted(k, 'edge')}", f"--k is from 0 to {total}"
        )
    return k or 0


def _scores(
    found: dict[str, Dependencies],
    agent: str,
    rankings: str,
    level: tuple[int | None, float | None],
    seed: int,
) -> dict[str, Any]:
    """Per ranking, the scores of the agent's edges in their order; None for disclosed ones."""
    from tacit.central.analysis.scores import edge_scores

    own = found[agent]
    largest = max(len(each.graph.columns) for each in found.values())
    disclosed = _disclosed(agent, len(own.graph.columns), largest, *level)
    names = list(dict.fromkeys(name.strip() for name in rankings.split(",")))
    scored = edge_scores(own.graph, names, disclosed, seed)
    return {
        "agent": agent,
        "k": disclosed,
        "edges": [own.describe(edge) for edge in own.graph.edges],
        "rankings": {
            name: [scores.left.get(edge) for edge in own.graph.edges]
            for name, scores in scored.items()
        },
    }


def _write(path: Path, suffix: str, named: NamedGraph, disclosed: int) -> None:
    from tacit.draw.graph_page import page
    from tacit.draw.graph_svg import svg
    from tacit.draw.picture import lay_out

    text = page(named, disclosed) if suffix == ".html" else svg(lay_out(named), disclosed)
    options.write_text(path, text)


def _agent_counts(instance: Instance, found: dict[str, Dependencies]) -> dict[str, dict[str, Any]]:
    counts: dict[str, dict[str, Any]] = {}
    for agent in instance.agents:
        counts[agent] = dict(instance.local(agent).counts)
        if agent in found:
            counts[agent]["dependencies"] = found[agent].counts
    return counts


def _print_json(
    instance: Instance,
    found: dict[str, Dependencies],
    profile_name: str,
    edges: bool,
    extra: dict[str, dict[str, Any] | None],
    seed: int,
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
        **extra,
        bytes_exchanged=instance.transcript.size,
        seconds=instance.seconds,
    )


def _print_plain(
    instance: Instance,
    found: dict[str, Dependencies],
    edges: bool,
    extra: dict[str, dict[str, Any] | None],
) -> None:
    from tacit.cli import render

    out = render.console()
    form = instance.source.form.value
    out.print(render.heading(f"{instance.name} ({form}, {counted(len(instance.agents), 'agent')})"))
    counts = _agent_counts(instance, found)
    out.print(render.instance_table(counts))
    private_goals = sum(c["private_goals"] for c in counts.values())
    goals = f"{len(instance.public.goal)} public and {counted(private_goals, 'private goal')}"
    out.print(f"{counted(len(instance.public.facts), 'public fact')}, {goals}.")
    spent = ", ".join(f"{what} {time * 1000:.1f} ms" for what, time in instance.seconds.items())
    out.print(f"CPU time: {spent}.")
    for agent, own in found.items() if edges else ():
        out.print(render.heading(f"\nPrivate dependencies of {agent}"))
        for edge in own.graph.edges:
            out.print(own.describe(edge), markup=False)
    if extra["scores"] is not None:
        out.print(
            render.heading("\nScores of {agent}'s edges, {k} disclosed".format(**extra["scores"]))
        )
        for line in _score_lines(extra["scores"]):
            out.print(line, markup=False)
    if extra["graph"] is not None:
        shown = "Wrote {file}: {k} of {total} of {agent} are disclosed."
        total = counted(extra["graph"]["edges"], "edge")
        out.print(shown.format(**extra["graph"], total=total), markup=False)


def _score_lines(scores: dict[str, Any]) -> Iterator[str]:
    """A column for each ranking, then the edge; a dash where it is disclosed."""
    names = list(scores["rankings"])
    wide = max(6, *map(len, names))
    yield "  ".join([*(name.rjust(wide) for name in names), "edge"])
    for place, edge in enumerate(scores["edges"]):
        values = (scores["rankings"][name][place] for name in names)
        cells = ("–" if value is None else f"{value:.4g}" for value in values)
        yield "  ".join([*(cell.rjust(wide) for cell in cells), edge])
