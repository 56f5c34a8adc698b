"""Every claim of the paper's evaluation about results, paraphrased and in its order.

A cell or claim is reached by the ranking *and* the solver together: `strength` reports how much
stronger our solvers are. `UNDECIDED` are claims about reasons, which rows cannot decide.
"""

from __future__ import annotations

from collections.abc import Sequence

from tacit.experiment.paper import coverage_claims as needs
from tacit.experiment.paper import makespan_claims as spans
from tacit.experiment.paper import phenomena
from tacit.experiment.paper import published as paper
from tacit.experiment.paper.phenomena import Finding
from tacit.experiment.tables.coverage import Series, coverage

_PROJECTION, _MAFS = "projection", "mafs"
UNDECIDED = (
    "In BlocksWorld and Elevators m3 wins because many actions need one and the same token, which "
    "m1 and m2 disclose many times over: see the dependency graphs.",
    "m4 does well where some public facts have many achievers and others few, and m3 where all "
    "have about as many: see the dependency graphs.",
    "In Depot few paths lead to each public fact, so that no dependency stands out: see the "
    "dependency graphs.",
    "Forward search finds plans with more collaboration than the projection: rows without plans "
    "cannot decide it.",
    "In BlocksWorld one agent alone can solve every problem: a property of the problems.",
)


def findings(found: Sequence[Series]) -> list[Finding]:
    """All claims, for series of one configuration."""
    return [
        phenomena.much_the_best(found, "elevators", "m3", 10),
        needs.one_problem_aside(found, _PROJECTION),
        needs.alike_but_for(found, "driverlog", exceptions=4, worse=3),
        needs.alike_but_for(found, "logistics", exceptions=1),
        needs.alike_but_for(found, "zenotravel", exceptions=1),
        needs.worst_and_others_alike(found, "rovers", "m4"),
        phenomena.more_than(found, _MAFS, _PROJECTION),
        needs.best_everywhere(found, "m3", _PROJECTION),
        needs.best_pair(found, "blocksworld", ("m3", "m4"), _PROJECTION),
        phenomena.weak(found, "elevators", "m4"),
        needs.most_pronounced(found, "elevators"),
        phenomena.like_random(found, "depot", 0.1),
        needs.far_above_hindsight(found, "depot", 2.0),
        phenomena.lost(found, ("blocksworld", "rovers")),
        needs.best_everywhere(found, "m3", _MAFS),
        needs.times_out(found, "blocksworld", _MAFS, _PROJECTION),
        needs.little_is_enough(found, 0.2),
        spans.more_is_better(found),
        spans.improvement_is_about(found, {_PROJECTION: 20.0, _MAFS: 10.0}),
        spans.stands_out(found, "blocksworld", 40.0, _PROJECTION),
        spans.rankings_cost_alike(found),
        spans.improves_less(found, _MAFS, _PROJECTION),
    ]


def strength(found: Sequence[Series]) -> str:
    """How many problems the solvers solve with the best ranking, compared with the paper's."""
    parts: list[str] = []
    gain = 0
    for solver in paper.SOLVERS:
        ours = theirs = 0
        for domain in paper.DEPENDENCIES:
            own = [
                coverage(one).count
                for one in found
                if (one.solver, paper.name(one.domain)) == (solver, domain)
                and one.ranking in paper.RANKINGS
                and len(one.problems) >= paper.PROBLEMS
            ]
            cells = paper.COVERAGE[solver]
            printed = max(cells[domain, name][0] for name in paper.RANKINGS)
            ours += max(own, default=0)
            theirs += min(printed, paper.PROBLEMS) if own else 0
        gain += ours - theirs
        if ours:
            parts.append(f"{ours} problems with {solver} (the paper's {theirs})")
    if not parts:
        return ""
    compared = "stronger than the paper's" if gain > 0 else "not the paper's"
    return (
        f"Tacit's solvers are {compared}: with the best ranking of each domain they "
        f"solve {' and '.join(parts)}. What is reached is therefore due to the rankings and "
        "to the solvers."
    )
