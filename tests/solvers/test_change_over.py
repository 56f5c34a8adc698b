"""The projection changes over to forward search where repairs get no further, and says so."""

from __future__ import annotations

import json
from functools import partial

import msgspec
import pytest
from hypothesis import example, given
from msgspec.structs import replace
from support.audits import transcripts
from support.brute import is_supported, joint_of
from support.hosts import play, troupe
from support.notes import quick, say
from support.peeking import DOMAIN, PROBLEM, window
from support.policies import AT_ONCE
from support.recount import check_ledger

import tacit
from tacit.audit.holder import audit
from tacit.central.session import Session
from tacit.cli.main import run
from tacit.leakage.reading.traffic import Traffic, read_runs
from tacit.pddl.factor_writer import factor
from tacit.policy import POLICY, Policy
from tacit.profile import profile
from tacit.public.outcome import Outcome
from tacit.public.protocol.link import Terms
from tacit.public.protocol.messages import (
    Begin,
    Disclose,
    Disclosed,
    ExtendAnswer,
    Extended,
    NextEdge,
    Repair,
    decode,
)
from tacit.public.protocol.recording import Entry, Head, Recording
from tacit.public.run_options import RunOptions
from tacit.public.settings import Rule, Threats
from tacit.solvers.limits import Limits
from tacit.testing import GroundAction, GroundProblem, problems

RECORDED = RunOptions(record=True)


def changed(run_options: RunOptions = RECORDED, policy: Policy = POLICY):
    """A run that changed over, and its session; the plan stays as it was found."""
    settings = replace(profile("tacit"), clean=False)
    session = Session(window(), settings, replace(run_options, ranking="m3"), policy=policy)
    result = session.at(session.largest)
    assert result.changed_over
    return session, result


@pytest.mark.parametrize("name", ["secrets/medium", "secrets/large", "sensors/large"])
def test_what_was_undecided_is_decided_with_everything_disclosed(name):
    session = Session(tacit.load(name), profile("tacit"), RunOptions(ranking="m3"))
    result = session.at(session.largest)
    assert result.solved
    assert result.verdict.valid
    assert result.solved_by == ("mafs" if result.changed_over else "projection")
    for agent in session.agents.values():
        actions = [action for action, _ in agent.local_plan.actions]
        assert is_supported(agent.dependencies, agent.disclosed, actions)


def test_the_result_names_the_solver_that_made_the_plan():
    session, result = changed(policy=AT_ONCE)
    assert (result.solved, result.solved_by) == (True, "mafs")
    assert [step.name for step in result.plan.steps].index("peek") > 0
    for agent in session.agents.values():
        actions = [action for action, _ in agent.local_plan.actions]
        assert is_supported(agent.dependencies, agent.disclosed, actions)


def test_nothing_more_is_disclosed_after_changing_over():
    session, result = changed(policy=AT_ONCE)
    messages = list(result.transcript.messages())
    start = next(n for n, message in enumerate(messages) if isinstance(message, Begin))
    before, after = messages[:start], messages[start:]
    begins = [message for message in after if isinstance(message, Begin)]
    assert len(begins) == len(session.agents)
    assert not any(isinstance(m, Disclose | Disclosed | NextEdge) for m in after)
    assert all(isinstance(m, Extended) for m in after if isinstance(m, ExtendAnswer))
    disclosed = {m.sender: m.edges for m in before if isinstance(m, Disclosed)}
    assert disclosed == {agent: result.ledger.edges(agent) for agent in session.agents}
    repairs = dict.fromkeys(session.agents, 0)
    for frame in result.transcript.frames:
        message = decode(frame.payload)
        if isinstance(message, Repair) and frame.receiver == "solver":
            repairs[message.sender] += message.disclosures
    assert result.repairs == repairs
    assert sum(repairs.values())


def test_online_it_changes_over_on_the_same_ledger():
    """Repairs get no further, so forward search decides, and no repair follows."""
    session = Session(
        window(), profile("tacit"), RunOptions("projection", "m3"), policy=AT_ONCE, online=True
    )
    result = session.online(Limits(repairs=0))
    assert (result.solved_by, result.changed_over) == ("mafs", True)
    assert sum(result.repairs.values()) <= 1
    check_ledger(result.transcript, result.ledger)
    messages = list(result.transcript.messages())
    start = next(n for n, message in enumerate(messages) if isinstance(message, Begin))
    assert not any(isinstance(message, Repair) for message in messages[start:])


def test_agents_on_several_hosts_keep_to_the_solver_that_they_agreed_on(tmp_path):
    for change_over, outcome in ((False, Outcome.UNDECIDED), (True, Outcome.SOLVED)):
        terms = Terms("projection", k=9, repairs=0, change_over=change_over)
        made = troupe(factor(window().source), tmp_path / str(change_over), terms, secret="s")
        found = play({agent: made.host(agent) for agent in made.names})
        assert {ended.outcome for ended in found.values()} == {outcome}
        (traffic,) = read_runs(transcripts(made))
        told = [seen.message for seen in traffic.frames]
        assert any(isinstance(message, ExtendAnswer) for message in told)
        assert any(isinstance(message, Begin) for message in told) == change_over
        assert audit(traffic).is_clean


def test_an_audit_has_no_findings():
    session, result = changed(policy=AT_ONCE)
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


def test_a_run_can_be_repeated_and_budgets_after_it_are_fresh():
    session, result = changed(policy=AT_ONCE)
    _, other = changed(policy=AT_ONCE)
    again = session.at(session.largest)
    for one in (other, again):
        assert [str(step) for step in one.plan.steps] == [str(step) for step in result.plan.steps]
        assert (one.repairs, one.counters) == (result.repairs, result.counters)


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
    result = Session(window(), settings, RunOptions(ranking="m3"), policy=AT_ONCE).at(
        9, Limits(evaluations=5_000)
    )
    assert not result.changed_over
    assert not any(isinstance(message, Begin) for message in result.transcript.messages())


def test_it_need_not_change_over():
    session = Session(
        window(), profile("tacit"), RunOptions(change_over=False, ranking="m3"), policy=AT_ONCE
    )
    result = session.at(9, Limits(prefixes=0))
    assert (result.outcome, result.changed_over) == (Outcome.UNDECIDED, False)
    assert result.solved_by is None


def test_the_price_of_repairs_disclosed_before_is_kept(tmp_path):
    weights = tmp_path / "weights.toml"
    weights.write_text("[spy1]\ndefault = 3\n")
    result = tacit.solve(window(), k=9, ranking="m3", weights=weights, policy=AT_ONCE)
    assert result.changed_over
    assert result.repairs["spy1"] == 1
    assert result.accounts["spy1"].repairs == 3


IS_OPEN, REPORTED, IS_SHUT, SEEN = ("p", 0), ("p", 1), ("p", 2), ("f", 0)
OPEN = GroundAction((), (IS_OPEN,), (IS_SHUT,))
SHUT = GroundAction((IS_OPEN,), (IS_SHUT,), (IS_OPEN,))
SPY = (GroundAction((IS_OPEN,), (SEEN,), ()), GroundAction((SEEN,), (REPORTED,), ()))


def peeking(*guard: GroundAction) -> GroundProblem:
    """The window again: the projection does not see that it must be open for a while."""
    goal = ((*REPORTED, 0), (*IS_SHUT, 0))
    return GroundProblem(3, 1, (0,), (guard, SPY), ((*IS_SHUT, 0),), goal)


@pytest.mark.usefixtures("_never_pessimistic")
def test_switching_at_once_decides_as_brute_force_does():
    ends: list[tuple[Outcome, bool]] = []

    @quick(150)
    @given(problems(public_preconditions=True))
    @example(peeking(OPEN, SHUT))
    @example(peeking(OPEN))
    def decide(tiny):
        session = Session(tiny.load(), profile("tacit"), RunOptions(ranking="m1"))
        for k in range(min(session.largest, 4) + 1):
            result = session.at(k, Limits(repairs=0))
            expected = joint_of(session).plan()
            say(f"k={k} {result.outcome} {result.changed_over}")
            assert result.outcome is (Outcome.NO_PLAN if expected is None else Outcome.SOLVED)
            ends.append((result.outcome, result.changed_over))

    decide()
    assert {(Outcome.SOLVED, True), (Outcome.NO_PLAN, True), (Outcome.SOLVED, False)} <= set(ends)


def test_the_command_line_says_which_solver_made_the_plan(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("tacit.central.session.Session", partial(Session, policy=AT_ONCE))
    made = (tmp_path / "domain.pddl", tmp_path / "problem.pddl")
    made[0].write_text(DOMAIN.format(needed="open"))
    made[1].write_text(PROBLEM)
    args = ["solve", *map(str, made), "--percent", "100", "--solver", "projection"]
    assert run(args) == 0
    assert "mafs found the plan" in capsys.readouterr().out
    run([*args, "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["solver"], told["solved_by"], told["changed_over"]) == ("projection", "mafs", True)
    run([*args, "--json", "--no-change-over", "--max-repairs", "0"])
    told = json.loads(capsys.readouterr().out)
    assert (told["outcome"], told["solved_by"], told["changed_over"]) == ("undecided", None, False)
