"""Plans, and the two file formats for them.

An **IPC plan file** has one `(action arg …)` per line, in order; a line `; cost = 8 (unit cost)`
may declare the cost. Where an action does not name its agent, as may happen in the factored form,
a trailing comment `; agent: NAME` does.

A **CoDMAP plan** has a file per agent (`plan-AGENT.txt`, `AGENT.plan`, `AGENT.txt`, `AGENT.pddl`)
with a time step in front of every action, `3: (action arg …)`. Actions of different agents with the
same number are executed concurrently. Merged by number and agent, such files are one sequence of
steps with `times`; the validator checks that steps of one time can be executed concurrently.

Names are not case-sensitive; a plan holds them in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tacit.errors import Diagnostic, InputError
from tacit.pddl.agents import natural_order
from tacit.pddl.sexpr import Mistake, Report
from tacit.pddl.source import Source

_COST = re.compile(r";\s*cost\s*=\s*([0-9]{1,15})(?:\.0*)?(?![0-9.])", re.IGNORECASE)
_AGENT = re.compile(r";\s*agent:\s*([^\s();]+)\s*$", re.IGNORECASE)
_NUMBER = re.compile(r"\s*([0-9]{1,9})\s*:")
_TOKEN = re.compile(r"[()]|[^\s();]+")
_EXAMPLE = "write '(action argument …)', one action per line"
_NUMBERED = "write 'N: (action argument …)'; actions with the same N are done at once"
_NAMES = "expected 'plan-AGENT.txt', 'AGENT.plan', 'AGENT.txt' or 'AGENT.pddl'"


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a plan. `agent` may be omitted where the first argument is the agent."""

    agent: str | None
    name: str
    args: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "agent", self.agent.lower() if self.agent else None)
        object.__setattr__(self, "name", self.name.lower())
        object.__setattr__(self, "args", tuple(arg.lower() for arg in self.args))

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.args))})"


@dataclass(frozen=True, slots=True, repr=False)
class Plan:
    """Steps in order. `times`, if given, are their time steps; steps of one time are concurrent.

    `cost` is the cost that the plan declares. As text a plan is what its file would have.
    """

    steps: tuple[Step, ...]
    cost: int | None = None
    times: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if self.times is not None and len(self.times) != len(self.steps):
            raise InputError(f"{len(self.steps)} steps, but {len(self.times)} time steps")
        if self.times is not None and list(self.times) != sorted(self.times):
            raise InputError("the time steps of a plan do not go down", "sort its steps by time")

    def __len__(self) -> int:
        return len(self.steps)

    def __str__(self) -> str:
        return write_plan(self).rstrip("\n")

    def __repr__(self) -> str:
        count = f"{len(self.steps)} step{'s' * (len(self.steps) != 1)}"
        agents = natural_order({step.agent for step in self.steps if step.agent})
        by = f", {len(agents)} agents" if len(agents) > 1 else ""
        return f"<plan: {count}{by}>"

    def _repr_html_(self) -> str:
        from tacit.draw.lanes import plan_page  # noqa: PLC0415 - for notebooks

        places: dict[int, int] = {}
        times = self.times or range(len(self.steps))
        steps = [
            (places.setdefault(time, len(places) + 1), step.agent or "", str(step))
            for time, step in zip(times, self.steps, strict=True)
        ]
        return plan_page(repr(self).strip("<>"), steps)

    def together(self) -> Iterator[range]:
        """The positions of the steps that are concurrent, time step by time step."""
        times = self.times or range(len(self.steps))
        first = 0
        for position in range(1, len(self.steps) + 1):
            if position == len(self.steps) or times[position] != times[first]:
                yield range(first, position)
                first = position


def merge(numbered: Iterable[tuple[int, Step]], cost: int | None = None) -> Plan:
    """One plan of steps with their time steps, in the order of (time, agent)."""
    steps = list(numbered)
    rank = {a: i for i, a in enumerate(natural_order({step.agent or "" for _, step in steps}))}
    steps.sort(key=lambda item: (item[0], rank[item[1].agent or ""]))
    return Plan(tuple(s for _, s in steps), cost, tuple(time for time, _ in steps))


def plan_of(lines: Iterable[str | Step]) -> Plan:
    """A sequential plan from steps, or from texts like `(drive truck1 a b)`."""
    items = list(lines)
    report = Report(Source("plan", "\n".join(str(item) for item in items)))
    steps: list[Step] = []
    at = 0
    for item in items:
        text = str(item)
        given = [item] if isinstance(item, Step) else report.each([(text, at)], _api_step)
        steps.extend(step for step in given if step is not None)
        at += len(text) + 1
    report.check()
    return Plan(tuple(steps))


def read_plan(path: Path) -> Plan:
    """A plan from an IPC plan file, or from a folder with a CoDMAP plan file per agent."""
    if path.is_dir():
        return read_agent_plans(_plan_files(path))
    return read_plan_text(Source.read(path))


def read_plan_text(source: Source) -> Plan:
    """A joint plan from one text, with or without time steps in front of the actions."""
    refuse_pddl(source)
    lines, cost = _read_lines(source, None)
    timed = [line for line in lines if line.time is not None]
    if not timed:
        return Plan(tuple(line.step for line in lines), cost)
    report = Report(source)
    for line in lines:
        if line.time is None:
            report.add(Mistake(line.at, "this action has no time step, but others have", _NUMBERED))
    report.check()
    return merge(_numbered(lines), cost)


def refuse_pddl(source: Source) -> None:
    """An `InputError` for a domain or problem file, which would be a mistake in every line."""
    found = re.match(r"(?:\s|;[^\n]*\n)*\(\s*define\s*\(\s*(domain|problem)\b", source.text, re.I)
    if found:
        message = f"expected a plan, found a {found[1].lower()} file"
        raise InputError(source.diagnostic(found.start(1), message, _EXAMPLE))


def read_agent_plans(paths: Iterable[Path]) -> Plan:
    """A joint plan from one CoDMAP plan file per agent."""
    files = [(path, _agent_of(path)) for path in paths]
    mistakes: list[Diagnostic] = []
    steps: list[tuple[int, Step]] = []
    costs: list[int | None] = []
    seen: dict[str, Path] = {}
    for path, agent in files:
        if seen.setdefault(agent, path) != path:
            message = f"agent '{agent}' has a second plan file, besides {seen[agent].name}"
            mistakes.append(Diagnostic(message, str(path)))
            continue
        try:
            lines, cost = _read_lines(Source.read(path), agent)
        except InputError as error:
            mistakes.extend(error.diagnostics)
            continue
        steps.extend(_numbered(lines))
        costs.append(cost)
    if mistakes:
        raise InputError(mistakes)
    declared = [cost for cost in costs if cost is not None]
    return merge(steps, sum(declared) if costs and len(declared) == len(costs) else None)


def write_plan(plan: Plan, unit_cost: bool = True) -> str:
    """The text of an IPC plan file."""
    lines = [str(step) + _agent_comment(step) for step in plan.steps]
    if plan.times is not None:
        lines = [f"{time}: {line}" for time, line in zip(plan.times, lines, strict=True)]
    if plan.cost is not None:
        lines.append(f"; cost = {plan.cost} ({'unit' if unit_cost else 'general'} cost)")
    return "".join(f"{line}\n" for line in lines)


def write_agent_plans(plan: Plan, agents: Iterable[str]) -> dict[str, str]:
    """The texts of CoDMAP plan files, one per agent; each step must name its agent.

    A plan without times is numbered one step after the other.
    """
    texts: dict[str, list[str]] = {agent: [] for agent in natural_order(agents)}
    times = plan.times or range(len(plan.steps))
    for time, step in zip(times, plan.steps, strict=True):
        agent = step.agent or (step.args[0] if step.args else "")
        if agent not in texts:
            raise InputError(f"no agent of the problem has {step}", "set the agent of the step")
        texts[agent].append(f"{time}: {step}\n")
    return {agent: "".join(lines) for agent, lines in texts.items()}


@dataclass(frozen=True, slots=True)
class _Line:
    time: int | None
    step: Step
    at: int

    def by(self, agent: str) -> _Line:
        return replace(self, step=replace(self.step, agent=agent))


def _read_lines(source: Source, agent: str | None) -> tuple[list[_Line], int | None]:
    """Every action of a text and the cost it declares; with `agent`, lines must be numbered."""
    report = Report(source)
    found: list[_Line] = []
    cost: int | None = None
    at = 0
    for text in source.text.split("\n"):
        declared = _COST.match(text.strip())
        cost = int(declared.group(1)) if declared else cost
        for line in report.each([(text, at)], _line):
            if line is not None:
                found.append(line if agent is None else line.by(agent))
        at += len(text) + 1
    if agent is not None:
        for line in found:
            if line.time is None:
                report.add(Mistake(line.at, "expected the time step of this action", _NUMBERED))
    report.check()
    return found, cost


def _numbered(lines: Sequence[_Line]) -> Iterator[tuple[int, Step]]:
    return ((line.time, line.step) for line in lines if line.time is not None)


def _api_step(place: tuple[str, int]) -> Step:
    line = _line(place)
    if line is None or line.time is not None:
        raise Mistake(place[1], f"expected an action, found {place[0]!r:.60}", _EXAMPLE)
    return line.step


def _line(place: tuple[str, int]) -> _Line | None:
    """The action on one line, None on a line without any."""
    text, offset = place
    code, semicolon, comment = text.partition(";")
    if not code.strip():
        return None
    number = _NUMBER.match(code)
    start = number.end() if number else 0
    opening = start + len(code[start:]) - len(code[start:].lstrip())
    if code[opening : opening + 1] != "(":
        found = code[opening:].strip()
        raise Mistake(offset + min(opening, len(text) - 1), _expected(found), _EXAMPLE)
    name, *args = _words(code, opening, offset)
    by = _AGENT.match(semicolon + comment)
    agent = by[1] if by else None
    return _Line(int(number[1]) if number else None, Step(agent, name, tuple(args)), offset)


def _words(code: str, opening: int, offset: int) -> list[str]:
    """The words between the '(' at `opening` and its ')', which must end the line."""
    words: list[str] = []
    closed = False
    for match in _TOKEN.finditer(code, opening + 1):
        token, at = match[0], offset + match.start()
        if closed:
            raise Mistake(at, "unexpected text after an action", _EXAMPLE)
        if token == "(":
            raise Mistake(at, "unexpected '(' inside an action", _EXAMPLE)
        if token[0] in "?:" or token in ("-", "="):
            raise Mistake(at, f"expected a name, found '{token}'")
        closed = token == ")"
        if not closed:
            words.append(token)
    if not closed:
        raise Mistake(offset + opening, "this '(' is never closed", "add the missing ')'")
    if not words:
        raise Mistake(offset + opening, "expected the name of an action, found '()'", _EXAMPLE)
    return words


def _expected(found: str) -> str:
    return f"expected '(action …)', found '{found[:40]}'" if found else "expected '(action …)'"


def _agent_comment(step: Step) -> str:
    named = step.agent is None or (step.args and step.args[0] == step.agent)
    return "" if named else f" ; agent: {step.agent}"


def _plan_files(folder: Path) -> list[Path]:
    """The agents' plan files in a folder, by the first naming convention that any file follows."""
    try:
        files = [p for p in folder.iterdir() if p.is_file() and not p.name.startswith(".")]
    except OSError as error:
        raise InputError(Diagnostic(error.strerror or "cannot be read", str(folder))) from None
    for prefix, suffix in (("plan-", ""), ("", ".plan"), ("", ".txt"), ("", ".pddl")):
        found = [p for p in files if p.name.startswith(prefix) and p.name.endswith(suffix)]
        found = [p for p in found if not p.name.startswith(("domain", "problem"))]
        if found:
            return sorted(found)
    raise InputError(Diagnostic("there is no plan here", str(folder), hint=_NAMES))


def _agent_of(path: Path) -> str:
    name = path.stem.lower().removeprefix("plan-")
    if not name:
        raise InputError(
            Diagnostic("this file name does not name an agent", str(path), hint=_NAMES)
        )
    return name
