"""Offline: budgets tried independently of each other, for one user who holds all agents.

Each budget k is a run of its own: agents disclose what they chose in their first k turns, and the
ledger begins anew. What one budget disclosed is not on the ledger of another, so this is for
evaluation and for a user with all files, never for agents that do not trust each other. How many
edges agents have is asked of them directly; no frame has it.
"""

from __future__ import annotations

from collections.abc import Mapping

from tacit import watch
from tacit.public.ledger import Ledger
from tacit.public.projection import Projection, Reach
from tacit.public.protocol.messages import Disclose, Disclosed
from tacit.solvers.coordinator import Coordinator
from tacit.solvers.rounds import Rounds


class Offline:
    """Budgets of agents that are held here. `totals`: how many edges each has. Where agents have a
    budget in prices besides, `most` is set: none can pay for more edges.
    """

    def __init__(
        self, coordinator: Coordinator, totals: Mapping[str, int], most: int | None = None
    ):
        assert coordinator.is_offline
        self.totals = dict(totals)
        self.most = most
        self._coordinator = coordinator
        agents = coordinator.public.agents if coordinator.is_interactive else ()
        self._rounds = Rounds(agents, coordinator.take_turn)

    @property
    def takes_turns(self) -> bool:
        """Is a ranking interactive, so that edges are disclosed one by one?"""
        return bool(self._rounds.agents)

    @property
    def rounds(self) -> int:
        """How many rounds of turns there were."""
        return self._rounds.count

    @property
    def largest(self) -> int:
        """The budget at which every agent discloses everything, or all that it can pay for."""
        largest = max(self.totals.values(), default=0)
        return largest if self.most is None else min(largest, self.most)

    def disclose_all(self, k: int) -> Ledger:
        """Let every agent disclose what it chose in k turns; with the largest k, everything or all
        that it can pay for, whether it would pass or not.
        """
        coordinator = self._coordinator
        is_all = k >= self.largest
        if self.takes_turns and (not is_all or self.most is not None):
            self._rounds.until(sum(self.totals.values()) + len(self.totals) if is_all else k)
        coordinator.begin_ledger()
        with watch.phase("disclosing"):
            question = Disclose(coordinator.name, None if is_all else k)
            coordinator.expect_all(question, Disclosed)
        return coordinator.ledger

    def projection(self, k: int) -> Projection:
        """Π_k: what was published, with every agent's k best edges."""
        self.disclose_all(k)
        return self._coordinator.projection()

    def rounds_until_reachable(self) -> int:
        """The k at which the goal of Π_k can be reached if nothing is ever deleted."""
        return self._rounds.until_reachable(Reach(self.projection(0)), self.largest)

    def take_all_turns(self) -> None:
        """Let interactive rankings go on to the end, so that their full order can be seen."""
        self._rounds.until(self.largest)
