"""Online runs: reported is disclosed, no plan is denied, and a run can be repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.between import RANKINGS, SOLVERS, Between
from support.brute import is_supported
from support.notes import quick, say
from support.policies import HASTY, NEVER_PESSIMISTIC
from support.problems import CONSUMED, RESTORED, SMALL, generated
from support.recount import check_ledger, check_members
from support.walks import walks

from tacit.central.instance import Instance
from tacit.central.session import Session
from tacit.party.bounds import Bounds
from tacit.policy import POLICY, Policy
from tacit.public.ledger import Kind
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import NoMore
from tacit.public.run_options import RunOptions
from tacit.public.settings import Extension, Rule, Settings, Threats
from tacit.solvers import projection
from tacit.solvers.limits import Limits
from tacit.solvers.mafs import MafsSolver
from tacit.testing import problems

IN_TURNS = RunOptions(drive="roundrobin", record=True)
LIMITS = Limits(20)
EFFORTS = [POLICY, HASTY]


WAYS = {
    "tacit": (SOLVERS, Settings()),
    "no threats": (SOLVERS, Settings(threats=Threats.NONE)),
    "known threats": (SOLVERS, Settings(threats=Threats.KNOWN)),
    "ranked threats": (SOLVERS, Settings(threats=Threats.RANKED)),
    "no repairs": (("projection", "auto"), Settings(repair=False)),
    "replanning": (("projection", "auto"), Settings(extension=Extension.REPLAN)),
    "authors": (("mafs",), Settings(rule=Rule.AUTHORS)),
    "pairwise": (("mafs",), Settings(rule=Rule.PAIRWISE)),
}

# ------------------------------------------------------------------ reported is disclosed


def check_run(
    instance: Instance, chosen: Settings, options: RunOptions, policy: Policy
) -> Counter[Kind]:
    """What is in any frame is on the ledger of the result and of every member, and no more is.

    An edge that was a repair or free before is no further disclosure.
    """
    session = Session(instance, chosen, options, policy=policy, online=True)
    result = session.online(LIMITS)
    assert (result.mode, result.k) == ("online", result.ledger.k)
    check_ledger(result.transcript, result.ledger)
    check_members(session.agents, result.ledger)
    for name, agent in session.agents.items():
        disclosed, total = result.disclosed[name], len(agent.dependencies.graph.edges)
        assert result.kept(name) == total - disclosed
        again = len(agent.disclosed) - disclosed
        assert again == 0 or chosen in (WAYS["ranked threats"][1], WAYS["authors"][1])
    return Counter(entry.kind for entry in result.ledger)


@pytest.fixture
def _slow_forward(monkeypatch) -> None:
    """Forward search gets nowhere as long as somebody may disclose more."""

    class Slow(MafsSolver):
        def plan(self, attempt, limits):
            if not self.grows:
                super().plan(attempt, limits)

    monkeypatch.setattr(projection, "MafsSolver", Slow)


@pytest.mark.usefixtures("_slow_forward")
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("ranking", RANKINGS)
def test_families_report_what_they_disclose(ranking, solver):
    found: Counter[Kind] = Counter()
    for domain, sizes in SMALL.items():
        options = replace(IN_TURNS, solver=solver, ranking=ranking)
        instance = generated(domain, sizes[-1], 1)
        found += check_run(instance, Settings(), options, NEVER_PESSIMISTIC)
    assert found[Kind.EDGE] > 20
    assert (found[Kind.PREFIX] > 0) == (solver == "projection")


@pytest.mark.usefixtures("_slow_forward")
def test_threats_and_restored_tokens_are_on_it():
    found: Counter[Kind] = Counter()
    options = replace(IN_TURNS, solver="projection", ranking="m3")
    for seed in range(5):
        for instance in (generated("blocksworld", {}, seed), CONSUMED.load()):
            found += check_run(instance, Settings(), options, NEVER_PESSIMISTIC)
    assert found[Kind.THREAT] > 5
    assert found[Kind.TOKEN] > 0


def kinds_on_ledgers(way: str, examples: int) -> Counter[Kind]:
    """What random problems disclose, each checked."""
    solvers, chosen = WAYS[way]
    found: Counter[Kind] = Counter()

    @quick(examples)
    @given(
        st.one_of(problems(), walks, walks),
        st.sampled_from(solvers),
        st.sampled_from(RANKINGS),
        st.sampled_from([NEVER_PESSIMISTIC, *EFFORTS]),
        st.integers(0, 3),
    )
    def run(tiny, solver, ranking, policy, seed):
        say("\n".join(tiny.texts))
        options = replace(IN_TURNS, solver=solver, ranking=ranking, seed=seed)
        found.update(check_run(tiny.load(), chosen, options, policy))

    run()
    return found


@pytest.mark.parametrize("way", WAYS)
def test_random_problems_report_what_they_disclose(way):
    found = kinds_on_ledgers(way, 120 if way == "tacit" else 25)
    assert found[Kind.EDGE] > 0 or WAYS[way][1].rule is not Rule.SUPPORTED
    assert (found[Kind.FREE] > 0) == (way in ("known threats", "authors"))


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_many_random_problems_report_what_they_disclose(way):
    found = kinds_on_ledgers(way, 600)
    assert way != "tacit" or set(found) == set(Kind) - {Kind.FREE}


# ------------------------------------------------------------------ no plan is denied


bounds = st.builds(
    Bounds,
    edges=st.sampled_from([None, None, 0, 1, 2, 3]),
    repairs=st.sampled_from([None, None, 0, 1]),
    ahead=st.sampled_from([None, None, None, 0, 1, 2]),
)
End = tuple[Outcome, bool]
"""The outcome of a run, and whether everybody had said "no more"."""
ENDS = ((Outcome.SOLVED, False), (Outcome.NO_PLAN, False), (Outcome.NO_PLAN, True))


def decided(run: Between) -> End:
    """How a run ends, which is as brute force says."""
    attempt = run.run(LIMITS)
    say(f"{attempt.outcome} no more: {attempt.no_more}")
    assert attempt.outcome in (Outcome.SOLVED, Outcome.NO_PLAN)
    if attempt.outcome is Outcome.NO_PLAN:
        assert run.could_have_been(attempt).plan() is None, "there is a plan within the bounds"
        if run.turns() and len(attempt.no_more) < len(run.agents):
            assert isinstance(run.turns()[-1], NoMore), "the turn that ended hope is the last"
    for agent in run.agents.values() if attempt.outcome is Outcome.SOLVED else ():
        assert agent.local_plan is not None
        actions = [action for action, _ in agent.local_plan.actions]
        assert is_supported(agent.dependencies, agent.disclosed, actions)
    check_ledger(run.transcript, attempt.ledger)
    check_members(run.agents, attempt.ledger)
    return attempt.outcome, len(attempt.no_more) == len(run.agents)


def check_bounds(run: Between, own: Mapping[str, Bounds]) -> None:
    for name, bound in own.items():
        counts = run.coordinator.ledger.counts(name)
        assert bound.edges is None or counts.edges <= bound.edges
        assert bound.repairs is None or counts.repairs <= bound.repairs


@pytest.mark.parametrize("solver", SOLVERS)
def test_without_bounds_a_plan_is_found_if_there_is_one(solver):
    ends: Counter[End] = Counter()

    @quick(40)
    @given(st.one_of(problems(), walks), st.sampled_from(RANKINGS), st.sampled_from(EFFORTS))
    @example(CONSUMED, "m1", POLICY)
    @example(RESTORED, "m1", POLICY)
    def run(tiny, ranking, policy):
        say("\n".join(tiny.texts))
        made = Between(tiny.load(), solver, ranking, policy=policy)
        outcome, is_over = decided(made)
        ends[outcome, is_over] += 1
        if outcome is Outcome.NO_PLAN:
            assert is_over or not made.edges(), "nothing is disclosed in vain, or all is tried"

    run()
    assert ends[Outcome.SOLVED, False] > 4
    assert ends[Outcome.NO_PLAN, False] > 2
    assert ends[Outcome.NO_PLAN, True] > 0


def ends_with_bounds(solver: str, examples: int) -> Counter[End]:
    """How random problems end if agents have bounds, each compared with brute force."""
    ends: Counter[End] = Counter()

    @quick(examples)
    @given(
        st.one_of(problems(), walks, walks),
        st.sampled_from(RANKINGS),
        st.tuples(bounds, bounds, bounds),
        st.sampled_from(EFFORTS),
    )
    def run(tiny, ranking, chosen, policy):
        say("\n".join(tiny.texts))
        instance = tiny.load()
        own = dict(zip(instance.agents, chosen, strict=False))
        made = Between(instance, solver, ranking, own, policy=policy)
        ends[decided(made)] += 1
        check_bounds(made, own)

    run()
    return ends


@pytest.mark.parametrize("solver", SOLVERS)
def test_with_bounds_nothing_is_hopeless_that_brute_force_could_solve(solver):
    ends = ends_with_bounds(solver, 60)
    assert ends[Outcome.SOLVED, False] > 4
    assert ends[Outcome.NO_PLAN, False] > 2


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
def test_nothing_is_hopeless_in_many_problems(solver):
    ends = ends_with_bounds(solver, 600)
    assert min(ends[end] for end in ENDS) > 2


@pytest.mark.parametrize("solver", SOLVERS)
def test_families_with_bounds_end_as_brute_force_says(solver):
    ends: Counter[End] = Counter()
    for domain, sizes in SMALL.items():
        for seed in range(5):
            rng, instance = Random(f"{domain} {seed}"), generated(domain, sizes[0], seed)
            most, few = [None, None, 0, 1, 2, 4, 6, 8, 12, 16], [None, None, None, 0, 1, 3]
            own = {a: Bounds(rng.choice(most), rng.choice(few)) for a in instance.agents}
            ranking, policy = rng.choice(RANKINGS), rng.choice([NEVER_PESSIMISTIC, *EFFORTS])
            made = Between(instance, solver, ranking, own, policy=policy)
            ends[decided(made)] += 1
            check_bounds(made, own)
    assert min(ends[end] for end in ENDS) > 0


# ------------------------------------------------------------------ runs can be repeated


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("domain", ["blocksworld", "depot", "logistics", "secrets"])
def test_the_same_seed_gives_the_same_run(domain, solver):
    def run(seed: int) -> tuple[list[bytes], list[str], list[object]]:
        options = replace(IN_TURNS, solver=solver, ranking="random", seed=seed)
        instance = generated(domain, SMALL[domain][-1], 2)
        session = Session(instance, Settings(), options, policy=NEVER_PESSIMISTIC, online=True)
        result = session.online(LIMITS)
        assert result.plan is not None
        lines = [entry.line() for entry in result.ledger]
        return lines, list(map(str, result.plan.steps)), result.transcript.frames

    assert run(5) == run(5)
    assert run(5)[0] != run(6)[0]
