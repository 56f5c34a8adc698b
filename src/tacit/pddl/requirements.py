"""Requirements: which exist, and which of them files use without declaring them.

A missing requirement does not change how files are read. But other tools are stricter, and a
feature such as `:action-costs` may be used by accident.
"""

from __future__ import annotations

from collections.abc import Iterator

from tacit.pddl.source import Source
from tacit.pddl.syntax import EQUALS, Form, Pair

FORMS = {
    ":unfactored-privacy": Form.UNFACTORED,
    ":unfactored_privacy": Form.UNFACTORED,
    ":factored-privacy": Form.FACTORED,
    ":factored_privacy": Form.FACTORED,
}
REQUIREMENTS = {
    *FORMS,
    *(":strips", ":typing", ":equality", ":negative-preconditions", ":action-costs"),
    *(":multi-agent", ":disjunctive-preconditions", ":existential-preconditions", ":adl"),
    *(":universal-preconditions", ":quantified-preconditions", ":conditional-effects"),
    *(":fluents", ":numeric-fluents", ":object-fluents", ":durative-actions", ":constraints"),
    *(":duration-inequalities", ":continuous-effects", ":derived-predicates", ":preferences"),
    *(":timed-initial-literals", ":goal-utilities", ":time", ":private-predicates"),
}
_PRIVACY = {form: f":{form.value}-privacy" for form in Form}
_COVERS = {
    ":adl": {":typing", ":equality", ":negative-preconditions"},
    ":fluents": {":action-costs"},
    ":numeric-fluents": {":action-costs"},
    ":private-predicates": set(_PRIVACY.values()),
    **{name: {_PRIVACY[form]} for name, form in FORMS.items()},
}
_Use = tuple[str, Source, int]


def undeclared(pair: Pair) -> list[_Use]:
    """What a pair of files uses but does not require, each with the place of its first use."""
    declared = {*pair.domain.requirements, *pair.problem.requirements}
    declared = declared.union(*(_COVERS.get(name, set()) for name in declared))
    first: dict[str, _Use] = {}
    for use in _uses(pair):
        if use[0] not in declared:
            first.setdefault(use[0], use)
    return list(first.values())


def _uses(pair: Pair) -> Iterator[_Use]:
    """The uses that matter, in the order of the files within each kind."""
    domain, problem = pair.domain, pair.problem
    here, there = domain.source, problem.source
    privacy = _PRIVACY[domain.form]
    yield from ((":typing", here, item.at) for item in domain.types)
    yield from ((privacy, here, item.at) for item in domain.constants if item.private)
    yield from ((privacy, here, item.at) for item in domain.predicates if item.private)
    yield from ((privacy, there, item.at) for item in problem.objects if item.private)
    yield from ((":action-costs", here, item.at) for item in domain.functions)
    for action in domain.actions:
        if action.agent is not None:
            yield ":multi-agent", here, action.agent.at
        for literal in action.precondition:
            if literal.atom.name == EQUALS:
                yield ":equality", here, literal.atom.at
            elif not literal.positive:
                yield ":negative-preconditions", here, literal.atom.at
        if action.cost:
            yield ":action-costs", here, action.at
    for literal in problem.goal:
        if not literal.positive:
            yield ":negative-preconditions", there, literal.atom.at
    if problem.minimize:
        yield ":action-costs", there, there.before(len(there.text), ":metric")
