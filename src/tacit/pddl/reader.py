"""From files to a `Description`: which files make up a problem, and in which form it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tacit.errors import Diagnostic, InputError, input_error, nearest
from tacit.pddl.agents import NOBODY, Privacy, agents_of, natural_order
from tacit.pddl.domain_reader import read_domain
from tacit.pddl.problem_reader import read_problem
from tacit.pddl.report import Notice, Report
from tacit.pddl.scope import Scope
from tacit.pddl.source import Source
from tacit.pddl.syntax import Description, Form, Pair
from tacit.pddl.types import Types

_AGENT_FILE = re.compile(r"(?:domain|problem)-(.+)\.pddl", re.DOTALL)
_LAYOUT = (
    "expected 'domain.pddl' and 'problem.pddl' (unfactored), or 'domain-AGENT.pddl' and "
    "'problem-AGENT.pddl' for every agent (factored)"
)


def read_folder(folder: Path) -> Description:
    """A CoDMAP problem folder of either form."""
    try:
        names = {path.name for path in folder.iterdir()}
    except OSError as error:
        reason = error.strerror or "the folder cannot be read"
        raise InputError(Diagnostic(reason, str(folder))) from None
    if {"domain.pddl", "problem.pddl"} <= names:
        return read_pair(folder / "domain.pddl", folder / "problem.pddl")
    return _factored(folder, _agents_in(folder, names))


def _agents_in(folder: Path, names: set[str]) -> tuple[str, ...]:
    """The agents that files in a folder are named after; each has a domain and a problem."""
    agents = {m[1] for m in map(_AGENT_FILE.fullmatch, names) if m}
    if not agents:
        raise InputError(Diagnostic("there is no MA-PDDL problem here", str(folder), hint=_LAYOUT))
    wanted = [f"{kind}-{agent}.pddl" for agent in agents for kind in ("domain", "problem")]
    mistakes = [
        Diagnostic(f"there is no '{name}' here, but its counterpart is", str(folder))
        for name in natural_order(wanted)
        if name not in names
    ]
    if len({agent.lower() for agent in agents}) < len(agents):
        message = "two agents are called the same: letter case does not tell names apart"
        mistakes.append(Diagnostic(message, str(folder)))
    if mistakes:
        raise InputError(mistakes)
    return natural_order(agents)


def read_pair(domain: Path, problem: Path) -> Description:
    """An unfactored problem from its two files."""
    return read_texts(Source.read(domain), Source.read(problem))


def read_texts(domain_source: Source, problem_source: Source) -> Description:
    """An unfactored problem from its two texts."""
    domain = read_domain(domain_source)
    if domain.form is Form.FACTORED:
        message = "a factored problem needs the files of all its agents"
        hint = "name the folder that holds domain-AGENT.pddl and problem-AGENT.pddl"
        raise InputError(Diagnostic(message, domain_source.name, hint=hint))
    problem, warnings = read_problem(problem_source, domain)
    pair = Pair(None, domain, problem)
    told = (*domain.warnings, *warnings, *_dropped(pair))
    return Description(Form.UNFACTORED, problem.name, (pair,), told)


def read_agent(agent: str, domain_source: Source, problem_source: Source) -> Description:
    """What one agent of a factored problem holds: its own two texts."""
    domain = read_domain(domain_source, Form.FACTORED, agent)
    problem, warnings = read_problem(problem_source, domain)
    pair = Pair(agent, domain, problem)
    warnings += (*_about_mentions(agent, pair), *_about_absence(agent, pair), *_dropped(pair))
    return Description(Form.FACTORED, problem.name, (pair,), domain.warnings + warnings)


def _about_mentions(agent: str, pair: Pair) -> Sequence[Notice]:
    """Actions may be written for an agent that is no constant, but an object of the problem."""
    domain = pair.domain
    written = [action for action in domain.actions if action.mentions(agent)]
    if not written or any(item.name == agent for item in domain.constants):
        return ()
    report = Report(domain.source)
    scope = Scope(Types(domain.types), domain.predicates, domain.functions, pair.objects)
    report.each(written, lambda action: scope.check_mentions(agent, action))
    atom = next(atom for atom in written[0].atoms if agent in atom.args)
    message = f"the agent '{agent}' is no constant of the domain; taken for the problem's object"
    report.warn("agent not a constant", atom.at, message, word=agent)
    report.check()
    return report.warnings


def _about_absence(agent: str, pair: Pair) -> Iterator[Notice]:
    names = [item.name for item in pair.objects]
    if agent not in names:
        hint = nearest(agent, names)
        message = f"{pair.problem.source.name}: the agent '{agent}' is not among the objects"
        yield Notice(f"{message}; {hint}" if hint else message, "agent not an object")


def _dropped(pair: Pair) -> Sequence[Notice]:
    """Warnings about initial facts that are nobody's here, and so do not count."""
    report = Report(pair.problem.source)
    privacy = Privacy(pair)
    agents = {pair.agent} if pair.agent else _agents(pair)
    for atom in pair.problem.init:
        owner = privacy.owner(atom.name, atom.args)
        if owner is None or owner in agents:
            continue
        if owner == NOBODY:
            kind, why = "two owners", "it is private to two agents, so it is nobody's"
        elif pair.agent:
            kind, why = "another's fact", f"it is private, and not to '{pair.agent}'"
        else:
            kind, why = "no agent's fact", f"it is private to '{owner}', which is no agent"
        report.warn(kind, atom.at, f"ignored {atom}: {why}")
    return report.warnings


def _agents(pair: Pair) -> set[str]:
    return set(agents_of(Description(Form.UNFACTORED, pair.problem.name, (pair,))))


def _factored(folder: Path, agents: Sequence[str]) -> Description:
    parts: list[Description] = []
    mistakes: list[Diagnostic] = []
    for agent in agents:
        domain, problem = folder / f"domain-{agent}.pddl", folder / f"problem-{agent}.pddl"
        try:
            parts.append(read_agent(agent.lower(), Source.read(domain), Source.read(problem)))
        except InputError as error:
            mistakes.extend(error.diagnostics)
    if mistakes:
        raise input_error(mistakes)
    pairs = tuple(pair for part in parts for pair in part.pairs)
    warnings = tuple(warning for part in parts for warning in part.warnings)
    return Description(Form.FACTORED, parts[0].name, pairs, warnings)
