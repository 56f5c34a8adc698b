"""How planning ended: what a solver says of one budget, and agents tell each other in the end."""

from __future__ import annotations

import enum


class Outcome(enum.Enum):
    """`not extended`: there were public plans, and none could be carried out. `undecided`: nobody
    knows whether there is a plan.
    """

    SOLVED = "solved"
    NO_PLAN = "no plan"
    NOT_EXTENDED = "not extended"
    UNDECIDED = "undecided"
    TIME = "time"
    MEMORY = "memory"
