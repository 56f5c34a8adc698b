"""How all agents come to agree on a public plan while a first one is improved, and nobody refuses.

An agent that is asked whether it can execute a plan may have to say no, and that would be knowledge
about its secrets. So this is asked only where the answer is known: a plan that was agreed on
before, or one in which each agent's own steps are those of such a plan, where no private action
looks at public facts. All other candidates are for the agents to *follow* in a forward search, as
guidance, which shows states and no refusal, and discloses nothing beyond the ledger. Agents that
show no states, and whose repairs would be on the ledger, only respond. Where settings ask for no
repair, a refusal says no more than it does while a first plan is looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from tacit.errors import ProtocolError
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import Extended, Improve, Improved
from tacit.public.settings import Rule
from tacit.solvers.attempt import Attempt, Counters
from tacit.solvers.coordinator import expect
from tacit.solvers.limits import Deadline
from tacit.solvers.solver import Solver

Steps = tuple[PublicStep, ...]


class Agreeing:
    """What agents agreed on: `last` is the plan that all of them have a part of now, if any."""

    def __init__(self, solver: Solver):
        self._coordinator = solver.coordinator
        self._policy = solver.tools.policy.improving
        settings = self._coordinator.settings
        self._is_supported = settings.rule is Rule.SUPPORTED
        self._forward = solver.forward_search if self._is_supported else None
        self._may_refuse = not settings.uses_repair
        parts = self._coordinator.publications.values()
        self._looks_at_facts = any(part.has_public_preconditions for part in parts)
        self._known: dict[str, set[Steps]] = {part.sender: set() for part in parts}
        """Own steps of plans that each agent agreed to."""
        self._plans: set[Steps] = set()
        self.last: Steps = ()
        self.shows_states = True
        self.counters = Counters()

    @property
    def may_search(self) -> bool:
        """May agents search forward?"""
        return self._forward is not None and self.shows_states

    @property
    def may_respond(self) -> bool:
        """Can an agent do its part anew, and the others theirs as before?"""
        return self._is_supported and not self._looks_at_facts

    def on(self, steps: Steps) -> None:
        """Remember that all agents have a part of this plan."""
        self.last = steps
        self._plans.add(steps)
        for agent, known in self._known.items():
            known.add(_own(steps, agent))

    def have_agreed(self, steps: Steps, deadline: Deadline) -> bool:
        """Have all agents agree on a plan of the projection; `last` may be another one that they
        found along it.
        """
        if steps == self.last:
            return True
        if self._is_known(steps) or self._may_refuse:
            return self.extend(steps)
        most = self._policy.follow + self._policy.follow_per_step * len(steps)
        return self._search(steps, deadline, most)

    def _is_known(self, steps: Steps) -> bool:
        """Is it known that every agent can execute its part?"""
        if steps in self._plans or self._looks_at_facts:
            return steps in self._plans
        return all(_own(steps, agent) in known for agent, known in self._known.items())

    def extend(self, steps: Steps) -> bool:
        """Ask all agents to extend a plan."""
        answers = self._coordinator.extend_all(steps).values()
        if not all(isinstance(answer, Extended) for answer in answers):
            self.last = ()
            return False
        self.on(steps)
        return True

    def search(self, deadline: Deadline) -> bool:
        """Let agents search by themselves."""
        agents = len(self._coordinator.public.agents)
        return self._search(None, deadline, self._states_of_all // agents)

    @property
    def _states_of_all(self) -> int:
        """States of all agents in a search: fewer where the task is large, as each takes longer."""
        actions = sum(len(part.actions) for part in self._coordinator.publications.values())
        most, large = self._policy.search_again, self._policy.large
        return most * large // max(actions, large)

    def is_worth_searching(self, steps: Steps) -> bool:
        """Are these enough states to find a plan as long as this one?"""
        return self._policy.follow_per_step * len(steps) <= self._states_of_all

    def _search(self, steps: Steps | None, deadline: Deadline, most: int) -> bool:
        """Let agents search, along a plan if there is one."""
        if self._forward is None or not self.shows_states:
            return False
        attempt, self.last = Attempt(0, Outcome.UNDECIDED), ()
        if steps is None:
            self._forward.begin(grows=False)
            self._forward.run(attempt, deadline, most)
        else:
            self._forward.follow(steps, attempt, deadline, most)
        self.counters.add(attempt.counters)
        if attempt.outcome is not Outcome.SOLVED:
            return False
        self.on(attempt.steps)
        return True

    def respond(self, agents: Iterable[str], is_plan: Callable[[Steps], bool]) -> set[str]:
        """Let agents do their parts of the last plan at less cost, all at once; who did?

        Each response goes with the others' parts as they were. So as many as make a plan together
        are put together, and all agents are asked about that plan alone.
        """
        found = {agent: steps for agent in agents if (steps := self._response(agent))}
        responses, together = Responses(_finished_last(self.last)), dict(found)
        if not is_plan(responses.together(found)):
            together.clear()
            for agent, steps in found.items():
                if is_plan(responses.together({**together, agent: steps})):
                    together[agent] = steps
        for agent, steps in together.items():
            self._known[agent].add(_own(steps, agent))
        if together:
            self.extend(responses.together(together))
        return set(together)

    def _response(self, agent: str) -> Steps:
        """The last plan with a cheaper part of one agent, if it has one."""
        found = self.taken_over(agent, None)
        if found and _of_others(found, agent) != _of_others(_finished_last(self.last), agent):
            raise ProtocolError(f"agent '{agent}' changes the parts of others in a plan")
        return found

    def taken_over(self, agent: str, spared: int | None) -> Steps:
        """The last plan as an agent would have it, if steps of others may be left out."""
        question = Improve(self._coordinator.name, spared)
        return expect(self._coordinator.ask(agent, question), Improved).steps


def _finished_last(steps: Steps) -> Steps:
    """The plan as agents answer with it: private goals, which concern their owner alone, are
    finished at the end.
    """
    last = tuple(step for step in steps if step.action == FINISH)
    return (*(step for step in steps if step.action != FINISH), *last)


def _own(steps: Steps, agent: str) -> Steps:
    return tuple(step for step in steps if step.agent == agent)


def _of_others(steps: Steps, agent: str) -> Steps:
    return tuple(step for step in steps if step.agent != agent)


class Responses:
    """Responses of several agents to one plan, put together: each new step stays behind the step
    of others in that plan that its agent put it behind.
    """

    def __init__(self, plan: Steps):
        self._plan = plan

    def together(self, found: Mapping[str, Steps]) -> Steps:
        """The plan with these agents' parts, as each of them has it."""
        placed = [((n, 0), step) for n, step in enumerate(self._plan) if step.agent not in found]
        for agent, steps in found.items():
            others = (n for n, step in enumerate(self._plan) if step.agent != agent)
            last = -1
            for step in steps:
                if step.agent == agent:
                    placed.append(((last, 1), step))
                else:
                    last = next(others)
        return tuple(step for _, step in sorted(placed, key=lambda item: item[0]))
