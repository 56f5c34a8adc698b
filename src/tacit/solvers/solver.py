"""What a solver is: how it plans with what is on the ledger, and what may be known about it.

A solver works with a `Coordinator`, which knows the agents and keeps the ledger, and with `Tools`.
It plans with all that is on the ledger (`plan`), and is asked again when more is on it: online in
the same run (`tacit.solvers.online`), offline for another budget. It declares what it understands,
so that nobody else has to ask for its name: the command line shows its options, settings that mean
nothing to it are refused, a sweep knows what "no plan" proves, and agents on other hosts know what
they may be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tacit.errors import InputError
from tacit.policy import POLICY, Policy
from tacit.public.outcome import Outcome
from tacit.public.protocol.messages import Status
from tacit.public.settings import Settings
from tacit.solvers.attempt import Attempt
from tacit.solvers.budget_search import R
from tacit.solvers.budgets import Budgets
from tacit.solvers.coordinator import Coordinator
from tacit.solvers.limits import Limits
from tacit.solvers.offline import Offline
from tacit.solvers.planner import MakeCheaperSearch, MakeSearch

if TYPE_CHECKING:
    from tacit.solvers.forward_search import ForwardSearch

Watcher = Callable[[int, Sequence[Status]], None]
"""Is shown the budget and every agent's status now and then."""


@dataclass(frozen=True)
class Tools:
    """With what a solver works, besides the agents. `memory` bounds the bytes of all searches."""

    make_search: MakeSearch
    heuristic: str = "ff"
    memory: int | None = None
    watcher: Watcher | None = None
    change_over: bool = True
    policy: Policy = POLICY
    offline: Offline | None = None
    make_cheaper_search: MakeCheaperSearch | None = None


class Solver:
    """Finds a plan with agents that have published."""

    name: ClassVar[str]
    """Under which it is registered."""
    summary: ClassVar[str] = ""
    understands: ClassVar[frozenset[str]] = frozenset()
    """Settings and run options, by name, that mean something to this solver and not to all."""
    agents_search: ClassVar[bool] = False
    """Do the agents search by themselves, given time by a driver, or only answer questions?"""
    is_optimal: ClassVar[bool] = False
    """Is its plan the cheapest that is supported on the ledger?"""
    heuristic: ClassVar[str] = "ff"
    """What guides its forward search, unless something else is chosen."""
    iterates: ClassVar[bool] = False
    """Can k grow inside one search (`iterate`)?"""

    def __init__(self, coordinator: Coordinator, tools: Tools):
        self.coordinator = coordinator
        self.tools = tools

    @property
    def forward_search(self) -> ForwardSearch | None:
        """Searches of the agents, if they may show each other states."""
        return None

    @classmethod
    def check(cls, settings: Settings) -> None:
        """An `InputError` if this solver cannot work under these settings."""
        settings.check()
        if settings.harden and "harden" not in cls.understands:
            others = "choose a solver that can, such as --solver mafs"
            raise InputError(f"solver '{cls.name}' has nothing to harden", others)

    @classmethod
    def keeps_to_supported(cls, settings: Settings) -> bool:
        """Does it return supported plans only, so that what has none can be proved unsolvable?"""
        return False

    @classmethod
    def is_bounded_by_projection(cls, settings: Settings) -> bool:
        """Is the goal out of its reach wherever relaxed reachability in Π_k denies it?"""
        return True

    def plan(self, attempt: Attempt, limits: Limits) -> None:
        """Plan with what is on the ledger, within these limits; how it ended goes into `attempt`.

        Online it is called again and again, with more on the ledger or with more effort, and may go
        on where it was.
        """
        raise NotImplementedError

    def finish(self, attempt: Attempt, limits: Limits) -> None:
        """Plan to the end, since nobody will disclose more: nothing but these limits ends it."""
        self.plan(attempt, limits)

    def attempt(self, k: int, limits: Limits) -> Attempt:
        """Offline: plan with budget k."""

        def work(attempt: Attempt) -> None:
            attempt.ledger = self.offline.disclose_all(k)
            self.plan(attempt, limits)

        return self.coordinator.until_limit(Attempt(k, Outcome.UNDECIDED), work)

    @property
    def offline(self) -> Offline:
        """The budgets of agents that are held here."""
        assert self.tools.offline is not None, "these agents are not held here"
        return self.tools.offline

    def iterate(self, limits: Limits) -> Attempt:
        """Offline: plan with a k that grows from 0, one by one, inside one search."""
        hint = "leave out --iterative, or use --solver mafs"
        raise InputError(f"k does not grow inside a search of solver '{self.name}'", hint)

    def smallest(self, budgets: Budgets[R], low: int, limits: Limits) -> R:
        """Offline: plan with the smallest budget that solves; none below `low` does."""
        return budgets.bisect(low, limits)
