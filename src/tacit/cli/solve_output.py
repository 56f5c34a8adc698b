"""What `tacit solve` prints: the ledger of the run, and the plan or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from tacit.cli import options, render
from tacit.cli.advice import hint, no_more, on_the_way, optimality
from tacit.cli.layouts import SolveLayout

if TYPE_CHECKING:
    from rich.console import Console

    from tacit.central.analysis.explain import Explanation
    from tacit.central.instance import Instance
    from tacit.central.result import Improvement, Result
    from tacit.central.session import Session
    from tacit.draw.page import Page
    from tacit.leakage.measure import Leakage
    from tacit.public.protocol.messages import Status


def report(better: Improvement) -> None:
    """Say that there is a better plan, while the run goes on."""
    click.echo(f"A better plan {render.improvement(better)}.", err=True)


def print_early(result: Result, chosen: dict[str, Any], as_json: bool) -> int:
    """A limit was reached before anything could be tried; the exit code."""
    out, limit = render.console(), result.outcome.value
    if as_json:
        print_json(result, chosen, None, None)
    else:
        out.print(f"[bold]{limit}[/] while {result.phase}")
        out.print(f"Out of {limit}; --{limit}-limit sets it.")
    return options.exit_code(limit)


def print_json(
    result: Result,
    chosen: dict[str, Any],
    instance: Instance | None,
    why: Explanation | None,
    leakage: Mapping[str, Leakage] | None = None,
) -> None:
    """All of it; `chosen` is what the run was done with."""
    import msgspec

    found = {**options.json_head("solve"), **chosen, **_fields(result, instance, why)}
    if leakage is not None:
        found["leakage"] = {agent: own.as_json() for agent, own in leakage.items()}
    printed: dict[str, Any] = msgspec.to_builtins(msgspec.convert(found, SolveLayout))
    before = list(printed)[: list(printed).index("solver")]
    first = {name: printed[name] for name in before}
    options.emit_json("solve", None, **{**first, **chosen, **printed})


def _fields(result: Result, instance: Instance | None, why: Explanation | None) -> dict[str, Any]:
    """What came of the run, for a `SolveLayout`."""
    verdict, kept = result.verdict, {agent: result.kept(agent) for agent in result.dependencies}
    return {
        "solved": result.solved,
        "outcome": result.outcome.value,
        "mode": result.mode,
        "k": result.k,
        **({} if result.refuted is None else {"iterative": {"refuted": result.refuted}}),
        "phase": result.phase,
        "extension": result.extension,
        "solved_by": result.solved_by,
        "changed_over": result.changed_over,
        "ledger": result.ledger.as_json(kept),
        "agents": {agent: _agent(result, agent) for agent in result.dependencies},
        "no_more": result.no_more,
        "unreachable": vars(result.unreachable) if result.unreachable else None,
        "explain": None if why is None else why.as_json(),
        "plan": _plan(result, instance),
        "plan_length": verdict.length if verdict else None,
        "cost": verdict.cost if verdict else None,
        "optimal": result.is_optimal,
        "cost_counted": result.cost_counted,
        "makespan": verdict.makespan if verdict else None,
        "makespan_paper": verdict.makespan_paper if verdict else None,
        "improvements": [vars(better) for better in result.improvements],
        "interrupted": result.is_interrupted,
        "seconds": result.seconds,
        "search": vars(result.counters),
    }


def _agent(result: Result, agent: str) -> dict[str, Any]:
    return {
        "dependencies": result.dependencies[agent],
        "replanned": (result.replanned or {}).get(agent, 0),
        **_prices(result, agent),
        **_search_counts(result.searches.get(agent)),
    }


def _plan(result: Result, instance: Instance | None) -> list[dict[str, Any]] | None:
    from tacit.central.validate.judge import step_objects

    if result.plan is None or instance is None:
        return None
    return step_objects(instance.source, result.plan)


def _prices(result: Result, agent: str) -> dict[str, int]:
    """What an agent paid, if prices were given."""
    found = result.accounts.get(agent)
    if found is None:
        return {}
    return {"price": found.edges, "price_of_repairs": found.repairs, "never": found.never}


def _search_counts(status: Status | None) -> dict[str, int]:
    """What an agent's own search did, if it had one."""
    if status is None:
        return {}
    return {
        "expanded": status.expanded,
        "evaluated": status.evaluated,
        "generated": status.generated,
        "sent": status.states_sent,
        "received": status.states_received,
        "deferred": status.deferred,
        "bytes": status.bytes_sent,
    }


def print_plain(
    session: Session,
    result: Result,
    edges: bool,
    why: Explanation | None,
    leakage: Mapping[str, Leakage] | None = None,
) -> None:
    """For people; with `edges`, by name what each agent disclosed, if no limit cut it short."""
    _print_result(session, result, edges and result.phase is None, why)
    if leakage is not None:
        _print_leakage(leakage)


def page(
    session: Session,
    result: Result,
    why: Explanation | None,
    known: Mapping[str, Leakage] | None,
    is_over: bool,
) -> Page:
    """The same as a page."""
    from tacit.central.pictures import solve_page

    lines = [] if result.solved else _why_lines(session, result, True, why)
    return solve_page(session, result, lines, known, is_over and result.phase is None)


def _print_result(session: Session, result: Result, edges: bool, why: Explanation | None) -> None:
    out = render.console()
    out.print(render.heading(f"{session.instance.name}: {render.summary(result)}"))
    _print_if(out, on_the_way(result))
    out.print(render.disclosure_table(result))
    for line in render.ledger_lines(result):
        out.print(line, markup=False)
    if result.changed_over:
        out.print(render.changed_over(result))
    if result.plan is None:
        _print_why(out, session, result, edges, why)
        return
    _print_plan(out, session, result)
    _print_edges(out, session, edges)


def _print_why(
    out: Console, session: Session, result: Result, edges: bool, why: Explanation | None
) -> None:
    for line in _why_lines(session, result, edges, why):
        out.print(line, highlight=False, markup=False)


def _why_lines(session: Session, result: Result, edges: bool, why: Explanation | None) -> list[str]:
    """Why there is no plan, and what to try."""
    lines = [no_more(result), *(why.lines(edges) if why is not None else ())]
    return [line for line in (*lines, hint(result, why, session.solver.agents_search)) if line]


def _print_plan(out: Console, session: Session, result: Result) -> None:
    from tacit.central.validate.judge import timetable

    assert result.plan is not None
    assert result.verdict is not None
    if result.replanned is not None:
        out.print(render.replanned(result.replanned))
    source, agents = session.instance.source, session.instance.agents
    render.plan(out, timetable(source, result.plan), agents)
    if session.options.improve and result.improvements:
        out.print(render.improvements(result.improvements))
    out.print(f"[bold green]valid[/]: {result.verdict.message}")
    _print_if(out, optimality(result))
    spent = ", ".join(f"{what} {time * 1000:.0f} ms" for what, time in result.seconds.items())
    out.print(f"CPU time: {spent}.")


def _print_edges(out: Console, session: Session, edges: bool) -> None:
    for name in session.instance.agents if edges else ():
        out.print(render.heading(f"\nDisclosed by {name}"))
        for edge in session.edges(name):
            out.print(edge, markup=False)


def _print_leakage(leakage: Mapping[str, Leakage]) -> None:
    """What all others together know of each agent."""
    out = render.console()
    out.print(render.heading("\nWhat all others together can know of it"))
    out.print(render.leakage_table(leakage))
    for line in render.leakage_lines(leakage):
        out.print(line, markup=False)


def _print_if(out: Console, line: str) -> None:
    if line:
        out.print(line, highlight=False, markup=False)
