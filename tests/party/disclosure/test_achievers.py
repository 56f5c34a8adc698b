"""Which public actions, and whether the initial state, achieve a private fact, by each rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from support.naive_dependencies import NaiveDependencies
from support.notes import quick
from support.problems import SMALL, generated

import tacit
from tacit.central.instance import Instance
from tacit.domains import DOMAINS
from tacit.party.disclosure.dependencies import Dependencies
from tacit.party.disclosure.graph import INIT
from tacit.public.settings import Chain, NoOp, Settings
from tacit.testing import GroundProblem, problems

RULES = [(chain, no_op) for chain in Chain for no_op in NoOp]


def agrees(instance: Instance, chain: Chain, no_op: NoOp) -> None:
    settings = Settings(chain=chain, no_op=no_op, merge=False)
    for agent in instance.agents:
        own = Dependencies(instance.local(agent), settings)
        naive = NaiveDependencies(own.task, chain, no_op is NoOp.DROP)
        assert dict(zip(own.token_facts, map(set, own.achievers), strict=True)) == naive.achievers
        facts = [*own.token_facts, *own.static_facts]
        for action, ended in naive.ends.items():
            assert {facts[n] for n in own.certain_deletes[action]} == ended.intersection(facts)


@quick(60)
@given(problems(private_facts=4))
def test_the_core_reads_the_definitions_as_the_naive_reader_does(tiny: GroundProblem):
    instance = tiny.load()
    for chain, no_op in RULES:
        agrees(instance, chain, no_op)


@pytest.mark.slow
@quick(3000)
@given(problems(private_facts=4))
def test_the_core_reads_the_definitions_at_length(tiny: GroundProblem):
    instance = tiny.load()
    for chain, no_op in RULES:
        agrees(instance, chain, no_op)


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_the_core_reads_generated_problems_as_the_naive_reader_does(domain):
    for chain in Chain:
        agrees(generated(domain, SMALL[domain][0], 1), chain, NoOp.DROP)


@quick(150)
@given(problems(private_facts=4))
def test_last_is_within_any_and_a_dependency_names_at_least_one_action(tiny: GroundProblem):
    instance = tiny.load()
    for agent in instance.agents:
        by_rule = {}
        for chain in Chain:
            own = Dependencies(instance.local(agent), Settings(chain=chain, merge=False))
            by_rule[chain] = {
                (fact, achiever)
                for fact, row in zip(own.token_facts, own.achievers, strict=True)
                for achiever in row
            }
            assert all(set(row) - {INIT} for row in own.achievers)
        assert by_rule[Chain.LAST] <= by_rule[Chain.ANY]


def test_private_actions_alone_do_not_measure():
    """A measurement needs a sensor that a public action takes, so INIT does not achieve it."""
    instance = tacit.load("sensors/small")
    for chain in Chain:
        for agent in instance.agents:
            own = Dependencies(instance.local(agent), Settings(chain=chain))
            for token, row in enumerate(own.achievers):
                if own.token_name(token).startswith("(measured"):
                    assert INIT not in row
