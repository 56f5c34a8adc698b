"""The projection changes over to forward search where repairs get no further, and says so."""

from __future__ import annotations

import json

import msgspec
import pytest
from brute import generated, is_supported, joint_of, quick, say, tinies
from hypothesis import given

import tacit
from tacit.audit.holder import audit
from tacit.audit.traffic import Traffic
from tacit.cli.main import run
from tacit.profile import profile
from tacit.public.messages import Begin, Carried, Disclose, Disclosed, Turn
from tacit.public.outcome import Outcome
from tacit.public.recording import Entry, Head, Recording
from tacit.public.settings import Rule, Threats
from tacit.solvers import projection
from tacit.whole.solve import Limits, Means, Session

RECORDED = Means(record=True)


@pytest.fixture(scope="module")
def stuck():
    """A run that changed over, with its session."""
    session = Session(tacit.load("secrets/medium"), profile("tacit"), "m3", 0, RECORDED)
    return session, session.at(session.largest)


def test_secrets_medium_is_decided_with_everything_disclosed(stuck):
    session, result = stuck
    assert result.solved
    assert result.verdict.valid
    assert result.changed_over
    assert result.solved_by == "mafs"
    for agent in session.agents.values():
        actions = [action for action, _ in agent.local_plan.actions]
        assert is_supported(agent.dependencies, agent.disclosed, actions)


def test_nothing_more_is_disclosed_after_changing_over(stuck):
    session, result = stuck
    messages = list(result.transcript.messages())
    start = next(n for n, message in enumerate(messages) if isinstance(message, Begin))
    before, after = messages[:start], messages[start:]
    told = {m.sender: m for m in before if isinstance(m, Disclosed)}
    begins = [message for message in after if isinstance(message, Begin)]
    assert len(begins) == len(session.agents)
    for begin in begins:
        assert dict(begin.disclosed) == {agent: told[agent].edges for agent in session.agents}
    assert not any(isinstance(m, Disclose | Disclosed | Turn) for m in after)
    assert all(m.succeeded for m in after if isinstance(m, Carried))
    told_in_all = dict.fromkeys(session.agents, 0)
    for message in before:
        if isinstance(message, Carried):
            prefix = bool(message.own_prefix or message.joint_prefix)
            told_in_all[message.sender] += len(message.threats) + len(message.returned) + prefix
    assert result.repairs == told_in_all


def test_an_audit_has_no_findings():
    session = Session(generated("secrets", {}, 1), profile("tacit"), "m3", 0, RECORDED)
    result = session.at(6)
    assert result.changed_over
    names = (*session.agents, "solver")
    entries = {name: [] for name in names}
    for time, frame in enumerate(result.transcript.frames):
        entries[frame.sender].append(Entry(time, frame.receiver, True, frame.payload))
        entries[frame.receiver].append(Entry(time, frame.sender, False, frame.payload))
    head = tuple(session.agents)
    recordings = {n: Recording(Head(n, head, 0), tuple(own)) for n, own in entries.items()}
    shown = 0
    for holder in names:
        found = audit(Traffic([recordings[holder]]), k=result.k)
        for agent, about in found.agents.items():
            shown += len(about.knowledge.edges)
            assert not about.findings, (holder, agent, about.findings)
    assert shown


def test_a_run_can_be_repeated(stuck):
    _, result = stuck
    again = Session(tacit.load("secrets/medium"), profile("tacit"), "m3", 0, RECORDED)
    other = again.at(again.largest)
    assert [str(step) for step in other.plan.steps] == [str(step) for step in result.plan.steps]
    assert (other.repairs, other.counters) == (result.repairs, result.counters)


def test_budgets_after_one_that_changed_over_are_fresh():
    instance = generated("secrets", {}, 1)
    session = Session(instance, profile("tacit"), "m3")
    found = [session.at(k) for k in (5, 2, 7)]
    for result in found:
        fresh = Session(instance, profile("tacit"), "m3").at(result.k)
        assert (result.outcome, result.repairs) == (fresh.outcome, fresh.repairs)
        assert result.counters == fresh.counters
    assert all(result.solved for result in found)


@pytest.mark.parametrize(
    "settings",
    [
        profile("paper"),
        msgspec.structs.replace(profile("tacit"), threats=Threats.NONE),
        msgspec.structs.replace(profile("tacit"), threats=Threats.KNOWN),
        msgspec.structs.replace(profile("tacit"), rule=Rule.PAIRWISE),
        msgspec.structs.replace(profile("tacit"), repair=False),
    ],
)
def test_only_profile_tacit_changes_over(settings):
    session = Session(generated("secrets", {}, 1), settings, "m3")
    result = session.at(min(6, session.largest), Limits(prefixes=5, evaluations=5_000))
    assert not result.changed_over
    assert not any(isinstance(message, Begin) for message in result.transcript.messages())


def test_it_need_not_change_over():
    means = Means(change_over=False)
    session = Session(generated("secrets", {}, 1), profile("tacit"), "m3", 0, means)
    result = session.at(6, Limits(prefixes=5))
    assert (result.outcome, result.changed_over) == (Outcome.UNDECIDED, False)
    assert result.solved_by is None


@quick(120)
@given(tinies(looks=True))
def test_changing_over_at_once_decides_as_brute_force_does(tiny):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(projection, "PREFIXES", 0)
        session = Session(tiny.load(), profile("tacit"), "m1")
        for k in range(min(session.largest, 4) + 1):
            result = session.at(k, Limits(repairs=20))
            expected = joint_of(session).plan()
            say(f"k={k} {result.outcome} {result.changed_over}")
            assert result.outcome is (Outcome.NO_PLAN if expected is None else Outcome.SOLVED)


def test_the_command_line_says_which_solver_made_the_plan(capsys):
    args = ["solve", "secrets/medium", "--percent", "100"]
    assert run(args) == 0
    assert "forward search (mafs) found the plan" in capsys.readouterr().out
    run([*args, "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["solver"], told["solved_by"], told["changed_over"]) == ("projection", "mafs", True)
    run([*args, "--json", "--no-change-over", "--max-repairs", "3"])
    told = json.loads(capsys.readouterr().out)
    assert (told["outcome"], told["solved_by"], told["changed_over"]) == ("undecided", None, False)
