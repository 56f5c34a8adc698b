"""Members that are told different things, by an owner or by the leader, notice and say so."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from msgspec.structs import replace as changed
from support.forms import factored, generated
from support.hosts import all_solved, leader_of, play, small
from support.inside import agent_of, asked_plans_of, network_of

from tacit.errors import ProtocolError
from tacit.net.faults import Fault
from tacit.net.host import Host
from tacit.pddl.factor_writer import factor
from tacit.public.disclosure import PublicEdge, PublicStep, RestoredToken
from tacit.public.ledger import Kind, Ledger, Prefix
from tacit.public.outcome import Outcome
from tacit.public.protocol.known import Known
from tacit.public.protocol.link import Concluded, Keep, Reason, Settled, Terms
from tacit.public.protocol.messages import (
    AnyMessage,
    EdgeDisclosed,
    Extend,
    Introduce,
    Publication,
    decode,
    encode,
)
from tacit.public.protocol.seen import PLANS, History, Seen

SECRET = "told"
TERMS = Terms("projection", "m3")


def lead() -> str:
    """Who leads the agents of logistics/small."""
    texts = factor(generated("logistics"))
    return leader_of(texts, factored(texts).pairs[0], SECRET)


def hosts_of(tmp_path, terms: Terms = TERMS) -> dict[str, Host]:
    made = small("logistics", tmp_path, terms=terms, secret=SECRET)
    return {agent: made.host(agent) for agent in made.names}


def tells(host: Host, alter: Callable[[str, AnyMessage], AnyMessage]) -> None:
    """This host sends what `alter` makes of its messages."""
    honest = network_of(host).send

    def send(peer: str, frame: bytes) -> None:
        message = decode(frame)
        said = alter(peer, message)
        honest(peer, frame if said is message else encode(said))

    network_of(host).send = send


class Equivocator:
    """Discloses other edges to one peer, and never contradicts what it told that one."""

    def __init__(self, host: Host, name: str, victim: str):
        self._host = host
        self._name = name
        self.victim = victim
        self.lies: dict[PublicEdge, PublicEdge] = {}
        self._actions: list[int] = []

    def say(self, peer: str, message: AnyMessage) -> AnyMessage:
        if isinstance(message, Publication | Introduce):
            parts = message.others if isinstance(message, Introduce) else [message]
            own = next(part for part in parts if part.sender == self._name)
            self._actions = [action.id for action in own.actions]
        if peer != self.victim:
            return message
        if isinstance(message, EdgeDisclosed):
            edge = message.edge
            taken = {*self.lies.values(), *agent_of(self._host).ledger.edges(self._name)}
            others = (changed(edge, achiever=other) for other in self._actions)
            self.lies[edge] = next(other for other in others if other not in taken)
            return changed(message, edge=self.lies[edge], seen=self._seen(message.seen))
        if isinstance(message, Settled):
            return changed(message, seen=self._seen(message.seen))
        return message

    def _seen(self, seen: Seen) -> Seen:
        """What it would have seen, were it true what it told the victim."""
        agent = agent_of(self._host)
        shadow = Ledger(agent.ledger.agents)
        for entry in agent.ledger:
            lie = self.lies.get(entry.item) if entry.agent == self._name else None
            shadow.add(entry.agent, entry.kind, [lie or entry.item])
        return History(shadow, agent.asked_plans).at(seen.ledger, seen.plans)


@pytest.mark.parametrize("solver", ["projection", "mafs"])
@pytest.mark.parametrize("leads", [False, True])
def test_who_discloses_different_edges_is_named(tmp_path, leads, solver):
    """The honest ones end the run by themselves, and name it to their owners."""
    hosts = hosts_of(tmp_path, Terms(solver, "m3"))
    leader = lead()
    liar = leader if leads else next(name for name in hosts if name != leader)
    honest = [name for name in hosts if name != liar]
    one = Equivocator(hosts[liar], liar, honest[-1])
    tells(hosts[liar], one.say)
    found = play(hosts)
    assert one.lies, "it did disclose different edges"
    ends = [found[name] for name in honest]
    assert all(isinstance(end, Fault) for end in ends), ends
    named = [end for end in ends if f"were sent different disclosures by '{liar}'" in str(end)]
    assert named
    assert all((end.reason, end.about) == (Reason.DISAGREEMENT, liar) for end in named)
    assert not any((tmp_path / f"plan-{name}.txt").exists() for name in honest)


def swapped(host: Host, steps: tuple[PublicStep, ...]) -> tuple[PublicStep, ...]:
    """Another order of the same steps that is a plan of the projection, too."""
    check = asked_plans_of(agent_of(host)).check_guide
    for at in range(len(steps) - 1):
        first, second = steps[at : at + 2]
        other = (*steps[:at], second, first, *steps[at + 2 :])
        try:
            check("", other)
        except ProtocolError:
            continue
        if first.agent != second.agent:
            return other
    pytest.fail("two steps of this plan can change places")


def test_all_keep_the_same_plan(tmp_path):
    """A leader that has one member extend and keep another plan than the others."""
    hosts = hosts_of(tmp_path)
    leader = lead()
    honest = [name for name in hosts if name != leader]
    lies = []

    def say(peer: str, message: AnyMessage) -> AnyMessage:
        if peer == honest[-1] and isinstance(message, Extend | Keep):
            lies.append(message)
            return changed(message, steps=swapped(hosts[leader], message.steps))
        return message

    tells(hosts[leader], say)
    found = play(hosts)
    assert any(isinstance(lie, Keep) for lie in lies)
    assert any("were asked about different plans" in str(found[name]) for name in honest)
    assert all(isinstance(found[name], Fault) for name in honest)
    assert not any((tmp_path / f"plan-{name}.txt").exists() for name in honest)


@pytest.mark.parametrize(
    "changes",
    [{"spacing": 2_000}, {"outcome": Outcome.NO_PLAN, "spacing": 0}, {"no_more": ("truck0",)}],
)
def test_all_hear_of_the_same_end(tmp_path, changes):
    """A leader that has one member number its steps otherwise, or believe there is no plan."""
    hosts = hosts_of(tmp_path)
    leader = lead()
    honest = [name for name in hosts if name != leader]

    def say(peer: str, message: AnyMessage) -> AnyMessage:
        is_lie = peer == honest[-1] and isinstance(message, Concluded)
        return changed(message, **changes) if is_lie else message

    tells(hosts[leader], say)
    found = play(hosts)
    said = f"agent '{leader}' told agents"
    assert any(said in str(found[name]) for name in honest)
    assert all(isinstance(found[name], Fault) for name in honest)
    assert not any((tmp_path / f"plan-{name}.txt").exists() for name in honest)


@pytest.mark.parametrize("solver", ["projection", "mafs", "auto"])
def test_who_was_told_the_same_goes_on(tmp_path, solver):
    for ranking in ("m3", "random"):
        found = play(hosts_of(tmp_path / ranking, Terms(solver, ranking)))
        assert all_solved(found), found


ITEMS = (
    (Kind.EDGE, PublicEdge(0, 0)),
    (Kind.EDGE, PublicEdge(0, 1)),
    (Kind.EDGE, PublicEdge(1, 0, False)),
    (Kind.THREAT, PublicEdge(2, 0, False)),
    (Kind.TOKEN, RestoredToken(5, (0, 1))),
    (Kind.PREFIX, Prefix((PublicStep("a", 0),), False, True)),
    (Kind.PREFIX, Prefix((PublicStep("a", 0),), False, False)),
    (Kind.FREE, PublicEdge(3, 1)),
)


def ledger_of(entries: list[tuple[str, int]]) -> Ledger:
    ledger = Ledger("abc")
    for agent, number in entries:
        kind, item = ITEMS[number]
        ledger.add(agent, kind, [item])
    return ledger


def test_any_difference_is_found_and_its_place_named():
    rng = random.Random(3)
    for _ in range(200):
        entries = [(agent, n) for agent in "abc" for n in rng.sample(range(len(ITEMS)), 4)]
        plans = [rng.randbytes(32) for _ in range(rng.randrange(3))]
        own = History(ledger_of(entries), plans)
        counts = tuple(rng.randrange(5) for _ in "abc")
        seen = own.at(counts, rng.randrange(len(plans) + 1))
        assert own.has(seen)
        assert not own.differences(seen)
        at = rng.randrange(len(entries))
        agent, place = entries[at][0], at % 4
        unused = next(n for n in range(len(ITEMS)) if (agent, n) not in entries)
        other = History(ledger_of([*entries[:at], (agent, unused), *entries[at + 1 :]]), plans)
        is_within = place < counts["abc".index(agent)]
        assert other.differences(seen) == ([agent] if is_within else [])
        if plans:
            far = own.at(counts, len(plans))
            asked = History(ledger_of(entries), [*plans[:-1], b"another"])
            assert asked.differences(far) == [PLANS]
            assert not History(ledger_of(entries), plans[:-1]).has(far)


def test_order_of_agents_does_not_matter_and_the_order_of_one_does():
    entries = [(agent, n) for agent in "abc" for n in range(4)]
    own = History(ledger_of(entries), ())
    turns = sorted(entries, key=lambda entry: entry[1])
    assert not History(ledger_of(turns), ()).differences(own.now())
    backwards = [*entries[:4], *reversed(entries[4:8]), *entries[8:]]
    assert History(ledger_of(backwards), ()).differences(own.now()) == ["b"]


def test_what_was_seen_has_its_sizes():
    known = Known("abc", 3)
    seen = History(ledger_of([]), ()).now()
    assert seen.fits(known)
    for changes in (
        {"ledger": ()},
        {"ledger": (0, 0, -1)},
        {"plans": -1},
        {"digest": b""},
        {"hints": seen.hints[1:]},
    ):
        assert not changed(seen, **changes).fits(known), changes
    assert not Settled("a", seen, b"short").fits(known)
