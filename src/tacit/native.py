"""The one door to the native core.

Nothing else imports `_core`. Flat arrays come out as memoryviews; `Rows` reads two of them as a
list of short lists. `TACIT_CORE_DIR` names a folder with another build of the core, which is how
the tests run against one with sanitizers.

During long computations the core checks the user's limits a few times a second (`tacit.watch`).
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit import watch

if TYPE_CHECKING:
    from tacit import _core
else:

    def _import_core() -> Any:
        folder = os.environ.get("TACIT_CORE_DIR")
        if folder is None:
            return importlib.import_module("tacit._core")
        found = importlib.machinery.PathFinder.find_spec("_core", [str(Path(folder).resolve())])
        if found is None or found.loader is None:
            raise ImportError(f"TACIT_CORE_DIR={folder} holds no native core")
        module = importlib.util.module_from_spec(found)
        sys.modules["tacit._core"] = module
        found.loader.exec_module(module)
        return module

    _core = _import_core()

SECONDS_BETWEEN_PULSES = 0.02

on_pulse = _core.on_pulse
on_pulse(watch.check, SECONDS_BETWEEN_PULSES)

MAX_ARITY = _core.MAX_ARITY
MAX_PARAMETERS = _core.MAX_PARAMETERS
PUBLIC = _core.PUBLIC
OWN = _core.OWN
INIT = _core.INIT

CertainDeletes = _core.CertainDeletes
ChainRule = _core.ChainRule
DependencyGraph = _core.DependencyGraph
GoalOrder = _core.GoalOrder
GreedyOrder = _core.GreedyOrder
Grounder = _core.Grounder
GroundingLimit = _core.GroundingLimit
GroundTask = _core.GroundTask
CheapestWithin = _core.CheapestWithin
HittingSet = _core.HittingSet
LocalArrays = _core.LocalTask
AstarNode = _core.AstarNode
MafsNode = _core.MafsNode
MafsOptions = _core.MafsOptions
Program = _core.Program
Projection = _core.Projection
PublicProjection = _core.PublicProjection
RelaxedCuts = _core.RelaxedCuts
Shapes = _core.Shapes
SharedTasks = _core.SharedTasks
ShownActions = _core.ShownActions
WithinReach = _core.WithinReach

dependencies = _core.dependencies
edges_in_order = _core.edges_in_order
lm_cut = _core.lm_cut
per_use = _core.per_use
prove_unsolvable = _core.prove_unsolvable
UNSOLVABILITY_PROOFS = _core.UNSOLVABILITY_PROOFS


def flat(rows: Iterable[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Many short lists as the core takes them: the offset of each, and all of them concatenated."""
    lists = list(rows)
    return list(accumulate(map(len, lists), initial=0)), list(chain.from_iterable(lists))


ALL_GROUPS = _core.ALL_GROUPS
ENGINES = tuple(_core.ENGINES)
OUTCOMES = _core.OUTCOMES
Search = _core.Search
StripsTask = _core.StripsTask
evaluate = _core.evaluate
response = _core.response
supported_task = _core.supported_task


def heuristics() -> dict[str, str]:
    """The heuristics of the native search: name and description."""
    return dict(_core.heuristics())


def admissible_heuristics() -> frozenset[str]:
    """Those that never say more than a plan costs."""
    return frozenset(_core.admissible_heuristics())


def tuples(parts: tuple[memoryview, memoryview]) -> list[tuple[int, ...]]:
    """The rows of two flat arrays, all at once."""
    starts, items = parts[0].tolist(), tuple(parts[1].tolist())
    return [items[first:last] for first, last in pairwise(starts)]


class Rows:
    """Many short lists of integers, kept flat."""

    __slots__ = ("items", "start")

    def __init__(self, parts: tuple[memoryview, memoryview]):
        self.start, self.items = parts

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getitem__(self, index: int) -> list[int]:
        found: list[int] = self.items[self.start[index] : self.start[index + 1]].tolist()
        return found

    def __iter__(self) -> Iterator[list[int]]:
        return (self[index] for index in range(len(self)))
