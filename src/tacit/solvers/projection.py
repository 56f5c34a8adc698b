"""The joint projection: plan on what was disclosed, let every agent carry out its part, repair.

The solver knows agents only as names that answer questions, and the classical planner only as
something that searches a `Projection`. It asks everybody to publish, then for each budget k builds
Π_k and searches a public plan, by a guess at what ends tokens first (`tacit.solvers.guessing`). If
every agent can carry out its part, that is a solution. If one cannot, it answers with a repair
(DESIGN §1.4.4) that keeps the plan out, and the search goes on. Where there is no repair, other
public plans are tried, and under `extension=replan` the agents change one until all can carry it
out (`tacit.solvers.several_plans`).

Some failures no threat explains, above all where private actions have public preconditions. Then an
agent can only rule out a prefix of the plan, and there are too many of these: the projection is
*stuck*. If it was given a way to *change over*, the agents search on by themselves (`mafs`), with
the very edges that they have disclosed. Nobody discloses a further edge or repair for that.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from tacit import watch
from tacit.public.disclosure import FINISH, PublicStep
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection
from tacit.public.protocol.messages import Carried, Carry, Disclosed, Replan, Replanned
from tacit.public.settings import Extension, Rule, Settings, Threats
from tacit.public.task import PublicTask
from tacit.solvers import replanning
from tacit.solvers.asking import AskAll, Asking, Attempt, expect
from tacit.solvers.guessing import Guessing, Make, Searcher
from tacit.solvers.limits import Deadline, Limits
from tacit.solvers.mafs import MafsSolver
from tacit.solvers.planner import run
from tacit.solvers.several_plans import SeveralPlans
from tacit.solvers.watching import watched

PATIENCE, ONE_BY_ONE = 5, 100
"""Rounds before which agents are never asked to tell all direct threats at once, and after which
they always are."""


PREFIXES = 30
"""Prefixes that are ruled out before a solver that can change over does."""

Forbidden = tuple[int | None, list[int]]
ChangeOver = Callable[[Asking], MafsSolver]
"""Makes a forward search by agents that have published."""


class ProjectionSolver(Asking):
    """Plans on Π_k with a classical planner, whichever `make_search` makes.

    With `change_over`, forward search goes on where repairs get no further. Only with threats
    `on-demand`, where both accept the same plans, and under rule `supported`.
    """

    def __init__(
        self,
        public: PublicTask,
        ask: Callable[[str, bytes], bytes],
        make_search: Make,
        settings: Settings,
        ranking: str,
        name: str = "solver",
        ask_all: AskAll | None = None,
        change_over: ChangeOver | None = None,
    ):
        super().__init__(public, ask, settings, ranking, name, ask_all)
        self._make_search = make_search
        self._change_over = change_over if may_change_over(settings) else None
        self._forward: MafsSolver | None = None

    def attempt(self, k: int, limits: Limits) -> Attempt:
        """Plan with budget k."""
        deadline, told = limits.begin(), dict[str, Disclosed]()

        def work(attempt: Attempt) -> None:
            told.update(self.disclose_all(k))
            attempt.disclosed = {agent: len(answer.edges) for agent, answer in told.items()}
            within = limits
            if self._change_over is not None:
                within = replace(limits, prefixes=min(limits.prefixes, PREFIXES))
            self.plan(self._projection_with(told), attempt, within)

        attempt = self.until_limit(Attempt(k, Outcome.UNDECIDED), work)
        if not attempt.stuck or self._change_over is None or self.limit is not None:
            return attempt
        if self._forward is None:
            self._forward = self._change_over(self)
        left = replace(limits, seconds=deadline.left, evaluations=self._share_of(limits))
        found = self._forward.attempt_with(told, k, left)
        self.limit = self._forward.limit
        found.repairs, found.changed_over = attempt.repairs, True
        found.counters.add(attempt.counters)
        return found

    def _share_of(self, limits: Limits) -> int | None:
        """Evaluations of each agent, which are those of all agents together."""
        states = limits.evaluations
        return None if states is None else max(1, states // len(self._public.agents))

    def plan(self, projection: Projection, attempt: Attempt, limits: Limits) -> Attempt:
        """Plan with what a projection has and the agents have disclosed."""
        attempt.repairs = dict.fromkeys(self._public.agents, 0)
        return self.until_limit(attempt, lambda attempt: self._plan(projection, attempt, limits))

    def _plan(self, projection: Projection, attempt: Attempt, limits: Limits) -> None:
        deadline = limits.begin()
        with watch.phase("searching"):
            if self._settings.repairs:
                self._plan_and_repair(projection, attempt, limits, deadline)
            else:
                make, most = self._make_search, limits.evaluations
                SeveralPlans(projection, make, self, attempt, most, deadline).try_all()

    def _plan_and_repair(
        self, projection: Projection, attempt: Attempt, limits: Limits, deadline: Deadline
    ) -> Attempt:
        search = Guessing(projection, self._make_search, self._watched(projection))
        prefixes = 0
        for round_number in range(limits.repairs + 1):
            evaluated = attempt.counters.evaluated - search.spent
            is_hard = round_number >= (PATIENCE if evaluated > limits.urgent else ONE_BY_ONE)
            if is_hard:
                search.guess_longer()
            most = None if limits.evaluations is None else limits.evaluations + search.spent
            attempt.outcome, plan = run(search, deadline, most, attempt.counters)
            if attempt.outcome is not Outcome.SOLVED:
                is_open = attempt.outcome is Outcome.UNDECIDED
                attempt.stuck = is_open and prefixes > 0 and not search.counts
                return attempt
            attempt.steps = projection.named(plan)
            failed = self._failed(attempt.steps, is_hard and not search.guesses)
            if not failed:
                return attempt
            attempt.outcome = Outcome.UNDECIDED
            for answer in filter(lambda answer: answer.decided, failed):
                attempt.repairs[answer.sender] += _put_in(projection, answer)
            answers = _answers(failed)
            forbidden = [item for a in answers for item in _forbidden(projection, plan, a)]
            prefixes += len(forbidden)
            attempt.stuck = not answers or prefixes > limits.prefixes
            if attempt.stuck:
                return attempt
            if limits.told is not None and attempt.told >= limits.told:
                return attempt
            if any(answer.returned for answer in answers):
                search = search.again(projection)
            else:
                _tell_threats(projection, search, answers)
            for group, actions in forbidden:
                search.forbid(actions, group)
        attempt.stuck = True
        return attempt

    def _watched(self, projection: Projection) -> list[int]:
        """What private actions may look at, if any do."""
        is_any = any(part.looks for part in self._published.values())
        return watched(projection, len(self._public.facts)) if is_any else []

    def carry_out(self, steps: tuple[PublicStep, ...]) -> set[str]:
        """Ask everybody; who cannot."""
        return {answer.sender for answer in self._failed(steps)}

    def _failed(self, steps: tuple[PublicStep, ...], is_hard: bool = False) -> list[Carried]:
        """The answers of those who cannot."""
        question = Carry(self._name, steps, is_hard)
        with watch.phase("extending"):
            answers = self._expect_all(question, Carried).values()
        return [answer for answer in answers if not answer.succeeded]

    def change(
        self, steps: tuple[PublicStep, ...], failed: set[str], attempt: Attempt, deadline: Deadline
    ) -> None:
        """There is no repair: let the agents change the plan, if the settings say so."""
        if self._settings.extension is not Extension.REPLAN:
            return
        agents = self._public.agents
        before = tuple(step for step in steps if step.action != FINISH)
        agreed = [agent for agent in agents if agent not in failed]
        with watch.phase("extending"):
            found = replanning.replan(agents, before, agreed, self._replan, deadline)
        if found is not None:
            attempt.outcome = Outcome.SOLVED
            attempt.replanned = replanning.changed(agents, before, found)
            attempt.steps = found
        elif deadline.has_passed:
            attempt.outcome = Outcome.TIME

    def _replan(self, agent: str, steps: tuple[PublicStep, ...], seconds: float) -> Replanned:
        question = Replan(self._name, steps, None if math.isinf(seconds) else seconds)
        return expect(self._ask(agent, question), Replanned)


def may_change_over(settings: Settings) -> bool:
    """Do forward search and the projection accept the same plans, and may repairs be all told?"""
    is_same = settings.threats is Threats.ON_DEMAND and settings.rule is Rule.SUPPORTED
    return is_same and settings.repairs


def _answers(failed: list[Carried]) -> list[Carried]:
    """What rules the plan out. That somebody else could not decide does not matter then, but who
    will tell no more must not be asked again.
    """
    if any(answer.bounded for answer in failed):
        return []
    return [answer for answer in failed if answer.decided]


def _put_in(projection: Projection, answer: Carried) -> int:
    """Put an agent's answer into the projection; how much it told."""
    projection.bring_back(answer.sender, answer.returned)
    projection.disclose(answer.sender, answer.threats)
    prefixes = bool(answer.own_prefix or answer.joint_prefix)
    return len(answer.threats) + len(answer.returned) + prefixes


def _tell_threats(projection: Projection, search: Searcher, answers: list[Carried]) -> None:
    for answer in answers:
        for edge in answer.threats:
            action = projection.number[PublicStep(answer.sender, edge.giver)]
            search.add_delete(action, projection.tokens[answer.sender, edge.token])


def _forbidden(projection: Projection, plan: tuple[int, ...], answer: Carried) -> list[Forbidden]:
    """Beginnings that an answer rules out: of one agent's actions, or of all."""
    own = [number for number in plan if projection.steps[number].agent == answer.sender]
    if answer.own_prefix:
        return [(projection.group[own[0]], own[: answer.own_prefix])]
    if answer.joint_prefix:
        return [(None, _joint(projection, plan, answer))]
    return []


def _joint(projection: Projection, plan: tuple[int, ...], answer: Carried) -> list[int]:
    """The first steps of the plan, last actions of agents not counted but taken along."""
    taken: list[int] = []
    count = 0
    for number in plan:
        step = projection.steps[number]
        is_finish = step.action == FINISH
        if count == answer.joint_prefix and not (is_finish and step.agent == answer.sender):
            break
        taken.append(number)
        count += not is_finish
    return taken
