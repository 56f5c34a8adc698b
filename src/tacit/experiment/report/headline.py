"""The sentence at the top of a report: which ranking solves how much, and with how few edges.

Of each ranking with each solver: how many problems some run solved, and how many edges the agent
that disclosed most had disclosed then, at the most of any of these problems. Offline that is the
smallest budget that solved; a store with online runs alone has what was disclosed there. The best
solves most, of those the one that does so with fewest edges. A ranking with several seeds stands
for its worst.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tacit.experiment.paper import published as paper
from tacit.experiment.run.row import OFFLINE, Run
from tacit.words import counted


@dataclass(frozen=True)
class Reach:
    """What a ranking reached: problems solved, and edges of an agent at most."""

    solver: str
    ranking: str
    solved: int
    edges: int
    total: int
    """Edges over all problems, to tell apart what is equal otherwise."""

    @property
    def order(self) -> tuple[int, int, int, str, str]:
        return (-self.solved, self.edges, self.total, self.ranking, self.solver)


def headline(runs: Sequence[Run]) -> str:
    """The sentence; it says so if nothing was solved."""
    offline = [run for run in runs if run.mode == OFFLINE]
    mode = "" if offline else "Online, "
    problems = len({run.unit.problem for run in runs})
    reaches = sorted(_reaches(offline or runs), key=lambda one: one.order)
    if not reaches or not reaches[0].solved:
        return f"None of the {counted(problems, 'problem')} is solved."
    best, *others = reaches
    own = [one for one in others if one.solver == best.solver]
    solvers = {one.solver for one in reaches}
    who = best.ranking if len(solvers) == 1 else f"{best.ranking} with solver {best.solver}"
    first = f"{mode}{who} solves {_of(best.solved, problems)} with {_edges(best.edges)}"
    return f"{first}{_beside(best, own, problems)}."


def _beside(best: Reach, others: Sequence[Reach], problems: int) -> str:
    """What to compare it with: the paper's best ranking, or the next one."""
    theirs = [one for one in others if one.ranking in paper.RANKINGS]
    if best.ranking in paper.RANKINGS or not theirs:
        if not others:
            return ""
        other, name = others[0], f"the next, {others[0].ranking},"
    else:
        other, name = theirs[0], f"the best of the paper’s, {theirs[0].ranking},"
    if (other.solved, other.edges) == (best.solved, best.edges):
        return f", and so does {name.removesuffix(',')}"
    if other.solved == best.solved:
        return f", {name} with {other.edges:,}"
    return f", {name} {_of(other.solved, problems)} with {other.edges:,}"


def _of(solved: int, problems: int) -> str:
    return f"all {problems:,}" if solved == problems > 1 else f"{solved:,} of {problems:,}"


def _edges(count: int) -> str:
    return f"at most {counted(count, 'edge')} of an agent" if count else "nothing disclosed"


def _reaches(runs: Iterable[Run]) -> list[Reach]:
    """What each ranking reached with each solver, with its worst seed."""
    least: dict[tuple[str, str, int], dict[str, int]] = {}
    for run in runs:
        unit = run.unit
        own = least.setdefault((unit.solver, unit.series, unit.draw), {})
        edges = run.k if run.mode == OFFLINE else run.most_disclosed
        if run.solved and edges is not None:
            own[unit.problem] = min(edges, own.get(unit.problem, edges))
    worst: dict[tuple[str, str], Reach] = {}
    for (solver, ranking, _), own in least.items():
        edges = max(own.values(), default=0)
        one = Reach(solver, ranking, len(own), edges, sum(own.values()))
        before = worst.setdefault((solver, ranking), one)
        worst[solver, ranking] = max(before, one, key=lambda each: each.order)
    return list(worst.values())
