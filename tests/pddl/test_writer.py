"""Writing: trees come back as they were, and an unfactored problem can take the other forms."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from support.places import CODMAP, NO_CODMAP

from tacit.domains import DOMAINS
from tacit.errors import InputError
from tacit.pddl.agents import Privacy
from tacit.pddl.classical import classical
from tacit.pddl.domain_reader import read_domain
from tacit.pddl.factor_writer import factor
from tacit.pddl.problem_reader import read_problem
from tacit.pddl.reader import read_agent, read_folder, read_texts
from tacit.pddl.source import Source
from tacit.pddl.syntax import Description, Form, Pair
from tacit.pddl.writer import write_pair

PROBLEMS = sorted(CODMAP.glob("unfactored/*/*"))
SAMPLE = [
    p for folder in sorted({p.parent for p in PROBLEMS}) for p in sorted(folder.iterdir())[:2]
]


def bare(tree: object) -> object:
    """A tree without offsets and sources."""
    if dataclasses.is_dataclass(tree):
        fields = (f.name for f in dataclasses.fields(tree) if f.name not in ("at", "source"))
        return (type(tree).__name__, *(bare(getattr(tree, name)) for name in fields))
    return tuple(bare(item) for item in tree) if isinstance(tree, tuple) else tree


def read_again(pair: Pair) -> Pair:
    domain, problem = (Source(n, t) for n, t in zip("dp", write_pair(pair), strict=True))
    again = read_agent(pair.agent, domain, problem) if pair.agent else read_texts(domain, problem)
    return again.pairs[0]


def read_part(agent: str, texts: tuple[str, str]) -> Pair:
    return read_agent(agent, Source(f"d-{agent}", texts[0]), Source(f"p-{agent}", texts[1])).pairs[
        0
    ]


def contents(pair: Pair) -> dict[str, object]:
    """What a pair of files says, regardless of order."""
    parts = [
        *((pair.domain, n) for n in ("name", "types", "constants", "predicates", "functions")),
        *((pair.domain, n) for n in ("actions",)),
        *((pair.problem, n) for n in ("name", "objects", "init", "values", "goal", "minimize")),
    ]
    found: dict[str, object] = {}
    for tree, name in parts:
        value = bare(getattr(tree, name))
        found[f"{type(tree).__name__}.{name}"] = (
            frozenset(value) if isinstance(value, tuple) else value
        )
    privacy = Privacy(pair)
    facts = ((atom.name, atom.args) for atom in pair.problem.init)
    kept = {fact for fact in facts if privacy.owner(*fact) in (None, pair.agent)}
    return {**found, "Problem.init": frozenset(kept)}


def check_codmap(folder: Path) -> None:
    whole = read_folder(folder)
    parts = read_folder(CODMAP / "factored" / folder.parent.name / folder.name)
    for pair in (*whole.pairs, *parts.pairs):
        assert bare(read_again(pair)) == bare(pair)
    ours = factor(whole)
    assert set(ours) == {pair.agent for pair in parts.pairs}
    for pair in parts.pairs:
        agent = str(pair.agent)
        assert contents(read_part(agent, ours[agent])) == contents(pair), (folder.name, agent)


def codmap(folders: list[Path]) -> list[Any]:
    if not folders:
        return [pytest.param(None, marks=pytest.mark.skip(reason=NO_CODMAP))]
    return [pytest.param(folder, id=f"{folder.parent.name}-{folder.name}") for folder in folders]


@pytest.mark.parametrize("folder", codmap(SAMPLE))
def test_codmap_problems(folder: Path) -> None:
    check_codmap(folder)


@pytest.mark.slow
@pytest.mark.parametrize("folder", codmap(PROBLEMS))
def test_all_codmap_problems(folder: Path) -> None:
    check_codmap(folder)


def generated(name: str) -> Description:
    made = DOMAINS.get(name).generate("small", seed=5)
    return read_texts(Source("domain", made.domain), Source("problem", made.problem))


@pytest.mark.parametrize("name", list(DOMAINS))
def test_embedded_problems_come_back(name: str) -> None:
    description = generated(name)
    assert bare(read_again(description.pairs[0])) == bare(description.pairs[0])
    for agent, texts in factor(description).items():
        part = read_part(agent, texts)
        assert bare(read_again(part)) == bare(part)


def read(domain: str, problem: str) -> Description:
    return read_texts(Source("domain.pddl", domain), Source("problem.pddl", problem))


ODD = """
(define (domain odd)
 (:requirements :typing :multi-agent :unfactored-privacy :negative-preconditions :equality)
 (:types ship truck - vehicle place vehicle - object)
 (:constants home - place (:private s1 dock - place) away - place)
 (:predicates (at ?v - vehicle ?number - place)
  (:private ?v - ship (sails ?agent - place ?v - ship))
  (free ?p - place)
  (:private ?agent - truck (fuel ?agent - truck) (paid ?x - (either truck ship) ?agent - truck)))
 (:functions (far ?p - place ?q - place) - number (total-cost) - number)
 (:action sail :agent ?s - ship :parameters (?q - place)
  :precondition (and (sails ?q ?s) (not (at ?s ?q)) (not (= ?q home)))
  :effect (and (at ?s ?q) (not (at ?s home)) (increase (total-cost) (far home ?q))))
 (:action drive :agent ?t - truck :parameters (?number - place)
  :precondition (fuel ?t) :effect (and (at ?t ?number) (increase (total-cost) 2)))
 (:action moor :agent ?v - vehicle :parameters () :precondition (free dock) :effect (at ?v dock))
 (:action bribe :agent ?s - ship :parameters (?t - truck) :effect (fuel ?t)))
"""
DAY = """
(define (problem day) (:domain odd)
 (:objects t1 - truck (:private s1 s1 - ship bay - place) t2 - truck (:private t2 yard - place))
 (:init (at s1 home) (sails bay s1) (sails away s1) (fuel t1) (free yard) (free home)
  (= (far home bay) 4) (= (far home away) 2) (= (far bay yard) 9) (= (total-cost) 0))
 (:goal (and (at s1 bay) (at t1 home) (at t2 yard) (not (free away))))
 (:metric minimize (total-cost)))
"""


def test_everything_the_tree_can_say_comes_back() -> None:
    pair = read(ODD, DAY).pairs[0]
    assert bare(read_again(pair)) == bare(pair)


def test_an_agent_gets_what_it_may_know() -> None:
    parts = {agent: read_part(agent, texts) for agent, texts in factor(read(ODD, DAY)).items()}
    assert list(parts) == ["s1", "t1", "t2"]
    assert [a.name for a in parts["s1"].domain.actions] == ["sail", "moor"]
    assert [a.name for a in parts["t1"].domain.actions] == ["drive"]
    assert [p.name for p in parts["s1"].domain.predicates] == ["at", "sails", "free"]
    assert [p.name for p in parts["t2"].domain.predicates] == ["at", "free", "fuel", "paid"]
    assert [o.name for o in parts["s1"].objects] == [
        "home",
        "dock",
        "away",
        "t1",
        "s1",
        "bay",
        "t2",
    ]
    assert [str(f) for f in parts["t1"].problem.init] == ["(fuel t1)", "(free home)"]
    assert [str(f) for f in parts["t2"].problem.init] == ["(free yard)", "(free home)"]
    assert [str(g) for g in parts["t1"].problem.goal] == ["(at t1 home)", "(not (free away))"]
    assert [str(t) for t, _ in parts["t1"].problem.values] == ["(far home away)"]
    assert all(pair.problem.minimize for pair in parts.values())


def test_the_owner_of_a_fact_is_found_again() -> None:
    parts = {agent: read_part(agent, texts) for agent, texts in factor(read(ODD, DAY)).items()}
    assert Privacy(parts["s1"]).owner("sails", ("away", "s1")) == "s1"
    assert Privacy(parts["t1"]).owner("paid", ("t2", "t1")) == "t1"
    assert Privacy(parts["t1"]).owner("paid", ("t1", "t2")) == "t2"


def test_agents_that_are_any_object_cannot_be_factored() -> None:
    domain = "(define (domain d) (:predicates (p)) (:action a :agent ?x :effect (p)))"
    problem = "(define (problem p) (:domain d) (:objects o) (:init) (:goal (p)))"
    with pytest.raises(InputError, match=r"domain.pddl:1:\d+: the agent \?x is any object"):
        factor(read(domain, problem))


def test_a_goal_of_nobody_cannot_be_factored() -> None:
    with pytest.raises(InputError, match=r"problem.pddl:6:\d+: the goal \(at s1 yard\) belongs"):
        factor(read(ODD, DAY.replace("(at t2 yard)", "(at s1 yard)")))


def test_classical_pddl_knows_no_agents() -> None:
    domain_text, problem_text = classical(read(ODD, DAY))
    for text in (domain_text, problem_text):
        assert ":agent" not in text
        assert ":private" not in text
        assert "privacy" not in text
        assert ":multi-agent" not in text
    domain = read_domain(Source("d", domain_text), Form.FACTORED)
    problem, _ = read_problem(Source("p", problem_text), domain)
    sail = domain.actions[0]
    assert [p.name for p in sail.parameters] == ["?s", "?q"]
    assert "?number " not in domain_text
    assert ":action-costs" in domain.requirements
    assert len(problem.init) == 6
    assert len(problem.goal) == 4


def test_other_forms_are_made_from_the_unfactored_one() -> None:
    part = read_part("t1", factor(read(ODD, DAY))["t1"])
    description = Description(Form.FACTORED, "d", (part,))
    for work in (factor, classical):
        with pytest.raises(InputError, match="expected an unfactored one"):
            work(description)
