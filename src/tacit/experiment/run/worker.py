"""The work of one unit, in a process of its own.

The process loads the problem once, then does what is left of the unit, the largest budget first,
and says what it is at before it begins and what came of it as soon as it knows. Whoever watches can
therefore tell, when it dies, what it died of. An online run takes nothing back, so it has a session
of its own, made when it begins. After a crash or lack of memory the process ends and lets a fresh
one do the rest, because nobody knows what state it is in. It also ends, at once, when whoever
watches is gone.
"""

from __future__ import annotations

import math
import os
import resource
import signal
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from tacit import watch
from tacit.central.analysis.proof import Prover
from tacit.central.instance import Instance
from tacit.central.leaking import leakage_of
from tacit.central.result import Result
from tacit.central.session import Limits, Session
from tacit.central.used import used_edges
from tacit.experiment.run import levels as budgets
from tacit.experiment.run.found import fields, on_the_way, what_happened
from tacit.experiment.run.job import Job, failure, known, proved, settled
from tacit.experiment.run.row import (
    ALL,
    CLEANED,
    ITERATIVE,
    MINIMUM,
    ONLINE,
    SMALLEST,
    Run,
    RunOutcome,
    largest,
)
from tacit.experiment.tables import minima
from tacit.garbage import collect_seldom
from tacit.leakage.view import frames_before_budgets
from tacit.public.run_options import DEFAULTS, Drive, RunOptions
from tacit.public.settings import Threats
from tacit.registry import load_plugin

GO_ON_ELSEWHERE = 3
"""The exit code of a process that leaves the rest to a fresh one."""

_MIB = 2**20
_GROWING = (Threats.NONE, Threats.ON_DEMAND)


class Loaded(msgspec.Struct, frozen=True):
    """The problem is loaded, and its agents have so many edges."""

    dependencies: dict[str, int]


class Begins(msgspec.Struct, frozen=True):
    """From now on the process is at this run."""

    asked: str


Message = Loaded | Begins | Run
Say = Callable[[Message], None]


def main(job: Job, out: Connection, life: Connection) -> None:
    """What the process does; `life` ends when its owner does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the sweep, which then ends us
    threading.Thread(target=_end_with, args=(life,), daemon=True).start()
    with open(os.devnull, "wb") as nowhere:
        for stream in (1, 2):
            os.dup2(nowhere.fileno(), stream)
    collect_seldom()
    _limit_memory(job.unit.memory_limit)
    limit = job.unit.memory_limit
    with watch.limited(memory=None if limit is None else limit * _MIB):
        is_done = work(job, out.send)
    os._exit(0 if is_done else GO_ON_ELSEWHERE)


def _end_with(life: Connection) -> None:
    try:
        life.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)


def _limit_memory(mebibytes: int | None) -> None:
    """Let the process take a quarter more than a search may, on top of what it has now."""
    if mebibytes is not None:
        limit = _size_now() + mebibytes * _MIB * 5 // 4
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _size_now() -> int:
    """Bytes of address space in use."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 0
    return pages * resource.getpagesize()


def work(job: Job, say: Say) -> bool:
    """Do what is left of a unit; False if a fresh process must do the rest."""
    say(Begins(ALL))
    started = time.time()
    try:
        if job.unit.solver == MINIMUM:
            minima.run(job, started, say)
            return True
        session, seconds = _open(job)
    except Exception as error:
        outcome, detail = what_happened(error)
        left = job.left(job.done)
        for asked in [ALL] if left is None else left:
            say(failure(job.unit, asked, known(job.done), outcome, detail, started))
        return True
    say(Loaded(session.totals))
    done = dict(job.done)
    wanted = budgets.asked(job.levels, job.others, largest(session.totals))
    start = time.process_time()
    refuted, why = _refuted(job, session, [k for k in wanted if k.isdecimal()]) or (-1, "")
    seconds["proof"] = time.process_time() - start
    for asked in wanted:
        if asked in done:
            continue
        settled_by = budgets.settled_by(done, asked)
        if settled_by is not None:
            run = settled(job.unit, session.totals, int(asked), settled_by)
        elif asked.isdecimal() and int(asked) <= refuted:
            run = proved(job.unit, session.totals, int(asked), why, seconds)
        else:
            say(Begins(asked))
            alone = asked == ONLINE and not session.is_online
            run = (_run_alone if alone else _run)(job, session, seconds, asked, say)
        done[asked] = run
        say(run)
        if run.outcome in (RunOutcome.CRASH, RunOutcome.MEMORY):
            return False
    return True


def _open(job: Job) -> tuple[Session, dict[str, float]]:
    """A session, offline with its order of edges made, and the CPU time of each part."""
    for plugin in job.plugins:
        load_plugin(Path(plugin))
    start = time.process_time()
    instance = job.problem.load()
    loaded = time.process_time()
    session = _session(job, instance, online=not job.is_offline)
    if not session.is_online:
        session.may_be_reachable(session.largest)  # makes what all budgets share
        if job.smallest or any(level < 100 for level in job.levels):
            session.make_orders()
    spent = {"load": loaded - start, "dependencies": time.process_time() - loaded}
    return session, spent


def _session(job: Job, instance: Instance, online: bool) -> Session:
    unit = job.unit
    options = RunOptions(
        unit.solver,
        unit.ranking,
        unit.planner or DEFAULTS.planner,
        drive=Drive.ROUNDROBIN,  # threads make no two runs alike
        memory_limit=unit.memory_limit,
        seed=unit.seed,
        ties=unit.ties,
        record=job.leakage,
    )
    return Session(instance, job.settings, options, job.price_policy, online=online)


def _run_alone(
    job: Job,
    session: Session,
    seconds: dict[str, float],
    asked: str,
    say: Say,
) -> Run:
    """An online run of a problem that has a session for budgets."""
    started, start = time.time(), time.process_time()
    try:
        own = _session(job, session.instance, online=True)
    except Exception as error:
        outcome, detail = what_happened(error)
        return failure(job.unit, asked, session.totals, outcome, detail, started)
    spent = time.process_time() - start
    return _run(job, own, seconds | {"dependencies": spent}, asked, say)


def _run(
    job: Job,
    session: Session,
    seconds: dict[str, float],
    asked: str,
    say: Say,
) -> Run:
    started, start = time.time(), time.process_time()
    searched = session.search_clock.seconds
    limit = job.unit.time_limit
    clock = partial(_solving_time, session)
    limits = Limits(math.inf if limit is None else limit, clock=clock)
    result: Result | None = None
    detail, used = "", {}
    try:
        result = _planned(session, asked, limits)
        outcome = RunOutcome(result.outcome.value)
        detail = on_the_way(result)
        if result.plan is not None:
            used = {name: len(e) for name, e in used_edges(session.agents, result.plan).items()}
    except Exception as error:
        outcome, detail = what_happened(error)
    spent = time.process_time() - start
    searched = session.search_clock.seconds - searched
    if session.solver.agents_search:  # searching is all that its agents do
        searched = spent
    known = {} if result is None else _leakage(job, session, result)
    run = Run(
        unit=job.unit,
        asked=asked,
        outcome=outcome,
        settles=asked.isdecimal() and _settles(job, session, int(asked), outcome, result),
        dependencies=session.totals,
        used=used,
        leakage=known,
        seconds_load=seconds["load"],
        seconds_dependencies=seconds["dependencies"],
        seconds_search=searched,
        seconds_extension=spent - searched,
        seconds_total=seconds["load"] + seconds["dependencies"] + spent,
        started=started,
        ended=time.time(),
        detail=detail,
        **fields(result, asked),
    )
    return _with_cleaned(job, session, run, say) if job.cleaned and run.solved else run


def _with_cleaned(job: Job, session: Session, run: Run, say: Say) -> Run:
    """The run with what its plan is worth once it is cleaned; all else is as it was. Cleaning has
    the time of a run of its own.
    """
    say(Begins(run.asked))
    limit = job.unit.time_limit
    try:
        with watch.limited(math.inf if limit is None else limit):
            verdict = session.cleaned()
    except Exception as error:
        outcome, detail = what_happened(error)
        return msgspec.structs.replace(run, outcome=outcome, detail=detail)
    found = (verdict.length, verdict.cost, verdict.makespan, verdict.makespan_paper)
    session.transcript.frames.clear()
    cleaned = {name: x for name, x in zip(CLEANED, found, strict=True) if x is not None}
    return msgspec.structs.replace(run, cleaned=cleaned)


def _leakage(job: Job, session: Session, result: Result) -> dict[str, dict[str, float]]:
    """What the others know of each agent. Of the frames no more is kept than the next budget needs,
    as over all budgets they grow large.
    """
    known = leakage_of(session, result) if job.leakage else {}
    frames = result.transcript.frames
    frames[:] = frames_before_budgets(frames) if job.leakage and not session.is_online else ()
    rows = ((agent, own.as_json()) for agent, own in known.items())
    return {agent: {n: x for n, x in row.items() if x is not None} for agent, row in rows}


def _planned(session: Session, asked: str, limits: Limits) -> Result:
    if asked == ONLINE:
        return session.online(limits)
    if asked == SMALLEST:
        return session.first(limits)
    if asked == ITERATIVE:
        return session.iterate(limits)
    return session.at(int(asked), limits)


def _refuted(job: Job, session: Session, asked: Sequence[str]) -> tuple[int, str] | None:
    """The largest budget at which it is proved beforehand that there is no plan, and why."""
    if not (job.proofs and session.solver.keeps_to_supported(job.settings)):
        return None
    if set(asked).issubset(job.done):
        return None
    try:
        return Prover(session, job.settings).largest_unsolvable([int(k) for k in asked])
    except MemoryError:
        return None  # then it is searched for in vain


def _solving_time(session: Session) -> float:
    """CPU time of this process and the planners it has started, without choosing what to disclose.

    Offline, other than interactive rankings have done that when a run begins; interactive ones, and
    all of them online, do it turn by turn.
    """
    times = os.times()
    spent = times.user + times.system + times.children_user + times.children_system
    return spent - session.seconds_of_turns


def _settles(
    job: Job, session: Session, k: int, outcome: RunOutcome, result: Result | None
) -> bool:
    """Is this a proof that there is no plan at any smaller budget?

    Where no threat competes for the budget, more edges never take a plan away. Elsewhere, it is if
    the goal of the projection is out of reach with nothing ever deleted; under other rules than
    `supported`, forward search finds out by itself what is.
    """
    if outcome is not RunOutcome.NO_PLAN:
        return False
    if job.settings.threats in _GROWING:
        return True
    if result is not None and result.out_of_reach:
        return True
    is_bounded = session.solver.is_bounded_by_projection(job.settings)
    return is_bounded and not session.may_be_reachable(k)
