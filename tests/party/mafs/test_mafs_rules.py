"""The rules of forward search against their words: what they let agents find, and what they show.

`answers` walks through all states of a tiny problem by the words of a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support import brute
from support.agreement import budgets, one_agent
from support.forward import LIMITS, searching, with_rule
from support.inside import forward_of, messages_of, published_of, solver_of
from support.notes import quick, say
from support.problems import CONSUMED, RESTORED
from support.rules import answers, rule_holds

from tacit.central.session import Session
from tacit.party.agent import Agent
from tacit.party.disclosure.graph import INIT
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.public.protocol.messages import JointReached, States
from tacit.public.protocol.states import State, decode_batch
from tacit.public.settings import Rule
from tacit.solvers.forward_search import ForwardSearch
from tacit.testing import problems

# ------------------------------------------------------------------ the words


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
        "public_preconditions": False,
        "private_facts": 2,
        "public_facts": 2,
    }  # last steps are pruned
    kind = narrow if rule is Rule.PAIRWISE and private_goals else {}

    @quick(60)
    @given(problems(most_actions=4, private_goals=private_goals, **kind), st.integers(0, 3))
    @example(RESTORED, 0)
    @example(CONSUMED, 0)
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
    assert set(solved) == {True, False}


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
    for message in messages_of(session):
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
        node = forward_of(session.agents[name])._node
        actions, origin, number, *_ = node.trace_sent(number)
        found[name][:0] = actions
        if origin < 0:
            return found
        name = names[origin]


@pytest.mark.parametrize("rule", [Rule.PAIRWISE, Rule.AUTHORS])
def test_what_is_out_of_joint_reach_is_not_found_by_a_search(rule, monkeypatch):
    """Goals that the agents see out of reach are not reached by a search that does not ask them."""
    seen = {True: 0, False: 0}

    @quick(60)
    @given(problems(most_actions=4), st.integers(0, 3), st.data())
    def run(tiny, seed, data):
        session = searching(tiny.load(), with_rule(rule), seed)
        k = data.draw(st.integers(0, session.largest))
        foreseen = session.at(k, LIMITS)
        seen[foreseen.out_of_reach] += 1
        if foreseen.out_of_reach:
            with monkeypatch.context() as patch:
                patch.setattr(ForwardSearch, "is_within_joint_reach", lambda _: True)
                assert session.at(k, LIMITS).outcome is Outcome.NO_PLAN

    run()
    assert min(seen.values()) > 0


@pytest.mark.parametrize("rule", list(Rule))
def test_initial_tokens_are_sent_where_they_are_free(rule):
    """All that were not disclosed, to whoever asked, who plans with them; elsewhere none."""
    told = 0

    @quick(100)
    @given(problems(), st.integers(0, 3), st.integers(0, 2))
    @example(RESTORED, 0, 0)
    def run(tiny, seed, k):
        nonlocal told
        session = searching(tiny.load(), with_rule(rule), seed)
        session.at(min(k, session.largest), LIMITS)
        heard = list(messages_of(session))
        foreseen = {m.sender: m.initial for m in heard if isinstance(m, JointReached)}
        assert bool(foreseen) == (rule is not Rule.SUPPORTED)
        projection = projection_of_plans(session)
        for name, tokens in foreseen.items():
            agent = session.agents[name]
            kept = set(agent.dependencies.graph.edges) - set(agent.disclosed)
            starts = {published_of(agent).tokens.shown[e.token] for e in kept if e.achiever == INIT}
            assert set(tokens) == (starts if rule is Rule.AUTHORS else set())
            assert {projection.tokens[name, token] for token in tokens} <= set(projection.init)
            told += len(tokens)

    run()
    assert (told > 0) == (rule is Rule.AUTHORS)


def projection_of_plans(session: Session) -> Projection:
    return solver_of(session).search._make_guidance()._lines[0].projection


@pytest.mark.parametrize("rule", list(Rule))
def test_no_state_that_the_rule_prunes_is_sent(rule):
    sent = 0

    @quick(40)
    @given(problems(), st.integers(0, 3), st.data())
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
