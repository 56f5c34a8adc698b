"""How often Python collects cyclic garbage.

A run creates hundreds of thousands of lists and keeps most of them, and hardly any are in cycles;
with Python's defaults, collecting took a tenth of the time of large problems. Only programs change
this (the command line, the processes of a sweep), never the library.
"""

from __future__ import annotations

import gc


def collect_seldom() -> None:
    """Collect after 100,000 new objects, and older generations after 20 such collections."""
    gc.set_threshold(100_000, 20, 20)
