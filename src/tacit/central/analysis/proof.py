"""Unsolvability proofs: whether there can be a plan at a budget, decided with all secrets.

Most solvers take long to notice that there is no plan: the search ends with the time limit.
Experiments therefore try a proof first. It shows that no supported plan can be extended at a
budget, so that there is none at a smaller one either; it does not cover settings under which agents
may go beyond what they disclosed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from tacit.central.joint import JointTask
from tacit.central.session import Session
from tacit.party.disclosure.graph import INIT, Edge
from tacit.public.settings import Rule, Settings


class Prover:
    """Proves budgets of an offline session unsolvable; its agents live in this process."""

    def __init__(self, session: Session, settings: Settings):
        self._session = session
        self._initial_is_free = settings.rule is Rule.AUTHORS
        self._joint = JointTask(session.agents)

    def why_unsolvable(self, k: int, thorough: bool = False) -> str:
        """Why there is no plan with budget k or less; empty if that is not proved."""
        self._session.disclose(k)
        disclosed = {
            name: [*(edge for edge in agent.disclosed if edge.positive), *self._free[name]]
            for name, agent in self._session.agents.items()
        }
        return self._joint.why_unsolvable(disclosed, thorough)

    @cached_property
    def _free(self) -> dict[str, list[Edge]]:
        """The edges that count as disclosed at every budget."""
        if not self._initial_is_free:
            return {name: [] for name in self._session.agents}
        graphs = {name: agent.dependencies.graph for name, agent in self._session.agents.items()}
        return {
            name: [edge for edge in graph.edges if edge.achiever == INIT and edge.positive]
            for name, graph in graphs.items()
        }

    def largest_unsolvable(self, budgets: Sequence[int]) -> tuple[int, str] | None:
        """The largest of these budgets that is proved unsolvable, and why; None if none is.

        Bisection with quick proofs first; then thorough ones, upwards from there.
        """
        ordered = sorted(budgets)
        low, high = 0, len(ordered)
        found: tuple[int, str] | None = None
        while low < high:
            middle = (low + high) // 2
            why = self.why_unsolvable(ordered[middle])
            if why:
                found, low = (ordered[middle], why), middle + 1
            else:
                high = middle
        for budget in ordered[low:]:
            why = self.why_unsolvable(budget, thorough=True)
            if not why:
                break
            found = budget, why
        return found
