"""Action schemas: `(:action name :agent … :parameters … :precondition … :effect …)`."""

from __future__ import annotations

from collections.abc import Sequence

from tacit.errors import nearest
from tacit.pddl.formula import read_condition, read_effect
from tacit.pddl.report import Mistake, Report
from tacit.pddl.scope import Scope, check_unique
from tacit.pddl.sexpr import Group, Node, Word, need_group, need_name
from tacit.pddl.syntax import Action, Atom, Form, Typed
from tacit.pddl.typed import read_typed

_FIELDS = (":agent", ":parameters", ":precondition", ":effect")
_Fields = dict[str, list[Node]]


def read_actions(
    groups: Sequence[Group], form: Form, scope: Scope, report: Report
) -> tuple[Action, ...]:
    """The schemas of a domain; a schema with a mistake is reported, and missing or incomplete."""
    found = report.each(groups, lambda group: (group, *_fields(group)))
    try:
        _check_form([(name, fields) for _, name, fields in found], form)
    except Mistake as mistake:
        report.add(mistake)
        return ()
    reader = _ActionReader(form, scope, report)
    actions = report.each(found, lambda parts: reader.read(*parts))
    check_unique(report, "action", actions)
    return tuple(actions)


def _check_form(actions: Sequence[tuple[Word, _Fields]], form: Form) -> None:
    """Actions written in the other form are reported as one mistake, not one per action."""
    with_agent = [name for name, fields in actions if ":agent" in fields]
    if form is Form.FACTORED and with_agent:
        raise Mistake(
            with_agent[0].at,
            f"action '{with_agent[0].text}' has an ':agent', which the factored form does not have",
            "if one file describes all agents, the domain requires ':unfactored-privacy'",
        )
    if form is Form.UNFACTORED and actions and not with_agent:
        raise Mistake(
            actions[0][0].at,
            "no action of this domain has an ':agent'",
            "write ':agent ?a - TYPE' to say whose action it is; if these are the files of one "
            "agent, the domain requires ':factored-privacy'",
        )


class _ActionReader:
    def __init__(self, form: Form, scope: Scope, report: Report):
        self._form = form
        self._scope = scope
        self._report = report

    def read(self, group: Group, name: Word, fields: _Fields) -> Action:
        agent = self._agent(fields, name)
        own = read_typed(_list(fields.get(":parameters")), "a parameter", variables=True)
        parameters = (agent, *own) if agent else tuple(own)
        check_unique(self._report, "parameter", parameters)
        self._report.each(parameters, lambda p: self._scope.check_types([p]))
        if not fields.get(":effect"):
            raise Mistake(name.at, f"action '{name.text}' has no ':effect'")
        condition = fields.get(":precondition")
        precondition = read_condition(condition[0], self._report) if condition else ()
        effects, cost = read_effect(fields[":effect"][0], self._report)
        action = Action(name.text, agent, parameters, precondition, effects, cost, group.at)
        self._check_uses(action)
        return action

    def _check_uses(self, action: Action) -> None:
        variables = {p.name: p for p in reversed(action.parameters)}
        for literal in (*action.precondition, *action.effect):
            try:
                self._scope.check_fact(literal.atom, variables)
            except Mistake as mistake:
                self._report.add(mistake)
        terms = [term for term in action.cost if isinstance(term, Atom)]
        self._report.each(terms, lambda term: self._scope.check_term(term, variables))

    def _agent(self, fields: _Fields, name: Word) -> Typed | None:
        given = fields.get(":agent")
        if self._form is Form.FACTORED:
            return None
        if given is None:
            hint = "write ':agent ?a - TYPE' to say whose action it is"
            raise Mistake(name.at, f"action '{name.text}' has no ':agent'", hint)
        agents = read_typed(given, "the agent's variable", variables=True)
        if len(agents) != 1:
            at = given[0].at if given else name.at
            raise Mistake(at, f"expected ':agent ?a - TYPE', found {len(agents)} variables")
        return agents[0]


def _fields(group: Group) -> tuple[Word, _Fields]:
    """The name of an action, and the values of its keywords."""
    if len(group.items) < 2:
        raise Mistake(group.at, "expected the name of the action")
    name = need_name(group.items[1], "the name of the action")
    fields: _Fields = {}
    current: list[Node] | None = None
    for node in group.items[2:]:
        if isinstance(node, Word) and node.text[0] == ":":
            _check_field(node, name.text, fields)
            current = fields.setdefault(node.text, [])
        elif current is None:
            message = f"expected ':parameters', ':precondition' … in action '{name.text}'"
            raise Mistake(node.at, message)
        else:
            current.append(node)
    for key in _FIELDS[1:]:
        if key in fields and len(fields[key]) != 1:
            at = fields[key][1].at if fields[key] else name.at
            raise Mistake(at, f"'{key}' of action '{name.text}' takes one parenthesised form")
    return name, fields


def _check_field(node: Word, action: str, fields: _Fields) -> None:
    if node.text in (":duration", ":condition"):
        raise Mistake(node.at, "durative actions are not supported", None, True)
    if node.text not in _FIELDS:
        hint = nearest(node.text, _FIELDS)
        raise Mistake(node.at, f"unknown '{node.text}' in action '{action}'", hint)
    if node.text in fields:
        raise Mistake(node.at, f"action '{action}' has '{node.text}' twice")


def _list(field: list[Node] | None) -> list[Node]:
    return need_group(field[0], "a list of parameters").items if field else []
