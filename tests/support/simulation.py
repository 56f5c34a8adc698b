"""Plans of unified-planning, executed by its own semantics."""

from __future__ import annotations

from unified_planning.model.multi_agent import MultiAgentProblem
from unified_planning.shortcuts import Dot


class Simulation:
    """Carries out a plan on a `MultiAgentProblem` as unified-planning defines it."""

    def __init__(self, problem: MultiAgentProblem):
        self.problem = problem
        self.state = {}
        self.simplify = problem.environment.simplifier.simplify

    def value(self, node, agent, bound):
        substitute = problem_substituter(self.problem)
        node = substitute(node, bound)
        if node.is_fluent_exp() or node.is_dot():
            return self.look_up(node, agent)
        if node.is_and():
            return all(self.value(n, agent, {}) for n in node.args)
        if node.is_not():
            return not self.value(node.arg(0), agent, {})
        if node.is_equals():
            return node.arg(0) == node.arg(1)
        return self.simplify(node).is_true()

    def place(self, node, agent):
        """The ground fluent that an expression means when this agent says it."""
        if node.is_fluent_exp() and agent is not None and node.fluent() in agent.fluents:
            return Dot(agent, node)
        return node

    def look_up(self, node, agent):
        place = self.place(node, agent)
        if place not in self.state:
            self.state[place] = self.problem.initial_value(place).is_true()
        return self.state[place]

    def check(self, plan):
        for step in plan.actions:
            assert step.agent in self.problem.agents
            assert step.action in step.agent.actions
            names = [
                self.problem.environment.expression_manager.ParameterExp(p)
                for p in step.action.parameters
            ]
            bound = dict(zip(names, step.actual_parameters, strict=True))
            for condition in step.action.preconditions:
                assert self.value(condition, step.agent, bound), f"{step} needs {condition}"
            changes = {False: set(), True: set()}
            for effect in step.action.effects:
                if effect.is_increase():
                    continue
                if self.value(effect.condition, step.agent, bound):
                    node = problem_substituter(self.problem)(effect.fluent, bound)
                    changes[effect.value.is_true()].add(self.place(node, step.agent))
            self.state |= dict.fromkeys(changes[False], False)
            self.state |= dict.fromkeys(changes[True], True)
        for goal in self.problem.goals:
            assert self.value(goal, None, {}), goal
        for agent in self.problem.agents:
            for goal in (*agent.public_goals, *agent.private_goals):
                assert self.value(goal, agent, {}), goal


def problem_substituter(problem):
    return problem.environment.substituter.substitute
