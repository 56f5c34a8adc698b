"""With what a run is done, besides the settings that decide what counts: the one list of defaults.

As in `Settings`, a field with its description is all there is to an option. Names of solvers,
rankings, planners and heuristics are looked up by those who hold the registries (`tacit.choices`).
"""

from __future__ import annotations

import enum
from typing import Annotated

import msgspec
from msgspec import Meta

from tacit.public.declared import described

Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Seconds = Annotated[float, Meta(ge=0)]


class Drive(enum.StrEnum):
    """How agents that search by themselves run, if one user holds them all."""

    THREADS = "threads"
    PROCESSES = "processes"
    ROUNDROBIN = "roundrobin"


AGREED, LOCAL = "agreed", "local"
"""Must all agents of a run want the same, or is it the business of one process?"""
SEARCH = "Search"
"""The group of options that few users need."""


class RunOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a run is done. `threads` and `record` are for programs, not for the command line."""

    solver: Annotated[str, described("Who finds the plan.", AGREED, "solver")] = "auto"
    ranking: Annotated[str, described("Which edges are disclosed first.", AGREED, "ranking")] = (
        "goal"
    )
    planner: Annotated[
        str,
        described(
            "Who searches the projection; fd is Fast Downward (extra 'fd').",
            LOCAL,
            "planner",
            SEARCH,
        ),
    ] = "native"
    change_over: Annotated[
        bool,
        described(
            "Go on by forward search where repairs of the projection get no further "
            "(profile tacit).",
            AGREED,
            group=SEARCH,
        ),
    ] = True
    heuristic: (
        Annotated[
            str,
            described(
                "What guides forward search; ff if not given, lmcut with mad-astar.",
                AGREED,
                "heuristic",
                SEARCH,
            ),
        ]
        | None
    ) = None
    drive: Annotated[
        Drive,
        described(
            "How the agents of forward search run; roundrobin is repeatable.", LOCAL, group=SEARCH
        ),
    ] = Drive.THREADS
    max_repairs: Annotated[
        Count,
        described("Rounds of repair: in an online run, or at one k.", AGREED, group=SEARCH),
    ] = 10_000
    time_limit: (
        Annotated[
            Seconds,
            described(
                "Seconds of wall-clock time for the run; between hosts, for planning.", AGREED
            ),
        ]
        | None
    ) = None
    improve: Annotated[
        Seconds,
        described(
            "Seconds in which to improve the first plan, with nothing more on the ledger: of CPU "
            "time in one process, of wall-clock time between hosts.",
            AGREED,
        ),
    ] = 0.0
    memory_limit: (
        Annotated[int, Meta(ge=1), described("MiB of resident memory for the whole run.", LOCAL)]
        | None
    ) = None
    seed: Annotated[int, described("Seed of every choice.", LOCAL)] = 0
    ties: (
        Annotated[
            int,
            described("Break ties between edges at random, by this seed.", LOCAL, group=SEARCH),
        ]
        | None
    ) = None
    threads: int | None = None
    """How many threads drive agents; as many as there are processors if None."""
    record: bool = False
    """Are states that agents send each other in the transcript?"""

    @property
    def seconds(self) -> float:
        return float("inf") if self.time_limit is None else self.time_limit

    @property
    def memory(self) -> int | None:
        """Bytes."""
        return None if self.memory_limit is None else self.memory_limit * 2**20


DEFAULTS = RunOptions()
