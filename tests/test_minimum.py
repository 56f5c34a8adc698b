"""The fewest dependencies to disclose: bounds and plans against brute force."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import brute
import msgspec
import pytest
from brute import TooLarge, generated, instance_of, is_supported, say, tinies
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tacit import native
from tacit.cli.main import run as run_command
from tacit.errors import InputError
from tacit.experiment import minima, suite, tables, worker
from tacit.experiment.report.lines import panels
from tacit.experiment.run import Run
from tacit.experiment.store import Store
from tacit.experiment.sweep import Sweep
from tacit.party.graph import INIT
from tacit.public.projection import Projection
from tacit.public.settings import Extension, NoOp, Settings, Threats
from tacit.whole import minimum as minimum_module
from tacit.whole.minimum import OBJECTIVES, Hunt, Minimum, minimum
from tacit.whole.minimum_bound import Bound
from tacit.whole.minimum_choices import Choices
from tacit.whole.solve import Session

ON_DEMAND = Settings()
NO_THREATS = msgspec.structs.replace(Settings(), threats=Threats.NONE)
MOST_SETS = 600


def quick(examples: int) -> settings:
    quiet = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    return settings(
        max_examples=examples, deadline=None, suppress_health_check=quiet, derandomize=True
    )


def choices_of(hunt: Hunt) -> Choices:
    return hunt._choices


# ------------------------------------------------------------------ brute force


def has_public_plan(choices: Choices, choice: frozenset[int]) -> bool:
    return is_solvable(choices.projection(choice))


def is_solvable(projection: Projection) -> bool:
    """Is the goal of the projection within reach? All of its states are looked at."""
    rows = zip(projection.needs, projection.adds, projection.deletes, strict=True)
    ops = [(brute.mask(set(n)), brute.mask(set(a)), ~brute.mask(set(d))) for n, a, d in rows]
    goal = brute.mask(set(projection.goal))
    seen = {brute.mask(set(projection.init))}
    stack = list(seen)
    while stack:
        state = stack.pop()
        if state & goal == goal:
            return True
        for needs, adds, keeps in ops:
            if state & needs == needs and (then := state & keeps | adds) not in seen:
                seen.add(then)
                stack.append(then)
                if len(seen) > brute.MOST_STATES:
                    raise TooLarge
    return False


def has_plan(choices: Choices, choice: frozenset[int]) -> bool:
    """Is there a supported plan that can be carried out?"""
    own = {name: agent.dependencies for name, agent in choices.agents.items()}
    return brute.Joint(own, choices.by_agent(choice)).plan() is not None


class Tried:
    """A question about choices that is asked once each; a choice will do if a part of it will."""

    def __init__(self, choices: Choices, will_do: Callable[[Choices, frozenset[int]], bool]):
        self._choices, self._will_do = choices, will_do
        self._good: list[frozenset[int]] = []
        self._bad: set[frozenset[int]] = set()

    def __call__(self, choice: frozenset[int]) -> bool:
        if choice in self._bad:
            return False
        if any(good <= choice for good in self._good):
            return True
        if len(self._bad) > MOST_SETS:
            raise TooLarge
        if self._will_do(self._choices, choice):
            self._good.append(choice)
            return True
        self._bad.add(choice)
        return False


def cheapest(
    choices: Choices, objective: str, will_do: Callable[[frozenset[int]], bool]
) -> int | None:
    """The price of the cheapest choice that will do; every choice that is cheaper was tried."""
    everything = range(len(choices))
    sets = (
        frozenset(c) for size in range(len(choices) + 1) for c in combinations(everything, size)
    )
    if objective == "sum" and set(choices.price) == {1}:  # from small to large: stop at the first
        return next((len(choice) for choice in sets if will_do(choice)), None)
    if 2 ** len(choices) > MOST_SETS:
        raise TooLarge
    ordered = sorted(sets, key=lambda choice: choices.value(objective, choice))
    found = next((choice for choice in ordered if will_do(choice)), None)
    return None if found is None else choices.value(objective, found)


def check(hunt: Hunt, objectives: tuple[str, ...] = OBJECTIVES) -> Minimum:
    """Lower bound ≤ optimum ≤ best found, for plans in public and for plans carried out."""
    result, choices = hunt.run(), choices_of(hunt)
    say(f"{result.lower} {result.best} {[w.value for w in result.witness.values()]}")
    carries = Tried(choices, has_plan)
    is_public = result.threats is Threats.NONE
    decisive = Tried(choices, has_public_plan) if is_public else carries
    for objective in objectives:
        optimum = cheapest(choices, objective, decisive)
        say(f"{objective}: {optimum}")
        if optimum is None:
            assert objective not in result.best
            assert result.solvable is not True
            continue
        assert result.solvable is not False
        assert result.lower[objective] <= optimum
        if objective in result.best:
            assert optimum <= result.best[objective]
        witness = result.witness.get(objective)
        if witness is not None:
            carried = cheapest(choices, objective, carries)
            assert carried is not None
            assert carried <= witness.value
            check_witness(hunt, witness)
    return result


def check_witness(hunt: Hunt, witness) -> None:
    """The plan is valid, and supported by what the witness discloses and nothing else."""
    assert witness.verdict.valid
    for name, agent in choices_of(hunt).agents.items():
        own = agent.dependencies
        names = {own.task.action_name(n).lower(): n for n in range(len(own.task.arrays.schema))}
        steps = [names[str(step)] for step in witness.plan.steps if step.agent == name]
        assert is_supported(own, witness.edges[name], steps)


@pytest.mark.parametrize("chosen", [NO_THREATS, ON_DEMAND], ids=["none", "on-demand"])
def test_random_problems_against_brute_force(chosen):
    results: list[Minimum] = []

    @quick(30)
    @given(tinies(most_acts=5), st.integers(0, 3))
    def run(tiny, seed):
        say("\n".join(tiny.texts))
        hunt = Hunt(tiny.load(), chosen, seed=seed)
        assume(1 <= len(choices_of(hunt)) <= 7)
        results.append(check(hunt))

    run()
    assert sum(result.is_proven for result in results) > 0.9 * len(results)
    assert sum(result.best.get("sum", 0) > 0 for result in results) > 3
    assert any(result.solvable is False for result in results)


@pytest.mark.parametrize("chosen", [NO_THREATS, ON_DEMAND], ids=["none", "on-demand"])
def test_prices_against_brute_force(chosen):
    """Edges that cost nothing are told anyway, and those without a price never."""
    never = 0

    @quick(14)
    @given(tinies(most_acts=5), st.lists(st.sampled_from([0, 1, 1, 2, 5, None]), min_size=12))
    def run(tiny, prices):
        nonlocal never
        say("\n".join(tiny.texts))
        say(str(prices))
        number = {}

        def price(agent, edge):
            return prices[number.setdefault((agent, edge), len(number)) % len(prices)]

        hunt = Hunt(tiny.load(), chosen, price=price)
        assume(len(choices_of(hunt)) <= 6)
        result = check(hunt)
        for witness in result.witness.values():
            for agent, edges in witness.edges.items():
                assert all(price(agent, edge) is not None for edge in edges)
                assert witness.paid[agent] == sum(price(agent, edge) or 0 for edge in edges)
            never += None in prices

    run()
    assert never


@pytest.mark.parametrize("domain", list(brute.SMALL))
@pytest.mark.parametrize("chosen", [NO_THREATS, ON_DEMAND], ids=["none", "on-demand"])
def test_families_against_brute_force(domain, chosen):
    hunt = Hunt(generated(domain, brute.SMALL[domain][0], 1), chosen)
    result = hunt.run()
    assert result.is_proven
    compared = 0
    for objective in OBJECTIVES:
        try:
            check(hunt, (objective,))
            compared += 1
        except TooLarge:
            continue
    assert compared or len(choices_of(hunt)) > 12


# ------------------------------------------------------------------ the parts


@quick(25)
@given(
    st.integers(1, 3),
    st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3)), min_size=1, max_size=7),
    st.data(),
)
def test_hitting_sets_are_the_cheapest(groups, edges, data):
    group, price = [g % groups for g, _ in edges], [p for _, p in edges]
    some = st.lists(st.integers(0, len(edges) - 1), min_size=1, max_size=4, unique=True)
    cuts = data.draw(st.lists(some, max_size=8))
    hitting = native.HittingSet(group, price)
    for cut in cuts:
        hitting.add(cut)

    def loads(chosen):
        return [sum(price[n] for n in set(chosen) if group[n] == g) for g in range(groups)]

    every = [
        set(c) for size in range(len(edges) + 1) for c in combinations(range(len(edges)), size)
    ]
    good = [chosen for chosen in every if all(chosen & set(cut) for cut in cuts)]
    for answer, value in ((hitting.least_sum(10**6), sum), (hitting.least_max(10**6, 0), max)):
        lower, is_exact, chosen = answer
        assert is_exact
        assert all(set(chosen) & set(cut) for cut in cuts)
        assert value(loads(chosen)) == lower == min(value(loads(other)) for other in good)
    for by_group in (False, True):
        assert all(set(hitting.some(by_group)) & set(cut) for cut in cuts)
    for _, _, chosen in (hitting.least_sum(1), hitting.least_max(1, 0)):  # it gives up
        assert all(set(chosen) & set(cut) for cut in cuts)
    assert hitting.least_sum(1)[0] <= min(sum(loads(other)) for other in good)
    assert hitting.least_max(1, 0)[0] <= min(max(loads(other)) for other in good)


@quick(25)
@given(tinies(), st.data())
def test_a_cut_is_smallest_and_must_be_hit(tiny, data):
    choices = choices_of(Hunt(tiny.load(), NO_THREATS))
    assume(len(choices))
    bound = Bound(choices)
    open_edges = data.draw(st.sets(st.integers(0, len(choices) - 1)))
    rank = data.draw(st.lists(st.integers(0, 3), min_size=len(choices), max_size=len(choices)))
    cut = bound._relaxed.cut(sorted(open_edges), rank)
    if bound.may_do(open_edges):
        assert cut == []
        return
    assert not open_edges & set(cut)
    closed = choices.all - set(cut)
    assert not bound.may_do(closed)
    for edge in cut:
        assert bound.may_do(closed | {edge})


@quick(15)
@given(tinies())
def test_lm_cut_is_no_more_than_the_relaxed_optimum(tiny):
    choices = choices_of(Hunt(tiny.load(), NO_THREATS))
    assume(1 <= len(choices) <= 9)
    bound = Bound(choices)
    cuts, value, has_plan_ = native.lm_cut(bound._task, bound._relaxed, choices.price)
    assert has_plan_ == bound.has_any
    if not has_plan_:
        return
    for cut in cuts:
        assert not bound.may_do(choices.all - set(cut))
    assert value <= cheapest(choices, "sum", bound.may_do)


def one_agent(actions: str, init: str, goal: str):
    domain = f"""(define (domain d) (:types agent)
      (:predicates (g) (p) (:private ?a - agent (f ?a - agent)))
      {actions})"""
    problem = f"""(define (problem d) (:domain d) (:objects (:private a a - agent))
      (:init {init}) (:goal (and {goal})))"""
    return instance_of(domain, problem)


def test_an_edge_from_the_start_may_be_the_witness():
    """`x` ends `f` and `y` brings it back; the start gives it, so one edge is enough."""
    instance = one_agent(
        """(:action x :agent ?a - agent :parameters ()
            :precondition (f ?a) :effect (and (g) (not (f ?a))))
           (:action y :agent ?a - agent :parameters ()
            :precondition () :effect (and (p) (f ?a)))""",
        "(f a)",
        "(g)",
    )
    result = minimum(instance)
    assert (result.lower, result.best) == ({"max": 1, "sum": 1}, {"max": 1, "sum": 1})
    assert [edge.giver for edge in result.witness["sum"].edges["a"]] in ([INIT], [1])


def test_a_problem_without_a_plan():
    instance = one_agent(
        """(:action x :agent ?a - agent :parameters () :precondition (f ?a) :effect (g))""",
        "",
        "(g) (p)",
    )
    result = minimum(instance)
    assert result.solvable is False
    assert result.is_proven
    assert result.best == {}


def test_never_is_kept_even_if_there_is_no_plan_then():
    hunt = Hunt(generated("logistics", brute.SMALL["logistics"][0], 0), price=lambda *_: None)
    assert hunt.run().solvable is False


@pytest.mark.parametrize("threats", [Threats.RANKED, Threats.KNOWN, Threats.PAPER_INDEX])
def test_threats_with_which_more_may_hurt_are_refused(threats):
    chosen = msgspec.structs.replace(Settings(), threats=threats)
    with pytest.raises(InputError, match="no minimum with threats"):
        minimum(generated("logistics", brute.SMALL["logistics"][0], 0), chosen)


def test_replanning_is_refused():
    chosen = msgspec.structs.replace(Settings(), extension=Extension.REPLAN)
    with pytest.raises(InputError, match="replan"):
        minimum(generated("logistics", brute.SMALL["logistics"][0], 0), chosen)


def test_the_bound_is_no_more_than_what_rankings_need():
    chosen = msgspec.structs.replace(NO_THREATS, no_op=NoOp.KEEP)
    for domain in ("driverlog", "rovers", "zenotravel"):
        instance = generated(domain, brute.SMALL[domain][0], 2)
        least = minimum(instance, chosen, ("max",)).lower["max"]
        for ranking in ("m3", "goal"):
            session = Session(instance, chosen, ranking)
            ks = range(session.largest + 1)
            enough = next(k for k in ks if is_solvable(session._solver.projection(k)))
            assert least <= enough


def test_results_do_not_depend_on_the_run():
    def once():
        result = minimum(generated("driverlog", brute.SMALL["driverlog"][0], 3), seed=5)
        plans = [[str(step) for step in w.plan.steps] for w in result.witness.values()]
        return result.lower, result.best, plans

    assert once() == once()


# ------------------------------------------------------------------ the command


def test_the_command_in_json(capsys, tmp_path):
    plan = tmp_path / "plan.txt"
    assert run_command(["minimum", "logistics/small", "--json", "--plan-file", str(plan)]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["schema"] == "tacit.minimum/1"
    assert shown["sees_everything"]
    assert shown["proven"]
    for name, value in (("max", 2), ("sum", 4)):
        ends = shown["objectives"][name]
        assert (ends["lower_bound"], ends["best_found"], ends["gap"]) == (value, value, 0)
        assert sum(ends["witness"]["disclosed"].values()) >= value
    assert run_command(["validate", "logistics/small", str(plan)]) == 0


def test_the_command_says_what_it_sees(capsys):
    assert run_command(["minimum", "logistics/small", "--objective", "max", "--edges"]) == 0
    shown = capsys.readouterr().out
    assert "looks at every agent's secrets" in shown
    assert "gives" in shown
    assert "all agents" not in shown


def test_time_is_over_at_once(capsys):
    assert run_command(["minimum", "driverlog/small", "--time-limit", "0", "--json"]) == 23
    shown = json.loads(capsys.readouterr().out)
    assert not shown["proven"]
    assert shown["objectives"]["sum"]["best_found"] is None


def test_ctrl_c_reports_what_is_known(capsys, monkeypatch):
    """Somebody presses it in the first trial: the bound is known by then."""

    def pressed(self, choice, evaluations):
        raise KeyboardInterrupt

    monkeypatch.setattr(minimum_module.Hunt, "_try", pressed)
    asked = ["minimum", "logistics/small", "--objective", "sum", "--json"]
    assert run_command(asked) == 130
    shown = json.loads(capsys.readouterr().out)
    assert shown["interrupted"]
    assert shown["objectives"]["sum"]["lower_bound"] == 4
    assert shown["objectives"]["sum"]["best_found"] is None


def test_no_plan_whatever_is_disclosed(capsys, tmp_path):
    domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    domain.write_text(
        "(define (domain d) (:types agent)"
        "(:predicates (g) (p) (:private ?a - agent (f ?a - agent)))"
        "(:action x :agent ?a - agent :parameters () :precondition (f ?a) :effect (g)))"
    )
    problem.write_text(
        "(define (problem d) (:domain d) (:objects (:private a a - agent)) (:init) (:goal (g)))"
    )
    assert run_command(["minimum", str(domain), str(problem)]) == 11
    assert "no plan, whatever is disclosed" in capsys.readouterr().out


def test_wrong_options_have_exit_codes(capsys):
    assert run_command(["minimum", "logistics/small", "--threats", "ranked"]) == 31
    assert "none" in capsys.readouterr().err
    assert run_command(["minimum", "logistics/small", "--objective", "least"]) == 2


# ------------------------------------------------------------------ in sweeps and reports


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """A small sweep with minima, done in this process."""
    problems = suite.find(["logistics/small", "driverlog/small"])
    sweep = Sweep(
        problems,
        Settings(),
        rankings=("m1", "random"),
        levels=tuple(map(Fraction, (50, 100))),
        first=True,
        seeds=1,
        minimum=True,
    )
    runs: list[Run] = []
    for job in sweep.jobs():
        assert worker.work(job, lambda said: runs.append(said) if isinstance(said, Run) else None)
        done = {run.asked: run for run in runs if run.unit == job.unit}
        assert job.left(done) == []
    return runs


def test_a_sweep_stores_both_ends(swept, tmp_path):
    with Store.open(tmp_path / "runs.db", write=True) as store:
        for run in swept:
            store.add(run)
        rows = store.rows(solver="minimum")
    assert sorted(row.asked for row in rows) == ["best", "best", "lower", "lower"]
    known = minima.ends(rows)
    assert {name: (one.lower, one.best) for name, one in known.items()} == {
        "logistics/small": (2, 2),
        "driverlog/small": (2, 2),
    }
    assert all(row.plan and row.cost for row in rows if row.asked == "best")


def test_minima_are_no_series_and_make_two_lines(swept):
    assert {one.solver for one in tables.series(swept)} == {"projection"}
    for panel in panels(tables.series(swept), minima.ends(swept)):
        for unit in ("edges", "percent"):
            lines = {line.name: line for line in panel.lines["coverage", unit]}
            assert {"lower bound", "best found"} <= lines.keys()
            for name in ("lower bound", "best found"):
                assert lines[name].y[0] == 0
                assert lines[name].y[-1] == 1
        edges = {line.name: line for line in panel.lines["coverage", "edges"]}
        assert edges["lower bound"].x[1] == 2


def test_how_much_of_the_gap_a_ranking_closes(swept):
    found = minima.closed(swept)
    assert {row.ranking for row in found} == {"m1"}
    for row in found:
        firsts = {
            run.unit.ranking: run.k
            for run in swept
            if run.asked == "first" and run.unit.domain == row.domain
        }
        far = firsts["random"] - 2
        assert row.problems == (far > 0)
        if far > 0:
            assert row.share == pytest.approx(100 * (firsts["random"] - firsts["m1"]) / far)
    assert minima.grid3(found).header[-2:] == ["closed %", "problems"]


def test_a_sweep_refuses_minima_where_there_are_none():
    chosen = msgspec.structs.replace(Settings(), threats=Threats.RANKED)
    sweep = Sweep(suite.find(["logistics/small"]), chosen, first=True, minimum=True)
    with pytest.raises(InputError, match="no minimum"):
        sweep.check()
