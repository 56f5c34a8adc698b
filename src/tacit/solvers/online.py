"""Online: a run between agents, in which what is disclosed is never taken back.

It starts with an empty ledger. If the goals are out of reach even if nothing is ever deleted, there
is no plan, and nothing is disclosed. As long as they are out of relaxed reach of the ledger, agents
take turns without any search: in its turn an agent discloses an edge, passes, or says "no more".
With a ranking that passes, rounds go on until everybody does: agents then disclose what a plan
needs as a whole. Then the solver plans with what is on the ledger, within some effort; that may
take repairs, and it bounds them. A search in vain is followed by more rounds. If everybody passes,
effort doubles once; then the agent that disclosed fewest edges must disclose one or say "no more".
So that a hard problem ends, the ledger grows by a share of itself between two searches; once half
of the user's time is gone, ledger and effort double each time. Once all have said "no more", the
solver plans on within nothing but the user's limits, so a run ends with a plan if one exists within
the bounds.

Bounds may end hope earlier. If the goals are out of relaxed reach though all tokens of the agents
that have not said "no more" are taken to hold, the run is over. That proves something only where
plans must be supported and are extended as they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from tacit.policy import OnlinePolicy
from tacit.public.outcome import Outcome
from tacit.public.projection import Projection, Reach
from tacit.public.protocol.messages import EdgeDisclosed, NoMore, Turn
from tacit.solvers.attempt import Attempt
from tacit.solvers.limits import Limits
from tacit.solvers.rounds import Turns
from tacit.solvers.solver import Solver

ENDS = (Outcome.SOLVED, Outcome.TIME, Outcome.MEMORY)


class Online:
    """One run of a solver with agents that disclose more when that is needed."""

    def __init__(self, solver: Solver):
        self._solver = solver
        self._coordinator = coordinator = solver.coordinator
        self._policy: OnlinePolicy = solver.tools.policy.online
        self._turns = Turns(
            coordinator.public.agents, coordinator.take_turn, self._policy.rounds_left_out
        )
        self._settings = coordinator.settings
        self._needs_reach = solver.is_bounded_by_projection(self._settings)
        self._can_lose_hope = self._needs_reach and solver.keeps_to_supported(self._settings)
        self._has_lost_hope = False
        self._as_a_whole = coordinator.may_pass and not coordinator.has_recalled
        self._in_vain = 0
        """Ledgers with which there was no plan, or none was found."""

    def run(self, limits: Limits) -> Attempt:
        """Plan until there is an outcome."""
        attempt = Attempt(0, Outcome.UNDECIDED, ledger=self._coordinator.ledger)
        self._coordinator.until_limit(attempt, lambda attempt: self._run(attempt, limits))
        attempt.k = attempt.ledger.k
        if attempt.outcome is not Outcome.SOLVED:
            open_agents = self._turns.open
            attempt.no_more = tuple(
                agent for agent in self._coordinator.public.agents if agent not in open_agents
            )
        return attempt

    def _run(self, attempt: Attempt, limits: Limits) -> None:
        if self._coordinator.out_of_reach:
            attempt.outcome, attempt.out_of_reach = Outcome.NO_PLAN, True
            return
        self._reach = Reach(self._coordinator.projection())
        deadline, effort = limits.begin(), 1
        while not self._has_lost_hope and self._is_within_reach():
            repairs = limits.repairs - attempt.repair_rounds
            left = replace(limits, seconds=deadline.left, repairs=repairs)
            is_late = left.seconds < (1 - self._policy.patience) * limits.seconds < math.inf
            if not self._turns.open:
                self._solver.finish(attempt, left)
                return
            self._solver.plan(attempt, self._within(left, effort, is_late))
            if attempt.outcome in ENDS:
                return
            effort = self._disclose_more(effort, is_late)
        attempt.outcome = Outcome.NO_PLAN

    def _within(self, limits: Limits, effort: int, is_late: bool) -> Limits:
        """What one search may cost before more is disclosed: more after each that was in vain."""
        policy = self._policy
        more = 0 if is_late else self._in_vain * policy.more_states
        return replace(
            limits,
            evaluations=effort * (policy.states + more),
            repairs=min(limits.repairs, 0),
        )

    def _is_within_reach(self) -> bool:
        """Let agents disclose until the goals are in relaxed reach; False if they never are."""
        while self._needs_reach and not self._reach.has_goal and not self._has_lost_hope:
            if not self._quick_round() and not self._one_more():
                return False
        return not self._has_lost_hope

    def _disclose_more(self, effort: int, is_late: bool) -> int:
        """A search was in vain: a round, more effort if everybody passes, and then one edge that
        somebody must disclose. If it is late, there are no rounds. The effort of the next search.
        """
        ledger, before = self._coordinator.ledger, self._coordinator.ledger.said
        wanted = before + math.ceil(before * self._growth(is_late))
        while self._turns.open and not self._has_lost_hope:
            if is_late or not self._rounds():
                if effort == 1 and not is_late:
                    return 2
                self._one_more()
            if ledger.said >= wanted:
                break
        self._in_vain += 1
        return 2 * effort if is_late else 1

    def _growth(self, is_late: bool) -> float:
        """The share of itself by which the ledger grows before the next search."""
        return 1.0 if is_late else (1 + self._in_vain) / self._policy.growth

    def _rounds(self) -> bool:
        """A round; with a ranking that passes, rounds until everybody does, since agents then
        disclose what a plan needs as a whole. If edges were recalled, a plan may lack no more than
        one. Whether anything was disclosed.
        """
        disclosed = is_more = self._round()
        while self._as_a_whole and is_more and not self._has_lost_hope:
            is_more = self._round()
        return disclosed

    def _round(self) -> bool:
        """Everybody has a turn; whether anything was disclosed."""
        return self._have_turns(tuple(self._turns.open))

    def _quick_round(self) -> bool:
        """Everybody has a turn who is likely to disclose, and if nobody does, everybody else."""
        return any(self._have_turns(agents) for agents in self._turns.due())

    def _have_turns(self, agents: Sequence[str]) -> bool:
        count = 0
        for agent in agents:
            if self._has_lost_hope:
                break
            count += self._note(self._turns.take(agent))
        return count > 0

    def _one_more(self) -> bool:
        """The agent that disclosed fewest edges must disclose; False if all have said "no more"."""
        while not self._has_lost_hope and (turn := self._turns.one_must()) is not None:
            if self._note(turn):
                return True
        return False

    def _note(self, turn: Turn) -> bool:
        """Whether a turn disclosed an edge; if it was the last hope, it is over."""
        if isinstance(turn, EdgeDisclosed):
            self._reach.disclose(turn.sender, turn.edge)
            return True
        if isinstance(turn, NoMore) and self._can_lose_hope:
            self._has_lost_hope = not self._is_hopeful()
        return False

    def _is_hopeful(self) -> bool:
        """Could the goals be reached if agents that have not said "no more" disclosed whatever it
        takes, and nothing were ever deleted?
        """
        hoped: Projection = self._coordinator.projection()
        tokens = [fact for (agent, _), fact in hoped.tokens.items() if agent in self._turns.open]
        return Reach(replace(hoped, init=[*hoped.init, *tokens])).has_goal
