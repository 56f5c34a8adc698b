"""From files to a `Description`: which files make up a problem, and in which form it is."""

from __future__ import annotations

from pathlib import Path

from tacit.errors import Diagnostic, InputError
from tacit.pddl.agents import natural_order
from tacit.pddl.domain_reader import read_domain
from tacit.pddl.problem_reader import read_problem
from tacit.pddl.source import Source
from tacit.pddl.syntax import Description, Form, Pair

_LAYOUT = (
    "expected 'domain.pddl' and 'problem.pddl' (unfactored), or 'domain-AGENT.pddl' and "
    "'problem-AGENT.pddl' for every agent (factored)"
)


def read_folder(folder: Path) -> Description:
    """A CoDMAP problem folder of either form."""
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if {"domain.pddl", "problem.pddl"} <= names:
        return read_pair(folder / "domain.pddl", folder / "problem.pddl")
    agents = [name[7:-5] for name in names if name.startswith("domain-") and name.endswith(".pddl")]
    if not agents:
        raise InputError(Diagnostic("there is no MA-PDDL problem here", str(folder), hint=_LAYOUT))
    for agent in natural_order(agents):
        if f"problem-{agent}.pddl" not in names:
            message = f"agent '{agent}' has a domain file but no 'problem-{agent}.pddl'"
            raise InputError(Diagnostic(message, str(folder)))
    return _factored(folder, agents)


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
    return Description(Form.UNFACTORED, problem.name, (pair,), warnings)


def read_agent(agent: str, domain_source: Source, problem_source: Source) -> Description:
    """What one agent of a factored problem holds: its own two texts."""
    domain = read_domain(domain_source, Form.FACTORED)
    problem, warnings = read_problem(problem_source, domain)
    pair = Pair(agent, domain, problem)
    return Description(Form.FACTORED, problem.name, (pair,), warnings)


def _factored(folder: Path, agents: list[str]) -> Description:
    parts: list[Description] = []
    mistakes: list[Diagnostic] = []
    for agent in natural_order(agents):
        domain, problem = folder / f"domain-{agent}.pddl", folder / f"problem-{agent}.pddl"
        try:
            parts.append(read_agent(agent.lower(), Source.read(domain), Source.read(problem)))
        except InputError as error:
            mistakes.extend(error.diagnostics)
    if mistakes:
        raise InputError(mistakes)
    pairs = tuple(pair for part in parts for pair in part.pairs)
    warnings = tuple(warning for part in parts for warning in part.warnings)
    return Description(Form.FACTORED, parts[0].name, pairs, warnings)
