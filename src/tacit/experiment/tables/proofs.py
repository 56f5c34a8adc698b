"""How many plans are proved to be the cheapest on their ledger (docs/optimal.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tacit.experiment.run.row import Run
from tacit.experiment.tables.grid import Grid

HEADER = ["solver", "domain", "ranking", "plans", "optimal"]


def grid(runs: Sequence[Run]) -> Grid:
    """Per solver, domain and ranking, plans and proofs; no line where nothing was proved."""
    plans: Counter[tuple[str, str, str]] = Counter()
    proofs: Counter[tuple[str, str, str]] = Counter()
    for run in runs:
        if run.solved:
            kind = (run.unit.solver, run.unit.domain, run.unit.series)
            plans[kind] += 1
            proofs[kind] += run.optimal
    lines = [[*kind, str(plans[kind]), str(proofs[kind])] for kind in sorted(plans) if proofs[kind]]
    return Grid(HEADER, lines)
