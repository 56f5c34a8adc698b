"""What a trusted user's results look like: pages of runs, of reasons, and of trade-offs.

`--html` writes them, and notebooks show them. Which parts there are is decided here; what they look
like is decided in `tacit.draw`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from tacit.central.result import Result
from tacit.central.session import Session
from tacit.central.validate.judge import timetable
from tacit.draw.graph_part import GRAPH_SCRIPT, GRAPH_STYLE, graphs
from tacit.draw.lanes import box_of, lanes
from tacit.draw.page import Page, Section
from tacit.draw.parts import MEANING, Bar, bars, lists, sentences, table, tiles
from tacit.draw.trade_svg import Panel, svg
from tacit.leakage.measure import Leakage
from tacit.party.agent import Agent
from tacit.party.disclosure.named_graph import NamedGraph, disclosed_first
from tacit.public.ledger import Counts
from tacit.public.outcome import Outcome
from tacit.words import counted

if TYPE_CHECKING:
    from tacit.central.analysis.exact_front import ExactFront
    from tacit.central.analysis.explain import Explanation
    from tacit.central.analysis.trade import Point, Trade
    from tacit.central.instance import Instance
    from tacit.central.validate.plan import Plan, Step

FOR_ONE = "This page has names of all agents’ private things: for one user who holds all files."
ENDED = {
    Outcome.SOLVED: "solved",
    Outcome.NO_PLAN: "no plan",
    Outcome.NOT_EXTENDED: "no plan found",
    Outcome.UNDECIDED: "no plan found",
    Outcome.TIME: "out of time",
    Outcome.MEMORY: "out of memory",
}
Schedule = Sequence[tuple[int, "Step"]]


def solve_page(
    session: Session,
    result: Result,
    why: Sequence[str] = (),
    known: Mapping[str, Leakage] | None = None,
    is_whole: bool = True,
) -> Page:
    """What came of a run; `why` there is no plan, in lines, and what others know. A run that was
    interrupted is not whole: its agents may be in any state, and their graphs are left out.
    """
    instance, run = session.instance, session.options
    sections = run_sections(result, instance, why, known)
    if is_whole:
        sections += _disclosed(session)
    how = f"{_agents(instance.agents)} · {result.mode} · solver {run.solver}, ranking {run.ranking}"
    title = f"{instance.name}: {ENDED[result.outcome]}"
    return Page(title, how, FOR_ONE, sections, GRAPH_STYLE, GRAPH_SCRIPT)


def result_page(result: Result) -> Page:
    """What a result alone can show."""
    name = "" if result.instance is None else f"{result.instance.name}: "
    sections = run_sections(result, result.instance)
    about = f"{_agents(list(result.dependencies))} · {result.mode}"
    return Page(f"{name}{ENDED[result.outcome]}", about, FOR_ONE, sections)


def instance_page(instance: Instance) -> Page:
    """What a problem consists of."""
    counts = {agent: instance.local(agent).counts for agent in instance.agents}
    columns = list(next(iter(counts.values()), {}))
    rows = [[agent, *(f"{own[c]:,}" for c in columns)] for agent, own in counts.items()]
    header = ["agent", *(column.replace("_", " ") for column in columns)]
    section = Section("Agents", table(header, rows, "What each agent has"))
    about = f"{_agents(instance.agents)} · {instance.source.form.value}"
    return Page(instance.name, about, FOR_ONE, [section])


def run_sections(
    result: Result,
    instance: Instance | None,
    why: Sequence[str] = (),
    known: Mapping[str, Leakage] | None = None,
) -> list[Section]:
    """Numbers, why there is no plan or the plan, and what was disclosed."""
    sections = [Section("", tiles(_numbers(result)))]
    if not result.solved:
        sections.append(why_section(why))
    elif result.plan is not None and instance is not None:
        sections.append(plan_section(timetable(instance.source, result.plan), instance.agents))
    counts = {agent: result.ledger.counts(agent) for agent in result.dependencies}
    sections.append(disclosure_section(result.dependencies, counts, known))
    return sections


def why_section(why: Sequence[str]) -> Section:
    return Section("Why there is no plan", sentences(why or ["The search ended without one."]))


def plan_section(schedule: Schedule, agents: Sequence[str]) -> Section:
    """A plan that starts every step as early as it can."""
    boxes = [box_of(start + 1, step.agent or "", str(step)) for start, step in schedule]
    note = "A lane per agent. Every step lasts one unit of time and starts as early as it can."
    return Section("Plan", lanes(boxes, agents), note)


def disclosure_section(
    totals: Mapping[str, int], counts: Mapping[str, Counts], known: Mapping[str, Leakage] | None
) -> Section:
    """A bar per agent: what it disclosed, and what others know besides if that was measured."""
    rows = []
    for agent, total in totals.items():
        own, about = counts.get(agent, Counts()), (known or {}).get(agent)
        certain = None if about is None else len(about.certain)
        guessed = None if about is None else about.guessed_besides
        rows.append(Bar(agent, own.edges, total, own.repairs, certain, guessed))
    note = MEANING if known else "Of each agent’s private dependencies: disclosed, and kept."
    return Section("Disclosed", bars(rows), note)


def graph_section(drawn: Sequence[tuple[NamedGraph, int]]) -> list[Section]:
    """Graphs, if there are any."""
    note = (
        "From the bottom: what achieves an agent’s private tokens, the tokens, the public actions "
        "that need them, the public facts that these achieve. Disclosed edges are coloured."
    )
    return [Section("Dependencies", graphs(drawn), note)] if drawn else []


def explain_page(found: Explanation, instance: Instance | None = None) -> Page:
    """Why there is no plan, and what stands in the way by name."""
    drawn = any(one.way for one in found.missing)
    lines = [line for line in found.lines(by_name=True) if not (drawn and line.startswith("  "))]
    sections = [Section("Why", sentences(lines))]
    for one in found.missing if drawn else ():
        way = [["nothing else", f"{one.fact}: this is missing"], *map(list, one.way)]
        body = table(["with", "there would be"], way, "From the missing fact to the goal")
        sections.append(Section(f"On the way to {', '.join(one.goals)}", body))
    sections += [] if instance is None else instance_page(instance).sections
    title = repr(found).strip("<>").partition(": ")[2]
    return _page(instance, title, sections)


def trade_page(found: Trade, instance: Instance | None = None) -> Page:
    """Disclosure against makespan, and the plan of each point."""
    title = "disclosure and makespan"
    bounds = ", ".join(f"{what} {value}" for what, value in found.lower.items())
    note = f"Of the plans found, no other is as good in all of this. Proven lower bounds: {bounds}."
    plans = [(f"k = {point.k}, makespan {point.makespan}", point.plan) for point in found.points]
    drawn = panels(found) if plans else []
    sections = _front(instance, title, drawn, found.table(), note, plans)
    return _page(instance, title, sections)


def exact_page(found: ExactFront, instance: Instance | None = None) -> Page:
    """Disclosure against cost, proved, and the plan of each point."""
    title = "disclosure and cost"
    plans = [(f"k = {point.k}, cost {point.cost}", point.plan) for point in found.points]
    drawn, note = [_exact_panel(found)], found.proved()
    return _page(instance, title, _front(instance, title, drawn, found.table(), note, plans))


def exact_picture(name: str, found: ExactFront) -> str:
    """Cost over edges, as SVG."""
    return svg(f"{name}: disclosure and cost", [_exact_panel(found)])


def _exact_panel(found: ExactFront) -> Panel:
    points = [(p.k, p.cost, f"k {p.k}, cost {p.cost}") for p in found.points]
    least = found.points[0].k if found.points and found.is_complete else None
    return Panel("edges of the agent that discloses most", points, least, "cost")


def _front(
    instance: Instance | None,
    title: str,
    drawn: Sequence[Panel],
    points: tuple[list[str], list[list[str]]],
    note: str,
    plans: Sequence[tuple[str, Plan]],
) -> list[Section]:
    """Points that no other dominates, and their plans."""
    if not plans:
        return [Section("", sentences(["No plan was found."]))]
    shown = "".join(svg(f"{one.value} over {one.name}", [one], False) for one in drawn)
    picture = f'<figure class="panels">{shown}</figure>'
    sections = [Section("Points", picture + table(*points, title), note)]
    if instance is None:
        return sections
    for name, plan in plans:
        found = plan_section(timetable(instance.source, plan), instance.agents)
        sections.append(Section(name, found.body, found.note))
    return sections


def _page(instance: Instance | None, title: str, sections: Sequence[Section]) -> Page:
    if instance is None:
        return Page(title[0].upper() + title[1:], "", FOR_ONE, sections)
    about = f"{_agents(instance.agents)} · {instance.source.form.value}"
    return Page(f"{instance.name}: {title}", about, FOR_ONE, sections)


def panels(found: Trade) -> list[Panel]:
    """Makespan over edges and, if there are prices, over prices."""

    def label(point: Point) -> str:
        price = f", price {point.price}" if found.in_prices else ""
        return f"k {point.k}{price}, makespan {point.makespan}"

    points = found.points
    by_edges = [(point.k, point.makespan, label(point)) for point in points]
    made = [Panel("edges of the agent that discloses most", by_edges, found.lower["k"])]
    if found.in_prices:
        by_price = [(point.price, point.makespan, label(point)) for point in points]
        made.append(Panel("price for the agent that pays most", by_price, found.lower["price"]))
    return made


def _numbers(result: Result) -> dict[str, str]:
    verdict, ledger = result.verdict, result.ledger
    found = {} if result.solved else {"outcome": ENDED[result.outcome]}
    if verdict is not None and verdict.valid:
        shown = {"steps": verdict.length, "cost": verdict.cost, "makespan": verdict.makespan}
        found |= {what: f"{value:,}" for what, value in shown.items() if value is not None}
    found["disclosed by one agent at most"] = f"{ledger.largest:,}"
    found["disclosed by all together"] = f"{ledger.sum:,}"
    found["private dependencies in all"] = f"{sum(result.dependencies.values()):,}"
    found["CPU seconds"] = f"{sum(result.seconds.values()):.2f}"
    return found


def _disclosed(session: Session) -> list[Section]:
    """What was disclosed by name, and the graphs."""
    name, ranking = session.instance.name, session.options.ranking
    having = [agent for agent, total in session.totals.items() if total]
    question = partial(_drawn, name=name, ranking=ranking)
    drawn = [session.recall(agent, question) for agent in having]
    edges = {agent: session.edges(agent) for agent in having}
    listed = [Section("By name", lists(edges))] if any(edges.values()) else []
    return [*listed, *graph_section(drawn)]


def drawn_by_name(agent: Agent, name: str, edges: frozenset[str]) -> tuple[NamedGraph, int]:
    """The graph of an agent that disclosed the edges of these names, and how many these are."""
    own = agent.dependencies
    disclosed = [edge for edge in own.graph.edges if own.describe(edge) in edges]
    return disclosed_first(own, disclosed, name, ""), len(disclosed)


def _drawn(agent: Agent, name: str, ranking: str) -> tuple[NamedGraph, int]:
    graph = disclosed_first(agent.dependencies, agent.disclosed, name, ranking)
    shown = set(agent.dependencies.graph.edges)
    return graph, sum(edge in shown for edge in agent.disclosed)


def _agents(agents: Sequence[str]) -> str:
    return counted(len(agents), "agent")
