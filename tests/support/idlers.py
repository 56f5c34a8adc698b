"""Agents that search for nothing."""

from __future__ import annotations

import os
import time


class Idler:
    """Sends a frame to its neighbour in each slice; the one called 'bad' breaks when it is due."""

    def __init__(self, name: str, to: str, breaks: str = "", error: Exception | None = None):
        self.name = name
        self.to = to
        self.breaks = breaks
        self.error = error or ZeroDivisionError("by zero")
        self.slices = 0
        self.is_idle = False
        self.has_found = False

    def work(self, evaluations: int) -> list[tuple[str, bytes]]:
        time.sleep(0.001)
        self.slices += 1
        if self.breaks == "work" and self.slices > 3:
            raise self.error
        if self.breaks == "die" and self.slices > 3:
            os._exit(7)
        return [(self.to, b"x" * 50_000)]

    def receive(self, sender: str, frame: bytes) -> None:
        if self.breaks == "receive":
            raise self.error

    def answer(self, sender: str, frame: bytes) -> bytes:
        if self.breaks == "answer":
            raise self.error
        return frame

    def hear(self, sender: str, frame: bytes) -> None:
        pass


def idlers(breaks: str = "", error: Exception | None = None) -> list[Idler]:
    return [Idler("one", "bad"), Idler("bad", "two", breaks, error), Idler("two", "one")]
