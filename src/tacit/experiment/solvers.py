"""The solvers that a sweep can run, by name: a new one is one more line.

A solver is a class of sessions, called as `Session(instance, settings, ranking, seed, memory)`
with the memory limit in bytes or None. A session has `totals` and `largest`, how many edges agents
have; `agents`, as `tacit.whole.used` needs them; `at(k, limits)` and `first(limits)`, which return
a `Result`. It may have `may_be_reachable(k)`, a quick test whose "no" settles all smaller budgets,
and `search_seconds`, the CPU time of its searches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tacit.whole.solve import Session

SOLVERS: dict[str, Callable[..., Any]] = {
    "projection": Session,
}
