"""A loaded problem: the one object that sees everything, for one trusted user.

`load` accepts a CoDMAP problem folder of either form, a pair of files, or an embedded problem such
as `rovers/small`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

from tacit import watch
from tacit.central.factor import factor
from tacit.domains import DOMAINS, EXAMPLES, embedded, embedded_names
from tacit.errors import Diagnostic, InputError, nearest
from tacit.party.agent import Agent
from tacit.party.local.task import LocalTask
from tacit.pddl.reader import read_folder, read_pair, read_texts
from tacit.pddl.source import Source
from tacit.pddl.syntax import Description
from tacit.public.protocol.messages import Publication, Publish, decode, encode
from tacit.public.protocol.transcript import Transcript
from tacit.public.run_options import DEFAULTS, RunOptions
from tacit.public.settings import Settings
from tacit.public.task import PublicTask

PathLike = str | os.PathLike[str]


class Instance:
    """A grounded problem, split by privacy.

    `source` is the syntax tree, `seconds` the CPU time of each step of loading, `transcript` what
    the agents of a factored problem sent each other while grounding.
    """

    def __init__(self, source: Description, seconds: dict[str, float]):
        start = time.process_time()
        with watch.phase("grounding"):
            split = factor(source)
        self.source = source
        self.public: PublicTask = split.public
        self.transcript: Transcript = split.transcript
        self.seconds = {**seconds, "ground": time.process_time() - start}
        self._local = split.local

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def agents(self) -> tuple[str, ...]:
        return self.public.agents

    def local(self, agent: str) -> LocalTask:
        """The task of one agent, its secrets included."""
        if agent not in self._local:
            hint = nearest(agent, self.agents) or f"agents: {', '.join(self.agents)}"
            raise InputError(f"there is no agent '{agent}'", hint)
        return self._local[agent]

    def publications(
        self,
        settings: Settings = Settings(),  # noqa: B008
        options: RunOptions = DEFAULTS,
    ) -> dict[str, Publication]:
        """What every agent publishes of itself to plan under these settings: what crosses."""
        found: dict[str, Publication] = {}
        for name in self.agents:
            question = Publish("reader", settings, options.ranking)
            frame = Agent(self.local(name), options.seed).answer("reader", encode(question))
            answer = decode(frame)
            assert isinstance(answer, Publication)
            found[name] = answer
        return found

    def __repr__(self) -> str:
        name = self.name if len(self.name) < 120 else f"{self.name[:119]}…"
        return f"<instance '{name}': {len(self.agents)} agents>"

    def _repr_html_(self) -> str:
        from tacit.central.pictures import instance_page  # noqa: PLC0415 - for notebooks

        return instance_page(self).in_notebook(320)


def load(problem: PathLike | Sequence[PathLike]) -> Instance:
    """Load a problem: a folder, a (domain, problem) pair of files, or an embedded name.

    >>> import tacit
    >>> instance = tacit.load("logistics/small")
    >>> len(instance.agents) > 1
    True
    """
    start = time.process_time()
    with watch.phase("reading"):
        source = describe(problem)
    return Instance(source, {"parse": time.process_time() - start})


def describe(problem: PathLike | Sequence[PathLike]) -> Description:
    """The syntax tree of a problem, not grounded."""
    if not isinstance(problem, str | os.PathLike):
        paths = [Path(part) for part in problem]
        if len(paths) == 1:
            return describe(paths[0])
        if len(paths) != 2:
            raise InputError(f"expected one folder or two files, found {len(paths)} paths")
        return read_pair(*paths)
    path = Path(problem)
    try:
        exists, is_folder = path.exists(), path.is_dir()
    except (OSError, ValueError):
        exists = is_folder = False
    if is_folder:
        return read_folder(path)
    if exists:
        hint = "name its folder, or both files: tacit inspect domain.pddl problem.pddl"
        raise InputError(Diagnostic("this is one file; a problem has two", str(path), hint=hint))
    return _embedded(os.fspath(problem))


def _embedded(name: str) -> Description:
    made = embedded(name)
    if made is None:
        some = [*(f"{domain}/small" for domain in DOMAINS), *EXAMPLES]
        hint = nearest(name, embedded_names()) or f"embedded problems: {', '.join(some)}"
        raise InputError(f"there is no file, folder or embedded problem '{name}'", hint)
    return read_texts(
        Source(f"{name}/domain.pddl", made.domain), Source(f"{name}/problem.pddl", made.problem)
    )
