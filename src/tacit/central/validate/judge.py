"""The independent plan validator.

`validate` executes the plan from the initial state. It instantiates only the steps of the plan
(`steps`), and uses neither the grounder nor a solver nor native code: a bug in those cannot make
an invalid plan look valid.

A step must be a step of the problem (a known action, objects of the right types, nothing private
to another agent) and its preconditions must hold; then it is applied: first its deletes, then its
adds. Steps of one time step are executed concurrently: all must be applicable in the state before,
and no two may interfere, so that they can be executed in any order; an agent has one action per
time step. At the end every goal must hold, the public ones and every agent's own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tacit.central.validate.plan import Plan, Step
from tacit.central.validate.steps import Act, Condition, Fact, Fault, World
from tacit.errors import InvalidPlan
from tacit.pddl.syntax import Description
from tacit.public.schedule import Task, makespan, makespan_paper, start_times
from tacit.words import counted, listed


@dataclass(frozen=True, slots=True, repr=False)
class Verdict:
    """The result. `step` is the first step that fails, from 1; None if all can be executed.

    `missing` are the conditions that do not hold there, or the goals that do not hold at the end.
    """

    valid: bool
    message: str
    step: int | None
    missing: tuple[str, ...]
    length: int
    cost: int | None = None
    makespan: int | None = None
    makespan_paper: int | None = None

    def __repr__(self) -> str:
        message = self.message if len(self.message) < 160 else f"{self.message[:159]}…"
        return f"<{'valid' if self.valid else 'not valid'}: {message}>"

    def as_dict(self) -> dict[str, object]:
        """The verdict as plain values, ready for JSON."""
        return {**dataclasses.asdict(self), "missing": list(self.missing)}


def validate(description: Description, plan: Plan) -> Verdict:
    """Check a plan against the files of its problem, in either form."""
    try:
        acts = _execute(World(description), plan)
    except _Failure as failure:
        return Verdict(False, str(failure), failure.step, failure.missing, len(plan))
    tasks = [act.task for act in acts]
    cost = sum(act.cost for act in acts)
    span = makespan(tasks)
    message = f"The plan is valid: {counted(len(plan), 'step')}, cost {cost}, makespan {span}."
    if plan.cost not in (None, cost):
        message += f" It declares another cost, {plan.cost}."
    return Verdict(True, message, None, (), len(plan), cost, span, makespan_paper(tasks))


def timetable(description: Description, plan: Plan) -> tuple[tuple[int, Step], ...]:
    """The earliest start of every step of a valid plan, with the step's agent filled in.

    In the plan's own order; `tacit.central.validate.plan.merge` turns it into a concurrent plan.
    """
    try:
        acts = _execute(World(description), plan)
    except _Failure as failure:
        raise InvalidPlan(str(failure)) from None
    starts = start_times([act.task for act in acts])
    steps = (Step(act.agent, s.name, s.args) for act, s in zip(acts, plan.steps, strict=True))
    return tuple(zip(starts, steps, strict=True))


class _Failure(Exception):
    """A fault with its place in the plan."""

    def __init__(self, message: str, step: int | None, fault: Fault):
        hint = fault.hint
        super().__init__(f"{message}. {hint[0].upper()}{hint[1:]}" if hint else f"{message}.")
        self.step, self.missing = step, fault.missing


def _execute(world: World, plan: Plan) -> list[Act]:
    """The instantiated steps of the plan, or the failure of the first that cannot be executed."""
    acts: list[Act] = []
    state: frozenset[Fact] = world.initial
    for group in plan.together():
        beside: list[Act] = []
        for position in group:
            step = plan.steps[position]
            try:
                act = world.act(step)
                _require(act.conditions, state)
                _check_beside(act, beside)
            except Fault as fault:
                when = f"step {position + 1}, {step},"
                if plan.times is not None:
                    when += f" at time {plan.times[position]},"
                raise _Failure(f"In {when} {fault.reason}", position + 1, fault) from None
            beside.append(act)
        state = _apply(state, [act.task for act in beside])
        acts += beside
    try:
        _require(world.goal, state)
    except Fault as fault:
        message = f"The plan can be executed, but at its end {fault.reason}"
        raise _Failure(message, None, fault) from None
    return acts


def _require(conditions: Sequence[Condition], state: frozenset[Fact]) -> None:
    missing = [str(c) for c in conditions if (c.fact in state) is not c.positive]
    if missing:
        verb = "does" if len(missing) == 1 else "do"
        raise Fault(f"{listed(missing)} {verb} not hold", missing=missing)


def _check_beside(act: Act, beside: Sequence[Act]) -> None:
    """Raise if the act cannot be executed concurrently with the others of its time step."""
    for other in beside:
        if other.agent == act.agent:
            raise Fault(f"agent '{act.agent}' does a second action in one time step")
        facts = sorted(str(fact) for fact in act.task.clashes(other.task))
        if facts:
            raise Fault(
                f"agents '{other.agent}' and '{act.agent}' interfere over {listed(facts)}: "
                "one changes what the other needs or changes"
            )


def _apply(state: frozenset[Fact], tasks: Sequence[Task]) -> frozenset[Fact]:
    result = set(state)
    for task in tasks:
        result.difference_update(task.deletes)
    for task in tasks:
        result.update(task.adds)  # type: ignore[arg-type]
    return frozenset(result)


def step_objects(description: Description, plan: Plan) -> list[dict[str, Any]]:
    """The steps of a valid plan as plain data, each with its earliest start and its end."""
    return [
        {
            "agent": step.agent,
            "action": step.name,
            "arguments": list(step.args),
            "start": start,
            "end": start + 1,
        }
        for start, step in timetable(description, plan)
    ]
