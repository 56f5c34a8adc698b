"""Plans are improved between hosts: the same ledger, valid plans, and sums that audits report."""

from __future__ import annotations

import contextlib
import os
import signal
from collections import Counter

import msgspec
import pytest
from support.forms import generated
from support.hosts import play, small, together
from support.inside import network_of

from tacit.audit.holder import audit
from tacit.leakage.reading.traffic import Traffic
from tacit.net.bounds import Agreement
from tacit.net.conclusion import Conclusion
from tacit.net.faults import Fault
from tacit.net.interrupting import on_interrupt
from tacit.net.member import Member
from tacit.net.own_plan import KeptPlan
from tacit.net.weighing import Weighing
from tacit.party.extension.extension import LocalPlan
from tacit.public.protocol.link import Hello, Terms
from tacit.public.protocol.messages import Begin, Improve, Trace, Weigh, Weighed, decode
from tacit.public.protocol.recording import read_recording
from tacit.public.settings import Settings

SECONDS = 0.5


def run(folder, domain: str, terms: Terms):
    made = small(domain, folder, 1, terms=terms, secret="same")
    found = play({agent: made.host(agent) for agent in made.names})
    return found, made


def kinds(made) -> Counter[type]:
    return Counter(
        type(decode(entry.payload))
        for config in made.configs.values()
        for entry in read_recording(config.outputs.transcript).entries
        if entry.is_sent
    )


def hellos(made) -> list[Hello]:
    return [
        message
        for config in made.configs.values()
        for entry in read_recording(config.outputs.transcript).entries
        if isinstance(message := decode(entry.payload), Hello)
    ]


def entries(found) -> list[list[object]]:
    return [sorted(map(str, conclusion.ledger)) for conclusion in found.values()]


def audited(found, made):
    """What the leader's transcript shows."""
    leader = next(iter(found.values())).leader
    return audit(Traffic([read_recording(made.configs[leader].outputs.transcript)]))


def test_the_ledger_is_the_same_and_the_leader_learns_sums(tmp_path):
    plain, before = run(tmp_path / "plain", "logistics", Terms(settings=Settings(clean=False)))
    better, made = run(tmp_path / "better", "logistics", Terms(improve=SECONDS))
    description = generated("logistics", 1)
    first = together(plain, before, description)
    assert together(better, made, description).cost <= first.cost
    assert entries(plain) == entries(better)
    assert kinds(made)[Improve] > 0
    report = audited(better, made)
    assert report.is_clean
    assert all(about.knowledge.sums for about in report.agents.values())


def test_each_pair_has_keys_from_its_own_stream(tmp_path):
    found, made = run(tmp_path, "logistics", Terms(improve=SECONDS))
    assert all(one.outcome.value == "solved" for one in found.values())
    own = {(hello.sender, hello.key) for hello in hellos(made)}
    assert len(own) == len({key for _, key in own}) == len(made.names)
    keys = [key for _, key in own]
    for config in made.configs.values():
        for entry in read_recording(config.outputs.transcript).entries:
            if not isinstance(decode(entry.payload), Hello):
                assert not any(key in entry.payload for key in keys)


def test_a_peer_whose_key_gives_secrets_away_is_named(tmp_path):
    made = small("logistics", tmp_path, 1, terms=Terms(improve=SECONDS), secret="same")
    hosts = {agent: made.host(agent) for agent in made.names}
    evil = made.names[0]
    doors = network_of(hosts[evil])._doors
    doors._hello = msgspec.structs.replace(doors._hello, key=bytes(255) + b"\1")
    found = play(hosts)
    faults = [str(found[agent]) for agent in made.names[1:]]
    assert any(f"'{evil}'" in fault for fault in faults)
    assert not any(isinstance(one, Conclusion) for one in found.values())


def test_of_two_agents_an_audit_says_that_costs_are_known(tmp_path):
    found, made = run(tmp_path, "driverlog", Terms(improve=SECONDS))
    together(found, made, generated("driverlog", 1))
    assert len(made.names) == 2
    (about,) = audited(found, made).agents.values()
    assert [finding.kind for finding in about.findings] == ["costs"]


def test_without_improving_no_cost_crosses(tmp_path):
    found, made = run(tmp_path, "logistics", Terms())
    assert all(one.outcome.value == "solved" for one in found.values())
    assert kinds(made)[Weighed] == 0
    assert {hello.key for hello in hellos(made)} == {b""}


def agreement(**terms) -> Agreement:
    return Agreement(Terms(**terms), "leader")


def test_a_leader_may_search_again_only_where_improving_was_agreed_on():
    for improve, may in ((0.0, False), (1.0, True)):
        rules = agreement(improve=improve)
        rules.check(Begin("leader", 1))
        rules.check(Trace("leader", 0))
        if may:
            rules.check(Begin("leader", 2))
            rules.check(Trace("leader", 0))
        else:
            with pytest.raises(Fault, match="not agreed on"):
                rules.check(Begin("leader", 2))


def test_nobody_improves_or_weighs_where_that_was_not_agreed_on():
    rules = agreement(settings=Settings(clean=False))
    for question in (Improve("leader"), Weigh("leader", 1)):
        with pytest.raises(Fault, match="not agreed on"):
            rules.check(question)
    cleaning = agreement()
    cleaning.check(Improve("leader"))
    with pytest.raises(Fault, match="not agreed on"):
        cleaning.check(Weigh("leader", 1))


def test_ctrl_c_at_the_leader_leaves_all_agents_with_the_best_plan(tmp_path, monkeypatch):
    stopped = []

    class Stopping(contextlib.ExitStack):
        """The leader is interrupted once it has improved for a while."""

        def __init__(self, stop):
            super().__init__()
            Weighing.keep = lambda judge, steps: (keep(judge, steps), self.count(stop))[0]

        def count(self, stop):
            stopped.append(stop)
            stop()

    keep = Weighing.keep
    monkeypatch.setattr(Weighing, "keep", keep)
    monkeypatch.setattr("tacit.net.leading.on_interrupt", Stopping)
    found, made = run(tmp_path, "logistics", Terms(improve=3600.0))
    assert together(found, made, generated("logistics", 1)).valid
    assert stopped


def test_only_the_first_ctrl_c_is_noted():
    noted = []
    with on_interrupt(lambda: noted.append(True)):
        os.kill(os.getpid(), signal.SIGINT)
        assert noted == [True]
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert noted == [True]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("has_plan", [False, True])
def test_ctrl_c_at_a_member_ends_it_only_while_there_is_no_plan(has_plan):
    member = Member.__new__(Member)
    member.kept = KeptPlan((), (), LocalPlan(()), 1) if has_plan else None
    with contextlib.nullcontext() if has_plan else pytest.raises(KeyboardInterrupt):
        member._note_interrupt()
