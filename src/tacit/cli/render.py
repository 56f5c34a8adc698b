"""Results as tables and text on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tacit.words import counted, listed

if TYPE_CHECKING:
    from tacit.central.analysis.minimum import Minimum
    from tacit.central.result import Improvement, Result
    from tacit.central.validate.plan import Step
    from tacit.leakage.measure import Leakage


def console() -> Console:
    """Results on stdout, coloured on a terminal; rich respects `NO_COLOR`."""
    return Console(highlight=False, soft_wrap=True, emoji=False)


def instance_table(counts: Mapping[str, Mapping[str, Any]]) -> Table:
    """The agents of an instance, and how much of each is private."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("agent", style="bold", min_width=max(map(len, ("agent", *counts))))
    columns = ("public_actions", "private_actions", "private_facts", "private_goals")
    dependency_columns = ("tokens", "positive", "negative")
    with_dependencies = any("dependencies" in own for own in counts.values())
    headers = [column.replace("_", " ") for column in columns]
    if with_dependencies:  # one word to a line, so that all of them fit
        headers += ["tokens", "positive edges", "negative edges"]
        headers = [header.replace(" ", "\n") for header in headers]
    for header in headers:
        table.add_column(header, justify="right", min_width=max(map(len, header.split())))
    for agent, own in counts.items():
        cells = [own[column] for column in columns]
        if with_dependencies:
            cells += [own["dependencies"][column] for column in dependency_columns]
        table.add_row(Text(agent), *(f"{cell:,}" for cell in cells))
    return table


def summary(result: Result) -> str:
    """How a run ended, in which mode, and how much was disclosed, in one line."""
    if result.solved:
        ended = f"solved {result.mode}"
    else:
        phase = "" if result.phase is None else f" while {result.phase}"
        ended = f"{result.outcome.value}{phase}, {result.mode}"
    return f"{ended}; {disclosed(result)}"


def improvement(better: Improvement) -> str:
    """A better plan, as it is found."""
    return f"after {better.seconds:.1f} s: cost {better.cost}, makespan {better.makespan}"


def improvements(found: Sequence[Improvement]) -> str:
    """How often the plan became better, and when it last did."""
    return f"Improved {_times(len(found))}, last {improvement(found[-1])}."


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def disclosed(result: Result) -> str:
    """The numbers of the ledger in words."""
    ledger = result.ledger
    if not ledger.sum:
        return f"k = {result.k}, nothing disclosed"
    most = f"at most {ledger.largest:,} disclosed by one agent"
    counted = ", counting classes" if ledger.counts_classes else ""
    return f"k = {result.k}, {most}, {ledger.sum:,} by all together{counted}"


def disclosure_table(result: Result) -> Table:
    """What every agent disclosed, edges and repairs, and what it never disclosed to anybody."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("agent", style="bold")
    columns = ["dependencies", "edges", "repairs", "disclosed", "share", "undisclosed"]
    priced = bool(result.accounts)
    if priced:  # one word to a line, so that all of them fit
        columns = [*columns, "price", "price of repairs", "withheld"]
        columns = [column.replace(" ", "\n") for column in columns]
    for column in columns:
        table.add_column(column, justify="right", min_width=max(map(len, column.split("\n"))))
    for agent, total in result.dependencies.items():
        own = result.ledger.counts(agent)
        share = f"{100 * own.edges / total:.0f} %" if total else "–"
        cells = [f"{n:,}" for n in (total, own.edges, own.repairs, own.disclosed)]
        cells += [share, f"{result.kept(agent):,}"]
        if priced:
            paid = result.accounts[agent]
            cells += [f"{paid.edges:,}", f"{paid.repairs:,}", f"{paid.never:,}"]
        table.add_row(Text(agent), *cells)
    return table


def ledger_lines(result: Result) -> list[str]:
    """The agent that disclosed most, the sum over agents, and what these numbers are of."""
    counts = result.ledger.per_agent()
    lines = ["Nobody disclosed anything."]
    if result.ledger.sum:
        most = [agent for agent, own in counts.items() if own.disclosed == result.ledger.largest]
        who = listed(most) if len(most) < 4 else counted(len(most), "agent")
        each = " each" if len(most) > 1 else ""
        lines = [
            f"{who} disclosed most, {result.ledger.largest:,}{each}; "
            f"the sum over agents is {result.ledger.sum:,}."
        ]
    alike = [f"{agent} {own.alike:,}" for agent, own in counts.items() if own.alike]
    if alike:
        lines.append(f"Edges that look like others and are not counted: {', '.join(alike)}.")
    free = [f"{agent} {own.free:,}" for agent, own in counts.items() if own.free]
    if free:
        lines.append(f"Shown without counting, as the settings ask: {', '.join(free)}.")
    if result.mode == "offline":
        lines.append("An offline search: all of this is as if this k alone had been run.")
    return lines


_ALWAYS = ("dependencies inferred", "undisclosed edges that are certain")


def audit_table(rows: Mapping[str, Mapping[str, str]]) -> Table:
    """What is known about each agent, a column each, without rows that are empty for all."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("what is known of", min_width=30)
    for agent in rows:
        table.add_column(Text(agent), justify="right")
    for what in max(rows.values(), key=len):
        cells = [own.get(what, "?") for own in rows.values()]
        if set(cells) - {"0", "?"} or what in _ALWAYS:
            table.add_row(what, *cells)
    return table


def leakage_table(leakage: Mapping[str, Leakage]) -> Table:
    """What is known of each agent, from exact to shrewd."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("agent", style="bold")
    columns = ["disclosed", "certain", "guessed", "right", "undisclosed", "classes", "bits", "of"]
    for column in columns:
        table.add_column(column, justify="right", min_width=len(column))
    for agent, own in leakage.items():
        found = own.as_json()
        names = ("disclosed", "certain", "guessed", "guessed_right", "undisclosed", "classes")
        cells = ["?" if found[name] is None else f"{found[name]:,}" for name in names]
        table.add_row(Text(agent), *cells, f"{own.bits_b.learned:.1f}", f"{own.bits_b.all:.1f}")
    return table


def leakage_lines(leakage: Mapping[str, Leakage]) -> list[str]:
    """What the columns are."""
    attacks = sorted({own.guessed.attack for own in leakage.values() if own.guessed.pairs})
    sums = sum(own.told.sums for own in leakage.values())
    lost = sum(own.told.lost_tokens for own in leakage.values())
    costs = [
        f"The search told {counted(sums, 'sum')} with private costs, and of "
        f"{counted(lost, 'token')} that agents lose: dependencies may show in them."
    ]
    return [
        "Certain: undisclosed edges that follow for any owner. Guessed: undisclosed edges of "
        "actions",
        f"that the strongest attack names{f' ({listed(attacks)})' if attacks else ''}, and how "
        "many of these are right.",
        "Bits: learned of the dependency graph, of those that were unknown at publishing.",
        *(costs if sums or lost else ()),
    ]


def minimum_table(result: Minimum, labels: Mapping[str, str], what: str) -> Table:
    """The bounds on the least that must be disclosed, per objective."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(what, style="bold")
    for column in ("lower bound", "best found", "gap", "extended"):
        table.add_column(column, justify="right")
    for name in result.objectives:
        best, gap, witness = result.best.get(name), result.gap(name), result.witness.get(name)
        bounds = (str(result.lower[name]), "–" if best is None else str(best))
        shown = "–" if gap is None else "proven" if gap == 0 else str(gap)
        table.add_row(labels[name], *bounds, shown, str(witness.value) if witness else "–")
    return table


def plain_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Numbers under headers."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in header:
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(*row)
    return table


def replanned(changes: Mapping[str, int]) -> Text:
    """That a plan was made by replanning, and what that discloses."""
    counts = (f"{agent} {count}" for agent, count in changes.items() if count)
    what = f"steps added or removed: {', '.join(counts)}" if any(changes.values()) else ""
    why = what or "it uses undisclosed dependencies"
    return Text(f"disclosed more than k: the plan was made by replanning ({why}).", style="yellow")


def changed_over(result: Result) -> Text:
    """That the run switched to forward search, and why."""
    repairs = sum(result.repairs.values())
    why = (
        f": {counted(repairs, 'repair')} of the projection made no progress; mafs"
        if repairs
        else ", which"
    )
    found = "found the plan" if result.solved else "continued"
    return Text(f"switched to forward search{why} {found}, with the same edges.", style="yellow")


def plan(out: Console, timetable: Sequence[tuple[int, Step]], agents: Sequence[str]) -> None:
    """Print a plan by time step: a lane for every agent that acts, or a line for every step where
    one of a lane would need more than two.
    """
    acting = [a for a in agents if any(step.agent == a for _, step in timetable)]
    steps = sorted(timetable, key=lambda one: (one[0], acting.index(str(one[1].agent))))
    cells: dict[int, dict[str, str]] = {}
    for start, step in steps:
        cells.setdefault(start, {})[str(step.agent)] = _short(step)
    widths = {a: _for_two_lines([a, *(r[a] for r in cells.values() if a in r)]) for a in acting}
    if (room := out.width - 6 - 3 * len(acting) - sum(widths.values())) >= 0:
        out.print(_lanes(cells, _widened(widths, cells, room)))
        return
    wide = max(map(len, ("agent", *acting)))
    out.print(Text(f"\n time  {'agent':<{wide}}  step", style="dim"))
    for start, row in cells.items():
        for number, (agent, step_text) in enumerate(row.items()):
            time = "" if number else str(start + 1)
            line = Text.assemble((f"{time:>5}  ", "dim"), (f"{agent:<{wide}}", "bold"))
            out.print(line.append(f"  {step_text}"))
    out.print()


def _for_two_lines(texts: Sequence[str]) -> int:
    """The least width at which each text takes at most two lines, with no word broken."""
    width = max(len(word) for text in texts for word in text.split())
    while any(len(wrap(text, width)) > 2 for text in texts):
        width += 1
    return width


def _widened(
    widths: Mapping[str, int], cells: Mapping[int, Mapping[str, str]], room: int
) -> dict[str, int]:
    """The same lanes with as much of the room as they can use, the narrowest first."""
    found = dict(widths)
    wanted = {a: max(len(row.get(a, "")) for row in cells.values()) for a in widths}
    for _ in range(room):
        short = [agent for agent in found if found[agent] < wanted[agent]]
        if short:
            found[min(short, key=found.__getitem__)] += 1
    return found


def _lanes(cells: Mapping[int, Mapping[str, str]], widths: Mapping[str, int]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("time", justify="right", style="dim")
    for agent, width in widths.items():
        table.add_column(Text(agent), style="bold", width=width)
    for start, row in cells.items():
        table.add_row(str(start + 1), *(Text(row.get(agent, "")) for agent in widths))
    return table


def heading(text: str) -> Text:
    return Text(text, style="bold underline")


def _short(step: Step) -> str:
    args = [arg for arg in step.args if arg != step.agent]
    return " ".join((step.name, *args))
