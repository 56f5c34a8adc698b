"""The syntax tree: both forms, every supported feature, and every node at its place."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.delivery import DOMAIN, OWN_DOMAIN, OWN_PROBLEM, PROBLEM

from tacit.central.instance import Instance
from tacit.domains import DOMAINS
from tacit.pddl.domain_reader import read_domain
from tacit.pddl.reader import read_agent, read_folder, read_texts
from tacit.pddl.source import Source
from tacit.pddl.syntax import Action, Atom, Description, Form, Function, Object, Predicate, Typed
from tacit.pddl.types import Types

GAP = r"(?:\s|;[^\n]*\n)*"
BENCHMARKS = ["blocksworld", "depot", "driverlog", "elevators08", "logistics00", "rovers"]


def read(domain: str = DOMAIN, problem: str = PROBLEM) -> Description:
    return read_texts(Source("domain.pddl", domain), Source("problem.pddl", problem))


def own(domain: str = OWN_DOMAIN, problem: str = OWN_PROBLEM) -> Description:
    return read_agent("t1", Source("domain-t1.pddl", domain), Source("problem-t1.pddl", problem))


def bare(node: Any) -> Any:
    """A tree without offsets and sources."""
    if isinstance(node, tuple):
        return tuple(bare(item) for item in node)
    if not dataclasses.is_dataclass(node):
        return node
    names = [f.name for f in dataclasses.fields(node) if f.name not in ("at", "source", "warnings")]
    return type(node).__name__, *(bare(getattr(node, name)) for name in names)


def nodes(node: Any) -> Iterator[Any]:
    if isinstance(node, tuple):
        for item in node:
            yield from nodes(item)
    elif dataclasses.is_dataclass(node):
        yield node
        for field in dataclasses.fields(node):
            yield from nodes(getattr(node, field.name))


def check_places(description: Description) -> None:
    """At the offset of every node stands what the node is."""
    for pair in description.pairs:
        for part in (pair.domain, pair.problem):
            text = part.source.text.lower()
            for node in nodes(part):
                name = re.escape(getattr(node, "name", ""))
                if isinstance(node, Typed | Object):
                    assert re.compile(rf"{name}(?![^\s();])").match(text, node.at)
                elif isinstance(node, Atom | Predicate | Function):
                    assert re.compile(rf"\({GAP}{name}(?![^\s();])").match(text, node.at)
                elif isinstance(node, Action):
                    assert re.compile(rf"\({GAP}:action{GAP}{name}\s").match(text, node.at)


def test_an_unfactored_domain() -> None:
    domain = read().pairs[0].domain
    assert (domain.name, domain.form) == ("delivery", Form.UNFACTORED)
    assert [(t.name, t.types) for t in domain.types] == [
        ("truck", ("object",)),
        ("package", ("object",)),
        ("place", ("object",)),
    ]
    assert [(p.name, p.private, p.agent) for p in domain.predicates] == [
        ("at", False, None),
        ("road", False, None),
        ("parked", True, 0),
        ("holds", True, 0),
    ]
    drive = domain.actions[0]
    assert drive.agent is not None
    assert [(p.name, p.types) for p in drive.parameters] == [
        ("?t", ("truck",)),
        ("?a", ("place",)),
        ("?b", ("place",)),
    ]
    assert [str(literal) for literal in drive.precondition] == ["(parked ?t ?a)", "(road ?a ?b)"]
    assert [str(literal) for literal in drive.effect] == ["(not (parked ?t ?a))", "(parked ?t ?b)"]
    assert [str(term) for term in drive.cost] == ["(length ?a ?b)"]


def test_an_unfactored_problem() -> None:
    pair = read().pairs[0]
    assert [(o.name, o.types[0], o.owner) for o in pair.objects] == [
        ("depot", "place", None),
        ("t1", "truck", None),
        ("t2", "truck", None),
        ("p1", "package", None),
        ("home", "place", None),
        ("shop", "place", None),
        ("yard", "place", "t1"),
    ]
    assert str(pair.problem.init[-1]) == "(at p1 depot)"
    assert [(str(term), n) for term, n in pair.problem.values] == [
        ("(length yard depot)", 2),
        ("(length depot shop)", 3),
    ]
    assert [str(literal) for literal in pair.problem.goal] == ["(at p1 shop)"]
    assert pair.problem.minimize


def test_the_files_of_one_agent() -> None:
    [pair] = own().pairs
    assert (pair.agent, pair.domain.form) == ("t1", Form.FACTORED)
    assert [(p.name, p.private) for p in pair.domain.predicates] == [
        ("at", False),
        ("parked", True),
        ("holds", True),
        ("tired", True),
    ]
    assert [a.agent for a in pair.domain.actions] == [None, None]
    assert [(o.name, o.owner) for o in pair.objects] == [
        ("t1", None),
        ("t2", None),
        ("p1", None),
        ("shop", None),
        ("yard", ""),
    ]


def test_facts_that_do_not_concern_an_agent_are_ignored_with_a_warning() -> None:
    assert own().warnings == (
        "problem-t1.pddl:4:57: ignored (secret t2 p1): this agent has no predicate 'secret'",
        "problem-t1.pddl:4:27: ignored (parked t2 shop): it is private, and not to 't1'",
    )
    assert "(parked t2 shop)" in [str(atom) for atom in own().pairs[0].problem.init]


def test_an_agent_that_is_no_object_is_worth_a_warning() -> None:
    found = read_agent("t3", Source("d", OWN_DOMAIN), Source("problem-t3.pddl", OWN_PROBLEM))
    assert "the agent 't3' is not among the objects" in found.warnings[-1]


@pytest.mark.parametrize("place", ["1:1", "2:3", "3:31"])
def test_places_count_from_one(place: str) -> None:
    text = "(first\n  (second\n  ;                           (third"
    source = Source("x", text)
    at = text.index({"1": "(first", "2": "(second", "3": "(third"}[place[0]])
    assert source.where(at) == f"x:{place}"


@pytest.mark.parametrize("name", list(DOMAINS))
def test_places_in_embedded_problems(name: str) -> None:
    made = DOMAINS.get(name).generate("small", seed=3)
    check_places(read(made.domain, made.problem))


@pytest.mark.parametrize("form", ["unfactored", "factored"])
@pytest.mark.parametrize("name", BENCHMARKS)
def test_places_in_benchmarks(codmap: Path, name: str, form: str) -> None:
    check_places(read_folder(min((codmap / form / name).iterdir())))


def tokens(text: str) -> list[str]:
    return re.findall(r"[()]|[^\s()]+", text)


gaps = st.sampled_from([" ", "\n", "\t", "\r\n", " ; (a comment\n", "\f;\n;;)(\r\n", "\u2003"])


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_layout_and_letter_case_do_not_matter(data: st.DataObject) -> None:
    def other(text: str) -> str:
        words = tokens(text)
        between = data.draw(st.lists(gaps, min_size=7, max_size=7))
        loud = data.draw(st.integers(1, 6))
        parts = [w.upper() if n % loud == 0 else w for n, w in enumerate(words)]
        return "".join(f"{between[n % 7]}{w}{between[n % 5]}" for n, w in enumerate(parts))

    changed = read(other(DOMAIN), other(PROBLEM))
    assert bare(changed) == bare(read())
    check_places(changed)
    assert bare(own(other(OWN_DOMAIN), other(OWN_PROBLEM))) == bare(own())


def test_no_space_is_needed_at_parentheses() -> None:
    packed = re.sub(r"\s*([()])\s*", r"\1", DOMAIN)
    assert bare(read(packed)) == bare(read())


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: f"; by hand\n\n{text}; the end",
    ],
    ids=["byte order mark", "CRLF", "comments outside"],
)
def test_what_editors_do_to_files(spoil: Any, tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_bytes(spoil(DOMAIN).encode())
    (tmp_path / "problem.pddl").write_bytes(spoil(PROBLEM).encode())
    found = read_folder(tmp_path)
    assert bare(found) == bare(read()) == bare(read(spoil(DOMAIN), spoil(PROBLEM)))
    check_places(found)


def test_a_byte_order_mark_takes_no_column() -> None:
    assert read_domain(Source("d", "\ufeff" + DOMAIN)).types[0].at == DOMAIN.index("truck package")


@pytest.mark.parametrize("word", [":factored-privacy", ":factored_privacy", ":FACTORED-Privacy"])
def test_the_form_is_read_from_the_requirements(word: str) -> None:
    domain = read_domain(Source("d", OWN_DOMAIN.replace(":factored-privacy", word)))
    assert domain.form is Form.FACTORED


def one_action(parameters: str = "()", precondition: str = "()", effect: str = "(p)") -> Action:
    text = f"""(define (domain d) (:types car bus - vehicle agent) (:constants c - car)
      (:predicates (p) (q ?v - vehicle)) (:functions (f ?v - vehicle) (total-cost))
      (:action a :agent ?g - agent :parameters {parameters} :precondition {precondition}
       :effect {effect}))"""
    return read_domain(Source("d", text)).actions[0]


def test_either() -> None:
    action = one_action("(?x ?y - (either car bus) ?z)")
    assert [p.types for p in action.parameters[1:]] == [("car", "bus")] * 2 + [("object",)]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("()", []),
        ("(and)", []),
        ("(p)", ["(p)"]),
        ("(not (p))", ["(not (p))"]),
        ("(and (p) (and (q c) (and)) ())", ["(p)", "(q c)"]),
        ("(and (= ?x c) (not (= ?x ?y)))", ["(= ?x c)", "(not (= ?x ?y))"]),
    ],
)
def test_conditions(condition: str, expected: list[str]) -> None:
    action = one_action("(?x ?y - car)", condition)
    assert [str(literal) for literal in action.precondition] == expected


@pytest.mark.parametrize(
    ("effect", "cost"),
    [
        ("(p)", []),
        ("(and (p) (increase (total-cost) 3))", ["3"]),
        ("(and (increase (total-cost) 2.0) (increase (total-cost) (f ?x)))", ["2", "(f ?x)"]),
        ("(increase (total-cost) 1e3)", ["1000"]),
    ],
)
def test_costs(effect: str, cost: list[str]) -> None:
    assert [str(term) for term in one_action("(?x - car)", effect=effect).cost] == cost


def test_type_hierarchy() -> None:
    declared = (Typed("car", ("vehicle",), 0), Typed("boat", ("vehicle", "toy"), 0))
    types = Types((*declared, Typed("vehicle", ("object",), 0)))
    assert types.ancestors("boat") == {"boat", "vehicle", "toy", "object"}
    assert types.accepts(("vehicle",), ("car",))
    assert not types.accepts(("car",), ("vehicle",))
    assert types.accepts(("toy", "car"), ("boat",))
    assert types.overlap(("toy",), ("vehicle",))  # a boat is both
    assert not types.overlap(("toy",), ("car",))


AGENTS = """(define (domain d) (:types robot idle thing) (:constants r1 - robot)
  (:predicates (done ?t - thing) (:private ?agent - robot (has ?agent - robot ?t - thing)))
  (:action get :agent ?r - robot :parameters (?t - thing) :effect (has ?r ?t))
  (:action put :agent ?r - robot :parameters (?t - thing)
    :precondition (has ?r ?t) :effect (done ?t)))"""


def test_agents_may_be_constants_objects_or_owners_without_actions() -> None:
    problem = """(define (problem p) (:domain d)
      (:objects r2 - robot i1 - idle t - thing (:private i1 own - thing))
      (:init) (:goal (and (done t) (has r2 t))))"""
    instance = Instance(read(AGENTS, problem), {})
    assert instance.agents == ("i1", "r1", "r2")
    counts = {agent: instance.local(agent).counts for agent in instance.agents}
    assert counts["r1"] == {
        "public_actions": 1,
        "private_actions": 1,
        "private_facts": 1,
        "private_goals": 0,
    }
    assert counts["r2"]["private_goals"] == 1
    assert counts["i1"]["public_actions"] == counts["i1"]["private_actions"] == 0


def test_no_objects_and_no_metric() -> None:
    problem = "(define (problem p) (:domain d) (:init) (:goal ()))"
    found = read(AGENTS, problem).pairs[0]
    assert [item.name for item in found.objects] == ["r1"]
    assert not found.problem.minimize


def test_a_constant_may_be_repeated_among_the_objects() -> None:
    problem = "(define (problem p) (:domain d) (:objects r1 - robot) (:init) (:goal ()))"
    assert [item.name for item in read(AGENTS, problem).pairs[0].objects] == ["r1"]


def test_initial_facts_are_a_set() -> None:
    twice = PROBLEM.replace("(at p1 depot)", "(at p1 depot) (AT P1 depot) (not (at p1 shop))")
    assert bare(read(DOMAIN, twice)) == bare(read())
