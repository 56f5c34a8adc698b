"""Warnings about a pair of files that can be read but looks wrong.

A fact that is ignored may not matter to its author, as in CoDMAP's own files, or it may be the
point of the problem. So it is reported, once for each kind by default, with the place of the first.
"""

from __future__ import annotations

from collections.abc import Iterator

from tacit.errors import nearest
from tacit.pddl.agents import NOBODY, ONE_OWNER, Privacy, agents_of
from tacit.pddl.report import Mistake, Notice, Report
from tacit.pddl.requirements import undeclared
from tacit.pddl.scope import Scope
from tacit.pddl.syntax import Description, Form, Pair
from tacit.pddl.types import Types


def oddities(pair: Pair) -> Iterator[Notice]:
    """The warnings that take both files of a pair to notice."""
    if pair.agent is not None:
        yield from _mentions(pair.agent, pair)
        yield from _absence(pair.agent, pair)
    yield from _requirements(pair)
    yield from _dropped(pair)


def _mentions(agent: str, pair: Pair) -> list[Notice]:
    """Actions may be written for an agent that is an object of the problem, not a constant."""
    domain = pair.domain
    written = [action for action in domain.actions if action.mentions(agent)]
    if not written or any(item.name == agent for item in domain.constants):
        return []
    report = Report(domain.source)
    atom = next(atom for atom in written[0].atoms if agent in atom.args)
    if all(item.name != agent for item in pair.objects):
        message = f"the agent '{agent}' is declared neither here nor in the problem"
        hint = f"declare it, as in '(:constants {agent} - TYPE)'"
        report.add(Mistake(atom.at, message, hint, word=agent))
        report.check()
    scope = Scope(Types(domain.types), domain.predicates, domain.functions, pair.objects)
    report.each(written, lambda action: scope.check_mentions(agent, action))
    report.check()
    message = f"the agent '{agent}' is not a constant here; taken as the object of the problem"
    report.warn("agent not a constant", atom.at, message, word=agent)
    return report.warnings


def _absence(agent: str, pair: Pair) -> Iterator[Notice]:
    names = [item.name for item in pair.objects]
    if agent not in names:
        hint = nearest(agent, names)
        message = f"{pair.problem.source.name}: the agent '{agent}' is not among the objects"
        yield Notice(f"{message}; {hint}" if hint else message, "agent not an object")


def _requirements(pair: Pair) -> list[Notice]:
    """One warning for all missing requirements, at the first use of one."""
    missing = undeclared(pair)
    if not missing:
        return []
    first, source, at = missing[0]
    listed = [f"'{first}'"]
    for name, where, use in missing[1:]:
        line, _ = where.place(use)
        file = "" if where is source else f" of {where.name}"
        listed.append(f"'{name}' (line {line}{file})")
    report = Report(source)
    hint = "add what is missing to ':requirements'"
    report.warn("requirement", at, f"used but not declared: {', '.join(listed)}", hint)
    return report.warnings


def _dropped(pair: Pair) -> list[Notice]:
    """Initial facts that belong to none of these agents, and are ignored."""
    report = Report(pair.problem.source)
    privacy = Privacy(pair)
    agents = {pair.agent} if pair.agent else _agents(pair)
    for atom in pair.problem.init:
        owner = privacy.owner(atom.name, atom.args)
        if owner is None or owner in agents:
            continue
        if owner == NOBODY:
            kind, why = "two owners", privacy.why_nobody(atom.name, atom.args)
        elif pair.agent:
            kind, why = "another's fact", f"it is private, and not to '{pair.agent}'"
        else:
            kind, why = "no agent's fact", f"it is private to '{owner}', which is not an agent"
        hint = ONE_OWNER if owner == NOBODY else None
        report.warn(kind, atom.at, f"ignored {atom}: {why}", hint)
    return report.warnings


def _agents(pair: Pair) -> set[str]:
    return set(agents_of(Description(Form.UNFACTORED, pair.problem.name, (pair,))))
