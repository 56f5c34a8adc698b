"""The claims of the paper's text, checked against stored runs.

Each phenomenon is a pure function from series to a `Finding`: a verdict, a sentence with numbers in
it, and a table. Nothing is written by hand, so a finding changes with the runs. A *case* is one
problem with one solver, ranking and seed. Its *first* budget is the smallest that was solved; on a
grid of levels it is as coarse as the grid.

Each function documents what its verdict takes. A claim of several parts, or of several solvers or
domains, is shown if all of them hold, refuted if none does, and otherwise shown in part. If the
runs have fewer problems of a domain than the paper has (20), the verdict holds "so far".

This module has the claims about what single rankings and solvers need; `coverage_claims` and
`makespan_claims` have the others, and `claims` the list of all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from tacit.experiment.paper import published as paper
from tacit.experiment.paper.published import PROBLEMS
from tacit.experiment.run.row import RunOutcome
from tacit.experiment.tables.coverage import Series, solved
from tacit.experiment.tables.duels import Duel, by_panel, duel_grid, duels
from tacit.experiment.tables.grid import Grid

RANDOM = "random"
SHOWN, IN_PART, REFUTED, UNKNOWN = "shown", "shown in part", "refuted", "no runs to decide"


@dataclass(frozen=True)
class Finding:
    """A claim of the paper, the verdict of the runs in a sentence, and the numbers."""

    claim: str
    verdict: str
    text: str
    grid: Grid


@dataclass(frozen=True)
class Loss:
    """A case solved at one budget and not at a larger one, and how that run ended."""

    ranking: str
    problem: str
    solved_at: int
    lost_at: int
    outcome: RunOutcome


def verdict_of(parts: Iterable[bool | None], problems: int, of: int = PROBLEMS) -> str:
    """The verdict on a claim of several parts; parts that are None cannot be decided."""
    known = [part for part in parts if part is not None]
    if not known:
        return UNKNOWN
    verdict = SHOWN if all(known) else IN_PART if any(known) else REFUTED
    return verdict + so_far(problems, of)


def losses(one: Series) -> list[Loss]:
    """Per problem, the first budget above a solved one that was not solved by itself."""
    found: list[Loss] = []
    for problem, runs in one.problems.items():
        outcomes = {int(run.asked): run.own_outcome for run in runs if run.asked.isdecimal()}
        before: int | None = None
        for k, outcome in sorted(outcomes.items()):
            if outcome is RunOutcome.SOLVED:
                before = k
            elif before is not None:
                found.append(Loss(one.ranking, problem, before, k, outcome))
                break
    return found


def lost(found: Sequence[Series], domains: Sequence[str] = ()) -> Finding:
    """Shown if in each of the domains some case was lost for another reason than its limits."""
    lines: list[list[str]] = []
    every: list[Loss] = []
    grades: dict[str, int] = {}
    for (solver, domain), own in by_panel(found):
        here = [loss for one in own for loss in losses(one)]
        every += here
        name = paper.name(domain) if domains else "any"
        if name in (domains or ("any",)):
            grade = 2 * any(map(_is_true, here)) or bool(here)
            grades[name] = max(grades.get(name, 0), grade)
        outcomes = Counter(loss.outcome.value for loss in here).most_common()
        lines.append(
            [
                solver,
                domain,
                str(sum(len(solved(one)) for one in own)),
                str(len(here)),
                str(len({loss.problem for loss in here})),
                ", ".join(f"{outcome} {count}" for outcome, count in outcomes) or "–",
                _example(here),
            ]
        )
    header = ["solver", "domain", "cases solved", "lost later", "problems", "ended by"]
    names = " and ".join(map(title, domains))
    return Finding(
        f"Problems are solved at some k and lost at a larger one{f', in {names}' * bool(names)}",
        _of_grades(list(grades.values())),
        _lost_text(every) + _none_lost([name for name in domains if grades.get(name) == 0]),
        Grid([*header, "for example"], lines),
    )


_TITLES = {"blocksworld": "BlocksWorld", "zenotravel": "ZenoTravel"}


def title(domain: str) -> str:
    """The name of a domain for readers."""
    return _TITLES.get(domain, domain.title())


def _lost_text(every: Sequence[Loss]) -> str:
    truly = [loss for loss in every if _is_true(loss)]
    unextended = sum(loss.outcome is RunOutcome.NOT_EXTENDED for loss in every)
    return (
        f"{len(every)} cases were solved at some k and not at a larger one; {len(truly)} of "
        f"these for another reason than a limit of time or memory, {unextended} because a public "
        "plan could not be extended."
    )


def _none_lost(domains: Sequence[str]) -> str:
    return f" None was lost in {' and '.join(map(title, domains))}." if domains else ""


def _is_true(loss: Loss) -> bool:
    """Whether it was lost for another reason than a limit."""
    return loss.outcome not in (RunOutcome.TIME, RunOutcome.MEMORY)


def _example(here: Sequence[Loss]) -> str:
    """A loss that no limit explains, if there is one."""
    if not here:
        return "–"
    loss = min(here, key=lambda loss: (loss.outcome is RunOutcome.TIME, loss.problem, loss.ranking))
    return f"{loss.problem} {loss.ranking}, {loss.solved_at} and not {loss.lost_at}"


def much_the_best(found: Sequence[Series], domain: str, ranking: str, factor: float) -> Finding:
    """Shown if the others need `factor` times as much, in part if they need more."""
    sentences: list[str] = []
    grades: list[int] = []
    made = duels(found, domain)
    for duel in made:
        means = duel.of(*paper.RANKINGS)
        others = [mean for name, mean in means.items() if name != ranking]
        if ranking not in means or not others:
            continue
        times = min(others) / means[ranking] if means[ranking] else float("inf")
        grades.append(2 if times >= factor else 1 if times > 1 else 0)
        sentences.append(
            f"with {duel.solver}, the best other ranking needs {times:.1f} times as many edges as "
            f"{ranking}"
        )
    return Finding(
        f"{ranking} is best in {title(domain)} by an order of magnitude",
        _graded(grades, made),
        sentence(sentences),
        duel_grid(made),
    )


def weak(found: Sequence[Series], domain: str, ranking: str) -> Finding:
    """Shown if no ranking of the paper needs more and some need less, in part if some need less."""
    sentences: list[str] = []
    grades: list[int] = []
    made = duels(found, domain)
    for duel in made:
        means = duel.of(*paper.RANKINGS)
        if ranking not in means or len(means) < 2:
            continue
        own = means.pop(ranking)
        least, most = min(means.values()), max(means.values())
        grades.append((own > least) + (own > least and own >= most))
        others = ", ".join(f"{name} {mean:.1f}" for name, mean in means.items())
        sentences.append(
            f"with {duel.solver}, {ranking} needs {own:.1f} edges on average ({others})"
        )
    return Finding(
        f"{ranking} is the weakest in {title(domain)}",
        _graded(grades, made),
        sentence(sentences),
        duel_grid(made),
    )


def like_random(found: Sequence[Series], domain: str, share: float) -> Finding:
    """Shown if the best ranking of the paper saves less than `share` of what random needs."""
    sentences: list[str] = []
    grades: list[int] = []
    made = duels(found, domain)
    for duel in made:
        means, random = duel.of(*paper.RANKINGS), duel.of(RANDOM)
        if not means or not random:
            continue
        name, least = next(iter(means.items()))
        saved = 1 - least / random[RANDOM] if random[RANDOM] else 0.0
        near, nearer = (least > (1 - part) * random[RANDOM] for part in (2 * share, share))
        grades.append(near + nearer)
        sentences.append(
            f"with {duel.solver}, random needs {random[RANDOM]:.1f} edges on average and the "
            f"best ranking, {name}, {least:.1f} ({100 * saved:.0f} % less); problems that some "
            f"seed of random never solves: {_left(found, duel)}"
        )
    return Finding(
        f"In {domain.title()} no ranking is better than random",
        _graded(grades, made),
        sentence(sentences) or f"Random was not run in {domain.title()}, or solved nothing there.",
        duel_grid(made),
    )


def _left(found: Iterable[Series], duel: Duel) -> int:
    """How many problems some seed of random never solves."""
    left: set[str] = set()
    for one in found:
        if (one.solver, one.domain, one.ranking) == (duel.solver, duel.domain, RANDOM):
            left |= one.problems.keys() - {problem.problem for problem in solved(one)}
    return len(left)


def more_than(found: Sequence[Series], more: str, less: str) -> Finding:
    """Two parts: the first k is larger with one solver more often than it is smaller, and its
    mean is larger in most domains.
    """
    lines: list[list[str]] = []
    total: Counter[str] = Counter()
    panels = dict(by_panel(found))
    problems = domains = 0
    for domain in sorted({one.domain for one in found}):
        series = [panels.get((solver, domain), []) for solver in (more, less)]
        tried = set.intersection(*map(_tried, series))
        one, other = (_cases(own) for own in series)
        both = one.keys() & other.keys()
        if not both:
            continue
        signs = Counter((one[case] > other[case]) - (one[case] < other[case]) for case in both)
        total += Counter({"larger": signs[1], "same": signs[0], "smaller": signs[-1]})
        problems += len({problem for problem, _, _ in tried})
        means = [fmean(each[case] for case in both) for each in (one, other)]
        domains += means[0] > means[1]
        only = (one.keys() & tried - both, other.keys() & tried - both)
        counts = [str(signs[sign]) for sign in (1, 0, -1)]
        texts = [*(f"{mean:.1f}" for mean in means), *(str(len(cases)) for cases in only)]
        lines.append([domain, str(len(both)), *counts, *texts])
    header = ["domain", "cases", "more", "same", "less", f"{more} mean", f"{less} mean"]
    header += [f"only {more}", f"only {less}"]
    parts = [total["larger"] > total["smaller"], 2 * domains > len(lines)] if lines else []
    return Finding(
        f"Forward search ({more}) needs somewhat more than the joint projection ({less})",
        verdict_of(parts, problems, PROBLEMS * len(paper.DEPENDENCIES)),
        f"Of {total.total()} cases that both solved, the first k is larger with {more} in "
        f"{total['larger']}, the same in {total['same']}, smaller in {total['smaller']}; on "
        f"average it is larger in {domains} of {len(lines)} domains.",
        Grid(header, lines),
    )


def _tried(own: Iterable[Series]) -> set[tuple[str, str, int]]:
    return {(problem, one.ranking, one.seed) for one in own for problem in one.problems}


def _cases(own: Iterable[Series]) -> dict[tuple[str, str, int], int]:
    return {
        (problem.problem, one.ranking, one.seed): problem.first
        for one in own
        for problem in solved(one)
    }


def _graded(grades: Sequence[int], made: Sequence[Duel]) -> str:
    """As `_of_grades`, with "so far" if there are fewer problems than in the paper."""
    verdict = _of_grades(grades)
    return verdict + so_far(min(duel.problems for duel in made)) if grades else verdict


def _of_grades(grades: Sequence[int]) -> str:
    """2 is shown, 0 refuted; where parts or solvers disagree a claim is shown in part."""
    if not grades:
        return UNKNOWN
    return SHOWN if min(grades) == 2 else REFUTED if max(grades) == 0 else IN_PART


def so_far(problems: int, of: int = PROBLEMS) -> str:
    """The suffix of a verdict if not all problems were run."""
    return "" if problems >= of else f", so far ({problems} of {of} problems)"


def sentence(sentences: Sequence[str]) -> str:
    """The findings, part by part, as one sentence."""
    return "; ".join(sentences)[:1].upper() + "; ".join(sentences)[1:] + "." if sentences else ""
