"""What changed between two sweeps.

Runs are matched by problem, solver, ranking, seeds, profile and budget; limits, versions and
settings may differ, since these are what is compared. A run that was solved before and is not now
is *lost*, and one loss makes the verdict "worse". Other changed outcomes (from "no plan" to "time",
say) are reported but decide nothing; times are compared as sums over the runs that both solved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tacit.errors import InputError
from tacit.experiment.run.row import UNKNOWN, Run

Key = tuple[str, str, str, str, str, int, int | None, str]


@dataclass(frozen=True)
class Change:
    """One run that differs, before and after."""

    run: str
    before: str
    after: str


@dataclass(frozen=True)
class Comparison:
    """What changed, run by run. `cost`, `k` (of `smallest` and `online`) and how a plan was `made`
    are of runs that both solved; an unknown `made` counts as no change.
    """

    matched: int
    only_before: int
    only_after: int
    solved_before: int
    solved_after: int
    gained: tuple[Change, ...]
    lost: tuple[Change, ...]
    changed: tuple[Change, ...]
    k: tuple[Change, ...]
    cost: tuple[Change, ...]
    made: tuple[Change, ...]
    cost_before: int
    cost_after: int
    seconds_before: float
    seconds_after: float

    @property
    def verdict(self) -> str:
        """`worse`, `better` or `the same`, only by what was solved."""
        if self.lost:
            return "worse"
        return "better" if self.gained else "the same"


def compare(before: Iterable[Run], after: Iterable[Run]) -> Comparison:
    """Match the runs of two sweeps and compare them."""
    old, new = _by_key(before), _by_key(after)
    pairs = [(_name(key), old[key], new[key]) for key in old if key in new]
    if not pairs:
        raise InputError(
            "the two sweeps have no run in common",
            "they must share problems, solvers, rankings, profile and levels",
        )
    both = [(name, a, b) for name, a, b in pairs if a.solved and b.solved]
    return Comparison(
        matched=len(pairs),
        only_before=len(old) - len(pairs),
        only_after=len(new) - len(pairs),
        solved_before=sum(a.solved for _, a, _ in pairs),
        solved_after=sum(b.solved for _, _, b in pairs),
        gained=_changes(pairs, _outcome, lambda a, b: b.solved and not a.solved),
        lost=_changes(pairs, _outcome, lambda a, b: a.solved and not b.solved),
        changed=_changes(
            pairs,
            _outcome,
            lambda a, b: not a.solved and not b.solved and a.outcome is not b.outcome,
        ),
        k=_changes(both, lambda run: str(run.k), lambda a, b: a.k != b.k),
        cost=_changes(both, lambda run: str(run.cost), lambda a, b: a.cost != b.cost),
        made=_changes(both, lambda run: run.made, _made_differently),
        cost_before=sum(a.cost or 0 for _, a, _ in both),
        cost_after=sum(b.cost or 0 for _, _, b in both),
        seconds_before=sum(a.seconds_total or 0.0 for _, a, _ in both),
        seconds_after=sum(b.seconds_total or 0.0 for _, _, b in both),
    )


def _by_key(runs: Iterable[Run]) -> dict[Key, Run]:
    found: dict[Key, Run] = {}
    for run in runs:
        unit = run.unit
        key = (
            unit.problem,
            unit.form,
            unit.solver,
            unit.profile,
            unit.ranking,
            unit.seed,
            unit.ties,
            run.asked,
        )
        if found.setdefault(key, run) is not run:
            raise InputError(
                f"the store has two runs of {_name(key)}",
                "it holds several configurations; compare stores of one each",
            )
    return found


def _name(key: Key) -> str:
    problem, form, solver, profile, ranking, seed, ties, asked = key
    budget = f"k={asked}" if asked.isdecimal() else asked
    draw = f"seed {seed}" if ties is None else f"ties {ties}"
    return f"{problem} ({form}, {solver}, {profile}, {ranking}, {draw}, {budget})"


def _outcome(run: Run) -> str:
    return run.outcome.value


def _made_differently(before: Run, after: Run) -> bool:
    return before.made != after.made and UNKNOWN not in (before.made, after.made)


def _changes(
    pairs: Iterable[tuple[str, Run, Run]],
    show: Callable[[Run], str],
    differ: Callable[[Run, Run], bool],
) -> tuple[Change, ...]:
    return tuple(Change(name, show(a), show(b)) for name, a, b in pairs if differ(a, b))
