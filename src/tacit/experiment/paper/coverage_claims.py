"""The paper's claims about how much disclosure its rankings need, domain by domain.

Paraphrased, each with what would confirm it. *Alike* means the same first budget, on the grid of
levels that was run. See `phenomena` for verdicts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median

from tacit.experiment.paper import published as paper
from tacit.experiment.paper.panels import Panel, panels_of
from tacit.experiment.paper.phenomena import Finding, sentence, title, verdict_of
from tacit.experiment.run.row import RunOutcome
from tacit.experiment.tables.coverage import Series, solved
from tacit.experiment.tables.duels import by_panel, duel_grid, duels
from tacit.experiment.tables.grid import Grid

_LEVEL = 0.05
"""One step of the paper's grid, as a share of a problem's dependencies."""


def _fewest(panels: Iterable[Panel]) -> int:
    return min((panel.problems for panel in panels), default=0)


def one_problem_aside(found: Sequence[Series], solver: str = "projection") -> Finding:
    """In BlocksWorld m3 and m4 reach their best coverage later than m1 and m2 (1), and both need
    less than both of these in all problems except one (2).
    """
    parts: list[bool] = []
    sentences: list[str] = []
    panels = panels_of(found, "blocksworld", solver)
    for panel in panels:
        reached = {name: panel.reaches(name) for name in paper.RANKINGS}
        firsts = panel.firsts.values()
        less = sum(max(f["m3"], f["m4"]) < min(f["m1"], f["m2"]) for f in firsts)
        more = sum(max(f["m3"], f["m4"]) > min(f["m1"], f["m2"]) for f in firsts)
        late, early = min(reached["m3"], reached["m4"]), max(reached["m1"], reached["m2"])
        parts += [late > early, less >= len(firsts) - 1]
        shown = ", ".join(f"{edges:.0f} with {name}" for name, edges in reached.items())
        sentences.append(
            f"best coverage takes {shown} edges; in {less} of {len(firsts)} problems both m3 and "
            f"m4 need less than both m1 and m2, in {more} one of them needs more than one of these"
        )
    return Finding(
        f"In BlocksWorld with {solver}, m3 and m4 are behind m1 and m2 because of one problem "
        "alone, and need less in the others",
        verdict_of(parts, _fewest(panels)),
        sentence(sentences),
        duel_grid([duel for duel in duels(found, "blocksworld") if duel.solver == solver]),
    )


def alike_but_for(found: Sequence[Series], domain: str, exceptions: int, worse: int = 0) -> Finding:
    """All rankings have the same first budget except in `exceptions` problems (1); in Driverlog m3
    also needs more than m1 in `worse` of these (2).
    """
    parts: list[bool] = []
    sentences: list[str] = []
    panels = panels_of(found, domain)
    for panel in panels:
        firsts = panel.firsts.values()
        differ = sum(len(set(first.values())) > 1 for first in firsts)
        behind = sum(first["m3"] > first["m1"] for first in firsts)
        parts += [differ <= exceptions, *([behind >= worse] if worse else [])]
        sentences.append(
            f"with {panel.solver}, all rankings have the same first k in "
            f"{len(firsts) - differ} of {len(firsts)} problems"
            + (f", and m3 needs more than m1 in {behind}" if worse else "")
        )
    claim = f"In {title(domain)} all rankings are alike except in {_number(exceptions)}"
    claim += f", of which m3 needs more than m1 in {worse}" if worse else ""
    return Finding(
        claim, verdict_of(parts, _fewest(panels)), sentence(sentences), _alike_grid(panels)
    )


def _number(problems: int) -> str:
    return "one problem" if problems == 1 else f"{problems} problems"


def _alike_grid(panels: Sequence[Panel]) -> Grid:
    """The problems in which rankings differ."""
    lines = [
        [panel.solver, panel.domain, problem, *(f"{first[name]:g}" for name in paper.RANKINGS)]
        for panel in panels
        for problem, first in panel.firsts.items()
        if len(set(first.values())) > 1
    ]
    return Grid(["solver", "domain", "problem", *paper.RANKINGS], lines)


def worst_and_others_alike(found: Sequence[Series], domain: str, worst: str) -> Finding:
    """No other ranking needs more on average, and some need less (1); the others differ by more
    than one level of the grid in one problem at most (2).
    """
    parts: list[bool] = []
    sentences: list[str] = []
    panels = panels_of(found, domain)
    for panel in panels:
        means = panel.means
        others = [name for name in paper.RANKINGS if name != worst]
        apart = sum(
            max(first[n] for n in others) - min(first[n] for n in others)
            > _LEVEL * panel.largest[problem]
            for problem, first in panel.firsts.items()
        )
        is_worst = means[worst] == max(means.values()) > min(means.values())
        parts += [is_worst, apart <= 1]
        shown = ", ".join(f"{name} {means[name]:.1f}" for name in others)
        sentences.append(
            f"with {panel.solver}, {worst} needs {means[worst]:.1f} edges on average ({shown}), "
            f"and the others differ in {apart} of {len(panel.firsts)} problems"
        )
    return Finding(
        f"In {title(domain)} {worst} is the weakest, and the others are almost alike except in one "
        "problem",
        verdict_of(parts, _fewest(panels)),
        sentence(sentences),
        duel_grid(duels(found, domain)),
    )


def best_everywhere(found: Sequence[Series], ranking: str, solver: str) -> Finding:
    """A part for each domain: no other ranking of the paper needs less on average."""
    panels = panels_of(found, solver=solver)
    holds = {panel.domain: panel.means[ranking] <= min(panel.means.values()) for panel in panels}
    behind = [title(domain) for domain, holding in holds.items() if not holding]
    text = f"It needs fewest, or as few as any, in {sum(holds.values())} of {len(holds)} domains"
    text += f"; not in {', '.join(behind)}" if behind else ""
    return Finding(
        f"With {solver}, {ranking} is the best ranking in all domains",
        verdict_of(holds.values(), _fewest(panels)),
        f"{text}." if holds else "",
        _means_grid(panels),
    )


def best_pair(found: Sequence[Series], domain: str, pair: Sequence[str], solver: str) -> Finding:
    """A part for each of the two: none of the others needs less on average."""
    parts: list[bool] = []
    sentences: list[str] = []
    panels = panels_of(found, domain, solver)
    for panel in panels:
        others = min(mean for name, mean in panel.means.items() if name not in pair)
        parts += [panel.means[name] <= others for name in pair]
        shown = " and ".join(f"{name} {panel.means[name]:.1f}" for name in pair)
        sentences.append(f"on average {shown} edges, the best of the others {others:.1f}")
    return Finding(
        f"In {title(domain)} with {solver}, {' and '.join(pair)} are the best together",
        verdict_of(parts, _fewest(panels)),
        sentence(sentences),
        _means_grid(panels),
    )


def most_pronounced(found: Sequence[Series], domain: str) -> Finding:
    """A part for each solver: in no other domain is the most that a ranking needs on average a
    larger multiple of the least.
    """
    parts: list[bool] = []
    sentences: list[str] = []
    lines: list[list[str]] = []
    panels = panels_of(found)
    for solver in sorted({panel.solver for panel in panels}):
        ratio = {p.domain: _ratio(p.means) for p in panels if p.solver == solver}
        lines += [[solver, name, f"{times:.1f}"] for name, times in ratio.items()]
        if domain not in ratio or len(ratio) < 2:
            continue
        widest = max(ratio, key=lambda name: ratio[name])
        parts.append(widest == domain)
        text = f"with {solver}, the weakest ranking needs {ratio[domain]:.1f} times as much as"
        text += " the best" if widest == domain else f" the best, and {ratio[widest]:.1f} times"
        sentences.append(text + ("" if widest == domain else f" in {title(widest)}"))
    return Finding(
        f"Rankings differ most in {title(domain)}",
        verdict_of(parts, _fewest(p for p in panels if p.domain == domain)),
        sentence(sentences),
        Grid(["solver", "domain", "weakest ÷ best"], lines),
    )


def _ratio(means: Mapping[str, float]) -> float:
    return max(means.values()) / (min(means.values()) or 1)


def _means_grid(panels: Sequence[Panel]) -> Grid:
    """Mean first budgets; the least of a line is bold unless all are alike."""
    lines, bold = [], set()
    for row, panel in enumerate(panels):
        means = panel.means
        texts = [f"{means[name]:.1f}" for name in paper.RANKINGS]
        least = f"{min(means.values()):.1f}"
        lines.append([panel.solver, panel.domain, *texts, str(len(panel.firsts))])
        if len(set(texts)) > 1:
            bold |= {(row, 2 + n) for n, text in enumerate(texts) if text == least}
    header = ["solver", "domain", *paper.RANKINGS, "over problems"]
    return Grid(header, lines, bold=frozenset(bold))


def far_above_hindsight(found: Sequence[Series], domain: str, times: float) -> Finding:
    """A part for each solver: every ranking's mean first budget is `times` what the plans at full
    disclosure use.
    """
    parts: list[bool] = []
    sentences: list[str] = []
    lines: list[list[str]] = []
    panels = panels_of(found, domain)
    for panel in panels:
        used = {
            p.problem: p.full for one in panel.series for p in solved(one) if p.full is not None
        }
        common = panel.firsts.keys() & used.keys()
        if not common:
            continue
        hindsight = fmean(used[problem] for problem in common)
        means = {n: fmean(panel.firsts[p][n] for p in common) for n in paper.RANKINGS}
        parts.append(min(means.values()) >= times * hindsight)
        sentences.append(
            f"with {panel.solver}, plans at full disclosure use {hindsight:.1f} edges of an agent "
            f"on average, and the best ranking needs {min(means.values()):.1f}"
        )
        shown = [f"{means[name]:.1f}" for name in paper.RANKINGS]
        lines.append([panel.solver, f"{hindsight:.1f}", *shown, str(len(common))])
    return Finding(
        f"In {title(domain)} all rankings need far more than plans use in hindsight",
        verdict_of(parts, _fewest(panels)),
        sentence(sentences),
        Grid(["solver", "hindsight", *paper.RANKINGS, "over problems"], lines),
    )


def times_out(found: Sequence[Series], domain: str, solver: str, other: str) -> Finding:
    """Fewer cases are solved than by the other solver (1), and of those that never are some ran out
    of time (2).
    """
    lines: list[list[str]] = []
    counts: dict[str, int] = {}
    problems = unsolved = 0
    for (name, own_domain), own in by_panel(found):
        for one in own if paper.name(own_domain) == domain else ():
            if one.ranking not in paper.RANKINGS:
                continue
            good = {p.problem for p in solved(one)}
            late = [
                r for runs in one.problems.values() for r in runs if r.outcome is RunOutcome.TIME
            ]
            counts[name] = counts.get(name, 0) + len(good)
            if name == solver:
                unsolved += len({run.unit.problem for run in late} - good)
                problems = len(one.problems)
            texts = (len(good), len(one.problems), len(late))
            lines.append([name, one.ranking, *map(str, texts)])
    both = solver in counts and other in counts
    parts = [counts[solver] < counts[other], unsolved > 0] if both else []
    text = (
        f"{counts[solver]} cases are solved at some k with {solver}, {counts[other]} with "
        f"{other}; {unsolved} that {solver} never solves ran out of time"
        if both
        else ""
    )
    return Finding(
        f"In {title(domain)} {solver} times out on many problems that {other} solves",
        verdict_of(parts, problems),
        sentence([text] if text else []),
        Grid(["solver", "ranking", "solved", "problems", "runs out of time"], lines),
    )


def little_is_enough(found: Sequence[Series], share: float) -> Finding:
    """A part for each solver: half of the cases are solved with at most this share of the edges."""
    parts: list[bool] = []
    sentences: list[str] = []
    lines: list[list[str]] = []
    panels = panels_of(found)
    every: dict[str, list[float]] = {}
    for panel in panels:
        shares = [
            value / (panel.largest[problem] or 1)
            for problem, first in panel.firsts.items()
            for value in first.values()
        ]
        every.setdefault(panel.solver, []).extend(shares)
        texts = (100 * median(shares), 100 * max(shares))
        lines.append([panel.solver, panel.domain, *(f"{text:.1f}" for text in texts)])
    for solver, shares in sorted(every.items()):
        parts.append(median(shares) <= share)
        sentences.append(
            f"with {solver}, half of the cases need at most {100 * median(shares):.1f} %"
        )
    return Finding(
        "Often a small part of the dependencies is enough",
        verdict_of(parts, sum(p.problems for p in panels), _all_problems(every)),
        sentence(sentences),
        Grid(["solver", "domain", "median %", "largest %"], lines),
    )


def _all_problems(solvers: Mapping[str, object]) -> int:
    return paper.PROBLEMS * len(paper.DEPENDENCIES) * len(solvers)
