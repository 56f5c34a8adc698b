"""Whether there can be a plan at a budget at all, said by who sees all secrets.

No solver can find what is not there, but most take long to notice: a search for a plan that does
not exist ends with the time limit. Experiments therefore ask here first. What is proved is that no
supported plan can be carried out at a budget, so that none is there at a smaller one either; it
says nothing of settings under which agents may go beyond what they disclosed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from tacit.central.joint import JointTask
from tacit.central.solve import Session
from tacit.party.disclosure.graph import INIT, Edge
from tacit.public.settings import Extension, Rule, Settings


def can_be_proved(solver: str, settings: Settings) -> bool:
    """Is it known of the solver that it keeps to supported plans under these settings?"""
    if solver == "mafs":
        return settings.rule is not Rule.PAIRWISE
    return solver == "projection" and settings.extension is Extension.STRICT


class Prover:
    """Refutes budgets of a session whose agents live in this process."""

    def __init__(self, session: Session, settings: Settings):
        self._session = session
        self._start_is_free = settings.rule is Rule.AUTHORS
        self._joint = JointTask(session.agents)

    def refutation(self, k: int, thorough: bool = False) -> str:
        """Why there is no plan with budget k, or less; empty if that is not known."""
        self._session.disclose(k)
        told = {
            name: [*(edge for edge in agent.disclosed if edge.positive), *self._free[name]]
            for name, agent in self._session.agents.items()
        }
        return self._joint.refutation(told, thorough)

    @cached_property
    def _free(self) -> dict[str, list[Edge]]:
        """What counts as disclosed whatever the budget."""
        if not self._start_is_free:
            return {name: [] for name in self._session.agents}
        graphs = {name: agent.dependencies.graph for name, agent in self._session.agents.items()}
        return {
            name: [edge for edge in graph.edges if edge.giver == INIT and edge.positive]
            for name, graph in graphs.items()
        }

    def largest_refuted(self, budgets: Sequence[int]) -> tuple[int, str] | None:
        """The largest of these budgets that is refuted, and why; None if none is.

        What is quick to see is bisected; then it goes up from there for as long as it can.
        """
        ordered = sorted(budgets)
        low, high = 0, len(ordered)
        found: tuple[int, str] | None = None
        while low < high:
            middle = (low + high) // 2
            why = self.refutation(ordered[middle])
            if why:
                found, low = (ordered[middle], why), middle + 1
            else:
                high = middle
        for budget in ordered[low:]:
            why = self.refutation(budget, thorough=True)
            if not why:
                break
            found = budget, why
        return found
