"""A plugin for tests of sweeps: solvers that fail in every way there is."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace

from tacit.central.solve import InvalidResult, Limits, Means, Session
from tacit.errors import InputError
from tacit.experiment.run.solvers import SOLVERS


class Moody(Session):
    """At k = 3 it does as its seed says."""

    def __init__(self, instance, settings, ranking="m3", seed=0, memory=None, ties=None, bill=None):
        super().__init__(instance, settings, ranking, seed, Means(memory=memory), ties)
        self.searching = False
        self.mood = ("raise", "abort", "eat", "hang", "kill", "wrong", "exit", "fine")[seed % 8]

    def first(self, *limits):
        self.searching = True
        return super().first(*limits)

    def at(self, k, *limits):
        if k == 3 and not self.searching:
            getattr(self, f"do_{self.mood}")()
        return super().at(k, *limits)

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
        raise InvalidResult("a plan was found that is none: it does nothing")

    def do_exit(self):
        os._exit(7)

    def do_fine(self):
        pass


class Unloadable(Session):
    """It does not even start, in a way that its seed decides."""

    def __init__(self, instance, settings, ranking="m3", seed=0, memory=None, ties=None, bill=None):
        (self.refuse, os.abort, lambda: time.sleep(600))[seed]()

    def refuse(self):
        raise InputError("I do not like this problem")


SOLVERS["moody"] = Moody
SOLVERS["unloadable"] = Unloadable


class Weary(Session):
    """At every third budget it gives up at once."""

    def __init__(self, instance, settings, ranking="m3", seed=0, memory=None, ties=None, bill=None):
        super().__init__(instance, settings, ranking, seed, Means(memory=memory), ties)

    def at(self, k, limits=None):
        limits = limits or Limits()
        return super().at(k, limits if k % 3 else replace(limits, evaluations=1))


SOLVERS["weary"] = Weary
