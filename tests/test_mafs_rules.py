"""The rules of forward search against their words: what they let agents find, and what they show.

`answers` walks through all states of a tiny problem by the words of a rule.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import brute
import pytest
from brute import is_given, quick, reading, say, tinies
from forward import LIMITS, searching, with_rule
from hypothesis import given
from hypothesis import strategies as st
from test_projection import budgets, one_agent

from tacit.central.solve import Session
from tacit.party.agent import Agent
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT, Edge
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.public.protocol.messages import Foreseen, States
from tacit.public.protocol.states import State, decode_batch
from tacit.public.settings import Rule
from tacit.solvers.mafs import MafsSolver

# ------------------------------------------------------------------ the words


def rule_holds(
    rule: Rule, own: Dependencies, disclosed: Sequence[Edge], steps: Sequence[int]
) -> bool:
    """May this sequence of own public actions (local numbers) be shown? By the words of §1.5."""
    edges = {(edge.giver, edge.token) for edge in own.graph.edges if edge.positive}
    told = {(edge.giver, edge.token) for edge in disclosed if edge.positive}
    if rule is not Rule.PAIRWISE:
        free = {(giver, t) for giver, t in edges if giver == INIT} if rule is Rule.AUTHORS else ()
        plain = [Edge(giver, token) for giver, token in told.union(free)]
        return all(
            is_given(own, plain, steps[:n], token)
            for n, step in enumerate(steps)
            for token in reading(own).needs(step)
        )
    for n, step in enumerate(steps):
        last = own.number[steps[n - 1]] if n else INIT
        for token in reading(own).needs(step):
            if (last, token) in edges and (last, token) not in told:
                return False
    return True


def last_own_steps(rule: Rule, own: Dependencies, steps: tuple[int, ...]) -> object:
    """What of an agent's public steps decides how it may go on."""
    if rule is Rule.PAIRWISE:
        return steps[-1:]
    live = []
    for token in range(len(own.token_facts)):
        ends = [n for n, step in enumerate(steps) if token in own.ends[step]]
        since = ends[-1] if ends else -1  # a step that ends a token and gives it, gives it
        givers = frozenset(own.number[step] for n, step in enumerate(steps) if n >= since)
        live.append((givers, not ends))
    return tuple(live)


def is_goal(
    agents: Sequence[Agent], public: frozenset[int], private: Sequence[frozenset[int]]
) -> bool:
    return all(
        (public | own).issuperset(agent.task.arrays.goal)
        for agent, own in zip(agents, private, strict=True)
    )


def answers(session: Session, rule: Rule) -> bool:
    """Is there a plan that may be shown? All states are looked at."""
    agents = list(session.agents.values())
    count = agents[0].task.public_count
    public = frozenset(fact for fact in agents[0].task.arrays.init if fact < count)
    private = tuple(frozenset(f for f in a.task.arrays.init if f >= count) for a in agents)
    first = (public, private, ((),) * len(agents))
    seen, queue = set(), deque([first])
    while queue:
        public, private, steps = queue.popleft()
        if is_goal(agents, public, private):
            return True
        for n, agent in enumerate(agents):
            own, task = agent.dependencies, agent.task
            for action, is_public in enumerate(task.arrays.is_public):
                if not (public | private[n]).issuperset(task.pre[action]):
                    continue
                mine = (*steps[n], action) if is_public else steps[n]
                is_held = is_public and not rule_holds(rule, own, agent.disclosed, mine)
                then = (public | private[n]).difference(task.delete[action]).union(task.add[action])
                state = (
                    frozenset(f for f in then if f < count),
                    (*private[:n], frozenset(f for f in then if f >= count), *private[n + 1 :]),
                    (*steps[:n], mine, *steps[n + 1 :]),
                )
                if is_held and not (rule is Rule.PAIRWISE and is_goal(agents, *state[:2])):
                    continue  # Algorithm 1 asks for the goal before it asks for dependencies
                kept = [
                    last_own_steps(rule, a.dependencies, s)
                    for a, s in zip(agents, state[2], strict=True)
                ]
                key = (state[0], state[1], tuple(kept))
                if key not in seen:
                    seen.add(key)
                    queue.append(state)
        if len(seen) > 4000:
            raise brute.TooLarge
    return False


@pytest.mark.parametrize(
    ("rule", "private_goals"),
    [(Rule.PAIRWISE, False), (Rule.PAIRWISE, True), (Rule.AUTHORS, False), (Rule.SUPPORTED, False)],
)
def test_every_rule_agrees_with_its_words(rule, private_goals):
    """Under Algorithm 1 private goals are part of the goal test; under the other rules they are a
    last action's needs, which the brute force here does not know.
    """
    solved = []

    narrow = {
        "dense": True,
        "looks": False,
        "privates": 2,
        "publics": 2,
    }  # last steps are held back
    kind = narrow if rule is Rule.PAIRWISE and private_goals else {}

    @quick(60)
    @given(tinies(most_acts=4, private_goals=private_goals, **kind), st.integers(0, 3))
    def run(tiny, seed):
        say("\n".join(tiny.texts))
        session = searching(tiny.load(), with_rule(rule), seed)
        for k in budgets(session.largest):
            found = session.at(k, LIMITS)
            try:
                expected = answers(session, rule)
            except brute.TooLarge:
                continue
            say(f"k={k} {found.outcome} {expected}")
            assert found.solved == expected
            assert found.solved or found.outcome is Outcome.NO_PLAN
            solved.append(found.solved)

    run()
    assert 0.1 < sum(solved) / len(solved) < 0.95


PACK = [("pack", "", "(ready ?a) (p)"), ("ship", "(ready ?a) (p)", "(g)")]
SEND = ("send", "(q)", "(g)")
FILE_AWAY = ("file", "(g)", "(filed ?a)")


@pytest.mark.parametrize("goal", ["(g)", "(g) (filed a)"], ids=["public", "private too"])
@pytest.mark.parametrize("rule", list(Rule))
def test_algorithm_1_asks_for_the_goal_before_it_asks_for_dependencies(rule, goal):
    """`ship` follows `pack` by an edge that was not disclosed, and reaches the goal."""
    private = "(ready ?a - agent) (filed ?a - agent)"
    ends_at_once = PACK if goal == "(g)" else [PACK[0], ("ship", PACK[1][1], "(g) (filed ?a)")]
    session = searching(one_agent(private, ends_at_once, "", goal), with_rule(rule))
    assert session.at(0, LIMITS).solved == (rule is Rule.PAIRWISE)
    assert session.at(session.largest, LIMITS).solved
    goes_on = [*PACK, FILE_AWAY] if goal != "(g)" else [PACK[0], ("ship", PACK[1][1], "(q)"), SEND]
    other = searching(one_agent(private, goes_on, "", goal), with_rule(rule))
    assert other.at(0, LIMITS).outcome is Outcome.NO_PLAN
    assert other.at(other.largest, LIMITS).solved


# ------------------------------------------------------------------ what is sent


def shown_states(session: Session) -> Iterator[tuple[str, State]]:
    """All states in the transcript, with their senders, once each."""
    seen = set()
    for message in session._party.transcript.messages():
        if isinstance(message, States):
            for state in decode_batch(message.batch).states:
                if (message.sender, state.ref) not in seen:
                    seen.add((message.sender, state.ref))
                    yield message.sender, state


def own_steps_to(session: Session, sender: str, ref: int) -> dict[str, list[int]]:
    """Every agent's own actions on the path to a state that was sent, from the agents' records."""
    found: dict[str, list[int]] = {name: [] for name in session.agents}
    name, number = sender, ref
    names = session.instance.agents
    while True:
        node = session.agents[name]._forward._node
        actions, origin, number, *_ = node.trace_sent(number)
        found[name][:0] = actions
        if origin < 0:
            return found
        name = names[origin]


@pytest.mark.parametrize("rule", [Rule.PAIRWISE, Rule.AUTHORS])
def test_what_agents_foresee_is_what_a_search_finds(rule, monkeypatch):
    """Goals that the agents see out of reach are not reached by a search that does not ask them."""
    seen = {True: 0, False: 0}

    @quick(60)
    @given(tinies(most_acts=4), st.integers(0, 3), st.data())
    def run(tiny, seed, data):
        session = searching(tiny.load(), with_rule(rule), seed)
        k = data.draw(st.integers(0, session.largest))
        foreseen = session.at(k, LIMITS)
        seen[foreseen.out_of_reach] += 1
        if foreseen.out_of_reach:
            with monkeypatch.context() as patch:
                patch.setattr(MafsSolver, "_is_foreseen", lambda _: True)
                assert session.at(k, LIMITS).outcome is Outcome.NO_PLAN

    run()
    assert min(seen.values()) > 0


@pytest.mark.parametrize("rule", list(Rule))
def test_tokens_of_the_start_are_told_where_they_are_free(rule):
    """All that were not disclosed, to whoever asked, who plans with them; elsewhere none."""
    told = 0

    @quick(100)
    @given(tinies(), st.integers(0, 3), st.integers(0, 2))
    def run(tiny, seed, k):
        nonlocal told
        session = searching(tiny.load(), with_rule(rule), seed)
        session.at(min(k, session.largest), LIMITS)
        heard = list(session._party.transcript.messages())
        foreseen = {m.sender: m.at_start for m in heard if isinstance(m, Foreseen)}
        assert bool(foreseen) == (rule is not Rule.SUPPORTED)
        projection = projection_of_plans(session)
        for name, tokens in foreseen.items():
            agent = session.agents[name]
            kept = set(agent.dependencies.graph.edges) - set(agent.disclosed)
            starts = {agent._standing.tokens.shown[e.token] for e in kept if e.giver == INIT}
            assert set(tokens) == (starts if rule is Rule.AUTHORS else set())
            assert {projection.tokens[name, token] for token in tokens} <= set(projection.init)
            told += len(tokens)

    run()
    assert (told > 0) == (rule is Rule.AUTHORS)


def projection_of_plans(session: Session) -> Projection:
    return session._solver._public_plans(lambda *_: None)._lines[0].projection


@pytest.mark.parametrize("rule", list(Rule))
def test_no_state_that_the_rule_holds_back_is_sent(rule):
    sent = 0

    @quick(40)
    @given(tinies(), st.integers(0, 3), st.data())
    def run(tiny, seed, data):
        nonlocal sent
        session = searching(tiny.load(), with_rule(rule), seed)
        session.at(data.draw(st.integers(0, session.largest)), LIMITS)
        for sender, state in shown_states(session):
            paths = own_steps_to(session, sender, state.ref)
            for agent in session.agents.values():
                steps = public_steps(agent, paths[agent.name])
                assert rule_holds(rule, agent.dependencies, agent.disclosed, steps)
            sent += 1

    run()
    assert sent > 0


def public_steps(agent: Agent, actions: Sequence[int]) -> list[int]:
    count = len(agent.task.arrays.schema)  # behind them is the last action of all, no step here
    return [a for a in actions if a < count and agent.task.arrays.is_public[a]]
