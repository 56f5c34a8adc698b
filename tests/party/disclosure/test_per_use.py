"""Tokens per use: the same plans, and nothing shows which actions share a private precondition."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given
from support.notes import quick
from support.problems import SMALL

import tacit
from tacit.central.session import Session
from tacit.errors import InputError
from tacit.party.local.task import LocalTask
from tacit.party.published import New
from tacit.public.protocol.messages import Publish
from tacit.public.settings import Settings, Tokens
from tacit.solvers.limits import Limits
from tacit.testing import problems

PER_USE = Settings(tokens=Tokens.PER_USE)
MOST = 2_000


def public_part(task: LocalTask, action: int) -> tuple[tuple[int, ...], ...]:
    rows = (task.pre, task.add, task.delete)
    return tuple(tuple(f for f in row[action] if f < task.public_count) for row in rows)


def reached(task: LocalTask, facts: int) -> set[tuple[frozenset[int], frozenset[int]]]:
    """States by the first facts, with the actions that are applicable in them."""
    ops = list(zip(task.pre, task.add, task.delete, strict=True))
    init = frozenset(task.arrays.init)
    seen, queue, found = {init}, deque([init]), set()
    while queue and len(seen) < MOST:
        state = queue.popleft()
        able = frozenset(a for a, (pre, _, _) in enumerate(ops) if state.issuperset(pre))
        found.add((frozenset(f for f in state if f < facts), able))
        for action in able:
            then = state.difference(ops[action][2]) | frozenset(ops[action][1])
            if then not in seen:
                seen.add(then)
                queue.append(then)
    return found if len(seen) < MOST else set()


def check(task: LocalTask) -> None:
    copied = task.per_use()
    facts = task.public_count + task.private_count
    assert reached(copied, facts) == reached(task, facts)
    users: dict[int, set[tuple[tuple[int, ...], ...]]] = {}
    for action in copied.actions:
        if action.is_public:
            for fact in copied.pre[action.number]:
                assert fact < task.public_count or fact >= facts
                part = public_part(copied, action.number)
                if fact >= facts:
                    users.setdefault(fact, set()).add(part)
    assert all(len(parts) == 1 for parts in users.values())
    assert len(users) == copied.private_count - task.private_count


@quick(60)
@given(problems())
def test_random_owners(tiny):
    instance = tiny.load()
    for agent in instance.agents:
        check(instance.local(agent))


@pytest.mark.parametrize("domain", SMALL)
def test_families(domain):
    instance = tacit.load(f"{domain}/small")
    for agent in instance.agents:
        check(instance.local(agent))
    for solver in ("projection", "mafs"):
        found = tacit.solve(instance, solver, profile=PER_USE, time_limit=30)
        assert found.solved
    session = Session(instance, PER_USE)
    assert session.at(session.largest, Limits(30)).solved
    for part in session.coordinator.publications.values():
        needed: dict[int, set[object]] = {}
        for action in part.actions:
            for token in action.tokens:
                look = (action.cost, action.needs, action.adds, action.deletes)
                needed.setdefault(token, set()).add(look)
        assert all(len(looks) == 1 for looks in needed.values())


def test_copies_have_names():
    task = tacit.load("logistics/small").local("truck1").per_use()
    names = [task.fact_name(fact) for fact in task.private_facts]
    assert len(names) == len(set(names))
    assert any(" for (unload-truck" in name for name in names)


def test_a_lasting_ledger_needs_shared_tokens():
    task = tacit.load("logistics/small").local("truck1")
    with pytest.raises(InputError, match="tokens must be shared"):
        New(task, lasting=object()).publish(Publish("asker", PER_USE, "m3"))
