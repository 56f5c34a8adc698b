"""Suites: the problems of an experiment.

A suite is a folder of problem folders at any depth (a CoDMAP tree, either form or both), a list
file with one problem per line, an embedded suite (`quick`, `paper`), or a single problem, folder or
embedded. A problem is called `domain/problem` after its last two folders; its digest is over the
content of its files, so that the same name with different content is a different problem.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from tacit.central.instance import Instance, load
from tacit.domains import DOMAINS, EXAMPLES, Generated, embedded_names
from tacit.errors import InputError, nearest
from tacit.pddl.agents import natural_order
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source

_FILE = re.compile(r"(?:domain|problem)(?:-.+)?\.pddl|.+_(?:domain|problem)\.pddl", re.DOTALL)
PAPER_DOMAINS = (
    "blocksworld",
    "depot",
    "driverlog",
    "elevators",
    "logistics",
    "rovers",
    "zenotravel",
)
PAPER_PROBLEMS = 20


class Problem(msgspec.Struct, frozen=True):
    """A problem and where it comes from: a folder, or a generator with parameters and a seed.

    Without either it is the example of its name.
    """

    name: str
    domain: str
    form: str
    digest: str
    folder: str = ""
    parameters: dict[str, int] = {}
    seed: int = 0

    def load(self) -> Instance:
        """Read, ground and split it."""
        if self.folder:
            return load(self.folder)
        start = time.process_time()
        made = _made(self.name, self.domain, self.parameters, self.seed)
        description = read_texts(
            Source(f"{self.name}/domain.pddl", made.domain),
            Source(f"{self.name}/problem.pddl", made.problem),
        )
        return Instance(description, {"parse": time.process_time() - start})


def find(suites: Iterable[str]) -> tuple[Problem, ...]:
    """The problems of some suites, by domain and name; the same problem counts once."""
    found: dict[tuple[str, str], Problem] = {}
    for suite in suites:
        for problem in _problems(suite):
            before = found.setdefault((problem.name, problem.form), problem)
            if before.digest != problem.digest:
                raise InputError(
                    f"two different problems are called '{problem.name}'",
                    "sweep them into two stores, or rename a folder",
                )
    rank = {name: n for n, name in enumerate(natural_order({p.name for p in found.values()}))}
    return tuple(sorted(found.values(), key=lambda p: (p.domain, rank[p.name], p.form)))


def _problems(suite: str) -> Iterator[Problem]:
    path = Path(suite)
    if path.is_dir():
        yield from _in_folder(path)
    elif path.is_file():
        yield from _in_list(path)
    elif suite in EMBEDDED:
        yield from EMBEDDED[suite]()
    else:
        yield _embedded(suite)


def _in_folder(top: Path) -> Iterator[Problem]:
    """The problem folders at or below a folder."""
    count = 0
    for folder, below, files in os.walk(top):
        below.sort()
        if any(_FILE.fullmatch(name) for name in files):
            count += 1
            yield _of_folder(Path(folder))
    if not count:
        raise InputError(
            f"there is no MA-PDDL problem in '{top}' or below",
            "a problem folder has 'domain.pddl' and 'problem.pddl', or such files of every agent",
        )


def _in_list(path: Path) -> Iterator[Problem]:
    """The problems that a file lists, one per line, relative to the file; `#` begins a comment."""
    lines = Source.read(path).text.split("\n")
    names = [(n, line.partition("#")[0].strip()) for n, line in enumerate(lines, 1)]
    if not any(name for _, name in names):
        raise InputError(f"'{path}' lists no problems", "write one problem folder per line")
    for number, name in names:
        folder = path.parent / name
        if name and folder.is_dir():
            yield from _in_folder(folder)
        elif name:
            try:
                yield _embedded(name)
            except InputError:
                message = f"{path}:{number}: there is no folder or embedded problem '{name}'"
                raise InputError(message, "folders are relative to the list") from None


def _of_folder(folder: Path) -> Problem:
    names = sorted(name for name in os.listdir(folder) if _FILE.fullmatch(name))
    try:
        files = {name: (folder / name).read_bytes() for name in names}
    except OSError as error:
        raise InputError(f"cannot read '{folder}': {error.strerror}") from None
    full = folder.resolve()
    form = "unfactored" if {"domain.pddl", "problem.pddl"} <= set(names) else "factored"
    domain = full.parent.name or full.name
    return Problem(f"{domain}/{full.name}", domain, form, _digest(files), str(folder))


def _embedded(name: str) -> Problem:
    if name not in embedded_names():
        hint = nearest(name, [*EMBEDDED, *embedded_names()])
        hint = hint or f"embedded suites: {', '.join(EMBEDDED)}"
        raise InputError(f"there is no folder, list file or embedded suite '{name}'", hint)
    domain, _, size = name.partition("/")
    parameters = {} if name in EXAMPLES else DOMAINS.get(domain).resolve(size)
    return _generated(name, domain, parameters, 0)


def _generated(name: str, domain: str, parameters: Mapping[str, int], seed: int) -> Problem:
    made = _made(name, domain, parameters, seed)
    files = {"domain.pddl": made.domain.encode(), "problem.pddl": made.problem.encode()}
    return Problem(name, domain, "unfactored", _digest(files), "", dict(parameters), seed)


def _made(name: str, domain: str, parameters: Mapping[str, int], seed: int) -> Generated:
    if name in EXAMPLES:
        return EXAMPLES.get(name).make()
    return DOMAINS.get(domain).generate(parameters, seed)


def _digest(files: Mapping[str, bytes]) -> str:
    """A name for the content of some files."""
    total = hashlib.sha256()
    for name, content in files.items():
        for part in (name.encode(), content):
            total.update(len(part).to_bytes(8, "big") + part)
    return total.hexdigest()[:32]


def _quick() -> Iterator[Problem]:
    """The small problem of every domain."""
    for domain in DOMAINS:
        yield _embedded(f"{domain}/small")


def _paper() -> Iterator[Problem]:
    """The seven domains of the paper, twenty problems each, from small to large."""
    for domain in PAPER_DOMAINS:
        generator = DOMAINS.get(domain)
        small, large = generator.resolve("small"), generator.resolve("large")
        for number in range(PAPER_PROBLEMS):
            part = number / (PAPER_PROBLEMS - 1)
            sizes = {p: round(small[p] + part * (large[p] - small[p])) for p in small}
            yield _generated(f"{domain}/g{number + 1}", domain, sizes, number)


EMBEDDED = {"quick": _quick, "paper": _paper}
