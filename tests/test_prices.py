"""Prices keep their promises: `never` is kept, budgets are not overdrawn, and no price crosses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from itertools import count as counting
from random import Random

import brute
import msgspec
import pytest
from brute import generated
from never_audit import audit

from tacit.central.analysis.minimum import Hunt
from tacit.central.analysis.release import least_release, what_to_release
from tacit.central.billing import Bill
from tacit.central.instance import Instance
from tacit.central.solve import Limits, Means, Session
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.ranking import RANKINGS
from tacit.party.disclosure.weights import Rule, Table, Weights
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import Disclosed, Foreseen, States, Told
from tacit.public.protocol.states import decode_batch
from tacit.public.settings import Rule as Budgeting
from tacit.public.settings import Settings, Threats

PLAIN, IN_ONE, LIMITS = Settings(), Means(), Limits(evaluations=2_000, prefixes=20)
BUILT_IN = ("goal", "m1", "m2", "m3", "m4", "random")
MAFS = Means("mafs", drive="roundrobin", record=True)
WAYS = {
    "projection": (Means(), Settings()),
    "projection, threats none": (Means(), Settings(threats=Threats.NONE)),
    "projection, threats ranked": (Means(), Settings(threats=Threats.RANKED)),
    "projection, threats known": (Means(), Settings(threats=Threats.KNOWN)),
    "mafs": (MAFS, Settings()),
    "mafs, rule authors": (MAFS, Settings(rule=Budgeting.AUTHORS)),
}


ASKED = (0, 1, 2, 5, None, None)


@dataclass(frozen=True)
class Case:
    """A problem with dependencies, and prices for some of them."""

    seed: int
    instance: Instance
    prices: Weights

    def session(self, chosen=PLAIN, ranking="m3", means=IN_ONE, budget=None, seed=0):
        bill = Bill(self.prices, budget, lenient=True)
        return Session(self.instance, chosen, ranking, seed, means, bill=bill)


def cases(count: int, asked=ASKED, private_goals=True, defaults=(1, 1, 3)) -> Iterator[Case]:
    """Random problems, each with some dependencies, and rules about these."""
    for seed in counting():
        random = Random(seed)
        instance = a_tiny(random, private_goals).load()
        own = {name: Dependencies(instance.local(name), PLAIN) for name in instance.agents}
        if sum(len(each.graph.edges) for each in own.values()) < 2:
            continue
        tables = tuple(table(n, each, random, asked, defaults) for n, each in own.items())
        yield Case(seed, instance, Weights(tables))
        count -= 1
        if count == 0:
            return


def a_tiny(random: Random, private_goals: bool) -> brute.Tiny:
    """Actions that mostly use up a private fact and give another, with a public effect or none."""
    privates = publics = 3

    def some(kind, chance):
        return ((kind, random.randrange(3)),) if random.random() < chance else ()

    def act():
        is_public = random.random() < 0.75
        needs, adds = some("f", 0.6), some("f", 0.7)
        cuts = tuple(f for f in {*needs, *some("f", 0.2)} if f not in adds)
        cuts = cuts if random.random() < 0.6 else ()
        if not is_public:
            return brute.Act(needs, adds or (("f", 0),), tuple(f for f in cuts if adds))
        shown = ("p", random.randrange(publics))
        return brute.Act(needs + some("p", 0.2), (*adds, shown), cuts)

    own = [("f", n, agent) for agent in range(2) for n in range(privates)]
    goal = [("p", n, 0) for n in random.sample(range(publics), random.randint(1, 3))]
    goal += random.sample(own, random.randint(0, 1) if private_goals else 0)
    sides = tuple(tuple(act() for _ in range(random.randint(3, 5))) for _ in range(2))
    things = tuple(random.randrange(2) for _ in range(privates))
    init = random.sample(own, random.randint(0, 3))
    return brute.Tiny(publics, privates, things, sides, tuple(init), tuple(goal))


def table(name: str, own: Dependencies, random: Random, asked, defaults) -> Table:
    pairs = [(edge.giver, edge.token) for edge in own.graph.edges]
    pairs += [(own.number[a], t) for a in own.number for t in own.ends[a]]
    found = []
    for giver, place in random.sample(pairs, min(len(pairs), random.randint(1, 3))):
        action = "(the start)"
        if giver >= 0:
            action = own.task.action_name(random.choice(own.members[giver]))
        number = [*own.token_facts, *own.left_out_facts][place]
        fact = own.task.fact_name(own.task.to_facts([number])[0])
        way = random.randrange(3)
        found.append(
            Rule(random.choice(asked), action if way else None, fact if way != 1 else None)
        )
    return Table(name, tuple(found), random.choice(defaults), has_default=True)


def scaled(given_: Weights, factor: int) -> Weights:
    def times(price):
        return None if price is None else factor * price

    tables = tuple(
        msgspec.structs.replace(
            table,
            default=times(table.default),
            rules=tuple(msgspec.structs.replace(r, price=times(r.price)) for r in table.rules),
        )
        for table in given_.tables
    )
    return Weights(tables)


def sent(session: Session) -> list[tuple[str, str, bytes]]:
    return [(f.sender, f.receiver, f.payload) for f in session._party.transcript.frames]


# ------------------------------------------------------------------ never


@pytest.mark.parametrize("way", WAYS)
def test_never_is_neither_told_nor_implied(way):
    """The auditor looks at frames and names alone; without prices it has much to complain about."""
    means, chosen = WAYS[way]
    would_tell = solved = 0

    for case in cases(40):
        ranking = ("goal", "m3", "random")[case.seed % 3]
        session, prices = case.session(chosen, ranking, means), case.prices
        for k in sorted({1, session.largest}):
            result = session.at(k, LIMITS)
            told = session._party.transcript
            assert audit(session.agents, prices, told, "authors" in way) == [], case.seed
            solved += result.solved
        plain = Session(case.instance, chosen, ranking, 0, means)
        plain.at(plain.largest, LIMITS)
        told = plain._party.transcript
        would_tell += bool(audit(plain.agents, prices, told, "authors" in way))
    assert would_tell > 10
    assert solved > 10


@pytest.mark.parametrize("rule", [Budgeting.SUPPORTED, Budgeting.AUTHORS], ids=lambda r: r.value)
def test_states_that_rest_on_never_are_not_sent(rule):
    """Each state sent can be reached by what was told, whatever tokens end."""
    states = 0

    for case in cases(40, private_goals=False):
        session = case.session(Settings(rule=rule), "m3", MAFS)
        session.at(session.largest, Limits(evaluations=300))
        reached = public_states(session, with_start=rule is Budgeting.AUTHORS)
        for message in session._party.transcript.messages():
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
            heard = session._party.transcript.messages()
            told[budget is None] += sum(len(m.at_start) for m in heard if isinstance(m, Foreseen))
    assert told[True] > 0
    assert told[False] == 0


def public_states(session: Session, with_start: bool) -> set[int]:
    """The public facts of all states of Π with what was told.

    `with_start`: what holds at the start and may be told counts as told.
    """
    projection = session._solver.projection(session.largest)
    if with_start:
        for name, agent in session.agents.items():
            own = agent.dependencies
            shown = agent.tell([e for e in own.graph.edges if e.giver < 0])
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
def test_what_may_be_told_decides_whether_there_is_a_plan(way):
    """Forward search is complete without a word; with the projection an agent that may not say why
    it cannot do a plan may leave it undecided, but nobody denies a plan that there is.
    """
    means, chosen = WAYS[way]
    outcomes = []

    for case in cases(40):
        session = case.session(chosen, "m3", means)
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
        instance, bill = case.instance, Bill(case.prices, lenient=True)
        own = {name: Dependencies(instance.local(name), Settings()) for name in instance.agents}
        priced = bill.prices(instance, Settings())
        kept = {
            name: Dependencies(instance.local(name), Settings(), prices=priced[name])
            for name in instance.agents
        }
        never = [
            (name, edge)
            for name, each in own.items()
            for edge in each.graph.edges
            if kept[name].price(edge.giver, edge.token) is None
        ]
        if not 1 <= len(never) <= 7:
            continue
        free = {name: list(each.graph.edges) for name, each in kept.items()}

        def has_plan(some, free=free, own=own):
            told = {n: [*edges, *(e for m, e in some if m == n)] for n, edges in free.items()}
            return brute.Joint(own, told).plan() is not None

        sets = (some for size in range(len(never) + 1) for some in combinations(never, size))
        least = next((len(some) for some in sets if has_plan(some)), None)
        found = least_release(instance, Settings(), bill, 60)
        compared.append(least)
        if least is None:
            assert found.hopeless or found.edges is None
            assert found.lines(True)
        else:
            assert found.lower <= least <= (found.count if found.count is not None else least)
            assert found.is_smallest, case.seed
    assert sum(1 for least in compared if least) > 3
    assert 0 in compared


def test_no_plan_under_these_prices():
    instance = generated("logistics", brute.SMALL["logistics"][0], 0)
    prices = Weights((Table("*", (), None, has_default=True),))
    bill = Bill(prices)
    for means in (Means(), MAFS):
        session = Session(instance, Settings(), "goal", 0, means, bill=bill)
        result = session.first()
        assert result.outcome is Outcome.NO_PLAN
        assert set(result.dependencies.values()) == {0}
        found = what_to_release(instance, Settings(), bill, result, Limits())
        assert found is not None
        assert found.is_smallest
        assert found.count == Hunt(instance, Settings(), ("sum",)).run().best["sum"]
        assert found.lines(False)[0] == "no plan under these prices"
        assert not any("gives" in line for line in found.lines(False))
        assert sum("gives" in line for line in found.lines(True)) == found.count


# ------------------------------------------------------------------ prices


@pytest.mark.parametrize("ranking", BUILT_IN)
def test_orders_follow_prices(ranking):
    """What costs nothing comes before what costs most, where the ranking sees no difference."""
    instance = generated("zenotravel", {"planes": 2, "people": 3, "cities": 3, "levels": 3}, 1)
    name = instance.agents[0]
    plain = Session(instance, Settings(), "m3").order(name)
    dear = {plain[0].giver}
    task = instance.local(name)
    own = Dependencies(task, Settings())
    actions = [task.action_name(a) for g in dear if g >= 0 for a in own.members[g]]
    made = tuple(Rule(10_000, action=action) for action in actions or ["(the start)"])
    session = Session(instance, Settings(), ranking, bill=Bill(Weights((Table(name, made),))))
    order = session.order(name)
    places = [n for n, edge in enumerate(order) if edge.giver in dear]
    assert sorted(order) == sorted(plain)
    assert sum(places) / len(places) > (len(order) - 1) / 2


@pytest.mark.parametrize("ranking", BUILT_IN)
@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_bytes_do_not_depend_on_what_prices_are_counted_in(ranking, solver):
    """Prices times seven: every frame is the same, with a budget seven times as high, too."""
    means = MAFS if solver == "mafs" else IN_ONE
    for case in cases(12):
        frames, budget = [], (None, 0, 2, 5)[case.seed % 4]
        for factor in (1, 7):
            spent = None if budget is None else factor * budget
            priced = Case(case.seed, case.instance, scaled(case.prices, factor))
            session = priced.session(Settings(), ranking, means, spent, 3)
            for k in (1, session.largest):
                session.at(k, LIMITS)
            frames.append(sent(session))
        assert frames[0] == frames[1], case.seed


@pytest.mark.parametrize("ranking", sorted(RANKINGS))
def test_equal_prices_are_no_prices(ranking):
    for domain in ("driverlog", "rovers"):
        instance = generated(domain, brute.SMALL[domain][0], 2)
        frames = []
        for bill in (Bill(), Bill(Weights((Table("*", (), 3, has_default=True),)))):
            session = Session(instance, Settings(), ranking, 1, bill=bill)
            session.first()
            frames.append(sent(session))
        assert frames[0] == frames[1]


@pytest.mark.parametrize("ranking", BUILT_IN)
def test_a_budget_is_never_overdrawn(ranking):
    """Whatever is asked for: all that an agent ever told is within its budget."""
    stopped = 0

    for case in cases(30, (0, 1, 2, 5)):
        budget, first = case.seed % 8, case.seed % 3 == 0
        session = case.session(ranking=ranking, budget=budget)
        result = session.first(LIMITS) if first else session.at(session.largest, LIMITS)
        told = {name: set() for name in session.agents}
        for message in session._party.transcript.messages():
            if isinstance(message, Disclosed):
                told[message.sender].update(message.edges)
            elif isinstance(message, Told) and message.edge is not None:
                told[message.sender].add(message.edge)
        for name, agent in session.agents.items():
            own = agent.dependencies
            price = {agent._ready().show(e): own.price(e.giver, e.token) for e in own.graph.edges}
            paid = sum(price[edge] for edge in told[name])
            assert result.accounts[name].edges <= paid <= budget
            stopped += len(told[name]) < len(price)
            if not first and len(told[name]) < len(price):
                left = [price[edge] for edge in price if edge not in told[name]]
                assert paid + max(left) > budget
    assert stopped > 3


def test_prices_against_brute_force():
    """`minimum` in prices of a file: lower bound ≤ optimum ≤ best found."""
    checked = 0

    for case in cases(40, (0, 1, 2, 37, None)):
        hunt = Hunt(case.instance, bill=Bill(case.prices, lenient=True))
        choices = hunt._choices
        if not 1 <= len(choices) <= 7:
            continue
        result = hunt.run()
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
                asked = [own[agent].price(e.giver, e.token) for e in edges]
                assert None not in asked
                assert sum(asked) == witness.paid[agent]
    assert checked > 5


@pytest.mark.usefixtures("_no_guess")
def test_repairs_have_a_price():
    """A threat costs its price, as the dependencies of the same action and fact do."""
    paid = []
    for seed in range(6):
        instance = generated("blocksworld", brute.SMALL["blocksworld"][1], seed)
        bill = Bill(Weights((Table("*", (), 3, has_default=True),)))
        result = Session(instance, Settings(), "m3", bill=bill).first()
        for name, account in result.accounts.items():
            assert account.repairs >= 3 * result.repairs[name] or result.repairs[name] == 0
            assert account.edges == 3 * result.disclosed[name]
            paid.append(account.repairs)
    assert any(paid)
