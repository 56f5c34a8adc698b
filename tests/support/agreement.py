"""A solver and brute force, compared at one budget."""

from __future__ import annotations

from support.brute import is_supported, joint_of
from support.forward import LIMITS
from support.notes import say
from support.problems import instance_of
from tacit.central.result import Result
from tacit.central.session import Session
from tacit.public.outcome import Outcome


def budgets(largest: int) -> list[int]:
    """All of them, or a sample that has the small ones and the largest."""
    return sorted({*range(min(largest, 4) + 1), largest // 2, max(largest - 1, 0), largest})


def one_agent(predicates: str, actions: list[tuple[str, str, str]], init: str, goal: str):
    """Agent `a` with private facts; actions as name, precondition, effect."""
    text = "\n".join(
        f"(:action {name} :agent ?a - agent :parameters ()"
        f" :precondition (and {needs}) :effect (and {effect}))"
        for name, needs, effect in actions
    )
    domain = f"""(define (domain d) (:types agent thing) (:constants x - thing)
      (:predicates (g) (p) (q) (:private ?a - agent {predicates}))
      {text})"""
    problem = f"""(define (problem d) (:domain d) (:objects (:private a a - agent))
      (:init {init}) (:goal (and {goal})))"""
    return instance_of(domain, problem)


def check(session: Session, k: int) -> Result:
    """Forward search decides, as brute force does, and returns supported plans."""
    result = session.at(k, LIMITS)
    expected = joint_of(session).plan()
    say(f"k={k} {result.outcome}, brute force: {expected}")
    assert result.outcome is (Outcome.NO_PLAN if expected is None else Outcome.SOLVED)
    if result.solved:
        assert result.verdict is not None
        assert result.verdict.valid
        for agent in session.agents.values():
            assert agent.local_plan is not None
            actions = [action for action, _ in agent.local_plan.actions]
            assert is_supported(agent.dependencies, agent.disclosed, actions)
    return result
