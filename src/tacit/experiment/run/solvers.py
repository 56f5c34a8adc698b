"""The solvers that a sweep can run, by name: a new one is one more line.

A solver is a way to make sessions, called as `make(instance, settings, ranking, seed, memory,
ties, bill)` with the memory limit in bytes or None, the seed for breaking ties or None, and the
prices of all agents. A session has
`totals` and `largest`, how many edges agents have; `agents`, as `tacit.central.used` needs them;
`at(k, limits)` and `first(limits)`, which return a `Result`. `may_be_reachable(k)` is a quick test
whose "no" settles all smaller budgets.

Forward search takes turns here (`roundrobin`), because its threads make no two runs alike.
"""

from __future__ import annotations

from collections.abc import Callable

from tacit.central.billing import Bill
from tacit.central.instance import Instance
from tacit.central.solve import Means, Session
from tacit.public.settings import Settings

Make = Callable[[Instance, Settings, str, int, int | None, int | None, Bill], Session]


def _with(solver: str) -> Make:
    def make(
        instance: Instance,
        settings: Settings,
        ranking: str,
        seed: int,
        memory: int | None,
        ties: int | None,
        bill: Bill,
    ) -> Session:
        means = Means(solver, memory=memory, drive="roundrobin")
        return Session(instance, settings, ranking, seed, means, ties, bill)

    return make


SOLVERS: dict[str, Make] = {
    "projection": _with("projection"),
    "mafs": _with("mafs"),
}
