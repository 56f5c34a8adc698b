"""What a rehearsal came to, as a page for the one user who holds all files.

What each agent disclosed is in its record, and what its peers could conclude in its report. Where
the rehearsal was of a problem, the plans were validated together, and graphs can be drawn.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.audit.recorded import read_record
from tacit.central.instance import Instance
from tacit.central.pictures import FOR_ONE, drawn_by_name, graph_section, plan_section, why_section
from tacit.central.session import Session
from tacit.central.validate.judge import timetable
from tacit.central.validate.plan import Plan, read_agent_plans
from tacit.draw.graph_part import GRAPH_SCRIPT, GRAPH_STYLE
from tacit.draw.lanes import box_of, lanes
from tacit.draw.page import Page, Section
from tacit.draw.parts import MEANING, Bar, bars, lists, tiles
from tacit.errors import InvalidPlan
from tacit.net.rehearsal import Ended
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings
from tacit.words import counted

if TYPE_CHECKING:
    from tacit.pddl.syntax import Description


def rehearse_page(
    folder: Path,
    ended: Sequence[Ended],
    description: Description | None,
    settings: Settings,
    why: Sequence[str],
) -> Page:
    """The page of a rehearsal whose files are in a folder; `why` there is no plan."""
    agents = [one.agent.lower() for one in ended]
    is_solved = all(one.report is not None and one.report["solved"] for one in ended)
    plans = [folder / f"plan-{agent}.txt" for agent in agents]
    plan = read_agent_plans(plans) if is_solved else None
    named = {agent: _named(folder / f"disclosed-{agent}.txt") for agent in agents}
    sections = [Section("", tiles(_numbers(ended, plan)))]
    sections.append(why_section(why) if plan is None else _plan(plan, agents, description))
    sections.append(Section("Disclosed", bars(_bars(ended)), MEANING))
    if any(named.values()):
        sections.append(Section("By name", lists(named)))
    if description is not None:
        sections += _graphs(description, settings, named)
    name = folder.name if description is None else description.name
    title = f"{name}: {'solved' if is_solved else 'no plan'}"
    about = f"{counted(len(agents), 'agent')}, each a process of its own, on this machine"
    return Page(title, about, FOR_ONE, sections, GRAPH_STYLE, GRAPH_SCRIPT)


def _numbers(ended: Sequence[Ended], plan: Plan | None) -> dict[str, str]:
    ledgers = [one.report["ledger"] for one in ended if one.report is not None]
    ledger = max(ledgers, key=lambda found: int(found["sum"]), default={"largest": 0, "sum": 0})
    shown = {"outcome": "no plan"} if plan is None else {"steps": f"{len(plan):,}"}
    shown["disclosed by one agent at most"] = f"{ledger['largest']:,}"
    shown["disclosed by all together"] = f"{ledger['sum']:,}"
    total = sum(one.report["dependencies"] for one in ended if one.report is not None)
    return {**shown, "private dependencies in all": f"{total:,}"}


def _plan(plan: Plan, agents: Sequence[str], description: Description | None) -> Section:
    if description is not None:
        with contextlib.suppress(InvalidPlan):
            return plan_section(timetable(description, plan), agents)
    times = plan.times or tuple(range(len(plan)))
    place = {time: n for n, time in enumerate(sorted(set(times)), start=1)}
    steps = zip(times, plan.steps, strict=True)
    boxes = [box_of(place[time], step.agent or "", str(step)) for time, step in steps]
    note = "In the order of the agents’ plan files, which no validator has accepted together."
    return Section("Plan", lanes(boxes, agents), note)


def _bars(ended: Sequence[Ended]) -> list[Bar]:
    rows = []
    for one in ended:
        if one.report is None:
            rows.append(Bar(one.agent, 0, 0, more=f"it ended with code {one.code}"))
            continue
        own = one.report["ledger"]["agents"].get(one.agent.lower(), {"edges": 0, "repairs": 0})
        known = one.report["learned"] or {"certain": None, "guessed": None}
        total, repairs = one.report["dependencies"], own["repairs"]
        measured = (known["certain"], known["guessed"])
        rows.append(Bar(one.agent, own["edges"], total, repairs, *measured))
    return rows


def _named(path: Path) -> list[str]:
    """What an agent disclosed to anybody in its last run, by its own names."""
    if not path.exists():
        return []
    edges = set[str]().union(*(lines.edges for lines in read_record(path).peers.values()))
    return sorted(edges)


def _graphs(
    description: Description, settings: Settings, named: Mapping[str, Sequence[str]]
) -> list[Section]:
    instance = Instance(description, {})
    session = Session(instance, settings, RunOptions())
    drawn = []
    for agent, total in session.totals.items():
        if total:
            question = partial(drawn_by_name, name=instance.name, edges=frozenset(named[agent]))
            drawn.append(session.recall(agent, question))
    session.close()
    return graph_section(drawn)
