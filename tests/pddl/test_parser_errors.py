"""What is said about mistakes: one diagnostic each, at the right place, with a hint that helps."""

from __future__ import annotations

import pickle
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from support.delivery import DOMAIN, OWN_DOMAIN, OWN_PROBLEM, PROBLEM, mistakes

from tacit.errors import Diagnostic, ExitCode, InputError, UnsupportedError
from tacit.pddl.reader import read_agent, read_texts
from tacit.pddl.report import MAX_MISTAKES, summed_up
from tacit.pddl.source import Source
from tacit.pddl.syntax import Description

MARK = "«"
TEXTS = {"domain": DOMAIN, "problem": PROBLEM}
OWN_TEXTS = {"domain-t1": OWN_DOMAIN, "problem-t1": OWN_PROBLEM}


def _spelled(text: str) -> str:
    """Characters that cannot be seen, from their numbers."""
    plain = text.replace("␛", "\x1b")
    return re.sub("‹([0-9A-F]+)›", lambda found: chr(int(found[1], 16)), plain)


@dataclass
class Case:
    """One paragraph of mistakes.txt: changes to files, and what is said."""

    name: str
    changes: list[tuple[str, dict[str, list[str]]]] = field(default_factory=list)

    @classmethod
    def read(cls, paragraph: str) -> Case:
        name, *lines = paragraph.strip("\n").split("\n")
        case = cls(name)
        for line in lines:
            if line in TEXTS or line in OWN_TEXTS:
                case.changes.append((line, {c: [] for c in "-+!?~"}))
            else:
                case.changes[-1][1][line[0]].append(line[2:])
        return case

    def __getitem__(self, kind: str) -> str:
        """What is said: the message of a mistake (!) or warning (~), or the hint (?)."""
        return "\n".join(self.changes[-1][1][kind])

    def texts(self) -> tuple[dict[str, str], str, int, int]:
        """Domain and problem with the changes, and the file, line and column of the mark."""
        texts = dict(TEXTS if self.changes[0][0] in TEXTS else OWN_TEXTS)
        for file, parts in self.changes:
            old, new = (_spelled("\n".join(parts[kind])) for kind in "-+")
            assert old in texts[file], "the case is out of date"
            texts[file] = texts[file].replace(old, new, 1)
        [file] = [file for file, text in texts.items() if MARK in text]
        before = texts[file][: texts[file].index(MARK)]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        return {**texts, file: texts[file].replace(MARK, "")}, file, line, column

    def read_texts(self) -> Description:
        domain, problem = (Source(name, text) for name, text in self.texts()[0].items())
        is_own = "-t1" in domain.name
        return read_agent("t1", domain, problem) if is_own else read_texts(domain, problem)


_, *PARAGRAPHS = (Path(__file__).parent / "mistakes.txt").read_text(encoding="utf-8").split("## ")
CASES = [Case.read(paragraph) for paragraph in PARAGRAPHS]
MISTAKES = [case for case in CASES if not case["~"]]
WARNINGS = [case for case in CASES if case["~"]]


@pytest.mark.parametrize("case", MISTAKES, ids=[case.name for case in MISTAKES])
def test_one_mistake_is_reported_once(case: Case) -> None:
    _, file, line, column = case.texts()
    with pytest.raises(InputError) as caught:
        case.read_texts()
    [found] = caught.value.diagnostics
    assert (found.file, found.line, found.column) == (file, line, column), found
    assert case["!"] in found.message
    assert case["?"] in (found.hint or "")
    assert bool(case["?"]) == bool(found.hint)


@pytest.mark.parametrize("case", WARNINGS, ids=[case.name for case in WARNINGS])
def test_what_is_odd_is_reported_once(case: Case) -> None:
    _, file, line, column = case.texts()
    [found] = [warning for warning in case.read_texts().warnings if case["~"] in warning]
    assert found.startswith(f"{file}:{line}:{column}: {case['~']}")
    assert case["?"] in found


@pytest.mark.parametrize(
    ("file", "old", "new", "feature"),
    [
        ("domain", "(at ?p ?l) (not", "(when (at ?p ?l) (at ?p ?l)) (not", "conditional effects"),
        ("domain", "(at ?p ?l) (not", "(forall (?x - place) (at ?p ?x)) (not", "quantified"),
        ("domain", "(at ?p ?l) (not", "(oneof (at ?p ?l)) (not", "non-deterministic effects"),
        ("domain", "(and (parked ?t ?a)", "(or (parked ?t ?a)", "disjunctions"),
        ("domain", "(road ?a ?b))", "(forall (?x - place) (road ?a ?x)))", "quantifiers"),
        ("domain", "(road ?a ?b))", "(exists (?x - place) (road ?a ?x)))", "quantifiers"),
        ("domain", "(road ?a ?b))", "(imply (road ?a ?b) (road ?a ?b)))", "implications"),
        ("domain", "(road ?a ?b))", "(not (and (road ?a ?b))))", "'not' around"),
        ("domain", "(road ?a ?b))", "(> (length ?a ?b) 2))", "numeric conditions"),
        ("domain", "(road ?a ?b))", "(= (length ?a ?b) 2))", "numeric conditions"),
        ("domain", "(increase (total-cost)", "(decrease (total-cost)", "numeric effects"),
        ("domain", "(increase (total-cost)", "(increase (fuel ?t)", "numeric fluents"),
        ("domain", "(total-cost) (length ?a ?b)", "(total-cost) (* 2 2)", "arithmetic"),
        ("domain", "(:action drive", "(:durative-action drive", "durative actions"),
        ("domain", "    :precondition (and (p", "    :duration (and (p", "durative actions"),
        ("domain", "  (:action drive", "  (:derived (x) (y)) (:action drive", "derived predicates"),
        ("domain", "  (:action drive", "  (:constraints ()) (:action drive", "constraints"),
        ("domain", "(length ?a ?b))))", "9999999999)))", "cost 9999999999"),
        ("problem", "(at p1 depot)", "(at 5 (at p1 depot))", "timed initial literals"),
        ("problem", "depot) 2)", "depot) 2.5)", "cost 2.5"),
        ("problem", "depot) 2)", "depot) -2)", "cost -2"),
        ("problem", "(and (at p1 shop))", "(or (at p1 shop))", "disjunctions"),
        ("problem", "(and (at p1 shop))", "(preference a (at p1 shop))", "preferences"),
        ("problem", "(:metric minimize", "(:metric maximize", "only '(:metric minimize"),
        ("problem", "  (:metric", "  (:constraints ()) (:metric", "':constraints'"),
    ],
)
def test_what_is_not_supported_is_named(file: str, old: str, new: str, feature: str) -> None:
    assert old in TEXTS[file], "the case is out of date"
    texts = {**TEXTS, file: TEXTS[file].replace(old, new, 1)}
    with pytest.raises(UnsupportedError) as caught:
        read_texts(Source("domain", texts["domain"]), Source("problem", texts["problem"]))
    [found] = caught.value.diagnostics
    assert caught.value.exit_code == ExitCode.UNSUPPORTED
    assert feature in found.message
    assert "supported" in found.message
    start = Source(file, texts[file]).text.index(new.split("(length", maxsplit=1)[0])
    line, _ = Source(file, texts[file]).place(start)
    assert (found.file, found.line) == (file, line)
    assert found.column is not None


def test_the_place_of_what_is_not_supported() -> None:
    text = DOMAIN.replace("(at ?p ?l) (not", "(when (at ?p ?l) (at ?p ?l)) (not")
    [found] = mistakes(text)
    assert Source("domain", text).place(text.index("(when")) == (found.line, found.column)


def test_several_mistakes_are_reported_together_in_their_order() -> None:
    text = DOMAIN.replace(":typing", ":typng").replace("?p - package ?l", "?p - pkg ?l")
    text = text.replace("(road ?a ?b))", "(raod ?a ?c))").replace("(not (at ?p ?l))", "(at ?p ?x)")
    found = mistakes(text)
    assert [d.message.split("'")[1] for d in found] == [":typng", "?p", "raod", "?x"]
    assert [d.line for d in found] == [2, 6, 15, 21]


def test_a_wrong_file_wins_over_unsupported_features() -> None:
    text = DOMAIN.replace(":typing", ":typng").replace("(and (parked ?t ?a)", "(or (parked ?t ?a)")
    with pytest.raises(InputError) as caught:
        read_texts(Source("domain", text), Source("problem", PROBLEM))
    assert caught.value.exit_code == ExitCode.BAD_INPUT
    assert len(caught.value.diagnostics) == 2


@pytest.mark.parametrize(
    ("domain", "problem", "message"),
    [
        (PROBLEM, DOMAIN, "expected '(domain NAME)': this is a problem file"),
        (DOMAIN, DOMAIN, "expected '(problem NAME)': this is a domain file"),
        (DOMAIN, PROBLEM.replace("delivery", "chess"), "for domain 'chess'"),
        ("", PROBLEM, "the file is empty"),
        ("; nothing\n", PROBLEM, "the file is empty"),
        ("delivery", PROBLEM, "expected '(define …)' here"),
        ("(domain delivery)", PROBLEM, "expected '(define …)' here"),
        (DOMAIN, "(define)", "expected '(problem NAME)'"),
        (DOMAIN.replace(":agent ?t - truck", ""), PROBLEM, "no action of this domain has an ':ag"),
        (OWN_DOMAIN, OWN_PROBLEM, "a factored problem needs the files of all its agents"),
        ("(" * 100 + ")" * 100, PROBLEM, "nested more than 60 deep"),
    ],
)
def test_entirely_wrong_files(domain: str, problem: str, message: str) -> None:
    found = mistakes(domain, problem)
    assert message in found[0].message
    assert len(found) <= 4


@pytest.mark.parametrize(("section", "lines"), [(":init", 3), (":goal", 1), (":domain", 1)])
def test_missing_sections(section: str, lines: int) -> None:
    rows = PROBLEM.split("\n")
    first = next(n for n, row in enumerate(rows) if f"({section}" in row)
    [found] = mistakes(problem="\n".join(rows[:first] + rows[first + lines :]))
    assert f"the problem has no '({section}" in found.message


def test_the_forms_contradict_each_other() -> None:
    text = DOMAIN.replace(":unfactored-privacy", ":unfactored-privacy :factored-privacy")
    assert "':factored-privacy' contradicts ':unfactored-privacy'" in mistakes(text)[0].message


def own_mistakes(domain: str = OWN_DOMAIN, problem: str = OWN_PROBLEM) -> tuple[Diagnostic, ...]:
    with pytest.raises(InputError) as caught:
        read_agent("t1", Source("domain", domain), Source("problem", problem))
    return caught.value.diagnostics


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (":parameters (?p", ":agent ?t :parameters (?p", "action 'drop-t1' has an ':agent'"),
        ("(:private\n", "(:private ?agent - truck\n", "a private predicate '(name ?x - type …)'"),
        (":factored-privacy", ":unfactored-privacy", "contradicts the layout of the files"),
        ("(parked t1 ?l)", "(parked t1 ?k)", "variable '?k'"),
    ],
)
def test_mistakes_in_factored_files(old: str, new: str, message: str) -> None:
    assert OWN_DOMAIN.count(old) == 1, "the case is out of date"
    [found] = own_mistakes(OWN_DOMAIN.replace(old, new))
    assert message in found.message


def test_a_warning_offers_the_nearest_name_as_well() -> None:
    problem = OWN_PROBLEM.replace("(parked t1 yard)", "(praked t1 yard)")
    found = read_agent("t1", Source("domain", OWN_DOMAIN), Source("problem", problem))
    assert found.warnings[0].endswith("no predicate 'praked'; did you mean 'parked'?")


def test_the_owner_of_a_constant_is_looked_for_in_the_right_file() -> None:
    text = DOMAIN.replace("depot - place", "depot - place (:private t9 x - place)")
    [found] = mistakes(text)
    assert (found.file, found.line) == ("domain", 4)
    assert "'x' is private to 't9'" in found.message


def test_very_many_mistakes_are_reported_quickly_and_briefly() -> None:
    names = " ".join(f"object-number-{n}" for n in range(3000))
    facts = " ".join(f"(at p1 objekt-number-{n})" for n in range(3000))
    problem = PROBLEM.replace("home shop", f"home shop {names}")
    problem = problem.replace("(at p1 depot)", f"{facts} (at {'x' * 100_000} depot)")
    start = time.process_time()
    found = mistakes(problem=problem)
    assert time.process_time() - start < 10
    assert len(found) == MAX_MISTAKES + 1
    assert found[-1].message == f"{3001 - MAX_MISTAKES:,} more mistakes in this file"
    assert max(len(str(d)) for d in found) < 800


@pytest.mark.parametrize(
    ("requirements", "missing"),
    [
        ("", ["typing", "unfactored-privacy", "action-costs", "multi-agent"]),
        (":typing :multi-agent :unfactored_privacy", ["action-costs"]),
        (":adl :multi-agent :private-predicates :fluents", []),
        (":typing :multi-agent :unfactored-privacy :numeric-fluents", []),
    ],
)
def test_requirements_that_are_used_but_not_declared(requirements: str, missing: list[str]) -> None:
    declared = ":typing :multi-agent :unfactored-privacy :action-costs"
    assert DOMAIN.count(declared) == 1
    text = DOMAIN.replace(declared, requirements)
    problem = PROBLEM.replace("(:domain delivery)", "(:domain delivery) (:requirements :strips)")
    found = read_texts(Source("domain", text), Source("problem", problem)).warnings
    assert [re.findall(r"':([a-z-]+)'", w.split(";")[0]) for w in found] == [missing][: len(found)]
    assert len(found) == bool(missing)
    problem = problem.replace(":strips", declared)
    assert not read_texts(Source("domain", text), Source("problem", problem)).warnings


def test_negations_and_equalities_want_their_requirements_too() -> None:
    goal = "(at p1 shop)"
    problem = PROBLEM.replace(f"(and {goal})", f"(and {goal} (not (at p1 home)))")
    text = DOMAIN.replace("(and (parked ?t ?a)", "(and (not (= ?a ?b)) (parked ?t ?a)")
    [found] = read_texts(Source("domain", text), Source("problem", problem)).warnings
    assert found == (
        "domain:15:29: used but not declared: ':equality', ':negative-preconditions' "
        "(line 11 of problem); add what is missing to ':requirements'"
    )


def test_a_private_fact_of_an_unknown_agent_is_ignored() -> None:
    text = DOMAIN.replace(
        "(:private ?agent", "(:private ?l - place (locked ?l - place))(:private ?a"
    )
    text = text.replace("(:private ?a - truck", "(:private ?agent - truck")
    problem = PROBLEM.replace("(at p1 depot)", "(at p1 depot) (locked shop)")
    [found] = read_texts(Source("domain", text), Source("problem", problem)).warnings
    assert found == (
        "problem:9:19: ignored (locked shop): it is private to 'shop', which is not an agent"
    )


def test_warnings_are_summed_up_by_their_kind() -> None:
    problem = OWN_PROBLEM.replace("(at p1 yard)", "(holds t2 p1) (secret t2) (open) (at p1 yard)")
    found = read_agent("t1", Source("d", OWN_DOMAIN), Source("p", problem)).warnings
    assert len(found) == 5
    assert [(w.split(": ")[1], more) for w, more in summed_up(found)] == [
        ("ignored (secret t2)", 2),
        ("ignored (parked t2 shop)", 1),
    ]
    assert summed_up(["a", "b", "a"]) == [("a", 1), ("b", 0)]
    assert summed_up(pickle.loads(pickle.dumps(found))) == summed_up(found)
