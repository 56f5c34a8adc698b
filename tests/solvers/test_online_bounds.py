"""Nothing is disclosed in vain: impossible tasks, draining partners, and bounds of owners."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from support.between import RANKINGS, SOLVERS, Between
from support.inside import unregister
from support.policies import HASTY
from support.problems import SMALL, generated, instance_of

import tacit
from tacit.central.instance import Instance
from tacit.central.price_policy import PricePolicy
from tacit.central.session import Session
from tacit.domains import DOMAINS
from tacit.party.bounds import Bounds, lead, needed_agents
from tacit.party.disclosure.ranking import PASS
from tacit.party.disclosure.ranking import RANKINGS as REGISTERED
from tacit.party.disclosure.weights import Weights
from tacit.public.disclosure import PublicEdge
from tacit.public.ledger import Kind, Ledger
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import EdgeDisclosed, NextEdge, NoMore, Passed
from tacit.public.run_options import RunOptions
from tacit.public.settings import Extension, Rule, Settings, Threats
from tacit.solvers.limits import Limits
from tacit.testing import GroundAction, GroundProblem

LIMITS = Limits(20)

# ------------------------------------------------------------------ impossible tasks


def driverlog(with_roads: bool) -> Instance:
    """Without some roads no truck can drive to where a package is wanted, and none is there."""
    made = DOMAINS.get("driverlog").generate("small", 2)
    (end,) = re.findall(r"\(at p1 (\S+)\)", made.problem.partition("(:goal")[2])
    roads = re.findall(rf"\(link \S+ {end}\)", made.problem)
    assert 0 < len(roads) < made.problem.count("(link")
    problem = made.problem
    for road in () if with_roads else roads:
        problem = problem.replace(road, "")
    return instance_of(made.domain, problem)


HAND = GroundAction((("f", 0),), (("p", 0),), (("f", 0),))
TAKE = GroundAction((), (("p", 1), ("f", 0)), ())


def _task(others: tuple[GroundAction, ...], *goal: tuple[str, int, int]) -> GroundProblem:
    """The first agent has an edge to disclose, and something that it could do."""
    return GroundProblem(5, 2, (0, 0), ((TAKE, HAND), others), (("f", 0, 0),), goal)


USES = GroundAction((("p", 2),), (("p", 3),), ())
WAITS = GroundAction((("p", 3),), (("p", 2),), ())
HIDES = GroundAction((("f", 0), ("p", 2)), (("f", 1),), ())
SHOWS = GroundAction((("p", 0),), (("p", 4), ("f", 0)), ())
IMPOSSIBLE = {
    "roads": (lambda: driverlog(with_roads=False), ()),
    "nobody achieves it": (_task((SHOWS,), ("p", 0, 0), ("p", 2, 0)).load, ()),
    "each waits for the other": (_task((USES, WAITS), ("p", 0, 0), ("p", 3, 0)).load, ()),
    "a private goal": (_task((SHOWS, HIDES), ("p", 4, 0), ("f", 1, 1)).load, ("a1",)),
}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("task", IMPOSSIBLE)
def test_nothing_is_disclosed_for_an_impossible_task(task, solver):
    load, agents = IMPOSSIBLE[task]
    instance = load()
    for ranking in RANKINGS:
        options = RunOptions(solver, ranking, drive="roundrobin")
        session = Session(instance, Settings(), options, online=True)
        assert sum(session.totals.values()) > 0, "there would be something to disclose"
        result = session.online()
        assert (result.outcome, result.out_of_reach) == (Outcome.NO_PLAN, True)
        assert (len(result.ledger), result.ledger.sum, result.no_more) == (0, 0, ())
        assert result.unreachable is not None
        assert result.unreachable.agents == agents
        assert bool(result.unreachable.goals) == (not agents)
        assert not any(isinstance(m, NextEdge) for m in result.transcript.messages())


@pytest.mark.parametrize(
    ("solver", "settings"),
    [
        ("projection", Settings(extension=Extension.REPLAN)),
        ("projection", Settings(threats=Threats.NONE)),
        ("mafs", Settings(rule=Rule.AUTHORS)),
        ("mafs", Settings(rule=Rule.PAIRWISE)),
    ],
)
def test_nor_is_it_under_other_settings(solver, settings):
    for load, _ in IMPOSSIBLE.values():
        options = RunOptions(solver, drive="roundrobin")
        result = Session(load(), settings, options, online=True).online()
        assert (result.outcome, len(result.ledger)) == (Outcome.NO_PLAN, 0)


def test_the_goals_out_of_reach_are_named():
    result = tacit.solve(driverlog(with_roads=False))
    assert result.unreachable is not None
    assert any(goal.startswith("(at p1 ") for goal in result.unreachable.goals)
    assert tacit.solve(driverlog(with_roads=True)).solved


# ------------------------------------------------------------------ a partner that drains others


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("problem", ["logistics/small", "depot/small", "sensors/small"])
def test_nothing_is_disclosed_once_a_needed_partner_discloses_no_more(problem, solver):
    instance, drained = tacit.load(problem), 0
    for drainer in instance.agents:
        for ranking in ("m3", "random", "goal"):
            run = Between(instance, solver, ranking, {drainer: Bounds(edges=0)})
            if drainer not in run.needed():
                continue
            attempt = run.run(LIMITS)
            drained += 1
            assert attempt.outcome is Outcome.NO_PLAN
            assert drainer in attempt.no_more
            assert run.turns()[-1] == NoMore(drainer)
            assert all(attempt.ledger.counts(agent).edges <= 1 for agent in instance.agents)
            assert attempt.ledger.counts(drainer).disclosed == 0
    assert drained


def test_it_may_disclose_some_before():
    """Everybody stops in the round in which it says "no more"."""
    instance = tacit.load("logistics/small")
    whole = Between(instance, ranking="m3")
    whole.run()
    assert whole.needed()
    for drainer in whole.needed():
        most = whole.coordinator.ledger.counts(drainer).edges - 1
        run = Between(instance, "auto", "m3", {drainer: Bounds(edges=most)})
        attempt = run.run(LIMITS)
        assert attempt.outcome is Outcome.NO_PLAN
        assert drainer in attempt.no_more
        turns = run.turns()
        end = turns.index(NoMore(drainer))
        later = [turn for turn in turns[end:] if isinstance(turn, EdgeDisclosed)]
        assert attempt.ledger.counts(drainer).edges == most
        assert len(later) < len(instance.agents)


def test_the_result_names_those_who_kept_something():
    instance, edges = tacit.load("logistics/small"), PricePolicy(Weights(()), budget=1)
    options = RunOptions(ranking="m3", drive="roundrobin")
    result = Session(instance, Settings(), options, edges, online=True).online()
    assert result.outcome is Outcome.UNDECIDED, "there might be a plan with more edges"
    assert result.no_more
    assert all(result.kept(name) > 0 for name in result.no_more)
    assert max(result.disclosed.values()) == 1


# ------------------------------------------------------------------ bounds


@pytest.mark.parametrize("solver", ["projection", "auto"])
def test_no_more_repairs_than_its_owner_allows(solver):
    for most in (0, 1, 3):
        instance = generated("blocksworld", {}, 2)
        own = {agent: Bounds(repairs=most) for agent in instance.agents}
        run = Between(instance, solver, "m3", own, policy=HASTY)
        attempt = run.run(LIMITS)
        assert attempt.outcome is Outcome.SOLVED, "forward search needs none"
        assert all(attempt.ledger.counts(agent).repairs <= most for agent in instance.agents)


def leads(run: Between, agent: str) -> list[int]:
    """How far an agent was ahead of the others that the goals need, before each of its edges."""
    counts, found = dict.fromkeys(run.agents, 0), []
    others = run.needed() - {agent}
    for turn in run.turns():
        if isinstance(turn, EdgeDisclosed):
            if turn.sender == agent:
                least = min((counts[other] for other in others), default=counts[agent])
                found.append(counts[agent] - least)
            counts[turn.sender] += 1
    return found


@pytest.fixture
def _shy() -> Iterator[None]:
    """A ranking that makes no difference, under which the last agent passes as long as it can."""

    class Shy:
        def __init__(self, graph, public, seed):
            self._left, self._passes = list(graph.edges), public.agent == max(public.published)

        def next(self):
            return PASS if self._passes and self._left else self.next_anyway()

        def next_anyway(self):
            return self._left.pop() if self._left else None

        def saw(self, agent, item):
            """It does not matter."""

    REGISTERED.add("shy")(Shy)
    yield
    unregister(REGISTERED, "shy")


@pytest.mark.usefixtures("_shy")
@pytest.mark.parametrize("problem", ["logistics/medium", "logistics/small", "elevators/small"])
def test_an_agent_is_never_further_ahead_than_its_owner_allows(problem):
    instance = tacit.load(problem)
    agent, *_, shy = sorted(instance.agents)
    free = Between(instance, "mafs", "shy")
    free.run(LIMITS)
    assert shy in free.needed()
    furthest = max(leads(free, agent))
    assert furthest > 1
    for ahead in range(3):
        run = Between(instance, "mafs", "shy", {agent: Bounds(ahead=ahead)})
        run.run(Limits(1))
        assert max(leads(run, agent), default=-1) == ahead - 1
        assert Passed(agent) in run.turns()


def test_an_agent_that_is_ahead_passes_and_goes_on_later():
    run = Between(tacit.load("logistics/small"), ranking="m1", bounds={"plane1": Bounds(ahead=1)})
    take, others = run.coordinator.take_turn, sorted(run.needed() - {"plane1"})
    assert others
    assert isinstance(take("plane1"), EdgeDisclosed)
    assert take("plane1") == Passed("plane1")
    assert take("plane1", must=True) == NoMore("plane1")
    for other in others:
        assert take("plane1") == Passed("plane1"), "one has disclosed nothing yet"
        assert isinstance(take(other), EdgeDisclosed)
    assert isinstance(take("plane1"), EdgeDisclosed)
    assert take("plane1") == Passed("plane1")


def test_all_may_have_a_bound_on_their_lead():
    """Everybody waits for everybody else, and they go on together."""
    instance = tacit.load("logistics/medium")
    own = dict.fromkeys(instance.agents, Bounds(ahead=1))
    run = Between(instance, "mafs", "m1", own)
    assert run.run(LIMITS).outcome is Outcome.SOLVED
    assert len(run.needed()) > 1
    assert all(n < 1 for agent in instance.agents for n in leads(run, agent))


def test_a_lead_is_over_those_that_the_goals_need():
    ledger = Ledger("abc")
    ledger.add("a", Kind.EDGE, [PublicEdge(n, 0) for n in range(5)])
    ledger.add("b", Kind.EDGE, [PublicEdge(n, 0) for n in range(3)])
    assert lead(ledger, "a", frozenset("ab")) == 2
    assert lead(ledger, "a", frozenset("abc")) == 5
    assert lead(ledger, "b", frozenset("ab")) == -2
    assert lead(ledger, "a", frozenset("a")) < 0, "there is nobody to be ahead of"


@pytest.mark.parametrize("domain", SMALL)
def test_who_is_needed(domain):
    for seed in range(3):
        run = Between(generated(domain, SMALL[domain][-1], seed))
        parts = run.coordinator.publications
        assert needed_agents(run.coordinator.public, parts) == run.needed()


def test_bounds_are_in_no_frame():
    """Whatever the bounds are, frames are the same until one of them is met."""
    instance = tacit.load("logistics/small")
    frames = []
    for bounds in (Bounds(), Bounds(edges=99, repairs=99, price=10**6, ahead=99)):
        run = Between(instance, "auto", "goal", dict.fromkeys(instance.agents, bounds))
        assert run.run().outcome is Outcome.SOLVED
        frames.append(run.transcript.frames)
    assert frames[0] == frames[1]
