"""Prices keep their promises: `never` is kept, budgets are not overdrawn, and no price crosses."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from msgspec.structs import replace
from support import brute
from support.inside import choices_of, messages_of, projection_of, shown_edge, transcript_of
from support.never_audit import audit
from support.pricing import IN_ONE, LIMITS, Case, cases, scaled
from support.problems import SMALL, generated

from tacit.central.analysis.minimum import MinimumSearch
from tacit.central.analysis.release import least_release, what_to_release
from tacit.central.price_policy import PricePolicy
from tacit.central.session import Session
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.ranking import RANKINGS
from tacit.party.disclosure.weights import Rule, Table, Weights
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import Disclosed, EdgeDisclosed, JointReached, States
from tacit.public.protocol.states import decode_batch
from tacit.public.run_options import RunOptions
from tacit.public.settings import Rule as Budgeting
from tacit.public.settings import Settings, Threats
from tacit.solvers.limits import Limits

BUILT_IN = ("goal", "m1", "m2", "m3", "m4", "random")
MAFS = RunOptions("mafs", drive="roundrobin", record=True)
WAYS = {
    "projection": (IN_ONE, Settings()),
    "projection, threats none": (IN_ONE, Settings(threats=Threats.NONE)),
    "projection, threats ranked": (IN_ONE, Settings(threats=Threats.RANKED)),
    "projection, threats known": (IN_ONE, Settings(threats=Threats.KNOWN)),
    "mafs": (MAFS, Settings()),
    "mafs, rule authors": (MAFS, Settings(rule=Budgeting.AUTHORS)),
}


def sent(session: Session) -> list[tuple[str, str, bytes]]:
    return [(f.sender, f.receiver, f.payload) for f in transcript_of(session).frames]


# ------------------------------------------------------------------ never


@pytest.mark.parametrize("way", WAYS)
def test_never_is_neither_disclosed_nor_implied(way):
    """The auditor looks at frames and names alone; without prices it has much to complain about."""
    run_options, chosen = WAYS[way]
    would_tell = solved = solved_online = 0
    for case in cases(40):
        ranking = ("goal", "m3", "random")[case.seed % 3]
        session, prices = case.session(chosen, ranking, run_options), case.prices
        for k in sorted({1, session.largest}):
            result = session.at(k, LIMITS)
            told = transcript_of(session)
            assert audit(session.agents, prices, told, "authors" in way) == [], case.seed
            solved += result.solved
        online = case.session(chosen, ranking, run_options, online=True)
        solved_online += online.online(LIMITS).solved
        told = transcript_of(online)
        assert audit(online.agents, prices, told, "authors" in way) == [], case.seed
        plain = Session(case.instance, chosen, replace(run_options, ranking=ranking))
        plain.at(plain.largest, LIMITS)
        told = transcript_of(plain)
        would_tell += bool(audit(plain.agents, prices, told, "authors" in way))
    assert would_tell > 10
    assert solved > 10
    assert solved_online > 5


@pytest.mark.parametrize("rule", [Budgeting.SUPPORTED, Budgeting.AUTHORS], ids=lambda r: r.value)
def test_states_that_rest_on_never_are_not_sent(rule):
    """Each state sent can be reached by what was told, whatever tokens end."""
    states = 0
    for case in cases(40, private_goals=False):
        session = case.session(Settings(rule=rule), "m3", MAFS)
        session.at(session.largest, Limits(evaluations=300))
        reached = public_states(session, with_start=rule is Budgeting.AUTHORS)
        for message in messages_of(session):
            if isinstance(message, States):
                for state in decode_batch(message.batch).states:
                    states += 1
                    assert brute.mask(state.facts) in reached, case.seed
    assert states > 50


def test_a_budget_in_prices_leaves_no_token_of_the_start_free():
    told: Counter[bool] = Counter()
    for case in cases(20):
        for budget in (None, 2):
            session = case.session(Settings(rule=Budgeting.AUTHORS), "m3", MAFS, budget)
            session.at(0, Limits(evaluations=50))
            heard = messages_of(session)
            told[budget is None] += sum(
                len(m.initial) for m in heard if isinstance(m, JointReached)
            )
    assert told[True] > 0
    assert told[False] == 0


def public_states(session: Session, with_start: bool) -> set[int]:
    """The public facts of all states of Π with what was told.

    `with_start`: what holds at the start and may be told counts as told.
    """
    projection = projection_of(session)
    if with_start:
        for name, agent in session.agents.items():
            own = agent.dependencies
            shown = agent.disclose_exactly([e for e in own.graph.edges if e.achiever < 0])
            projection.disclose(name, shown)
    rows = zip(projection.needs, projection.adds, projection.deletes, strict=True)
    ops = [(brute.mask(set(n)), brute.mask(set(a)), ~brute.mask(set(d))) for n, a, d in rows]
    public = (1 << len(session.instance.public.facts)) - 1
    seen = {brute.mask(set(projection.init))}
    stack = list(seen)
    while stack:
        state = stack.pop()
        for needs, adds, keeps in ops:
            if state & needs == needs and (then := state & keeps | adds) not in seen:
                seen.add(then)
                stack.append(then)
                assert len(seen) < brute.MOST_STATES
    return {state & public for state in seen}


@pytest.mark.parametrize("way", ["projection", "mafs"])
def test_what_may_be_disclosed_decides_whether_there_is_a_plan(way):
    """Forward search is complete without a word; with the projection an agent that may not say why
    it cannot do a plan may leave it undecided, but nobody denies a plan that there is.
    """
    run_options, chosen = WAYS[way]
    outcomes = []
    for case in cases(40):
        session = case.session(chosen, "m3", run_options)
        result = session.at(session.largest, Limits(prefixes=50))
        own = {name: agent.dependencies for name, agent in session.agents.items()}
        told = {name: [e for e in d.graph.edges if e.positive] for name, d in own.items()}
        there_is = brute.Joint(own, told).plan() is not None
        outcomes.append((there_is, result.outcome))
        if there_is:
            assert result.outcome in (Outcome.SOLVED, Outcome.UNDECIDED), case.seed
            assert way != "mafs" or result.solved, case.seed
        else:
            assert not result.solved, case.seed
            assert way != "mafs" or result.outcome is Outcome.NO_PLAN, case.seed
    there = [outcome for there_is, outcome in outcomes if there_is]
    assert sum(outcome is Outcome.SOLVED for outcome in there) > 0.8 * len(there) > 4


def test_the_least_release_against_brute_force():
    compared = []
    for case in cases(140, (1,), defaults=(1, None, None)):
        instance, price_policy = case.instance, PricePolicy(case.prices, lenient=True)
        own = {name: Dependencies(instance.local(name), Settings()) for name in instance.agents}
        priced = price_policy.of(instance, Settings())
        kept = {
            name: Dependencies(instance.local(name), Settings(), prices=priced[name])
            for name in instance.agents
        }
        never = [
            (name, edge)
            for name, each in own.items()
            for edge in each.graph.edges
            if kept[name].price(edge.achiever, edge.token) is None
        ]
        if not 1 <= len(never) <= 7:
            continue
        free = {name: list(each.graph.edges) for name, each in kept.items()}

        def has_plan(some, free=free, own=own):
            told = {n: [*edges, *(e for m, e in some if m == n)] for n, edges in free.items()}
            return brute.Joint(own, told).plan() is not None

        sets = (some for size in range(len(never) + 1) for some in combinations(never, size))
        least = next((len(some) for some in sets if has_plan(some)), None)
        found = least_release(instance, Settings(), price_policy, 60)
        compared.append(least)
        if least is None:
            assert found.unsolvable or found.edges is None
            assert found.lines(True)
        else:
            assert found.lower <= least <= (found.count if found.count is not None else least)
            assert found.is_smallest, case.seed
    assert sum(1 for least in compared if least) > 3
    assert 0 in compared


def test_no_plan_under_these_prices():
    instance = generated("logistics", SMALL["logistics"][0], 0)
    prices = Weights((Table("*", (), None, has_default=True),))
    price_policy = PricePolicy(prices)
    for run_options in (IN_ONE, MAFS):
        session = Session(
            instance, Settings(), replace(run_options, ranking="goal"), prices=price_policy
        )
        result = session.first()
        assert result.outcome is Outcome.NO_PLAN
        assert set(result.dependencies.values()) == {0}
        found = what_to_release(instance, Settings(), price_policy, result, Limits())
        assert found is not None
        assert found.is_smallest
        assert found.count == MinimumSearch(instance, Settings(), ("sum",)).run().best["sum"]
        assert found.lines(False)[0] == "no plan under these prices"
        assert not any("achieves" in line for line in found.lines(False))
        assert sum("achieves" in line for line in found.lines(True)) == found.count


# ------------------------------------------------------------------ prices


@pytest.mark.parametrize("ranking", BUILT_IN)
def test_orders_follow_prices(ranking):
    """What costs nothing comes before what costs most, where the ranking sees no difference."""
    instance = generated("zenotravel", {"planes": 2, "people": 3, "cities": 3, "levels": 3}, 1)
    name = instance.agents[0]
    plain = Session(instance, Settings(), RunOptions(ranking="m3")).order(name)
    dear = {plain[0].achiever}
    task = instance.local(name)
    own = Dependencies(task, Settings())
    actions = [task.action_name(a) for g in dear if g >= 0 for a in own.members[g]]
    made = tuple(Rule(10_000, action=action) for action in actions or ["(the initial state)"])
    session = Session(
        instance,
        Settings(),
        RunOptions(ranking=ranking),
        prices=PricePolicy(Weights((Table(name, made),))),
    )
    order = session.order(name)
    places = [n for n, edge in enumerate(order) if edge.achiever in dear]
    assert sorted(order) == sorted(plain)
    assert sum(places) / len(places) > (len(order) - 1) / 2


@pytest.mark.parametrize("ranking", BUILT_IN)
@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_bytes_do_not_depend_on_what_prices_are_counted_in(ranking, solver):
    """Prices times seven: every frame is the same, with a budget seven times as high, too."""
    run_options = MAFS if solver == "mafs" else IN_ONE
    for case in cases(12):
        frames, budget = [], (None, 0, 2, 5)[case.seed % 4]
        for factor in (1, 7):
            spent = None if budget is None else factor * budget
            priced = Case(case.seed, case.instance, scaled(case.prices, factor))
            session = priced.session(Settings(), ranking, run_options, spent, 3)
            for k in (1, session.largest):
                session.at(k, LIMITS)
            frames.append(sent(session))
        assert frames[0] == frames[1], case.seed


@pytest.mark.parametrize("ranking", sorted(RANKINGS))
def test_equal_prices_are_no_prices(ranking):
    for domain in ("driverlog", "rovers"):
        instance = generated(domain, SMALL[domain][0], 2)
        frames = []
        for price_policy in (
            PricePolicy(),
            PricePolicy(Weights((Table("*", (), 3, has_default=True),))),
        ):
            session = Session(
                instance, Settings(), RunOptions(ranking=ranking, seed=1), prices=price_policy
            )
            session.first()
            frames.append(sent(session))
        assert frames[0] == frames[1]


@pytest.mark.parametrize("ranking", BUILT_IN)
def test_a_budget_is_never_overdrawn(ranking):
    """Whatever is asked for: all that an agent ever told is within its budget."""
    stopped = 0
    for case in cases(30, (0, 1, 2, 5)):
        budget, first, online = case.seed % 8, case.seed % 3 == 0, case.seed % 3 == 1
        session = case.session(ranking=ranking, budget=budget, online=online)
        run = session.online if online else session.first
        result = run(LIMITS) if online or first else session.at(session.largest, LIMITS)
        told = {name: set() for name in session.agents}
        for message in messages_of(session):
            if isinstance(message, Disclosed):
                told[message.sender].update(message.edges)
            elif isinstance(message, EdgeDisclosed):
                told[message.sender].add(message.edge)
        for name, agent in session.agents.items():
            own = agent.dependencies
            price = {shown_edge(agent, e): own.price(e.achiever, e.token) for e in own.graph.edges}
            paid = sum(price[edge] for edge in told[name])
            assert result.accounts[name].edges <= paid <= budget
            stopped += len(told[name]) < len(price)
            if not first and not online and len(told[name]) < len(price):
                left = [price[edge] for edge in price if edge not in told[name]]
                assert paid + max(left) > budget
    assert stopped > 3


def test_prices_against_brute_force():
    """`minimum` in prices of a file: lower bound ≤ optimum ≤ best found."""
    checked = 0
    for case in cases(40, (0, 1, 2, 37, None)):
        search = MinimumSearch(case.instance, price_policy=PricePolicy(case.prices, lenient=True))
        choices = choices_of(search)
        if not 1 <= len(choices) <= 7:
            continue
        result = search.run()
        own = {name: agent.dependencies for name, agent in choices.agents.items()}
        every = [
            frozenset(c) for n in range(len(choices) + 1) for c in combinations(choices.all, n)
        ]
        for objective in ("max", "sum"):
            every.sort(key=lambda choice, o=objective: choices.value(o, choice))
            plans = (brute.Joint(own, choices.by_agent(c)).plan() for c in every)
            best = next((c for c, plan in zip(every, plans, strict=True) if plan is not None), None)
            if best is None:
                assert result.solvable is not True
                continue
            optimum = choices.value(objective, best)
            checked += optimum > 0
            assert result.lower[objective] <= optimum
            assert optimum <= result.best.get(objective, optimum)
            witness = result.witness.get(objective)
            for agent, edges in witness.edges.items() if witness else ():
                asked = [own[agent].price(e.achiever, e.token) for e in edges]
                assert None not in asked
                assert sum(asked) == witness.paid[agent]
    assert checked > 5


@pytest.mark.usefixtures("_never_pessimistic")
def test_repairs_have_a_price():
    """A threat costs its price, as the dependencies of the same action and fact do."""
    paid = []
    for seed in range(6):
        instance = generated("blocksworld", SMALL["blocksworld"][1], seed)
        price_policy = PricePolicy(Weights((Table("*", (), 3, has_default=True),)))
        result = Session(
            instance, Settings(), RunOptions(ranking="m3"), prices=price_policy
        ).first()
        for name, account in result.accounts.items():
            assert account.repairs >= 3 * result.repairs[name] or result.repairs[name] == 0
            assert account.edges == 3 * result.disclosed[name]
            paid.append(account.repairs)
    assert any(paid)
