"""Problem files: `(define (problem …) …)` of either form into a `Problem`."""

from __future__ import annotations

from tacit.errors import nearest
from tacit.pddl.declarations import check_kind, read_header, read_objects, section
from tacit.pddl.formula import TOTAL_COST, read_atom, read_condition, read_number
from tacit.pddl.report import Mistake, Notice, Report, Unknown
from tacit.pddl.scope import Scope, check_unique
from tacit.pddl.sexpr import Group, Node, Word, need_group, need_name, read_sexpr
from tacit.pddl.source import Source
from tacit.pddl.syntax import EQUALS, Atom, Domain, Form, Literal, Object, Problem
from tacit.pddl.types import types_of

_SECTIONS = (":domain", ":objects", ":init", ":goal", ":metric", ":requirements")


def read_problem(source: Source, domain: Domain) -> tuple[Problem, tuple[Notice, ...]]:
    """Parse a problem of `domain`; returns it with the warnings a user should see."""
    report = Report(source)
    reader = _ProblemReader(report, read_sexpr(source), domain)
    try:
        reader.check_identity()
    except Mistake as mistake:
        report.add(mistake)
        report.check()
    problem = reader.read()
    report.check()
    return problem, tuple(report.warnings)


class _ProblemReader:
    def __init__(self, report: Report, top: Group, domain: Domain):
        self._report = report
        self._top = top
        self._domain = domain
        self._sections: dict[str, Group] = {}
        self._values: list[tuple[Atom, int]] = []
        self._ignored: set[str] = set()
        self._is_complete = True  # no section was unknown

    def check_identity(self) -> None:
        """The file is a problem, and not one of an entirely different domain."""
        check_kind(self._top, "problem")
        for node in self._top.items[2:]:
            if isinstance(node, Group) and node.head == ":domain" and len(node.items) == 2:
                name = need_name(node.items[1], "the name of the domain")
                if not nearest(name.text, [self._domain.name]):
                    self._check_domain(name)

    def read(self) -> Problem:
        name = self._report.each([self._top], lambda top: read_header(top, "problem"))
        self._report.each(self._top.items[2:], self._section)
        domain_name = self._report.each([self._top], self._domain_name)
        objects = self._objects()
        scope = Scope(
            types_of(self._domain.types),
            self._domain.predicates,
            self._domain.functions,
            (*self._domain.constants, *objects),
        )
        self._report.each(objects, lambda item: scope.check_types([item]))
        self._check_owners(scope, objects)
        init = self._init(scope)
        goal = self._report.each([self._top], lambda top: self._goal(top, scope))
        minimize = self._report.each([self._top], lambda top: self._metric())
        return Problem(
            self._report.source,
            name[0] if name else "?",
            domain_name[0] if domain_name else "?",
            objects,
            init,
            tuple(self._values),
            goal[0] if goal else (),
            bool(minimize and minimize[0]),
            self._requirements(),
        )

    def _section(self, node: Node) -> None:
        group = section(node)
        head = group.head or ""
        if head in (":constraints", ":length"):
            raise Mistake(group.at, f"'{head}' is not supported", None, True)
        if head not in _SECTIONS:
            self._is_complete = False
            self._report.lose("object")
            hint = nearest(head, _SECTIONS)
            raise Mistake(group.at, f"unknown section '{head}' in a problem", hint, word=1)
        if head in self._sections:
            raise Mistake(group.at, f"section '{head}' appears twice")
        self._sections[head] = group

    def _requirements(self) -> tuple[str, ...]:
        group = self._sections.get(":requirements")
        items = group.items[1:] if group else ()
        return tuple(item.text for item in items if isinstance(item, Word))

    def _domain_name(self, top: Group) -> str:
        group = self._sections.get(":domain")
        if group is None:
            self._missing("(:domain NAME)")
            return "?"
        if len(group.items) != 2:
            raise Mistake(group.at, "expected '(:domain NAME)'")
        name = need_name(group.items[1], "the name of the domain")
        self._check_domain(name)
        return name.text

    def _check_domain(self, name: Word) -> None:
        if name.text != self._domain.name:
            raise Mistake(
                name.at,
                f"this problem is for domain '{name.text}', but {self._domain.source.name} "
                f"defines '{self._domain.name}'",
            )

    def _missing(self, form: str) -> None:
        """A section is missing; reported only if no unknown section may be it, misspelled."""
        if self._is_complete:
            self._report.add(Mistake(self._top.at, f"the problem has no '{form}'"))

    def _objects(self) -> tuple[Object, ...]:
        group = self._sections.get(":objects")
        if group is None:
            return ()
        objects = tuple(read_objects(group.items[1:], self._domain.form, self._report))
        check_unique(self._report, "object", objects)
        constants = {item.name: item for item in self._domain.constants}
        for item in objects:
            constant = constants.get(item.name)
            if constant and (constant.types, constant.owner) != (item.types, item.owner):
                message = f"'{item.name}' is also a constant, of another type or owner"
                self._report.add(Mistake(item.at, message))
        return objects

    def _check_owners(self, scope: Scope, objects: tuple[Object, ...]) -> None:
        if self._domain.form is Form.FACTORED:
            return

        constants = Report(self._domain.source)
        for report, items in ((constants, self._domain.constants), (self._report, objects)):
            for item in items:
                if item.owner and item.owner not in scope.objects:
                    message = f"'{item.name}' is private to '{item.owner}', which is not declared"
                    at = report.source.before(item.at, item.owner)
                    known = scope.objects
                    report.add(Unknown(at, "object", item.owner, known, message=message))
        constants.check()

    def _init(self, scope: Scope) -> tuple[Atom, ...]:
        group = self._sections.get(":init")
        if group is None:
            self._missing("(:init …)")
            return ()
        facts: dict[tuple[str, ...], Atom] = {}

        def keep(node: Node) -> None:
            atom = self._initial_fact(need_group(node, "a fact"), scope)
            if atom is not None:
                facts.setdefault((atom.name, *atom.args), atom)

        self._report.each(group.items[1:], keep)
        return tuple(facts.values())

    def _initial_fact(self, group: Group, scope: Scope) -> Atom | None:
        if group.head == EQUALS:
            self._value(group, scope)
            return None
        if group.head == "at" and len(group.items) == 3 and isinstance(group.items[2], Group):
            raise Mistake(group.at, "timed initial literals are not supported", None, True)
        if group.head == "not":
            for literal in read_condition(group, self._report):
                scope.check_fact(literal.atom, {})
            return None
        atom = read_atom(group)
        if atom.name not in scope.predicates and self._domain.form is Form.FACTORED:
            self._ignore(atom, scope)
            return None
        scope.check_fact(atom, {})
        return atom

    def _ignore(self, atom: Atom, scope: Scope) -> None:
        """Factored files may contain facts that do not concern their agent."""
        hint = "" if atom.name in self._ignored else nearest(atom.name, scope.predicates)
        self._ignored.add(atom.name)
        message = f"ignored {atom}: this agent has no predicate '{atom.name}'"
        self._report.warn("undeclared predicate", atom.at, message, hint)

    def _value(self, group: Group, scope: Scope) -> None:
        items = group.items[1:]
        if len(items) != 2 or not isinstance(items[0], Group) or not isinstance(items[1], Word):
            raise Mistake(group.at, "expected '(= (function …) NUMBER)'")
        term = read_atom(items[0], "a function term")
        scope.check_term(term, {})
        number = read_number(items[1])
        if term.name != TOTAL_COST:
            self._values.append((term, number))

    def _goal(self, top: Group, scope: Scope) -> tuple[Literal, ...]:
        group = self._sections.get(":goal")
        if group is None:
            self._missing("(:goal …)")
            return ()
        if len(group.items) != 2:
            raise Mistake(group.at, "expected '(:goal (and …))'")
        goal = read_condition(group.items[1], self._report)
        for literal in goal:
            if literal.atom.name == EQUALS:
                raise Mistake(literal.atom.at, "a goal cannot be an equality")
        self._report.each(goal, lambda literal: scope.check_fact(literal.atom, {}))
        return goal

    def _metric(self) -> bool:
        group = self._sections.get(":metric")
        if group is None:
            return False
        items = group.items[1:]
        target = items[1] if len(items) == 2 else None
        named = isinstance(target, Group) and target.head == TOTAL_COST and len(target.items) == 1
        bare = isinstance(target, Word) and target.text == TOTAL_COST
        what = items[0].text if items and isinstance(items[0], Word) else ""
        if what != "minimize" or not (named or bare):
            raise Mistake(
                group.at, "only '(:metric minimize (total-cost))' is supported", None, True
            )
        return True
