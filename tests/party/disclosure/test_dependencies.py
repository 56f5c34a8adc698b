"""Private dependencies: the paper's counts, and the definitions on small problems."""

from __future__ import annotations

import json

import msgspec
import pytest
from support.published import TABLE

import tacit
from tacit.central.instance import Instance
from tacit.central.solve import dependencies
from tacit.cli.main import run
from tacit.domains import DOMAINS
from tacit.party.disclosure.graph import INIT
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source
from tacit.profile import PROFILES
from tacit.public.settings import Chain, NoOp, Settings, Threats


def paper(threats: Threats) -> Settings:
    return msgspec.structs.replace(PROFILES["paper"], threats=threats)


def counts(instance: Instance, settings: Settings) -> dict[str, dict[str, int]]:
    found = dependencies(instance, settings)
    return {agent: own.counts for agent, own in found.items()}


def largest(instance: Instance, threats: Threats) -> tuple[int, int]:
    """Over agents: positive edges, and these with threats."""
    every = counts(instance, paper(threats)).values()
    both = max(own["positive"] + own["negative"] for own in every)
    return max(own["positive"] for own in every), both


@pytest.mark.parametrize("domain", TABLE)
def test_the_papers_dependency_counts(codmap, domain):
    found = []
    for folder in (codmap / "unfactored" / domain).iterdir():
        instance = tacit.load(folder)
        positive, direct = largest(instance, Threats.RANKED)
        again, indexed = largest(instance, Threats.PAPER_INDEX)
        assert positive == again
        found.append((positive, direct, indexed))
    assert tuple(map(max, zip(*found, strict=True))) == TABLE[domain]


def test_the_paper_prints_zenotravel_without_its_two_largest(codmap):
    instance = tacit.load(codmap / "unfactored/zenotravel/pfile21")
    assert largest(instance, Threats.RANKED)[1] == 1320


@pytest.mark.parametrize(
    ("problem", "expected"), [("p10", (305, 466, 367, 1709)), ("p12", (210, 295, 190, 1927))]
)
def test_rovers_agent_by_agent(codmap, problem, expected):
    found = counts(tacit.load(codmap / "unfactored/rovers" / problem), PROFILES["paper"])
    assert tuple(own["positive"] for own in found.values()) == expected


def test_without_no_ops_rovers_have_few_dependencies(codmap):
    every = [
        own["positive"]
        for folder in (codmap / "unfactored/rovers").iterdir()
        for own in counts(tacit.load(folder), Settings(merge=False)).values()
    ]
    assert max(every) == 46


def test_inspect_prints_the_counts_as_json(codmap, capsys):
    problem = str(codmap / "unfactored/rovers/p10")
    assert run(["inspect", problem, "--dependencies", "--profile", "paper", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)["agents"]
    assert shown["rover3"]["dependencies"] == {"tokens": 29, "positive": 1709, "negative": 0}


def tiny(actions: str, init: str, goal: str = "(g)") -> Instance:
    """One agent `a` with private facts f, h, e, i and a public goal."""
    domain = f"""(define (domain d) (:types agent)
      (:predicates (g) (p) (q) (:private ?a - agent
        (f ?a - agent) (h ?a - agent) (e ?a - agent) (i ?a - agent)))
      {actions})"""
    problem = f"""(define (problem d) (:domain d) (:objects (:private a a - agent))
      (:init {init}) (:goal {goal}))"""
    return Instance(read_texts(Source("d", domain), Source("p", problem)), {})


def act(name: str, needs: str, effect: str) -> str:
    return f"(:action {name} :agent ?a - agent :precondition (and {needs}) :effect (and {effect}))"


def edges(instance: Instance, **choices) -> set[str]:
    own = dependencies(instance, Settings(merge=False, **choices))["a"]
    return {own.describe(edge) for edge in own.graph.edges}


def ends(instance: Instance) -> set[tuple[str, str]]:
    own = dependencies(instance, Settings())["a"]
    task = own.task
    facts = [*own.token_facts, *own.static_facts]
    return {
        (task.action_name(action), task.fact_name(task.to_facts([facts[token]])[0]))
        for action, tokens in enumerate(own.certain_deletes)
        for token in tokens
    }


def test_chains_lead_through_private_actions():
    instance = tiny(
        act("start", "", "(p) (h ?a)")
        + act("change", "(h ?a)", "(f ?a) (not (h ?a))")
        + act("use", "(f ?a)", "(g)"),
        "",
    )
    assert edges(instance) == {"(start a) achieves (f a)"}


def test_the_initial_state_achieves_by_chains_too():
    instance = tiny(
        act("start", "", "(p) (h ?a)")
        + act("change", "(h ?a)", "(f ?a)")
        + act("use", "(f ?a)", "(g)"),
        "(h a)",
    )
    assert edges(instance) == {"(start a) achieves (f a)", "(the initial state) achieves (f a)"}


def test_a_fact_only_the_initial_state_achieves_is_no_dependency():
    instance = tiny(act("use", "(f ?a)", "(g) (not (f ?a))"), "(f a)")
    own = dependencies(instance, Settings())["a"]
    assert own.counts == {"tokens": 0, "positive": 0, "negative": 0}
    assert ends(instance) == {("(use a)", "(f a)")}


def test_no_op_adds_count_only_if_kept():
    instance = tiny(
        act("use", "(f ?a)", "(g) (f ?a)") + act("make", "", "(p) (f ?a)"),
        "",
    )
    assert edges(instance, no_op=NoOp.DROP) == {"(make a) achieves (f a)"}
    assert edges(instance, no_op=NoOp.KEEP) == {"(make a) achieves (f a)", "(use a) achieves (f a)"}


def test_any_chain_crosses_objects():
    domain = """(define (domain d) (:types agent thing)
      (:predicates (g) (p) (:private ?a - agent
        (near ?x - thing ?a - agent) (held ?a - agent)))
      (:action bring :agent ?a - agent :parameters (?x - thing) :effect (and (p) (near ?x ?a)))
      (:action grab :agent ?a - agent :parameters (?x - thing)
        :precondition (near ?x ?a) :effect (held ?a))
      (:action use :agent ?a - agent :precondition (held ?a) :effect (g))
      (:action charm :agent ?a - agent :effect (and (p) (held ?a))))"""
    problem = """(define (problem d) (:domain d) (:objects x - thing (:private a a - agent))
      (:init) (:goal (g)))"""
    instance = Instance(read_texts(Source("d", domain), Source("p", problem)), {})
    assert edges(instance, chain=Chain.OBJECT) == {"(charm a) achieves (held a)"}
    for chain in (Chain.ANY, Chain.TIGHT, Chain.LAST):
        assert edges(instance, chain=chain) == {
            "(charm a) achieves (held a)",
            "(bring a x) achieves (held a)",
        }


def test_a_private_action_can_undo_a_threat():
    use = act("use", "(f ?a)", "(g) (not (f ?a)) (h ?a)") + act("make", "", "(p) (f ?a)")
    assert ends(tiny(use, "")) == {("(use a)", "(f a)")}
    restored = use + act("restore", "(h ?a)", "(f ?a)")
    assert ends(tiny(restored, "")) == set()


def test_derived_threats_are_found_by_mutexes():
    """Boarding ends every place of a driver, not only the one that it deletes."""
    instance = tacit.load("driverlog/small")
    own = dependencies(instance, Settings(merge=False))[instance.agents[0]]
    facts = [*own.token_facts, *own.static_facts]
    names = [own.task.fact_name(own.task.to_facts([fact])[0]) for fact in facts]
    places = {n for n, name in enumerate(names) if name.startswith("(at ")}
    boards = [
        tokens
        for action, tokens in enumerate(own.certain_deletes)
        if own.task.action_name(action).startswith("(board-truck")
    ]
    assert len(places) > 1
    assert boards
    assert all(places <= set(tokens) for tokens in boards)


def test_private_goals_are_the_needs_of_one_more_action():
    actions = act("make", "", "(p) (f ?a)")
    instance = tiny(actions, "", "(and (p) (f a))")
    graph = dependencies(instance, Settings())["a"].graph
    assert len(graph.needs) == 2
    assert graph.needs[-1] == (0,)


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_edges_come_in_tie_break_order(domain):
    instance = tacit.load(f"{domain}/small")
    for own in dependencies(instance, Settings()).values():
        achievers = [edge.achiever for edge in own.graph.edges]
        from_start = sum(achiever == INIT for achiever in achievers)
        assert all(achiever == INIT for achiever in achievers[:from_start])
        assert len(set(own.graph.edges)) == len(own.graph.edges)


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_merged_actions_are_a_partition_of_the_public_ones(domain):
    instance = tacit.load(f"{domain}/medium")
    for own in dependencies(instance, Settings()).values():
        members = [action for group in own.members for action in group]
        shown = [a for a, is_public in enumerate(own.task.arrays.is_public) if is_public]
        assert sorted(members) == shown
