"""Solvers: how the agents find a plan together. One file (or folder) per solver.

    @SOLVERS.add("mine")
    class Mine(Solver):
        summary = "one line for --help and the docs"
        understands = frozenset({"planner"})     # run options that mean something to it
        def plan(self, attempt, limits): ...     # plan with what is on the ledger

A `Solver` (`tacit.solvers.solver`) says everything about itself: which settings and options it
understands, whether its agents search by themselves or only answer questions, how it looks for the
smallest budget, and what its results prove. The command line, the Python interface, sweeps, agents
on separate hosts, reports and the docs find it here; no second list exists. A file of your own is
loaded with `--plugin FILE.py`, or through an entry point of the group `tacit.solver`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tacit.registry import Registry

if TYPE_CHECKING:
    from tacit.solvers.solver import Solver


class _Solvers(Registry["type[Solver]"]):
    """A solver knows under which name it was registered."""

    def add(self, name: str) -> Callable[[type[Solver]], type[Solver]]:
        def keep(kind: type[Solver]) -> type[Solver]:
            kind.name = name
            return super(_Solvers, self).add(name)(kind)

        return keep


SOLVERS = _Solvers("solver", "tacit.solvers")
