"""Tacit and unified-planning: problems read and written, and Tacit as an engine.

`read` turns MA-PDDL into a `MultiAgentProblem`, `write` and `texts` do the reverse, and
`register` adds the engines `tacit` and `tacit-opt`, whose plans are the cheapest, to an
environment. The extra `up` is needed, and importing this takes about a second, nearly all of it for
unified-planning itself.

>>> from unified_planning.shortcuts import OneshotPlanner, get_environment
>>> import tacit.unified_planning
>>> get_environment().credits_stream = None
>>> tacit.unified_planning.register()
>>> problem = tacit.unified_planning.read("logistics/small")
>>> with OneshotPlanner(name="tacit") as planner:
...     result = planner.solve(problem)
>>> result.plan.actions[-1].agent.name
'truck1'
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.central.instance import PathLike, describe
from tacit.errors import InputError, to_install
from tacit.pddl.factor_writer import factor
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source

try:
    import unified_planning as _unified_planning  # noqa: F401
except ImportError:
    raise ImportError(
        f"tacit.unified_planning needs the package 'unified-planning'; {to_install('up')}"
    ) from None

from unified_planning.environment import get_environment

from tacit.unified_planning.engine import TacitEngine as TacitEngine
from tacit.unified_planning.engine import TacitOptimalEngine as TacitOptimalEngine
from tacit.unified_planning.reading import to_problem
from tacit.unified_planning.writing import write_problem

if TYPE_CHECKING:
    from unified_planning.environment import Environment
    from unified_planning.model.multi_agent import MultiAgentProblem

__all__ = ["TacitEngine", "TacitOptimalEngine", "read", "register", "texts", "write"]


def read(
    problem: PathLike | Sequence[PathLike], environment: Environment | None = None
) -> MultiAgentProblem:
    """A problem in either form of MA-PDDL, named as for `tacit.load`."""
    return to_problem(describe(problem), environment)


def texts(problem: MultiAgentProblem, factored: bool = False) -> dict[str, str]:
    """The files of a problem in MA-PDDL, by name; `factored` has two for each agent."""
    written = write_problem(problem)
    if not factored:
        return {"domain.pddl": written.domain, "problem.pddl": written.problem}
    description = read_texts(
        Source("domain.pddl", written.domain), Source("problem.pddl", written.problem)
    )
    files: dict[str, str] = {}
    for agent, (domain, own) in factor(description).items():
        files |= {f"domain-{agent}.pddl": domain, f"problem-{agent}.pddl": own}
    return files


def write(
    problem: MultiAgentProblem, folder: str | os.PathLike[str], factored: bool = False
) -> None:
    """Write a problem as MA-PDDL into a folder, which must be new or empty."""
    files = texts(problem, factored)
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        if any(path.iterdir()):
            raise InputError(f"'{path}' is not empty", "name another folder")
        for name, text in files.items():
            (path / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write to '{path}': {error.strerror}") from None


def register(environment: Environment | None = None) -> None:
    """Let `OneshotPlanner(name="tacit")` find the engine, in this environment or the global one;
    and `tacit-opt`, of which plans are the cheapest.
    """
    factory = get_environment(environment).factory
    for name, kind in (("tacit", "TacitEngine"), ("tacit-opt", "TacitOptimalEngine")):
        if name not in factory.engines:
            factory.add_engine(name, "tacit.unified_planning", kind)
