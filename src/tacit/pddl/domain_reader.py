"""Domain files: `(define (domain …) …)` of either form into a `Domain`."""

from __future__ import annotations

from dataclasses import replace

from tacit.errors import misspelled, nearest
from tacit.pddl.action_reader import read_actions
from tacit.pddl.declarations import (
    PRIVATE,
    block_agent,
    check_kind,
    read_functions,
    read_header,
    read_objects,
    read_predicate,
    section,
)
from tacit.pddl.report import Mistake, Report
from tacit.pddl.requirements import FORMS, REQUIREMENTS
from tacit.pddl.scope import Scope, check_unique
from tacit.pddl.sexpr import Group, Node, Word, need_group, read_sexpr
from tacit.pddl.source import Source
from tacit.pddl.syntax import OBJECT, Domain, Form, Function, Object, Predicate, Typed
from tacit.pddl.typed import read_typed
from tacit.pddl.types import Types, check_types

_UNSUPPORTED_SECTIONS = {
    ":durative-action": "durative actions",
    ":derived": "derived predicates",
    ":constraints": "constraints",
    ":process": "processes",
    ":event": "events",
}
_KINDS = {
    ":types": "type",
    ":constants": "object",
    ":predicates": "predicate",
    ":functions": "function",
}


def read_domain(source: Source, form: Form | None = None, agent: str | None = None) -> Domain:
    """Parse a domain. `form` is what the layout of the files implies, if anything.

    Actions written for `agent` may mention it although only the problem declares it: the reader of
    the problem checks that (`Scope.check_mentions`).

    >>> text = "(define (domain d) (:predicates (p)) (:action a :agent ?x :effect (p)))"
    >>> read_domain(Source("example", text)).actions[0].name
    'a'
    """
    report = Report(source)
    top = read_sexpr(source)
    try:
        check_kind(top, "domain")
    except Mistake as mistake:
        report.add(mistake)
        report.check()
    domain = _DomainReader(report, top, form, agent).read()
    report.check()
    return domain


class _DomainReader:
    def __init__(self, report: Report, top: Group, form: Form | None, agent: str | None):
        self._report = report
        self._top = top
        self._agent = agent
        self._form = form or Form.UNFACTORED
        self._form_by = "the layout of the files" if form else ""
        self._requirements: list[str] = []
        self._types: list[Typed] = []
        self._constants: list[Object] = []
        self._predicates: list[Predicate] = []
        self._block_agents: list[Typed] = []
        self._functions: list[Function] = []
        self._actions: list[Group] = []

    def read(self) -> Domain:
        name = self._report.each([self._top], lambda top: read_header(top, "domain"))
        sections = self._report.each(self._top.items[2:], section)
        for group in sections:  # the form decides how all other sections are read
            if group.head == ":requirements":
                self._report.each(group.items[1:], self._requirement)
        for group in sections:
            self._read_or_lose(group)
        scope = Scope(self._hierarchy(), self._predicates, self._functions, self._constants)
        self._check_declarations(scope)
        if self._agent is not None:
            scope.take_for_granted(self._agent)
        actions = read_actions(self._actions, self._form, scope, self._report)
        return Domain(
            self._report.source,
            self._form,
            name[0] if name else "?",
            tuple(self._requirements),
            tuple(self._types),
            tuple(self._constants),
            tuple(self._predicates),
            tuple(self._functions),
            actions,
            tuple(self._report.warnings),
        )

    def _hierarchy(self) -> Types:
        try:
            check_types(self._types)
        except Mistake as mistake:
            self._report.add(mistake)
            self._report.lose("type")
            return Types(())
        corrections = self._check_parents(Types(self._types))
        return Types(
            replace(item, types=tuple(corrections.get(name, name) for name in item.types))
            for item in self._types
        )

    def _check_parents(self, types: Types) -> dict[str, str]:
        """Report undeclared parents; returns the presumed spelling of misspelled ones.

        A parent that is never declared is legal, and a type. But one that is spelled almost like
        a declared type that is not below it is a mistake; any other one is worth a warning.
        """
        declared = {OBJECT, *(item.name for item in self._types)}
        reported: set[str] = set()
        corrections: dict[str, str] = {}
        for item in self._types:
            for name in item.types:
                if name in declared or name in reported:
                    continue
                reported.add(name)
                others = sorted(n for n in declared if name not in types.ancestors(n))
                alike = misspelled(name, others)
                if alike is None:
                    message = f"type '{name}' is not declared anywhere; it is taken as a new type"
                    hint = nearest(name, others)
                    self._report.warn("undeclared parent", item.at, message, hint, word=name)
                    continue
                corrections[name] = alike
                message = f"type '{name}', the parent of '{item.name}', is not declared"
                hint = f"did you mean '{alike}'? A new type has to be declared: '{name} - object'"
                self._report.add(Mistake(item.at, message, hint, word=name))
                self._report.lose("type", name)
        return corrections

    def _check_declarations(self, scope: Scope) -> None:
        check_unique(self._report, "predicate", self._predicates)
        check_unique(self._report, "function", self._functions)
        check_unique(self._report, "constant", self._constants)
        self._report.each(self._constants, lambda c: scope.check_types([c]))
        self._report.each(self._block_agents, lambda a: scope.check_types([a]))
        declared: list[Predicate | Function] = [*self._predicates, *self._functions]
        for item in declared:
            self._report.each(item.parameters, lambda p: scope.check_types([p]))
            check_unique(self._report, "parameter", item.parameters)

    def _requirement(self, node: Node) -> None:
        word = node.text if isinstance(node, Word) else "("
        if word not in REQUIREMENTS:
            raise Mistake(
                node.at, f"unknown requirement '{word}'", nearest(word, sorted(REQUIREMENTS))
            )
        form = FORMS.get(word)
        if form is not None:
            if self._form_by and form is not self._form:
                raise Mistake(
                    node.at,
                    f"'{word}' contradicts {self._form_by}, which is {self._form.value}",
                    "factored problems have domain-AGENT.pddl and problem-AGENT.pddl per agent",
                )
            self._form, self._form_by = form, f"'{word}'"
        self._requirements.append(word)

    def _read_or_lose(self, group: Group) -> None:
        """Read a section; if that fails, names it may have declared are not reported as missing."""
        try:
            self._read_section(group)
        except Mistake as mistake:
            self._report.add(mistake)
            if mistake.unsupported:
                return
            kinds = [_KINDS[group.head]] if group.head in _KINDS else _KINDS.values()
            for kind in kinds:
                self._report.lose(kind)

    def _read_section(self, group: Group) -> None:
        match group.head:
            case ":requirements":
                pass
            case ":types":
                self._types += read_typed(group.items[1:], "a type", report=self._report)
            case ":constants":
                self._constants += read_objects(group.items[1:], self._form, self._report)
            case ":predicates":
                for item in group.items[1:]:
                    self._predicate(item)
            case ":functions":
                self._functions += read_functions(group.items[1:])
            case ":action":
                self._actions.append(group)
            case str(head) if head in _UNSUPPORTED_SECTIONS:
                feature = _UNSUPPORTED_SECTIONS[head]
                raise Mistake(group.at, f"'{head}': {feature} are not supported", None, True)
            case head:
                hint = nearest(head or "", [":requirements", *_KINDS, ":action"])
                raise Mistake(group.at, f"unknown section '{head}' in a domain", hint, word=1)

    def _predicate(self, node: Node, private: bool = False, agent: Typed | None = None) -> None:
        """A predicate or a private block; one that cannot be read is not reported as missing."""
        try:
            group = need_group(node, "a predicate '(name ?x - type …)'")
            if group.head == PRIVATE and not private:
                self._private_block(group)
            else:
                self._predicates.append(read_predicate(group, private, agent))
        except Mistake as mistake:
            self._report.add(mistake)
            head = node.head if isinstance(node, Group) else None
            self._report.lose("predicate", None if head == PRIVATE else head)

    def _private_block(self, group: Group) -> None:
        rest = group.items[1:]
        agent: Typed | None = None
        if self._form is Form.UNFACTORED:
            agent, rest = block_agent(group)
            self._block_agents.append(agent)
        elif rest and isinstance(rest[0], Word):
            raise Mistake(
                rest[0].at,
                f"expected a private predicate '(name ?x - type …)', found '{rest[0].text}'",
                "a factored '(:private …)' block names no agent: its predicates are all of the "
                "file's own agent",
            )
        for item in rest:
            self._predicate(item, True, agent)
