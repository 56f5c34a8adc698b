"""The fewest dependencies to disclose: cuts, hitting sets, and small cases by hand."""

from __future__ import annotations

from itertools import combinations

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.cheapest import NO_THREATS, cheapest, is_solvable
from support.inside import choices_of, projection_of
from support.notes import quick
from support.problems import SMALL, generated, instance_of

from tacit import native
from tacit.central.analysis.minimum import MinimumSearch, minimum
from tacit.central.analysis.minimum.bound import Bound
from tacit.central.session import Session
from tacit.errors import InputError
from tacit.party.disclosure.graph import INIT
from tacit.public.run_options import RunOptions
from tacit.public.settings import Extension, NoOp, Settings, Threats
from tacit.testing import problems


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
@given(problems(), st.data())
def test_a_cut_is_smallest_and_must_be_hit(tiny, data):
    choices = choices_of(MinimumSearch(tiny.load(), NO_THREATS))
    assume(len(choices))
    bound = Bound(choices)
    open_edges = data.draw(st.sets(st.integers(0, len(choices) - 1)))
    rank = data.draw(st.lists(st.integers(0, 3), min_size=len(choices), max_size=len(choices)))
    cut = bound._relaxed.cut(sorted(open_edges), rank)
    if bound.may_suffice(open_edges):
        assert cut == []
        return
    assert not open_edges & set(cut)
    closed = choices.all - set(cut)
    assert not bound.may_suffice(closed)
    for edge in cut:
        assert bound.may_suffice(closed | {edge})


@quick(15)
@given(problems())
def test_lm_cut_is_no_more_than_the_relaxed_optimum(tiny):
    choices = choices_of(MinimumSearch(tiny.load(), NO_THREATS))
    assume(1 <= len(choices) <= 9)
    bound = Bound(choices)
    cuts, value, has_plan_ = native.lm_cut(bound._task, bound._relaxed, choices.price)
    assert has_plan_ == bound.has_any
    if not has_plan_:
        return
    for cut in cuts:
        assert not bound.may_suffice(choices.all - set(cut))
    assert value <= cheapest(choices, "sum", bound.may_suffice)


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
    assert [edge.achiever for edge in result.witness["sum"].edges["a"]] in ([INIT], [1])


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
    search = MinimumSearch(generated("logistics", SMALL["logistics"][0], 0), price=lambda *_: None)
    assert search.run().solvable is False


@pytest.mark.parametrize("threats", [Threats.RANKED, Threats.KNOWN, Threats.PAPER_INDEX])
def test_threats_with_which_more_may_hurt_are_refused(threats):
    chosen = msgspec.structs.replace(Settings(), threats=threats)
    with pytest.raises(InputError, match="no minimum with threats"):
        minimum(generated("logistics", SMALL["logistics"][0], 0), chosen)


def test_replanning_is_refused():
    chosen = msgspec.structs.replace(Settings(), extension=Extension.REPLAN)
    with pytest.raises(InputError, match="replan"):
        minimum(generated("logistics", SMALL["logistics"][0], 0), chosen)


def test_the_bound_is_no_more_than_what_rankings_need():
    chosen = msgspec.structs.replace(NO_THREATS, no_op=NoOp.KEEP)
    for domain in ("driverlog", "rovers", "zenotravel"):
        instance = generated(domain, SMALL[domain][0], 2)
        least = minimum(instance, chosen, ("max",)).lower["max"]
        for ranking in ("m3", "goal"):
            session = Session(instance, chosen, RunOptions(ranking=ranking))
            ks = range(session.largest + 1)
            enough = next(k for k in ks if is_solvable(projection_of(session, k)))
            assert least <= enough


def test_results_do_not_depend_on_the_run():
    def once():
        result = minimum(generated("driverlog", SMALL["driverlog"][0], 3), seed=5)
        plans = [[str(step) for step in w.plan.steps] for w in result.witness.values()]
        return result.lower, result.best, plans

    assert once() == once()
