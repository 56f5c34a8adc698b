"""A plugin for tests of sweeps: solvers that fail in every way there is."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace

from tacit.central.session import InvalidResult
from tacit.errors import InputError
from tacit.solvers import SOLVERS
from tacit.solvers.projection import ProjectionSolver
from tacit.solvers.solver import Tools

MOODS = ("raise", "abort", "eat", "hang", "kill", "wrong", "exit", "fine")


def seed_of(tools: Tools) -> int:
    """The seed of the run, which the planner is made with."""
    return tools.make_search.keywords["seed"]


@SOLVERS.add("moody")
class Moody(ProjectionSolver):
    """At k = 3 it does as its seed says, unless the smallest budget is looked for."""

    is_searching = False

    @classmethod
    def keeps_to_supported(cls, settings):
        """Nothing is proved beforehand: it has to fail by itself."""
        return False

    def smallest(self, budgets, low, limits):
        self.is_searching = True
        return super().smallest(budgets, low, limits)

    def attempt(self, k, limits):
        if k == 3 and not self.is_searching:
            getattr(self, f"do_{MOODS[seed_of(self.tools) % 8]}")()
        return super().attempt(k, limits)

    def do_raise(self):
        raise KeyError("what")

    def do_abort(self):
        os.abort()

    def do_eat(self):
        self.food = [bytearray(2**20) for _ in range(10_000)]

    def do_hang(self):
        time.sleep(600)

    def do_kill(self):
        os.kill(os.getpid(), signal.SIGKILL)

    def do_wrong(self):
        raise InvalidResult("the validator rejects the plan: it does nothing")

    def do_exit(self):
        os._exit(7)

    def do_fine(self):
        pass


@SOLVERS.add("unloadable")
class Unloadable(ProjectionSolver):
    """It does not even start, in a way that its seed decides."""

    def __init__(self, coordinator, tools):
        super().__init__(coordinator, tools)
        (self.refuse, os.abort, lambda: time.sleep(600))[seed_of(tools)]()

    def refuse(self):
        raise InputError("I do not like this problem")


@SOLVERS.add("weary")
class Weary(ProjectionSolver):
    """At every third budget it gives up at once."""

    keeps_to_supported = Moody.keeps_to_supported

    def attempt(self, k, limits):
        return super().attempt(k, limits if k % 3 else replace(limits, evaluations=1))
