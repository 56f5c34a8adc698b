"""How planning ended: the result of a solver at one budget, and of a run between hosts."""

from __future__ import annotations

import enum


class Outcome(enum.Enum):
    """`not extended`: there were public plans, and none could be extended. `undecided`: it is not
    known whether there is a plan.
    """

    SOLVED = "solved"
    NO_PLAN = "no plan"
    NOT_EXTENDED = "not extended"
    UNDECIDED = "undecided"
    TIME = "time"
    MEMORY = "memory"
