"""A unit in a separate program, for a cluster worker that must survive whatever it runs.

The program reads a `Parcel` from stdin, the unit with the files it needs, and writes every run to
stdout as soon as it is known. It exits when stdin is closed, so that it does not outlive its
worker. Only `execute` starts it. Both sides are the same installation; a parcel is pickled, as is
everything that dask sends.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec

import tacit
from tacit.errors import InputError
from tacit.experiment.run.job import Job
from tacit.experiment.run.pool import Grace, watch
from tacit.experiment.run.row import Run

_LENGTH = 8
_decoder = msgspec.msgpack.Decoder(Run)


@dataclass(frozen=True)
class Parcel:
    """A job and the content of the files that it names."""

    job: Job
    grace: Grace
    problem: dict[str, bytes]
    plugins: tuple[bytes, ...]

    @classmethod
    def of(cls, job: Job, grace: Grace) -> Parcel:
        folder = job.problem.folder
        files = sorted(Path(folder).glob("*.pddl")) if folder else []
        plugins = tuple(Path(plugin).read_bytes() for plugin in job.plugins)
        return cls(job, grace, {path.name: path.read_bytes() for path in files}, plugins)

    def unpack(self, folder: Path) -> Job:
        """The job, with its files written to a folder of this machine."""
        job, problem = self.job, self.job.problem
        for name, content in self.problem.items():
            (folder / name).write_bytes(content)
        if problem.folder:
            problem = msgspec.structs.replace(problem, folder=str(folder))
        plugins = []
        for number, (name, content) in enumerate(zip(job.plugins, self.plugins, strict=True)):
            own = folder / str(number)
            own.mkdir()
            (own / Path(name).name).write_bytes(content)
            plugins.append(str(own / Path(name).name))
        return msgspec.structs.replace(job, problem=problem, plugins=tuple(plugins))


def execute(
    parcel: bytes, began: Callable[[subprocess.Popen[bytes]], None], report: Callable[[Run], None]
) -> list[Run]:
    """Run the program on a pickled parcel; all runs that it reported."""
    found: list[Run] = []
    with tempfile.TemporaryFile() as errors:
        program = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
        began(program)
        assert program.stdin is not None
        assert program.stdout is not None
        with program, contextlib.suppress(BrokenPipeError):
            program.stdin.write(len(parcel).to_bytes(_LENGTH, "big") + parcel)
            program.stdin.flush()
            for frame in _frames(program.stdout):
                run = _decoder.decode(frame)
                found.append(run)
                report(run)
        if program.returncode != 0:
            errors.seek(0)
            last = errors.read().decode(errors="replace").strip().split("\n")[-1]
            raise RuntimeError(last or f"exit code {program.returncode}")
    return found


def _frames(stream: IO[bytes]) -> Iterator[bytes]:
    while len(head := stream.read(_LENGTH)) == _LENGTH:
        body = stream.read(int.from_bytes(head, "big"))
        if len(body) == int.from_bytes(head, "big"):
            yield body


def main() -> None:
    """The program."""
    source, out = sys.stdin.buffer, sys.stdout.buffer
    length = int.from_bytes(source.read(_LENGTH), "big")
    parcel: Parcel = pickle.loads(source.read(length))
    threading.Thread(target=_exit_with, args=(source,), daemon=True).start()
    wanted = parcel.job.unit.version
    if tacit.__version__ != wanted:
        raise InputError(f"a worker has Tacit {tacit.__version__}, the sweep is of {wanted}")
    with tempfile.TemporaryDirectory() as scratch:
        job = parcel.unpack(Path(scratch))
        for run in watch(job, threading.Event(), parcel.grace):
            body = msgspec.msgpack.encode(run)
            out.write(len(body).to_bytes(_LENGTH, "big") + body)
            out.flush()
    out.flush()
    os._exit(0)


def _exit_with(source: IO[bytes]) -> None:
    source.read(1)
    os._exit(1)


if __name__ == "__main__":
    main()
