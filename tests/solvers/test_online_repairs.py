"""Online, repairs: agents answer one by one, and what was answered stays on the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, get_args

import pytest
from support.between import Between
from support.inside import unregister
from support.policies import NEVER_PESSIMISTIC
from support.problems import CONSUMED, SMALL, generated
from support.projections import executes

from tacit.central.session import Session
from tacit.party.disclosure.ranking import RANKINGS as REGISTERED
from tacit.party.extension.extending import Extending
from tacit.policy import POLICY
from tacit.public.disclosure import INIT, PublicEdge, PublicStep
from tacit.public.ledger import REPAIRS, Kind, Ledger, Prefix
from tacit.public.projection import Projection
from tacit.public.protocol.messages import (
    EdgeDisclosed,
    Extend,
    PrefixFails,
    Question,
    Repair,
    Threatened,
    decode,
)
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings
from tacit.solvers.limits import Limits

LIMITS = Limits(20)
REPAIRING: dict[str, Any] = {"policy": NEVER_PESSIMISTIC, "change_over": False}
"""The projection alone, which takes repairs."""


# ------------------------------------------------------------------ repairs one by one


def test_no_request_asks_for_more_than_one_repair():
    """Nothing in a question is about how much to answer."""
    assert Extend.__struct_fields__ == ("sender", "steps", "ledger")
    for question in get_args(Question):
        assert not set(question.__struct_fields__) & {"urgent", "bulk", "most", "all"}


@pytest.mark.usefixtures("_never_pessimistic")
@pytest.mark.parametrize("single", [0, 1, 2, 1_000])
def test_agents_answer_singly_as_long_as_their_own_policy_says(single):
    """An agent counts the plans that it could not extend, and nobody else can change that."""
    policy = replace(POLICY, repair=replace(POLICY.repair, single_answers=single))
    many = 0
    for seed in range(4):
        instance = generated("blocksworld", {}, seed)
        session = Session(instance, Settings(), RunOptions("projection", "m3"), policy=policy)
        result = session.at(session.largest, LIMITS)
        repairs: dict[str, list[Repair]] = {agent: [] for agent in instance.agents}
        for frame in result.transcript.frames:
            message = decode(frame.payload)
            if isinstance(message, Repair) and frame.receiver == "solver":
                repairs[message.sender].append(message)
        for own in repairs.values():
            assert all(_is_single(answer) for answer in own[:single])
            many += sum(not _is_single(answer) for answer in own)
    assert (many > 0) == (single < 1_000)


def _is_single(answer: Repair) -> bool:
    return isinstance(answer, PrefixFails) or len(answer.threats) == 1


# ------------------------------------------------------------------ repairs stay


class Watched(Between):
    """Remembers every projection that was planned with, and what was on the ledger by then."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.made: list[tuple[Projection, dict[str, tuple[tuple, tuple, tuple]]]] = []
        make = self.coordinator.projection

        def projection() -> Projection:
            ledger, found = self.coordinator.ledger, make()
            now = {
                agent: (ledger.edges(agent), ledger.threats(agent), ledger.restored(agent))
                for agent in self.agents
            }
            self.made.append((found.copy(), now))
            return found

        self.coordinator.projection = projection  # type: ignore[method-assign]


def check_projection(projection: Projection, agent: str, edges, threats, restored) -> None:
    for token in restored:
        fact = projection.tokens[agent, token.token]
        assert fact in projection.init
        assert all(
            fact in projection.needs[projection.number[PublicStep(agent, user)]]
            for user in token.needed_by
        )
    for edge in threats:
        action = projection.number[PublicStep(agent, edge.achiever)]
        assert projection.tokens[agent, edge.token] in projection.deletes[action]
    for edge in edges:
        fact = projection.tokens[agent, edge.token]
        if edge.achiever != INIT:
            assert fact in projection.adds[projection.number[PublicStep(agent, edge.achiever)]]


def test_later_projections_have_all_that_is_on_the_ledger():
    kept = 0
    for seed in range(6):
        for instance in (generated("blocksworld", {}, seed), CONSUMED.load()):
            run = Watched(instance, "projection", "m1", **REPAIRING)
            run.run(LIMITS)
            for projection, now in run.made:
                for agent, items in now.items():
                    check_projection(projection, agent, *items)
            kept += sum(_is_after_threats(run.coordinator.ledger, a) for a in run.agents)
    assert kept > 3, "there are edges after threats"


def _is_after_threats(ledger: Ledger, agent: str) -> bool:
    kinds = [entry.kind for entry in ledger if entry.agent == agent]
    return Kind.THREAT in kinds and Kind.EDGE in kinds[kinds.index(Kind.THREAT) :]


def test_a_plan_that_a_repair_excludes_is_not_asked_about_again():
    """No plan of a later search ignores a threat, or begins with a prefix that still holds."""
    plans = 0
    for domain in ("blocksworld", "secrets"):
        for seed in range(3):
            instance = generated(domain, SMALL[domain][-1], seed)
            run = Between(instance, "projection", "m1", **REPAIRING)
            run.run(LIMITS)
            plans += check_plans(run)
    assert plans > 20


def check_plans(run: Between) -> int:
    """Every plan that was asked about against the ledger of that time, read off the frames."""
    ledger, count = Ledger(run.agents), 0
    asked_about: tuple[PublicStep, ...] = ()
    for frame in run.transcript.frames:
        message, sender = decode(frame.payload), frame.sender
        if isinstance(message, Extend):
            if message.steps != asked_about:
                check_plan(run, ledger, message.steps)
                count += 1
            asked_about = message.steps
        elif frame.receiver == "solver" and isinstance(message, EdgeDisclosed):
            ledger.add(sender, Kind.EDGE, [message.edge])
        elif frame.receiver == "solver" and isinstance(message, Threatened):
            ledger.add(sender, Kind.TOKEN, message.restored)
            ledger.add(sender, Kind.THREAT, message.threats)
        elif frame.receiver == "solver" and isinstance(message, PrefixFails):
            own = [e.item for e in run.coordinator.ledger if e.agent == sender]
            prefixes = [item for item in own if isinstance(item, Prefix)]
            done = sum(e.kind is Kind.PREFIX for e in ledger if e.agent == sender)
            ledger.add(sender, Kind.PREFIX, [prefixes[done]])
    return count


def check_plan(run: Between, ledger: Ledger, steps: tuple[PublicStep, ...]) -> None:
    projection = run.coordinator.bare.copy()
    for agent in ledger.agents:
        projection.disclose(agent, ledger.edges(agent))
        projection.restore(agent, ledger.restored(agent))
        projection.disclose(agent, ledger.threats(agent))
        for prefix in ledger.prefixes(agent):
            mine = [step for step in steps if prefix.joint or step.agent == agent]
            assert tuple(mine[: len(prefix.steps)]) != prefix.steps
    assert executes(projection, tuple(projection.number[step] for step in steps))


@pytest.mark.parametrize("for_good", [False, True])
def test_prefixes_lapse_with_the_next_edge_unless_they_hold_for_good(monkeypatch, for_good):
    monkeypatch.setattr(Extending, "_fails_for_good", lambda *_: for_good)
    lapsed = made = 0
    for seed in range(3):
        instance = generated("secrets", SMALL["secrets"][-1], seed)
        run = Between(instance, "projection", "m1", **REPAIRING)
        ledger = run.run(LIMITS).ledger
        for agent in run.agents:
            entries = [entry for entry in ledger if entry.agent == agent]
            last = max((e.number for e in entries if e.kind is Kind.EDGE), default=-1)
            prefixes = [e for e in entries if isinstance(e.item, Prefix)]
            held = [e.item for e in prefixes if e.item.for_good or e.number > last]
            assert list(ledger.prefixes(agent)) == held
            made, lapsed = made + len(prefixes), lapsed + len(prefixes) - len(held)
    assert made > 5
    assert (lapsed > 0) == (not for_good)


@pytest.fixture
def listeners() -> Iterator[list[Any]]:
    """All rankings `listener` that are made; each remembers what it sees."""
    made: list[Any] = []

    class Listener(REGISTERED.get("m1")):
        is_interactive = True

        def __init__(self, graph, public, seed):
            super().__init__(graph, public, seed)
            self.public, self.seen = public, []
            made.append(self)

        def saw(self, agent, item):
            self.seen.append((agent, item))

    REGISTERED.add("listener")(Listener)
    yield made
    unregister(REGISTERED, "listener")


def test_a_ranking_sees_repairs_online(listeners):
    """All that is on the ledger of the others, each item once and in its agent's order."""
    instance = generated("blocksworld", {}, 0)
    run = Between(instance, "projection", "listener", **REPAIRING)
    ledger, repairs = run.run(LIMITS).ledger, 0
    assert len(listeners) == len(instance.agents)
    for ranking in listeners:
        for other in set(instance.agents) - {ranking.public.agent}:
            seen = [item for agent, item in ranking.seen if agent == other]
            entries = [entry for entry in ledger if entry.agent == other][: len(seen)]
            assert seen == [entry.item for entry in entries]
            repairs += sum(entry.kind in REPAIRS for entry in entries)
    assert repairs


@pytest.mark.usefixtures("_never_pessimistic")
def test_offline_it_sees_edges_alone(listeners):
    session = Session(
        generated("blocksworld", {}, 0), Settings(), RunOptions("projection", "listener")
    )
    results = [session.at(k, LIMITS) for k in range(session.largest)]
    assert any(sum(result.repairs.values()) for result in results)
    items = [item for ranking in listeners for _, item in ranking.seen]
    assert items
    assert all(isinstance(item, PublicEdge) and item.positive for item in items)
