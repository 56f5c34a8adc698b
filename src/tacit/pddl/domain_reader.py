"""Domain files: `(define (domain …) …)` of either form into a `Domain`."""

from __future__ import annotations

from collections.abc import Callable

from tacit.errors import nearest
from tacit.pddl.formula import read_condition, read_effect
from tacit.pddl.scope import Scope, check_unique
from tacit.pddl.sexpr import Group, Mistake, Node, Report, Word, need_group, need_name, read_sexpr
from tacit.pddl.source import Source
from tacit.pddl.syntax import (
    Action,
    Atom,
    Domain,
    Form,
    Function,
    Object,
    Predicate,
    Typed,
)
from tacit.pddl.typed import read_typed
from tacit.pddl.types import Types, check_acyclic

_FORMS = {
    ":unfactored-privacy": Form.UNFACTORED,
    ":unfactored_privacy": Form.UNFACTORED,
    ":factored-privacy": Form.FACTORED,
    ":factored_privacy": Form.FACTORED,
}
_REQUIREMENTS = {
    *_FORMS,
    *(":strips", ":typing", ":equality", ":negative-preconditions", ":action-costs"),
    *(":multi-agent", ":disjunctive-preconditions", ":existential-preconditions", ":adl"),
    *(":universal-preconditions", ":quantified-preconditions", ":conditional-effects"),
    *(":fluents", ":numeric-fluents", ":object-fluents", ":durative-actions", ":constraints"),
    *(":duration-inequalities", ":continuous-effects", ":derived-predicates", ":preferences"),
    *(":timed-initial-literals", ":goal-utilities", ":time", ":private-predicates"),
}
_UNSUPPORTED_SECTIONS = {
    ":durative-action": "durative actions",
    ":derived": "derived predicates",
    ":constraints": "constraints",
    ":process": "processes",
    ":event": "events",
}


def read_domain(source: Source, form: Form | None = None) -> Domain:
    """Parse a domain. `form` is what the layout of the files says, if it says anything.

    >>> text = "(define (domain d) (:predicates (p)) (:action a :agent ?x :effect (p)))"
    >>> read_domain(Source("example", text)).actions[0].name
    'a'
    """
    report = Report(source)
    reader = _DomainReader(report, read_sexpr(source), form)
    domain = reader.read()
    report.check()
    return domain


class _DomainReader:
    def __init__(self, report: Report, top: Group, form: Form | None):
        self._report = report
        self._top = top
        self._form = form or Form.UNFACTORED
        self._form_is_known = form is not None
        self._requirements: list[str] = []
        self._types: list[Typed] = []
        self._constants: list[Object] = []
        self._predicates: list[Predicate] = []
        self._functions: list[Function] = []
        self._actions: list[Group] = []

    def read(self) -> Domain:
        name = "?"
        try:
            name = read_header(self._top, "domain").text
        except Mistake as mistake:
            self._report.add(mistake)
        sections = self._report.each(self._top.items[2:], _section)
        for group in sections:
            if group.head == ":requirements":
                self._report.each(group.items[1:], self._requirement)
        self._report.each(sections, self._read_section)
        types = self._checked_types()
        scope = Scope(types, self._predicates, self._functions, self._constants)
        self._check_declarations(scope)
        actions = self._report.each(self._actions, lambda group: self._action(group, scope))
        self._try(lambda: check_unique("action", actions_as_names(actions)))
        return Domain(
            self._report.source,
            self._form,
            name,
            tuple(self._requirements),
            tuple(self._types),
            tuple(self._constants),
            tuple(self._predicates),
            tuple(self._functions),
            tuple(actions),
        )

    def _try(self, work: Callable[[], None]) -> None:
        self._report.each([work], lambda f: f())

    def _checked_types(self) -> Types:
        self._try(lambda: check_acyclic(self._types))
        return Types(self._types)

    def _check_declarations(self, scope: Scope) -> None:
        self._try(lambda: check_unique("predicate", self._predicates))
        self._try(lambda: check_unique("function", self._functions))
        self._try(lambda: check_unique("constant", self._constants))
        self._report.each(self._constants, lambda c: scope.check_types([c]))
        for item in (*self._predicates, *self._functions):
            self._report.each(item.parameters, lambda p: scope.check_types([p]))
            self._try(lambda item=item: check_unique("parameter", item.parameters))  # type: ignore[misc]

    def _requirement(self, node: Node) -> None:
        word = node.text if isinstance(node, Word) else "("
        if word not in _REQUIREMENTS:
            raise Mistake(
                node.at, f"unknown requirement '{word}'", nearest(word, sorted(_REQUIREMENTS))
            )
        said = _FORMS.get(word)
        if said is not None:
            if self._form_is_known and said is not self._form:
                raise Mistake(
                    node.at,
                    f"'{word}' contradicts the {self._form.value} layout of the files",
                    "factored problems have domain-AGENT.pddl and problem-AGENT.pddl per agent",
                )
            self._form = said
        self._requirements.append(word)

    def _read_section(self, group: Group) -> None:
        match group.head:
            case ":requirements":
                pass
            case ":types":
                self._types += read_typed(group.items[1:], "a type")
            case ":constants":
                self._constants += read_objects(group.items[1:], self._form, self._report)
            case ":predicates":
                self._report.each(group.items[1:], self._predicate_item)
            case ":functions":
                self._functions += _functions(group.items[1:])
            case ":action":
                self._actions.append(group)
            case str(head) if head in _UNSUPPORTED_SECTIONS:
                feature = _UNSUPPORTED_SECTIONS[head]
                raise Mistake(group.at, f"'{head}': {feature} are not supported", None, True)
            case head:
                known = [":requirements", ":types", ":constants", ":predicates", ":functions"]
                hint = nearest(head or "", [*known, ":action"])
                raise Mistake(group.at, f"unknown section '{head}' in a domain", hint)

    def _predicate_item(self, node: Node) -> None:
        group = need_group(node, "a predicate '(name ?x - type …)'")
        if group.head != ":private":
            self._predicates.append(_predicate(group, private=False, agent=None))
            return
        rest = group.items[1:]
        agent: str | None = None
        if self._form is Form.UNFACTORED:
            agent, rest = _block_agent(group)
        self._report.each(rest, lambda item: self._private(item, agent))

    def _private(self, node: Node, agent: str | None) -> None:
        group = need_group(node, "a private predicate '(name ?x - type …)'")
        self._predicates.append(_predicate(group, private=True, agent=agent))

    def _action(self, group: Group, scope: Scope) -> Action:
        if len(group.items) < 2:
            raise Mistake(group.at, "expected the name of the action")
        name = need_name(group.items[1], "the name of the action")
        fields = _action_fields(group, name.text)
        agent = self._agent(fields, name)
        own = read_typed(_list(fields.get(":parameters")), "a parameter", variables=True)
        parameters = (agent, *own) if agent else tuple(own)
        variables = {p.name: p for p in parameters}
        check_unique("parameter", parameters)
        scope.check_types(parameters)
        condition, effect = fields.get(":precondition"), fields.get(":effect")
        precondition = read_condition(condition[0]) if condition else ()
        if not effect:
            raise Mistake(group.at, f"action '{name.text}' has no ':effect'")
        effects, cost = read_effect(effect[0])
        for literal in (*precondition, *effects):
            scope.check_fact(literal.atom, variables)
        for term in cost:
            if isinstance(term, Atom):
                scope.check_term(term, variables)
        return Action(name.text, agent, parameters, precondition, effects, cost, group.at)

    def _agent(self, fields: dict[str, list[Node]], name: Word) -> Typed | None:
        given = fields.get(":agent")
        if self._form is Form.FACTORED:
            if given:
                raise Mistake(given[0].at, "':agent' is not part of the factored form")
            return None
        if not given:
            raise Mistake(
                name.at,
                f"action '{name.text}' has no ':agent'",
                "write ':agent ?a - TYPE' to say whose action it is",
            )
        agents = read_typed(given, "the agent's variable", variables=True)
        if len(agents) != 1:
            raise Mistake(given[0].at, f"expected one agent variable, found {len(agents)}")
        return agents[0]


def actions_as_names(actions: list[Action]) -> list[Typed]:
    """Actions as bare names with their places."""
    return [Typed(a.name, (), a.at) for a in actions]


def read_header(top: Group, kind: str) -> Word:
    """The name in `(define (domain NAME) …)` or `(define (problem NAME) …)`."""
    head = top.items[1] if len(top.items) > 1 else None
    if not isinstance(head, Group) or head.head != kind or len(head.items) != 2:
        at = head.at if head else top.at
        found = head.head if isinstance(head, Group) else None
        other = {"domain": "problem", "problem": "domain"}[kind]
        hint = f"this looks like a {other} file" if found == other else None
        raise Mistake(at, f"expected '({kind} NAME)'", hint)
    return need_name(head.items[1], f"the name of the {kind}")


def read_objects(items: list[Node], form: Form, report: Report) -> list[Object]:
    """`(:objects …)` or `(:constants …)`: public names, and names in `(:private …)` blocks."""
    done: list[Object] = []
    public = [n for n in items if not (isinstance(n, Group) and n.head == ":private")]
    blocks = [n for n in items if isinstance(n, Group) and n.head == ":private"]
    for owner, names in [(None, public), *report.each(blocks, lambda b: _block_owner(b, form))]:
        typed = read_typed(names, "an object")
        done.extend(Object(item.name, item.types, owner, item.at) for item in typed)
    return sorted(done, key=lambda item: item.at)


def _block_owner(block: Group, form: Form) -> tuple[str, list[Node]]:
    if form is Form.FACTORED:
        return "", block.items[1:]
    if len(block.items) < 2:
        raise Mistake(block.at, "expected '(:private AGENT object - type …)'")
    return need_name(block.items[1], "the agent that owns these objects").text, block.items[2:]


def _block_agent(group: Group) -> tuple[str, list[Node]]:
    """`(:private ?agent - type …)`: the variable, and the predicates behind it."""
    words = [item for item in group.items[1:] if isinstance(item, Word)]
    if not words or words[0].text[0] != "?":
        raise Mistake(
            group.at,
            "expected '(:private ?agent - TYPE (predicate …) …)'",
            "a block without an agent belongs to the factored form (':factored-privacy')",
        )
    rest = group.items[2:]
    if len(words) > 1 and words[1].text == "-":
        rest = group.items[4:]
    return words[0].text, rest


def _section(node: Node) -> Group:
    group = need_group(node, "a section '(:name …)'")
    if group.head is None or group.head[0] != ":":
        raise Mistake(group.at, "expected a section '(:name …)'")
    return group


def _predicate(group: Group, private: bool, agent: str | None) -> Predicate:
    name = need_name(group.items[0] if group.items else group, "the name of a predicate")
    parameters = tuple(read_typed(group.items[1:], "a parameter", variables=True))
    position = None
    if agent is not None:
        names = [p.name for p in parameters]
        if agent not in names:
            raise Mistake(
                group.at,
                f"private predicate '{name.text}' does not mention its agent '{agent}'",
                f"give it a parameter '{agent}', so that every fact of it has one owner",
            )
        position = names.index(agent)
    return Predicate(name.text, parameters, private, position, group.at)


def _functions(items: list[Node]) -> list[Function]:
    done: list[Function] = []
    for node in items:
        if isinstance(node, Word):
            if node.text not in ("-", "number"):
                raise Mistake(node.at, f"expected a function '(name …)', found '{node.text}'")
            continue
        name = need_name(node.items[0] if node.items else node, "the name of a function")
        parameters = tuple(read_typed(node.items[1:], "a parameter", variables=True))
        done.append(Function(name.text, parameters, node.at))
    return done


def _action_fields(group: Group, name: str) -> dict[str, list[Node]]:
    known = (":agent", ":parameters", ":precondition", ":effect")
    fields: dict[str, list[Node]] = {}
    current: list[Node] | None = None
    for node in group.items[2:]:
        if isinstance(node, Word) and node.text[0] == ":":
            if node.text in (":duration", ":condition"):
                raise Mistake(node.at, "durative actions are not supported", None, True)
            if node.text not in known:
                hint = nearest(node.text, known)
                raise Mistake(node.at, f"unknown '{node.text}' in action '{name}'", hint)
            if node.text in fields:
                raise Mistake(node.at, f"action '{name}' has '{node.text}' twice")
            current = fields.setdefault(node.text, [])
        elif current is None:
            raise Mistake(node.at, f"expected ':parameters', ':precondition' … in action '{name}'")
        else:
            current.append(node)
    for key in known[1:]:
        if key in fields and len(fields[key]) != 1:
            at = fields[key][1].at if len(fields[key]) > 1 else group.at
            raise Mistake(at, f"'{key}' of action '{name}' takes one parenthesised form")
    return fields


def _list(field: list[Node] | None) -> list[Node]:
    return need_group(field[0], "a list of parameters").items if field else []
