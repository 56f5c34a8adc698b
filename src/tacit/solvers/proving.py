"""After improving: is there anything cheaper at all? (docs/optimal.md)

Agents search once more, in the order of A*, for plans that cost less than the best so far. If they
find one it is the best; if they come to the end, no plan that is supported on the ledger is
cheaper. That needs agents in one process that count all costs: between hosts an optimal search must
have been agreed on.
"""

from __future__ import annotations

from dataclasses import replace

from tacit.errors import InputError
from tacit.public.outcome import Outcome
from tacit.public.settings import Cost
from tacit.solvers import SOLVERS
from tacit.solvers.attempt import Attempt
from tacit.solvers.limits import Deadline
from tacit.solvers.optimal_search import OptimalSearch
from tacit.solvers.solver import Solver

PROVER = "mad-astar"


def may_prove(solver: Solver) -> bool:
    """May the agents of this solver search so, and does the objective count what they count?"""
    settings = solver.coordinator.settings
    if solver.forward_search is None or settings.cost is not Cost.TOTAL:
        return False
    try:
        SOLVERS.get(PROVER).check(settings)
    except InputError:
        return False
    return not solver.coordinator.driver.is_apart


def search_below(solver: Solver, cost: int, deadline: Deadline) -> Attempt:
    """The cheapest plan that costs less, or that there is none."""
    assert solver.forward_search is not None
    tools = replace(solver.tools, heuristic=SOLVERS.get(PROVER).heuristic)
    search, attempt = OptimalSearch(solver.coordinator, tools), Attempt(0, Outcome.UNDECIDED)
    search.begin_below(cost, solver.forward_search.number_for_another())
    search.run(attempt, deadline, None)
    return attempt
