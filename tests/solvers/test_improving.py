"""Better plans: never worse, always valid, and with nothing more on the ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.inside import joint_plan_of
from support.notes import quick, say
from support.problems import SMALL, generated
from support.walks import walked

from tacit.central.judging import Validating
from tacit.central.session import Limits, Session
from tacit.central.validate.judge import validate
from tacit.choices import chosen
from tacit.errors import ProtocolError
from tacit.policy import POLICY
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import Begin, Disclosure, Failure, Improved, tag_of
from tacit.public.settings import Objective
from tacit.solvers.agreeing import Agreeing
from tacit.solvers.improving import Improver, Quality

KEYS: dict[Objective, Callable[[Quality], tuple[int, ...]]] = {
    Objective.COST: lambda q: (q.cost, q.makespan),
    Objective.LENGTH: lambda q: (q.length,),
    Objective.MAKESPAN: lambda q: (q.makespan, q.cost),
}


SIZES = {
    "blocksworld": {"arms": 3, "blocks": 6},
    "driverlog": {"drivers": 2, "trucks": 2, "packages": 3, "junctions": 3},
    "logistics": {"cities": 2, "places": 2, "planes": 1, "packages": 3},
    "rovers": {"rovers": 2, "waypoints": 5, "objectives": 2, "cameras": 2, "goals": 2},
    "zenotravel": {"planes": 3, "people": 5, "cities": 4},
}


class Watching(Validating):
    """Remembers what was weighed and kept."""

    def __init__(self, *args):
        super().__init__(*args)
        self.weighed: list[Quality] = []
        self.kept_values: list[Quality] = []

    def weigh(self, steps):
        self.weighed.append(super().weigh(steps))  # fails if the validator does
        return self.weighed[-1]

    def keep(self, steps):
        super().keep(steps)
        self.kept_values.append(self.weighed[-1])


def ticking() -> Callable[[], float]:
    """A clock that counts how often it is read, so that effort can be repeated."""
    count = iter(range(10**9))
    return lambda: float(next(count))


def improved(session: Session, ticks: int, clean: bool = True) -> Watching | None:
    """Plan with everything disclosed, or online, and improve for so many ticks."""
    if session.is_online:
        raise AssertionError("offline only")
    attempt = session.solver.attempt(session.largest, Limits(evaluations=20_000))
    if attempt.outcome is not Outcome.SOLVED:
        return None
    judge = Watching(session.instance.source, joint_plan_of(session))
    improver = Improver(session.solver, judge, 1, ticking())
    before = list(attempt.ledger)
    improver.begin(attempt)
    if clean:
        improver.clean(may_show_states=True)
    improver.improve(ticks)
    assert list(attempt.ledger) == before
    assert [b.cost for b in attempt.improvements] == [q.cost for q in judge.kept_values[1:]]
    left = validate(session.instance.source, joint_plan_of(session)())
    assert (left.valid, left.cost) == (True, judge.kept_values[-1].cost)  # with the best
    return judge


def check(instance, ticks: int = 60, **options) -> bool:
    """Every plan passes the validator, each that is kept is better; whether any was."""
    settings, run = chosen("tacit", drive="roundrobin", **options)
    judge = improved(Session(instance, settings, run), ticks)
    if judge is None:
        return False
    key = KEYS[settings.objective]
    values = [key(quality) for quality in judge.kept_values]
    say(values)
    assert all(after <= before for before, after in pairwise(values))
    return values[-1] < values[0]


@pytest.mark.parametrize("objective", list(Objective))
@pytest.mark.parametrize("domain", list(SMALL))
def test_plans_of_families_never_become_worse(domain, objective):
    for seed in range(2):
        check(generated(domain, SMALL[domain][-1], seed), objective=objective)


@pytest.mark.parametrize("solver", ["auto", "projection", "mafs"])
@pytest.mark.parametrize("peeking", [False, True], ids=["blind", "looking"])
def test_random_plans_never_become_worse(solver, peeking):
    found: Counter[bool] = Counter()

    @quick(40)
    @given(st.randoms(use_true_random=False))
    def run(rng):
        tiny = walked(rng, rng.choice((2, 3)), peeking=peeking)
        say("\n".join(tiny.texts))
        found[check(tiny.load(), 40, solver=solver, change_over=rng.random() < 0.7)] += 1

    run()
    assert found[True] or peeking  # few plans of those that look can be better


def after_the_first_plan(session: Session, frames_before: int) -> list[object]:
    return list(session.transcript.messages())[frames_before:]


@pytest.mark.parametrize("domain", ["blocksworld", "driverlog", "logistics", "rovers", "depot"])
def test_nothing_more_is_on_the_ledger_and_nobody_refuses(domain):
    """From the frames: no disclosure and no refusal crosses after the first plan."""
    instance = generated(domain, SIZES.get(domain, SMALL[domain][-1]), 1)
    settings, run = chosen("tacit", drive="roundrobin", clean=False)
    session = Session(instance, settings, run)
    attempt = session.solver.attempt(session.largest, Limits())
    assert attempt.outcome is Outcome.SOLVED
    before = len(session.transcript.frames)
    judge = Watching(instance.source, joint_plan_of(session))
    improver = Improver(session.solver, judge, 1, ticking())
    improver.begin(attempt)
    improver.clean(may_show_states=True)
    improver.improve(150)
    crossed = after_the_first_plan(session, before)
    assert any(isinstance(message, Improved) for message in crossed)
    assert not any(isinstance(message, Disclosure | Failure) for message in crossed)


@pytest.mark.parametrize("domain", ["driverlog", "logistics", "rovers", "zenotravel"])
def test_whoever_takes_over_leaves_out_what_depended_on_it(domain):
    """The others' steps that are left still go together: it is a plan of the projection."""
    found = []
    for seed in range(2):
        instance = generated(domain, SIZES.get(domain, SMALL[domain][-1]), seed)
        settings, run = chosen("tacit", drive="roundrobin")
        session = Session(instance, settings, run)
        attempt = session.solver.attempt(session.largest, Limits())
        assert attempt.outcome is Outcome.SOLVED
        agreeing, projection = Agreeing(session.solver), session.coordinator.projection()
        agreeing.on(attempt.steps)
        for agent in instance.agents:
            if steps := agreeing.taken_over(agent, 2):
                found.append(projection.is_plan([projection.number[step] for step in steps]))
    say((domain, found))
    assert found
    assert all(found)


@pytest.mark.parametrize("solver", ["auto", "projection", "mafs"])
@pytest.mark.parametrize("domain", ["logistics", "rovers", "zenotravel"])
def test_online_the_ledger_is_the_same_with_and_without(domain, solver):
    results = []
    for options in ({"clean": False}, {}, {"improve": 0.2}):
        settings, run = chosen("tacit", solver=solver, drive="roundrobin", **options)
        session = Session(generated(domain, SIZES[domain], 3), settings, run, online=True)
        results.append(session.online())
    plain, cleaned, better = results
    assert plain.solved
    assert list(plain.ledger) == list(cleaned.ledger) == list(better.ledger)
    assert better.verdict.cost <= cleaned.verdict.cost <= plain.verdict.cost


def test_agents_that_show_no_states_only_respond():
    """Nobody is asked to search, and no plan is asked about that might be refused."""
    settings, run = chosen("tacit", solver="projection", change_over=False, improve=0.2)
    session = Session(generated("rovers", SIZES["rovers"], 2), settings, run, online=True)
    result = session.online()
    assert result.solved
    tags = Counter(type(message).__name__ for message in session.transcript.messages())
    assert tags["Improve"] > 0
    assert tags["Begin"] == tags["Follow"] == 0


def test_a_plan_of_one_plane_becomes_one_of_several():
    """Where makespan is the objective, work is spread over agents."""
    instance = generated("zenotravel", SIZES["zenotravel"], 1)
    spans = {}
    for objective in ("cost", "makespan"):
        settings, run = chosen("tacit", drive="roundrobin", objective=objective, improve=1.0)
        session = Session(instance, settings, run)
        spans[objective] = session.at(session.largest).verdict.makespan
    assert spans["makespan"] <= spans["cost"]


def test_work_is_shared_out_at_once():
    """The first plan is that of one plane; cleaning has several fly where that takes less time."""
    instance = generated("zenotravel", {"planes": 6, "people": 12, "cities": 5}, 0)
    spans, busy = [], []
    for clean in (False, True):
        settings, run = chosen("tacit", drive="roundrobin", objective="makespan", clean=clean)
        result = Session(instance, settings, run).at(10**6)
        spans.append(result.verdict.makespan)
        busy.append(len({step.agent for step in result.plan.steps}))
    say((spans, busy))
    assert busy[1] > busy[0]
    assert 2 * spans[1] < spans[0]


class Interrupted(Validating):
    """Ctrl-C comes while the n-th plan is weighed."""

    left = 2

    def weigh(self, steps):
        Interrupted.left -= 1
        if Interrupted.left < 0:
            raise KeyboardInterrupt
        return super().weigh(steps)


def test_ctrl_c_leaves_the_best_so_far(monkeypatch):
    settings, run = chosen("tacit", drive="roundrobin", improve=5.0)
    monkeypatch.setattr("tacit.central.judging.Validating", Interrupted)
    session = Session(generated("zenotravel", SIZES["zenotravel"], 1), settings, run)
    result = session.at(session.largest)
    assert result.solved
    assert result.is_interrupted
    assert result.verdict.valid


@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_the_plan_of_the_smallest_budget_is_cleaned(solver):
    better = 0
    for domain in ("zenotravel", "logistics", "blocksworld"):
        found = []
        for clean in (False, True):
            settings, run = chosen("tacit", solver=solver, drive="roundrobin", clean=clean)
            session = Session(generated(domain, SIZES[domain], 1), settings, run)
            found.append(session.first(Limits(evaluations=20_000)))
        plain, cleaned = found
        assert cleaned.solved
        assert cleaned.verdict.valid
        assert (cleaned.k, list(cleaned.ledger)) == (plain.k, list(plain.ledger))
        before, after = ((r.verdict.cost, r.verdict.makespan) for r in found)
        assert after <= before
        better += after < before
    assert better


def test_a_response_that_changes_anothers_part_is_a_fault(monkeypatch):
    settings, run = chosen("tacit", drive="roundrobin", clean=False)
    session = Session(generated("logistics", SIZES["logistics"], 3), settings, run)
    attempt = session.solver.attempt(session.largest, Limits())
    improver = Improver(session.solver, Watching(session.instance.source, joint_plan_of(session)))
    improver.begin(attempt)
    agent = attempt.steps[0].agent
    other = next(step.agent for step in attempt.steps if step.agent != agent)
    agreeing = improver._agreeing
    monkeypatch.setattr(agreeing, "taken_over", lambda *_: attempt.steps[1:])
    with pytest.raises(ProtocolError, match="changes the part"):
        agreeing.respond([other], improver._is_plan)


@pytest.mark.parametrize(("large", "is_searched"), [(100_000, True), (1, False)])
def test_agents_do_not_search_again_where_the_task_is_too_large(large, is_searched):
    settings, run = chosen("tacit", drive="roundrobin", ranking="m3")
    improving = replace(POLICY.improving, search_again=1_000, large=large)
    session = Session(
        generated("logistics", SIZES["logistics"], 3),
        settings,
        run,
        policy=replace(POLICY, improving=improving),
    )
    result = session.at(session.largest, Limits())
    assert result.outcome is Outcome.SOLVED
    begun = tag_of(Begin).encode()  # frames begin with their type
    assert any(begun in frame.payload[:32] for frame in result.transcript.frames) == is_searched
