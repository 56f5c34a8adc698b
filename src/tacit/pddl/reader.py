"""From files to a `Description`: which files make up a problem, and in which form it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from tacit.errors import Diagnostic, InputError, input_error
from tacit.files import check_agent_name
from tacit.pddl.agents import agents_of, natural_order
from tacit.pddl.domain_reader import read_domain
from tacit.pddl.oddities import oddities
from tacit.pddl.problem_reader import read_problem
from tacit.pddl.source import Source
from tacit.pddl.syntax import Description, Form, Pair

_LAYOUTS = ("{kind}-{agent}.pddl", "{agent}_{kind}.pddl")
"""Names of an agent's files: as CoDMAP has them, and as unified-planning writes them."""
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
    for layout in _LAYOUTS:
        if agents := _agents_in(folder, names, layout):
            return _factored(folder, agents, layout)
    raise InputError(Diagnostic("there is no MA-PDDL problem here", str(folder), hint=_LAYOUT))


def _agents_in(folder: Path, names: set[str], layout: str) -> tuple[str, ...]:
    """The agents that files in a folder are named after; each has a domain and a problem."""
    pattern = re.escape(layout).replace(r"\{kind\}", "(?:domain|problem)")
    file = re.compile(pattern.replace(r"\{agent\}", "(.+)"), re.DOTALL)
    agents = {m[1] for m in map(file.fullmatch, names) if m}
    wanted = [layout.format(kind=k, agent=agent) for agent in agents for k in ("domain", "problem")]
    mistakes = [
        Diagnostic(f"there is no '{name}' here, but its counterpart is", str(folder))
        for name in natural_order(wanted)
        if name not in names
    ]
    if len({agent.lower() for agent in agents}) < len(agents):
        message = "two agents have the same name: letter case does not distinguish names"
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
    found = (*domain.warnings, *warnings, *oddities(pair))
    description = Description(Form.UNFACTORED, problem.name, (pair,), found)
    for agent in agents_of(description):
        check_agent_name(agent, problem_source.name)
    return description


def read_agent(agent: str, domain_source: Source, problem_source: Source) -> Description:
    """What one agent of a factored problem holds: its own two texts."""
    check_agent_name(agent, problem_source.name)
    domain = read_domain(domain_source, Form.FACTORED, agent)
    problem, warnings = read_problem(problem_source, domain)
    pair = Pair(agent, domain, problem)
    found = (*domain.warnings, *warnings, *oddities(pair))
    return Description(Form.FACTORED, problem.name, (pair,), found)


def _factored(folder: Path, agents: Sequence[str], layout: str) -> Description:
    parts: list[Description] = []
    mistakes: list[Diagnostic] = []
    for agent in agents:
        domain, problem = (
            folder / layout.format(kind=kind, agent=agent) for kind in ("domain", "problem")
        )
        try:
            parts.append(read_agent(agent.lower(), Source.read(domain), Source.read(problem)))
        except InputError as error:
            mistakes.extend(error.diagnostics)
    if mistakes:
        raise input_error(mistakes)
    pairs = tuple(pair for part in parts for pair in part.pairs)
    warnings = tuple(warning for part in parts for warning in part.warnings)
    return Description(Form.FACTORED, parts[0].name, pairs, warnings)
