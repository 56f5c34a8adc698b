"""Ctrl-C while a plan is improved between hosts: the best plan so far is what all of them get.

A `KeyboardInterrupt` could end a question half-way, and then agents would no longer agree on what
was asked. So the first Ctrl-C is only noted, and acted on between two questions. The second one
ends the program, as any does while there is no plan yet.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def on_interrupt(act: Callable[[], object]) -> Iterator[None]:
    """Have the first Ctrl-C do this instead; in the main thread, which alone is told of it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def handle(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, before)
        act()

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
