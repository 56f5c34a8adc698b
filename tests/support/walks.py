"""Random problems whose goals a random walk reaches, so that most of them have a plan.

Actions use up private facts that others give, so that agents have much to disclose and plans of the
projection fail. With `spoiled` a goal is added that may be out of reach.
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from tacit.testing import Fact, GroundAction, GroundProblem

State = frozenset[tuple[str, int, int]]


def walked(
    rng: Random, agents: int = 2, spoiled: bool = False, peeking: bool = False
) -> GroundProblem:
    """`peeking`: some private actions need public facts."""
    publics, privates = 4, 3
    sides = tuple(
        tuple(_action(rng, publics, privates, peeking) for _ in range(rng.randint(4, 6)))
        for _ in range(agents)
    )
    own = [("f", n, agent) for agent in range(agents) for n in range(privates)]
    init = tuple(rng.sample(own, agents))
    reached = _walk(rng, sides, frozenset(init))
    wanted = sorted(fact for fact in reached if fact[0] == "p")
    goal = rng.sample(wanted, min(len(wanted), rng.randint(2, 3)))
    hidden = sorted(fact for fact in reached if fact[0] == "f")
    goal += rng.sample(hidden, min(len(hidden), rng.randint(0, 1)))
    if spoiled or not goal:
        goal.append(rng.choice([("p", n, 0) for n in range(publics)]))
    things = tuple(rng.randrange(2) for _ in range(privates))
    return GroundProblem(publics, privates, things, sides, init, tuple(dict.fromkeys(goal)))


def _action(rng: Random, publics: int, privates: int, peeking: bool) -> GroundAction:
    def one(kind: str, chance: float) -> tuple[Fact, ...]:
        most = publics if kind == "p" else privates
        return ((kind, rng.randrange(most)),) if rng.random() < chance else ()

    needs, gives = one("f", 0.8), one("f", 0.7)
    ends = tuple(fact for fact in needs if fact not in gives and rng.random() < 0.7)
    if rng.random() < 0.25:
        seen = one("p", 0.6) if peeking else ()
        return GroundAction(needs + seen, gives or (("f", 0),), ends if gives else ())
    shown = ("p", rng.randrange(publics))
    hides = tuple(fact for fact in one("p", 0.3) if fact != shown)
    return GroundAction(needs + one("p", 0.3), (*gives, shown), ends + hides)


def _walk(rng: Random, sides: tuple[tuple[GroundAction, ...], ...], state: State) -> State:
    for _ in range(40):
        agent = rng.randrange(len(sides))
        action = rng.choice(sides[agent])
        needs, adds, deletes = (
            {(kind, n, agent if kind == "f" else 0) for kind, n in row}
            for row in (action.needs, action.adds, action.deletes)
        )
        if needs <= state:
            state = (state - deletes) | adds
    return state


walks = st.builds(
    lambda seed, agents, spoiled, peeking: walked(Random(seed), agents, spoiled, peeking),
    st.integers(0, 10**6),
    st.sampled_from([2, 2, 3]),
    st.booleans(),
    st.booleans(),
)
