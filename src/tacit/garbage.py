"""How often Python looks for garbage that refers to itself.

A run makes lists by the hundred thousand and keeps most of them, and hardly any are in cycles, so
that looking as often as Python does by default took a tenth of the time of large problems. Only
programs change this (the command line, the processes of a sweep), never the library.
"""

from __future__ import annotations

import gc


def collect_seldom() -> None:
    """Look after 100,000 new objects, and at older ones after 20 such looks."""
    gc.set_threshold(100_000, 20, 20)
