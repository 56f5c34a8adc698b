"""The ledger: it only grows, counts each disclosure once, and can be kept as lines of a file."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.notes import quick

from tacit.public.disclosure import FINISH, INIT, PublicEdge, PublicStep, RestoredToken
from tacit.public.ledger import REPAIRS, Counts, Entry, Item, Kind, Ledger, Prefix, prefix_of
from tacit.public.protocol.entries import entered, is_disclosure
from tacit.public.protocol.messages import (
    Disclosed,
    EdgeDisclosed,
    Extended,
    JointReached,
    NoMore,
    Passed,
    PrefixFails,
    RepairWithheld,
    Scope,
    Threatened,
)

AGENTS = ("a", "b", "c")

small = st.integers(0, 3)
edges = st.builds(PublicEdge, st.integers(INIT, 3), small, st.just(value=True))
threats = st.builds(PublicEdge, small, small, st.just(value=False))
tokens = st.builds(RestoredToken, st.integers(4, 6), st.tuples(small, small))
steps = st.builds(PublicStep, st.sampled_from(AGENTS), st.integers(FINISH, 3))
prefixes = st.builds(
    Prefix, st.lists(steps, min_size=1, max_size=3).map(tuple), st.booleans(), st.booleans()
)
ITEMS: dict[Kind, st.SearchStrategy[Item]] = {
    Kind.EDGE: edges,
    Kind.THREAT: threats,
    Kind.TOKEN: tokens,
    Kind.PREFIX: prefixes,
    Kind.FREE: threats,
}
Addition = tuple[str, Kind, list[Item]]


@st.composite
def additions(draw: st.DrawFn) -> Addition:
    kind = draw(st.sampled_from(Kind))
    return draw(st.sampled_from(AGENTS)), kind, draw(st.lists(ITEMS[kind], max_size=3))


def filled(many: list[Addition]) -> Ledger:
    ledger = Ledger(AGENTS)
    for addition in many:
        ledger.add(*addition)
    return ledger


# ------------------------------------------------------------------ entries


@quick(80)
@given(st.lists(additions(), max_size=12))
def test_it_only_grows(many):
    ledger, before, mark = Ledger(AGENTS), list[Entry](), Ledger(AGENTS).mark
    for addition in many:
        new = ledger.add(*addition)
        now = list(ledger)
        assert Counter(map(Entry.line, before)) <= Counter(map(Entry.line, now))
        assert len(now) - len(before) == len(new) == len(ledger) - sum(mark)
        for agent, was, grown in zip(AGENTS, mark, ledger.mark, strict=True):
            assert grown == ledger.count(agent) == was + len(new) * (agent == addition[0])
        assert all(entry.agent == addition[0] and entry.kind is addition[1] for entry in new)
        before, mark = now, ledger.mark
    assert [entry.agent for entry in before] == sorted(entry.agent for entry in before)
    for one, other in pairwise(before):
        assert other.number == (one.number + 1 if one.agent == other.agent else 0)
    assert all(set(entry.to) == set(AGENTS) - {entry.agent} for entry in before)


@quick(80)
@given(st.lists(additions(), max_size=20))
def test_everything_is_counted_once_and_prefixes_each_time(many):
    ledger = filled(many)
    once: dict[str, dict[Item, Kind]] = {agent: {} for agent in AGENTS}
    excluded = dict.fromkeys(AGENTS, 0)
    for agent, kind, items in many:
        for item in items:
            if kind is Kind.PREFIX:
                excluded[agent] += 1
            else:
                once[agent].setdefault(item, kind)
    expected = {}
    for agent, found in once.items():
        kinds = Counter(found.values())
        repairs = kinds[Kind.THREAT] + kinds[Kind.TOKEN] + excluded[agent]
        expected[agent] = Counts(kinds[Kind.EDGE], repairs, kinds[Kind.FREE])
        assert {*ledger.edges(agent)} == {
            item for item, kind in found.items() if kind in (Kind.EDGE, Kind.FREE)
        }
        assert {*ledger.threats(agent)} == {i for i, k in found.items() if k is Kind.THREAT}
        assert {*ledger.restored(agent)} == {i for i, k in found.items() if k is Kind.TOKEN}
    assert ledger.per_agent() == expected == {a: ledger.counts(a) for a in AGENTS}
    assert ledger.k == max(own.edges for own in expected.values())
    assert ledger.largest == max(own.edges + own.repairs for own in expected.values())
    assert ledger.sum == sum(own.disclosed for own in expected.values())
    assert ledger.counts("nobody") == Counts()
    assert (Ledger().k, Ledger().largest, Ledger().sum, len(Ledger())) == (0, 0, 0, 0)


@quick(80)
@given(st.lists(additions(), max_size=20))
def test_a_prefix_lapses_when_its_owner_discloses_an_edge_unless_it_is_for_good(many):
    ledger, held = Ledger(AGENTS), dict[str, list[Prefix]]({agent: [] for agent in AGENTS})
    for agent, kind, items in many:
        for entry in ledger.add(agent, kind, items):
            if kind is Kind.EDGE:
                held[agent] = [prefix for prefix in held[agent] if prefix.for_good]
            elif isinstance(entry.item, Prefix):
                held[agent].append(entry.item)
        for each in AGENTS:
            assert list(ledger.prefixes(each)) == held[each]


def test_only_edges_of_its_owner_end_a_prefix():
    ledger = Ledger(AGENTS)
    lapsing, lasting = (
        Prefix((PublicStep("a", 1),), False, for_good) for for_good in (False, True)
    )
    ledger.add("a", Kind.PREFIX, [lapsing, lasting, lapsing])
    assert ledger.counts("a").repairs == 3
    edge = PublicEdge(INIT, 0)
    ledger.add("b", Kind.EDGE, [edge])
    ledger.add("a", Kind.THREAT, [PublicEdge(1, 0, positive=False)])
    ledger.add("a", Kind.TOKEN, [RestoredToken(4, (1,))])
    assert ledger.prefixes("a") == (lapsing, lasting, lapsing)
    ledger.add("a", Kind.EDGE, [edge])
    assert ledger.prefixes("a") == (lasting,)
    ledger.add("a", Kind.PREFIX, [lapsing])
    ledger.add("a", Kind.EDGE, [edge])  # that was disclosed before
    assert ledger.prefixes("a") == (lasting, lapsing)
    assert ledger.counts("a") == Counts(edges=1, repairs=6)


# ------------------------------------------------------------------ lines of a file


@quick(80)
@given(st.lists(additions(), max_size=12))
def test_an_entry_is_a_line(many):
    for entry in filled(many):
        line = entry.line()
        assert b"\n" not in line
        assert Entry.read(line) == entry


@quick(50)
@given(st.text(max_size=5), small, st.lists(st.text(max_size=5), max_size=3), edges)
def test_any_names_can_be_read_back(agent, number, to, edge):
    entry = Entry(agent, number, tuple(to), Kind.EDGE, edge)
    assert Entry.read(entry.line()) == entry


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b'["a",0,["b"],"edge"]',
        b'["a",0,["b"],"gift",[1,2]]',
        b'["a",0,["b"],"edge",["x",2]]',
        b'["a",0,["b"],"token",[1]]',
        b'["a",0,["b"],"prefix",[[["a",1]],true]]',
        b'["a","0",["b"],"edge",[1,2]]',
    ],
)
def test_what_is_no_entry_is_refused(line):
    with pytest.raises(msgspec.DecodeError):
        Entry.read(line)


def test_in_numbers():
    ledger = Ledger(AGENTS)
    ledger.add("a", Kind.EDGE, [PublicEdge(INIT, 0), PublicEdge(0, 1)])
    ledger.add("a", Kind.PREFIX, [Prefix((PublicStep("a", 0),), True, True)])
    ledger.add("b", Kind.TOKEN, [RestoredToken(4, (0,))])
    ledger.add("b", Kind.THREAT, [PublicEdge(0, 4, positive=False)])
    ledger.add("c", Kind.FREE, [PublicEdge(0, 1, positive=False)])
    assert ledger.as_json({"a": 7}) == {
        "largest": 3,
        "sum": 5,
        "counted": "edges",
        "agents": {
            "a": {"edges": 2, "repairs": 1, "kept": 7},
            "b": {"edges": 0, "repairs": 2},
            "c": {"edges": 0, "repairs": 0, "free": 1},
        },
    }
    assert (ledger.k, ledger.mark) == (2, (3, 2, 1))


# ------------------------------------------------------------------ what messages enter


PLAN = tuple(PublicStep(*step) for step in (("a", 0), ("b", 0), ("a", 1), ("b", FINISH), ("c", 0)))
EDGE, THREAT = PublicEdge(0, 1), PublicEdge(2, 4, positive=False)


def test_what_each_message_enters():
    ledger = Ledger(AGENTS)
    messages = [
        EdgeDisclosed("a", EDGE),
        EdgeDisclosed("a", EDGE),
        Threatened("b", (THREAT,), (RestoredToken(4, (0,)),)),
        PrefixFails("a", 2, Scope.OWN),
        PrefixFails("b", 2, Scope.JOINT, for_good=True),
        JointReached("c", (), can_finish=True, initial=(3,)),
    ]
    found = [entered(ledger, message, PLAN) for message in messages]
    assert [[entry.kind.value for entry in new] for new in found] == [
        ["edge"],
        [],
        ["token", "threat"],
        ["prefix"],
        ["prefix"],
        ["free"],
    ]
    assert ledger.prefixes("a") == (Prefix((PLAN[0], PLAN[2]), joint=False, for_good=False),)
    assert ledger.prefixes("b") == (Prefix(PLAN[:2], joint=True, for_good=True),)
    assert ledger.edges("c") == (PublicEdge(INIT, 3),)
    assert ledger.per_agent() == {"a": Counts(1, 1), "b": Counts(0, 3), "c": Counts(0, 0, 1)}
    assert all(map(is_disclosure, messages))


def test_what_discloses_nothing_goes_to_nobody_else():
    others = (NoMore("a"), Passed("a"), Extended("a"), RepairWithheld("a"))
    assert not any(map(is_disclosure, (*others, JointReached("c", (1,), can_finish=True))))


def test_offline_a_budget_begins_the_part_of_its_agent_anew():
    """Threats that were published belong to every budget."""
    ledger, known = Ledger(AGENTS), PublicEdge(3, 3, positive=False)
    ledger.add("a", Kind.FREE, [known])
    entered(ledger, Disclosed("a", (EDGE, PublicEdge(INIT, 0))))
    entered(ledger, Threatened("a", (THREAT,)))
    entered(ledger, JointReached("a", (), can_finish=True, initial=(3,)))
    entered(ledger, EdgeDisclosed("b", EDGE))
    assert ledger.counts("a") == Counts(2, 1, 2)
    entered(ledger, Disclosed("a", (EDGE,)))
    assert ledger.counts("a") == Counts(1, 0, 1)
    assert ledger.edges("a") == (known, EDGE)
    assert ledger.threats("a") == ()
    assert ledger.counts("b") == Counts(1)


@quick(80)
@given(st.lists(steps, min_size=1, max_size=6), st.integers(1, 6), st.sampled_from(AGENTS))
def test_prefixes_begin_the_plan(plan, count, agent):
    own = prefix_of(plan, agent, count, joint=False, for_good=False)
    assert list(own.steps) == [step for step in plan if step.agent == agent][:count]
    joint = prefix_of(plan, agent, count, joint=True, for_good=True)
    assert list(joint.steps) == plan[: len(joint.steps)]
    actions = [step for step in joint.steps if step.action != FINISH]
    assert len(actions) == min(count, sum(step.action != FINISH for step in plan))
    assert (own.joint, own.for_good, joint.joint, joint.for_good) == (False, False, True, True)


def test_repairs_are_all_that_counts_but_edges():
    assert set(REPAIRS) == set(Kind) - {Kind.EDGE, Kind.FREE}
