"""Random problems with prices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count as counting
from random import Random

import msgspec
from msgspec.structs import replace

from tacit.central.instance import Instance
from tacit.central.price_policy import PricePolicy
from tacit.central.session import Session
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.weights import Rule, Table, Weights
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings
from tacit.solvers.limits import Limits
from tacit.testing import GroundAction, GroundProblem

PLAIN, IN_ONE, LIMITS = Settings(), RunOptions("projection"), Limits(evaluations=2_000, prefixes=20)
ASKED = (0, 1, 2, 5, None, None)


@dataclass(frozen=True)
class Case:
    """A problem with dependencies, and prices for some of them."""

    seed: int
    instance: Instance
    prices: Weights

    def session(
        self, chosen=PLAIN, ranking="m3", run_options=IN_ONE, budget=None, seed=0, online=False
    ):
        price_policy = PricePolicy(self.prices, budget, lenient=True)
        return Session(
            self.instance,
            chosen,
            replace(run_options, ranking=ranking, seed=seed),
            prices=price_policy,
            online=online,
        )


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


def a_tiny(random: Random, private_goals: bool) -> GroundProblem:
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
            return GroundAction(needs, adds or (("f", 0),), tuple(f for f in cuts if adds))
        shown = ("p", random.randrange(publics))
        return GroundAction(needs + some("p", 0.2), (*adds, shown), cuts)

    own = [("f", n, agent) for agent in range(2) for n in range(privates)]
    goal = [("p", n, 0) for n in random.sample(range(publics), random.randint(1, 3))]
    goal += random.sample(own, random.randint(0, 1) if private_goals else 0)
    sides = tuple(tuple(act() for _ in range(random.randint(3, 5))) for _ in range(2))
    things = tuple(random.randrange(2) for _ in range(privates))
    init = random.sample(own, random.randint(0, 3))
    return GroundProblem(publics, privates, things, sides, tuple(init), tuple(goal))


def table(name: str, own: Dependencies, random: Random, asked, defaults) -> Table:
    pairs = [(edge.achiever, edge.token) for edge in own.graph.edges]
    pairs += [(own.number[a], t) for a in own.number for t in own.certain_deletes[a]]
    found = []
    for achiever, place in random.sample(pairs, min(len(pairs), random.randint(1, 3))):
        action = "(the start)"
        if achiever >= 0:
            action = own.task.action_name(random.choice(own.members[achiever]))
        number = [*own.token_facts, *own.static_facts][place]
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
