"""Random problems for property tests, as hypothesis strategies: for our tests and for yours.

>>> from hypothesis import given, settings
>>> import tacit
>>> from tacit.testing import problems
>>> @settings(max_examples=5, derandomize=True, database=None, deadline=None)
... @given(problems())
... def plans_are_valid(problem):
...     instance = problem.load()
...     result = tacit.solve(instance)
...     assert result.plan is None or tacit.validate(instance, result.plan).valid
>>> plans_are_valid()

`problems` are small enough to be solved by brute force, and cover what makes planning with secrets
hard: private facts that public actions need, add and delete, private actions, private goals, and
private actions with public preconditions. Most of them can be solved at some budgets only.
`lifted_problems` are for programs that read MA-PDDL: negation, equality, constants, costs. Nothing
else in Tacit imports this module: it needs hypothesis, which is not installed with Tacit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import lcm
from pathlib import Path
from typing import TypeVar

from tacit.central.instance import Instance
from tacit.pddl.factor_writer import factor
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source
from tacit.pddl.syntax import Description

try:
    from hypothesis import strategies as st
except ImportError as error:
    raise ImportError("tacit.testing needs hypothesis: pip install hypothesis") from error

__all__ = [
    "Fact",
    "GroundAction",
    "GroundProblem",
    "WrittenProblem",
    "lifted_problems",
    "problems",
    "subsets",
]

T = TypeVar("T")
Fact = tuple[str, int]
"""A fact as its agent calls it: `("p", n)` is the public fact n, `("f", n)` its own private one."""


@cache
def subsets(items: tuple[T, ...], low: int, high: int) -> st.SearchStrategy[tuple[T, ...]]:
    """From `low` to `high` of the items, in their order; every size is equally likely.

    A subset is one choice of one number. Hypothesis takes several for each element of a set, which
    is most of the time that drawing a problem of some fifty facts would take.
    """
    by_size = [list(combinations(items, size)) for size in range(low, min(high, len(items)) + 1)]
    often = lcm(*map(len, by_size))
    return st.sampled_from([c for rows in by_size for c in rows for _ in range(often // len(rows))])


@cache
def _up_to(high: int, low: int = 0) -> st.SearchStrategy[int]:
    return st.sampled_from(range(low, high + 1))


@dataclass(frozen=True)
class WrittenProblem:
    """An unfactored MA-PDDL problem as text."""

    domain: str
    problem: str

    @property
    def texts(self) -> tuple[str, str]:
        """The text of the domain, and of the problem."""
        return self.domain, self.problem

    def describe(self) -> Description:
        """The syntax tree."""
        return read_texts(Source("domain", self.domain), Source("problem", self.problem))

    def load(self) -> Instance:
        """The problem as `tacit.load` returns it."""
        return Instance(self.describe(), {})

    def factored(self) -> dict[str, tuple[str, str]]:
        """Per agent, the texts of its own domain and problem in the factored form."""
        return factor(self.describe())

    def write(self, folder: Path) -> Path:
        """Write `domain.pddl` and `problem.pddl` to a folder, made if it does not exist."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in zip(("domain", "problem"), self.texts, strict=True):
            (folder / f"{name}.pddl").write_text(text, encoding="utf-8")
        return folder


@dataclass(frozen=True)
class GroundAction:
    """An action of one agent. It is private if it neither adds nor deletes a public fact."""

    needs: tuple[Fact, ...]
    adds: tuple[Fact, ...]
    deletes: tuple[Fact, ...]


@dataclass(frozen=True)
class GroundProblem:
    """A problem without parameters: agents `a0`, `a1` … with `private_facts` private facts each.

    `things` has, per private fact, the number of the object that it is about; it is there to give
    private names something to leak. In `init` and `goal` a fact has its agent in third place, which
    is 0 for a public one.
    """

    public_facts: int
    private_facts: int
    things: tuple[int, ...]
    actions: tuple[tuple[GroundAction, ...], ...]
    """Per agent, its actions."""
    init: tuple[tuple[str, int, int], ...]
    goal: tuple[tuple[str, int, int], ...]
    costs: tuple[tuple[int, ...], ...] = ()
    """Per agent, what its actions cost; without, each costs 1."""

    @property
    def written(self) -> WrittenProblem:
        """The problem as MA-PDDL text."""
        return WrittenProblem(self._domain(), self._problem())

    @property
    def texts(self) -> tuple[str, str]:
        """The text of the domain, and of the problem."""
        return self.written.texts

    def load(self) -> Instance:
        """The problem as `tacit.load` returns it."""
        return self.written.load()

    def _fact(self, kind: str, number: int, agent: int, owner: str) -> str:
        if kind == "p":
            return f"(p{number})"
        return f"(f{agent}{number} o{self.things[number]} {owner})"

    def _domain(self) -> str:
        agents = range(len(self.actions))
        blocks = []
        for agent in agents:
            own = (f"(f{agent}{n} ?o - thing ?a - t{agent})" for n in range(self.private_facts))
            blocks.append(f"(:private ?a - t{agent} {' '.join(own)})")
        types = " ".join(f"t{agent}" for agent in agents)
        constants = " ".join(f"o{thing}" for thing in sorted(set(self.things)))
        public = " ".join(f"(p{n})" for n in range(self.public_facts))
        actions = (self._action(a, n) for a in agents for n in range(len(self.actions[a])))
        return (
            f"(define (domain tiny) (:types {types} thing)\n(:constants {constants} - thing)\n"
            f"(:predicates {public} {' '.join(blocks)})\n"
            + ("(:functions (total-cost) - number)\n" if self.costs else "")
            + "\n".join(actions)
            + ")"
        )

    def _action(self, agent: int, number: int) -> str:
        action = self.actions[agent][number]
        needs = " ".join(self._fact(*fact, agent, "?a") for fact in action.needs)
        adds = " ".join(self._fact(*fact, agent, "?a") for fact in action.adds)
        deletes = " ".join(f"(not {self._fact(*fact, agent, '?a')})" for fact in action.deletes)
        if self.costs:
            deletes += f" (increase (total-cost) {self.costs[agent][number]})"
        return (
            f"(:action x{agent}{number} :agent ?a - t{agent} :parameters ()\n"
            f"  :precondition (and {needs})\n  :effect (and {adds} {deletes}))"
        )

    def _problem(self) -> str:
        agents = range(len(self.actions))
        objects = " ".join(f"(:private a{n} a{n} - t{n})" for n in agents)

        def ground(facts: Iterable[tuple[str, int, int]]) -> str:
            return " ".join(self._fact(kind, n, agent, f"a{agent}") for kind, n, agent in facts)

        return (
            f"(define (problem tiny) (:domain tiny) (:objects {objects})\n"
            f"(:init {ground(self.init)})\n(:goal (and {ground(self.goal)}))"
            + (" (:metric minimize (total-cost)))" if self.costs else ")")
        )


@st.composite
def problems(
    draw: st.DrawFn,
    agents: int = 2,
    most_actions: int = 6,
    public_preconditions: bool | None = None,
    private_goals: bool = True,
    public_facts: int = 3,
    private_facts: int = 3,
    dense: bool | None = None,
    most_cost: int | None = None,
) -> GroundProblem:
    """Small problems, each agent with three to `most_actions` actions.

    `public_preconditions`: may private actions have them? `dense`: do most public actions consume
    one private fact and add another? Where these are None, some problems do and some do not.
    With `most_cost`, actions cost from 0 to that, else 1 each.
    """
    if public_preconditions is None:
        public_preconditions = draw(st.booleans())
    dense = draw(st.booleans()) if dense is None else dense
    things = tuple(draw(_up_to(1)) for _ in range(private_facts))
    public = tuple(("p", n) for n in range(public_facts))
    private = tuple(("f", n) for n in range(private_facts))
    actions = tuple(
        tuple(
            _draw_action(draw, public, private, public_preconditions, dense)
            for _ in range(draw(_up_to(most_actions, 3)))
        )
        for _ in range(agents)
    )
    every = tuple(("p", n, 0) for n in range(public_facts))
    own = tuple(("f", n, agent) for agent in range(agents) for n in range(private_facts))
    init = draw(subsets(own, 0, 3)) + draw(subsets(every, 0, 1))
    effects = {fact for side in actions for action in side for fact in action.adds}
    added = tuple((*fact, 0) for fact in sorted(effects) if fact[0] == "p")
    goal = draw(subsets(added or every, 2 if dense and len(added) > 1 else 1, 3))
    if private_goals:
        goal += draw(subsets(own, 0, 2))
    costs: tuple[tuple[int, ...], ...] = ()
    if most_cost is not None:
        costs = tuple(tuple(draw(_up_to(most_cost)) for _ in side) for side in actions)
    return GroundProblem(public_facts, private_facts, things, actions, init, goal, costs)


def _draw_action(
    draw: st.DrawFn,
    public: tuple[Fact, ...],
    private: tuple[Fact, ...],
    public_preconditions: bool,
    dense: bool,
) -> GroundAction:
    if draw(_up_to(4 if dense else 2)) == 0:
        needs, adds = draw(subsets(private, 0, 2)), draw(subsets(private, 1, 1))
        deletes = draw(subsets(private, 0, 1))
        needs += draw(subsets(public, 0, 1)) if public_preconditions else ()
        return GroundAction(needs, adds, _without(deletes, adds))
    if dense:
        own_needs, own_adds = draw(subsets(private, 0, 1)), draw(subsets(private, 0, 1))
        other = draw(subsets(private, 0, 1))
        own_deletes = draw(subsets(tuple(sorted({*own_needs, *other})), 0, 2))
    else:
        own_needs, own_adds, own_deletes = (draw(subsets(private, 0, n)) for n in (2, 1, 2))
    adds = draw(subsets(public, 0 if draw(_up_to(3)) == 0 else 1, 1))
    deletes = _without(draw(subsets(public, 0 if adds else 1, 1)), adds)
    needs = draw(subsets(public, 0, 1))
    return GroundAction(
        needs + own_needs, adds + own_adds, deletes + _without(own_deletes, own_adds)
    )


def _without(facts: tuple[Fact, ...], others: tuple[Fact, ...]) -> tuple[Fact, ...]:
    return tuple(fact for fact in facts if fact not in others)


PREDICATES = ("p", "q", "r", "s")
"""Public predicates of lifted problems; `t` is a private one, of the agent that it names."""
COSTS = ("", "(increase (total-cost) 2)", "(increase (total-cost) (w ?x))")


class _Lifted:
    """Draws formulas over predicates of random arity."""

    def __init__(self, draw: st.DrawFn):
        self.draw = draw
        self.arity = {name: draw(_up_to(2)) for name in PREDICATES}

    def atom(self, args: list[str]) -> str:
        name = self.draw(st.sampled_from((*PREDICATES, "t")))
        if name == "t":
            owners = ["?a"] if "?a" in args else ["a1", "a2"]
            return f"(t {self.draw(st.sampled_from(owners))})"
        chosen = [self.draw(st.sampled_from(args)) for _ in range(self.arity[name])]
        return f"({' '.join([name, *chosen])})"

    def literal(self, args: list[str]) -> str:
        text = self.atom(args)
        return f"(not {text})" if self.draw(st.booleans()) else text

    def action(self, number: int, args: list[str]) -> str:
        needs = [self.literal(args) for _ in range(self.draw(_up_to(4)))]
        if self.draw(_up_to(4)) == 0:
            needs.append(self.draw(st.sampled_from(("(= ?x ?y)", "(not (= ?x ?y))"))))
        effect = [self.literal(args) for _ in range(self.draw(_up_to(3, 1)))]
        return (
            f"(:action act{number} :agent ?a - agent :parameters (?x ?y - thing)\n"
            f"  :precondition (and {' '.join(needs)})"
            f" :effect (and {' '.join(effect)} {self.draw(st.sampled_from(COSTS))}))"
        )


@st.composite
def lifted_problems(draw: st.DrawFn) -> WrittenProblem:
    """Problems with parameters, and all that a grounder must know: negation, equality, constants,
    private objects, costs.
    """
    objects = [f"o{n}" for n in range(draw(_up_to(3, 2)))]
    private = draw(st.sampled_from(objects))
    made = _Lifted(draw)
    hidden = draw(st.sampled_from(["", "(:private a1 d - thing)", "d - thing"]))
    variables = ["?a", "?x", "?y", *(["d"] if hidden else [])]
    actions = [made.action(number, variables) for number in range(draw(_up_to(3, 1)))]
    predicates = " ".join(
        f"({name} {' '.join(f'?v{n} - object' for n in range(count))})"
        for name, count in made.arity.items()
    )
    domain = (
        "(define (domain tiny) (:requirements :typing :unfactored-privacy)"
        f" (:types agent thing) (:constants c - thing {hidden})\n"
        f"(:predicates {predicates} (:private ?a - agent (t ?a - agent)))\n"
        f"(:functions (total-cost) (w ?x - thing))\n{' '.join(actions)})"
    )
    everything = [*objects, "c", "a1", "a2"]
    init = " ".join(made.atom(everything) for _ in range(draw(_up_to(6))))
    weights = " ".join(f"(= (w {o}) {n})" for n, o in enumerate(objects))
    seen = [o for o in everything if o not in (private, "a1")]
    goal = " ".join(made.literal(seen) for _ in range(2))
    public = " ".join(o for o in objects if o != private)
    problem = (
        f"(define (problem tiny) (:domain tiny)\n(:objects {public} - thing a2 - agent "
        f"(:private a1 a1 - agent {private} - thing))\n(:init {init} {weights})\n"
        f"(:goal (and {goal})) (:metric minimize (total-cost)))"
    )
    return WrittenProblem(domain, problem)
