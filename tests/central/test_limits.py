"""The user's limits on time and memory hold wherever a run is; a clock of the tests' own says when.

The clock goes on by one with every look at it, so that a limit counts looks, which are work and not
seconds, and the same run ends at the same place every time.
"""

from __future__ import annotations

import gc
import json
import mmap
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE

import pytest
from msgspec.structs import replace
from support.forward import SOLVERS

import tacit
from tacit import native, watch
from tacit.central.instance import Instance, load
from tacit.central.leaking import leakage_of
from tacit.central.session import Session
from tacit.cli.main import run as run_command
from tacit.errors import ExitCode, InputError, LimitReached
from tacit.leakage.reading.collecting import Collector
from tacit.leakage.transitions import transitions
from tacit.leakage.view import traffic_of, view_of
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source
from tacit.profile import profile
from tacit.public.outcome import Outcome
from tacit.public.run_options import RunOptions
from tacit.public.settings import Settings
from tacit.solvers.limits import Limits

PHASES = ("reading", "grounding", "introducing", "ranking", "disclosing", "searching", "extending")


class Ticking:
    """A clock that goes on by one with every look at it."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return float(self.looks)


@pytest.fixture(autouse=True)
def _the_core_calls_back_often():
    native.on_pulse(watch.check, 0.0)
    yield
    native.on_pulse(watch.check, native.SECONDS_BETWEEN_PULSES)


@contextmanager
def looking(looks: float) -> Iterator[watch.Watch]:
    """A limit after so many looks at the clock."""
    kept = watch.Watch(looks, clock=Ticking())
    with watch.in_force(kept):
        yield kept


class Noting(watch.Watch):
    """Counts in which phase it was looked at; `over` may end a phase at its first look."""

    def __init__(self, over: str | None = None, outcome: str = "time"):
        super().__init__()
        self.seen: Counter[str] = Counter()
        self.over, self.outcome = over, outcome

    def check(self) -> None:
        self.seen[self.phase] += 1
        if self.phase == self.over:
            raise LimitReached(self.outcome, self.phase)


# ------------------------------------------------------------------ the watch


def test_a_watch_ends_by_its_clock_and_names_the_phase():
    with looking(3), watch.phase("ranking"):
        watch.check()
        with pytest.raises(LimitReached, match="out of time while ranking") as caught:
            watch.check()
    assert caught.value.exit_code == ExitCode.TIME
    watch.check()  # none is in force any more


def test_memory_is_measured_now_and_then_and_not_in_each_look():
    now, measured = [0.0], []

    def measure() -> int:
        measured.append(now[0])
        return 100

    with watch.in_force(watch.Watch(memory=100, clock=lambda: now[0], measure=measure)) as _:
        for _ in range(50):
            watch.check()
        assert len(measured) == 1
        now[0] += watch.BETWEEN_MEASUREMENTS
        watch.check()
        assert len(measured) == 2
    with (
        watch.in_force(watch.Watch(memory=99, clock=lambda: now[0], measure=measure)),
        pytest.raises(LimitReached, match="out of memory while starting") as caught,
    ):
        watch.check()
    assert caught.value.exit_code == ExitCode.MEMORY


def test_what_an_outer_watch_limits_stays_limited():
    with looking(4), watch.limited(1e9):
        assert watch.left() <= 4
        with pytest.raises(LimitReached):
            list(watch.checked(range(9 * watch.MANY)))


def test_what_must_be_done_is_done_after_a_limit():
    with looking(0):
        with watch.unlimited():
            watch.check()
        with pytest.raises(LimitReached):
            watch.check()


def test_a_limit_goes_from_process_to_process():
    sent = pickle.loads(pickle.dumps(LimitReached("memory", "searching")))
    assert (sent.outcome, sent.phase, sent.exit_code) == ("memory", "searching", ExitCode.MEMORY)


def test_resident_memory_is_that_of_the_process():
    gc.collect()
    with mmap.mmap(-1, 64 * watch.MIB) as held:
        before = watch.resident()
        for page in range(0, len(held), mmap.PAGESIZE):
            held[page] = 1
        assert watch.resident() - before > 32 * watch.MIB


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="the system does not say")
def test_memory_of_processes_started_for_the_run_counts_as_well():
    fill = f"held = b'x' * {64 * watch.MIB}; print(1, flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", fill], stdin=PIPE, stdout=PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        now = [0.0]
        most = watch.resident() + 32 * watch.MIB
        with watch.in_force(watch.Watch(memory=most, clock=lambda: now[0])):
            watch.check()
            watch.count_in(child.pid)
            now[0] += 60  # it is time to measure again
            with pytest.raises(LimitReached, match="out of memory"):
                watch.check()
        child.communicate(b"\n")
    assert watch.private_to(child.pid) == 0, "it has ended"


# ------------------------------------------------------------------ all phases


def whole(name: str, run_options: RunOptions) -> tacit.Result:
    instance = load(name)
    session = Session(instance, profile("tacit"), replace(run_options, ranking="m3"))
    try:
        return session.first()
    finally:
        session.close()


@pytest.mark.parametrize("run_options", SOLVERS.values(), ids=SOLVERS)
def test_every_phase_looks_at_the_limits(run_options):
    noting = Noting()
    with watch.in_force(noting):
        whole("logistics/small", run_options)
    assert set(PHASES) <= set(noting.seen)


@pytest.mark.parametrize("outcome", ["time", "memory"])
@pytest.mark.parametrize("phase", PHASES)
def test_a_limit_ends_the_command_in_any_phase(monkeypatch, capsys, phase, outcome):
    monkeypatch.setattr("tacit.watch.Watch", lambda *_, **__: Noting(phase, outcome))
    code = run_command(["solve", "logistics/small", "--time-limit", "60", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["outcome"], found["phase"], found["plan"]) == (outcome, phase, None)
    assert code == {"time": ExitCode.TIME, "memory": ExitCode.MEMORY}[outcome]


@pytest.mark.parametrize("phase", PHASES)
def test_a_limit_names_its_phase_to_people(monkeypatch, capsys, phase):
    monkeypatch.setattr("tacit.watch.Watch", lambda *_, **__: Noting(phase))
    assert run_command(["solve", "logistics/small", "--time-limit", "60"]) == ExitCode.TIME
    text = capsys.readouterr().out
    assert f"while {phase}" in text
    assert "--time-limit" in text


@pytest.mark.parametrize("drive", ["roundrobin", "threads", "processes"])
@pytest.mark.parametrize("looks", [60, 200, 600])
def test_forward_search_ends_by_a_limit_however_it_is_driven(drive, looks):
    instance = tacit.load("depot/medium")
    with looking(looks):
        result = tacit.solve(instance, "mafs", "m3", drive=drive)
    assert result.outcome is Outcome.TIME or result.solved


@pytest.mark.parametrize("solver", ["projection", "mafs"])
def test_the_api_returns_an_outcome_and_raises_nothing(solver):
    instance = tacit.load("depot/small")
    result = tacit.solve(instance, solver, time_limit=0)
    assert (result.outcome, result.plan) == (Outcome.TIME, None)
    assert result.phase in PHASES
    result = tacit.solve(instance, solver, memory_limit=1)
    assert (result.outcome, result.plan) == (Outcome.MEMORY, None)
    assert watch.current() is None


def test_a_plan_that_was_found_in_time_is_not_lost(tmp_path, monkeypatch, capsys):
    """The second budget that is tried finds the time over."""

    class AfterFirst(Noting):
        def check(self) -> None:
            super().check()
            session = sessions[0] if sessions else None
            if session is not None and session.found is not None:
                raise LimitReached("time", self.phase)

    sessions: list[Session] = []
    begin = Session.first
    monkeypatch.setattr(Session, "first", lambda s, *a: (sessions.append(s), begin(s, *a))[1])
    monkeypatch.setattr("tacit.watch.Watch", lambda *_, **__: AfterFirst())
    file = tmp_path / "plan.txt"
    args = ["solve", "depot/small", "--smallest", "--ranking", "m3", "--time-limit", "9"]
    assert run_command([*args, "--edges", "--plan-file", str(file)]) == ExitCode.SOLVED
    said = capsys.readouterr()
    assert "best so far" in said.err
    monkeypatch.undo()
    assert run_command(["validate", "depot/small", str(file)]) == ExitCode.SOLVED


def test_nothing_more_is_tried_after_a_limit():
    """An agent that was stopped in the middle of an answer is not asked again."""
    session = Session(load("logistics/small"), Settings(), RunOptions(ranking="goal"))
    with watch.in_force(Noting("ranking")):
        assert session.first().outcome is Outcome.TIME
    again = session.first()
    assert (again.outcome, again.phase) == (Outcome.TIME, "ranking")
    assert session.at(1).outcome is Outcome.TIME


def test_limits_decide_nothing_but_when_to_give_up():
    plain = tacit.solve(tacit.load("driverlog/small"))
    with looking(1e9):
        limited = tacit.solve(tacit.load("driverlog/small"))
    assert (plain.k, plain.plan, plain.counters) == (limited.k, limited.plan, limited.counters)


@pytest.mark.parametrize("looks", [1, 2, 5, 30, 300])
@pytest.mark.parametrize("domain", ["rovers", "logistics", "blocksworld"])
def test_a_limit_ends_a_run_anywhere_and_leaves_nothing_broken(domain, looks):
    """Limits at many places; what is then done with the same problem is as if nothing had been."""
    instance = tacit.load(f"{domain}/small")
    usual = tacit.solve(instance)
    with looking(looks):
        result = tacit.solve(instance)
    assert result.solved or result.outcome is Outcome.TIME
    after = tacit.solve(instance)
    assert (after.k, after.plan) == (usual.k, usual.plan)


# ------------------------------------------------------------------ the core


def loose(objects: int, parameters: int) -> tuple[str, str]:
    """A domain with an action that nothing restricts."""
    variables = " ".join(f"?x{n} - thing" for n in range(parameters))
    domain = f"""(define (domain loose) (:requirements :typing :multi-agent)
      (:types agent thing - object)
      (:predicates (done ?t - thing))
      (:action any :agent ?a - agent :parameters ({variables})
        :precondition () :effect (done ?x0)))"""
    things = " ".join(f"t{n}" for n in range(objects))
    problem = f"""(define (problem p) (:domain loose) (:objects a - agent {things} - thing)
      (:init) (:goal (done t0)))"""
    return domain, problem


def read_loose(objects: int, parameters: int):
    domain, problem = loose(objects, parameters)
    return read_texts(Source("domain.pddl", domain), Source("problem.pddl", problem))


def test_grounding_looks_at_the_limits_as_it_goes():
    description = read_loose(200, 8)
    with looking(50) as kept, pytest.raises(LimitReached, match="while grounding"):
        Instance(description, {})
    assert kept.phase == "starting"


def test_ctrl_c_and_limits_leave_the_core_by_the_same_way():
    class Stop(BaseException):
        pass

    def stop() -> None:
        raise Stop

    native.on_pulse(stop, 0.0)
    with pytest.raises(Stop):
        Instance(read_loose(200, 8), {})


def test_absurd_groundings_end_with_an_error_before_they_fill_the_memory(monkeypatch):
    """As many parameters take as much memory as many actions: both count."""
    monkeypatch.setattr("tacit.party.local.compiled.MAX_GROUND_ACTIONS", 300_000)
    with pytest.raises(InputError, match="take too much memory") as caught:
        Instance(read_loose(40, 8), {})
    assert "no precondition restricts" in str(caught.value)


def test_measuring_what_others_know_ends_at_a_limit():
    """Frames may be many: every loop over them looks at the clock."""
    options = RunOptions("mafs", drive="roundrobin", record=True)
    session = Session(load(["blocksworld/medium"]), profile("tacit"), options, online=True)
    result = session.online(Limits(60))
    first, *others = session.instance.agents
    frames, agents = result.transcript.frames, session.instance.agents
    traffic = traffic_of(frames, agents, others)
    view = view_of(traffic)
    for work in (
        lambda: traffic_of(frames, agents, others),
        lambda: Collector(traffic),
        lambda: transitions(view, first),
        lambda: leakage_of(session, result),
    ):
        with looking(0), pytest.raises(LimitReached):
            work()
