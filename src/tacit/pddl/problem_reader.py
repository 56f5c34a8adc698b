"""Problem files: `(define (problem …) …)` of either form into a `Problem`."""

from __future__ import annotations

from tacit.errors import nearest
from tacit.pddl.domain_reader import read_header, read_objects
from tacit.pddl.formula import TOTAL_COST, read_atom, read_condition, read_number
from tacit.pddl.scope import Scope, check_unique
from tacit.pddl.sexpr import Group, Mistake, Node, Report, Word, need_group, need_name, read_sexpr
from tacit.pddl.source import Source
from tacit.pddl.syntax import Atom, Domain, Form, Literal, Object, Problem
from tacit.pddl.types import Types

_SECTIONS = (":domain", ":objects", ":init", ":goal", ":metric", ":requirements")


def read_problem(source: Source, domain: Domain) -> tuple[Problem, tuple[str, ...]]:
    """Parse a problem of `domain`; returns it with the warnings a user should see."""
    report = Report(source)
    problem = _ProblemReader(report, read_sexpr(source), domain).read()
    report.check()
    return problem, tuple(report.warnings)


class _ProblemReader:
    def __init__(self, report: Report, top: Group, domain: Domain):
        self._report = report
        self._top = top
        self._domain = domain
        self._sections: dict[str, Group] = {}
        self._values: list[tuple[Atom, int]] = []

    def read(self) -> Problem:
        name = self._report.each([self._top], lambda top: read_header(top, "problem").text)
        self._report.each(self._top.items[2:], self._section)
        domain_name = self._report.each([self._top], self._domain_name)
        objects = self._objects()
        scope = Scope(
            Types(self._domain.types),
            self._domain.predicates,
            self._domain.functions,
            (*self._domain.constants, *objects),
        )
        self._report.each(objects, lambda item: scope.check_types([item]))
        self._check_owners(scope)
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
        )

    def _section(self, node: Node) -> None:
        group = need_group(node, "a section '(:name …)'")
        head = group.head or ""
        if head in (":constraints", ":length"):
            raise Mistake(group.at, f"'{head}' is not supported", None, True)
        if head not in _SECTIONS:
            raise Mistake(
                group.at, f"unknown section '{head}' in a problem", nearest(head, _SECTIONS)
            )
        if head in self._sections:
            raise Mistake(group.at, f"section '{head}' stands here a second time")
        self._sections[head] = group

    def _domain_name(self, top: Group) -> str:
        group = self._sections.get(":domain")
        if group is None or len(group.items) != 2:
            raise Mistake(group.at if group else top.at, "expected '(:domain NAME)'")
        name = need_name(group.items[1], "the name of the domain")
        if name.text != self._domain.name:
            raise Mistake(
                name.at,
                f"this problem is for domain '{name.text}', but {self._domain.source.name} "
                f"defines '{self._domain.name}'",
            )
        return name.text

    def _objects(self) -> tuple[Object, ...]:
        group = self._sections.get(":objects")
        if group is None:
            return ()
        found = self._report.each(
            [group], lambda g: read_objects(g.items[1:], self._domain.form, self._report)
        )
        objects = tuple(found[0]) if found else ()
        self._report.each([objects], lambda items: check_unique("object", items))
        self._report.each(objects, self._check_redeclared)
        return objects

    def _check_redeclared(self, item: Object) -> None:
        for constant in self._domain.constants:
            if constant.name == item.name and constant.types != item.types:
                raise Mistake(item.at, f"'{item.name}' is also a constant, of another type")

    def _check_owners(self, scope: Scope) -> None:
        if self._domain.form is Form.FACTORED:
            return

        def check(item: Object) -> None:
            if item.owner is not None and item.owner not in scope.objects:
                raise Mistake(
                    item.at,
                    f"'{item.name}' is private to '{item.owner}', which is not declared",
                    nearest(item.owner, scope.objects),
                )

        self._report.each(scope.objects.values(), check)

    def _init(self, scope: Scope) -> tuple[Atom, ...]:
        group = self._sections.get(":init")
        if group is None:
            self._report.add(Mistake(self._top.at, "the problem has no '(:init …)'"))
            return ()
        facts: dict[tuple[str, ...], Atom] = {}

        def keep(node: Node) -> None:
            atom = self._initial_fact(need_group(node, "a fact"), scope)
            if atom is not None:
                facts.setdefault((atom.name, *atom.args), atom)

        self._report.each(group.items[1:], keep)
        return tuple(facts.values())

    def _initial_fact(self, group: Group, scope: Scope) -> Atom | None:
        if group.head == "=":
            self._value(group, scope)
            return None
        if group.head == "at" and len(group.items) == 3 and isinstance(group.items[2], Group):
            raise Mistake(group.at, "timed initial literals are not supported", None, True)
        if group.head == "not":
            for literal in read_condition(group):
                scope.check_fact(literal.atom, {})
            return None
        atom = read_atom(group)
        if atom.name not in scope.predicates and self._domain.form is Form.FACTORED:
            self._report.warn(
                atom.at, f"ignored {atom}: this agent has no predicate '{atom.name}'"
            )
            return None
        scope.check_fact(atom, {})
        return atom

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
            raise Mistake(top.at, "the problem has no '(:goal …)'")
        if len(group.items) != 2:
            raise Mistake(group.at, "expected '(:goal (and …))'")
        goal = read_condition(group.items[1])
        for literal in goal:
            if literal.atom.name == "=":
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
