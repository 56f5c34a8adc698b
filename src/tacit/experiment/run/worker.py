"""The work of one unit, in a process of its own.

The process loads the problem once, then does what is left of the unit, the largest budget first,
and says what it is at before it begins and what came of it as soon as it knows. Whoever watches can
therefore tell, when it dies, what it died of. After a crash or lack of memory it ends and lets a
fresh process do the rest, because nobody knows what state it is in. It also ends, at once, when
whoever watches is gone.
"""

from __future__ import annotations

import math
import os
import resource
import signal
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec

from tacit import watch
from tacit.central.analysis.proof import Prover
from tacit.central.result import Result
from tacit.central.session import InvalidResult, Limits, Session
from tacit.central.used import used_edges
from tacit.errors import InputError, LimitReached, TacitError
from tacit.experiment.run import levels as budgets
from tacit.experiment.run.job import Job, failure, known, proved, settled
from tacit.experiment.run.row import ALL, FIRST, ITERATIVE, MINIMUM, Run, RunOutcome
from tacit.experiment.tables import minima
from tacit.garbage import collect_seldom
from tacit.public.run_options import DEFAULTS, Drive, RunOptions
from tacit.public.settings import Threats
from tacit.registry import load_plugin

GO_ON_ELSEWHERE = 3
"""The exit code of a process that leaves the rest to a fresh one."""

REFUTED = "no plan up to k = "
"""The detail of a run whose budget grew begins so, if all states were searched at smaller ones."""

_MIB = 2**20
_GROWING = (Threats.NONE, Threats.ON_DEMAND)


class Loaded(msgspec.Struct, frozen=True):
    """The problem is loaded, and its agents have so many edges."""

    dependencies: dict[str, int]


class Begins(msgspec.Struct, frozen=True):
    """From now on the process is at this run."""

    asked: str


Message = Loaded | Begins | Run


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


def _free_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (resource.getrlimit(resource.RLIMIT_AS)[1],) * 2)


def _size_now() -> int:
    """Bytes of address space in use."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 0
    return pages * resource.getpagesize()


def work(job: Job, say: Callable[[Message], None]) -> bool:
    """Do what is left of a unit; False if a fresh process must do the rest."""
    say(Begins(ALL))
    started = time.time()
    try:
        if job.unit.solver == MINIMUM:
            minima.run(job, started, say)
            return True
        session, seconds = _open(job)
    except Exception as error:
        outcome, detail = _what_happened(error)
        left = job.left(job.done)
        for asked in [ALL] if left is None else left:
            say(failure(job.unit, asked, known(job.done), outcome, detail, started))
        return True
    say(Loaded(session.totals))
    done = dict(job.done)
    wanted = budgets.asked(job.levels, job.first, session.largest, job.iterative)
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
            run = _run(job, session, seconds, asked)
        done[asked] = run
        say(run)
        if run.outcome in (RunOutcome.CRASH, RunOutcome.MEMORY):
            return False
    return True


def _open(job: Job) -> tuple[Session, dict[str, float]]:
    """A session with its order of edges made, and the CPU time of each part."""
    for plugin in job.plugins:
        load_plugin(Path(plugin))
    unit = job.unit
    start = time.process_time()
    instance = job.problem.load()
    loaded = time.process_time()
    options = RunOptions(
        unit.solver,
        unit.ranking,
        unit.planner or DEFAULTS.planner,
        drive=Drive.ROUNDROBIN,  # threads make no two runs alike
        memory_limit=unit.memory_limit,
        seed=unit.seed,
        ties=unit.ties,
    )
    session = Session(instance, job.settings, options, job.price_policy)
    session.may_be_reachable(session.largest)  # makes what all budgets share
    if job.first or any(level < 100 for level in job.levels):
        session.make_orders()
    spent = {"load": loaded - start, "dependencies": time.process_time() - loaded}
    return session, spent


def _run(job: Job, session: Session, seconds: dict[str, float], asked: str) -> Run:
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
        detail = _on_the_way(result)
        result.transcript.frames.clear()  # nobody will read it, and over all budgets it grows large
        if result.plan is not None:
            used = {name: len(e) for name, e in used_edges(session.agents, result.plan).items()}
    except Exception as error:
        outcome, detail = _what_happened(error)
    spent = time.process_time() - start
    searched = session.search_clock.seconds - searched
    if session.solver.agents_search:  # searching is all that its agents do
        searched = spent
    return Run(
        unit=job.unit,
        asked=asked,
        outcome=outcome,
        settles=asked.isdecimal() and _settles(job, session, int(asked), outcome, result),
        dependencies=session.totals,
        used=used,
        seconds_load=seconds["load"],
        seconds_dependencies=seconds["dependencies"],
        seconds_search=searched,
        seconds_extension=spent - searched,
        seconds_total=seconds["load"] + seconds["dependencies"] + spent,
        started=started,
        ended=time.time(),
        detail=detail,
        **_found(result, asked),
    )


def _planned(session: Session, asked: str, limits: Limits) -> Result:
    if asked == FIRST:
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


def _on_the_way(result: Result) -> str:
    """Of a budget that grew: up to which there is no plan."""
    proved = -1 if result.refuted is None else min(result.refuted, result.k - 1)
    return f"{REFUTED}{proved}" if proved >= 0 else ""


def _solving_time(session: Session) -> float:
    """CPU time of this process and the planners it has started, without choosing what to tell.

    Other rankings have done that when a run begins; rankings that listen do it bit by bit.
    """
    times = os.times()
    spent = times.user + times.system + times.children_user + times.children_system
    return spent - session.seconds_of_turns


def _found(result: Result | None, asked: str) -> dict[str, Any]:
    """What a result says, as fields of a run."""
    if result is None:
        return {"k": int(asked) if asked.isdecimal() else None}
    found: dict[str, Any] = {
        "k": result.k,
        "disclosed": result.disclosed,
        "repairs": result.repairs,
        "changed_over": result.changed_over,
        "price": {name: own.edges + own.repairs for name, own in result.accounts.items()},
        "expanded": result.counters.expanded,
        "evaluated": result.counters.evaluated,
        "generated": result.counters.generated,
    }
    if result.plan is not None and result.verdict is not None:
        found |= {
            "extension": result.extension,
            "replanned": result.replanned or {},
            "plan": "".join(f"{step}\n" for step in result.plan.steps),
            "plan_length": result.verdict.length,
            "cost": result.verdict.cost,
            "makespan": result.verdict.makespan,
            "makespan_paper": result.verdict.makespan_paper,
        }
    return found


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


def _what_happened(error: Exception) -> tuple[RunOutcome, str]:
    """The outcome for an exception, and a line on it that names no place on this machine."""
    if isinstance(error, LimitReached):
        return RunOutcome(error.outcome), f"while {error.phase}"
    if isinstance(error, MemoryError):
        _free_memory()  # what is left to do here is to say so
        return RunOutcome.MEMORY, ""
    if isinstance(error, InvalidResult):
        return RunOutcome.INVALID_PLAN, str(error)
    if isinstance(error, InputError):
        first = error.diagnostics[0]
        place = f"{Path(first.file).name}:{first.line or 1}: " if first.file else ""
        return RunOutcome.BAD_INPUT, place + first.message
    where = traceback.extract_tb(error.__traceback__)[-1]
    detail = f"{type(error).__name__} at {os.path.basename(where.filename)}:{where.lineno}"
    return RunOutcome.CRASH, f"{detail}: {error}" if isinstance(error, TacitError) else detail
