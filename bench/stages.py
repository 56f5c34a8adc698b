"""The stages of the policy, and how each is left out: numbers, switches in the core, and methods.

A *stage* is a way of planning, or of choosing what to disclose, that can be left out without making
an answer wrong. It is left out by other numbers of `tacit.policy`, by other numbers of the core's
`tuning.hpp`, by a *switch* (a condition written into a copy of the core's text, below), or by
another method in Python. `adjustable_core` builds that copy once, with all switches, so that it
reads its numbers from the environment; runs with everything use it too.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "ablate"
ENGINES = ("climb", "lazy", "landmarks", "width")
NEVER = 1_000_000_000
NUMBERS = "TACIT_NUMBERS"

AUTO, MAFS, PROJECTION, FULL = WAYS = ("auto", "mafs", "projection", "full")
ONLINE, FORWARD = (AUTO, PROJECTION), (AUTO, MAFS)
PLANNER, REPAIRS = (AUTO, FULL), (PROJECTION, FULL)

SWITCHES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "novelty": (
        ("mafs/frontier.cpp", "novel_.push(id);", "if (is_on) novel_.push(id);"),
        (
            "mafs/frontier.cpp",
            "    novel_.push_first(id);",
            "    if (is_on) novel_.push_first(id);",
        ),
    ),
    "expected_disclosures": (
        (
            "mafs/evaluator.cpp",
            "    if (task.options.expects_disclosures)\n",
            "    if (is_on && task.options.expects_disclosures)\n",
        ),
    ),
    "promise": (
        (
            "ranking/goal_order.cpp",
            "if (promise.has(edge)) {",
            "if (!is_on || promise.has(edge)) {",
        ),
        (
            "ranking/goal_order.cpp",
            "if (!promise.is_circular(edge))",
            "if (!is_on || !promise.is_circular(edge))",
        ),
    ),
    "joint_plans": (
        (
            "ranking/goal_planning.cpp",
            "if (needs_real_plans())",
            "if (is_on && needs_real_plans())",
        ),
    ),
    "pauses": (
        (
            "ranking/goal_planning.cpp",
            "pause_ = tuning::growth * pause_ + 1;",
            "pause_ = is_on ? tuning::growth * pause_ + 1 : 0;",
        ),
    ),
    "searches": (
        ("ranking/goal_planning.cpp", "return by_search();", "return is_on ? by_search() : -1;"),
    ),
}


def changed(policy: Any, numbers: dict[str, object]) -> Any:
    """With other numbers, each named `group.number`."""
    for name, value in numbers.items():
        group, number = name.split(".")
        policy = replace(policy, **{group: replace(getattr(policy, group), **{number: value})})
    return policy


@dataclass(frozen=True)
class Stage:
    """What to change to leave it out, and the ways to run that it has to do with."""

    name: str
    ways: tuple[str, ...]
    policy: dict[str, object] = field(default_factory=dict)
    core: dict[str, float] = field(default_factory=dict)
    methods: dict[str, Any] = field(default_factory=dict)

    def leave_out(self) -> None:
        """In a process that has imported nothing of Tacit but its policy."""
        from tacit import policy

        policy.POLICY = changed(policy.POLICY, self.policy)
        for name, method in self.methods.items():
            module, owner, attribute = name.split(":")
            setattr(getattr(importlib.import_module(module), owner), attribute, method)

    @property
    def environment(self) -> dict[str, str]:
        return {NUMBERS: "".join(f";{name}={value}" for name, value in self.core.items()) + ";"}


def _without(engine: str) -> Stage:
    rest = tuple(name for name in ENGINES if name != engine)
    return Stage(f"engine {engine}", PLANNER, {"planner.portfolio": rest})


def _as_the_projection(solver: Any, attempt: Any, limits: Any) -> None:
    super(type(solver), solver).finish(attempt, limits)


def _nothing(result: Any) -> Callable[..., Any]:
    return lambda *_: result


STAGES = (
    Stage("nothing left out", WAYS),
    # The projection
    Stage(
        "pessimistic projection",
        (AUTO, PROJECTION, FULL),
        {"pessimistic.evaluations": 1, "pessimistic.evaluations_again": 1},
    ),
    Stage("pessimistic search again", REPAIRS, {"pessimistic.evaluations_again": 12_000}),
    Stage(
        "supposed observations",
        PLANNER,
        methods={
            "tacit.solvers.projection:ProjectionSolver:_observed_facts": _nothing([]),
        },
    ),
    Stage("repairs in bulk", REPAIRS, {"repair.single_answers": NEVER}),
    Stage("switch after prefixes", REPAIRS, {"repair.prefixes": 500}),
    # The planner
    *map(_without, ENGINES),
    Stage(
        "shares of engines",
        PLANNER,
        core={"width_share": 1, "landmarks_share": 1, "lazy_share": 1},
    ),
    Stage("boost of preferred actions", (AUTO, MAFS, FULL), core={"preferred_boost": 0}),
    Stage("dead actions", WAYS, core={"dead_actions_visits": 0}),
    # Online
    Stage("longer searches after one in vain", ONLINE, {"online.more_states": 0}),
    Stage("growth after searches in vain", ONLINE, {"online.growth": NEVER}),
    Stage("doubling when it is late", ONLINE, {"online.patience": 1.0}),
    Stage(
        "auto: a plan of the projection first",
        (AUTO,),
        methods={"tacit.solvers.auto:AutoSolver:_is_first": False},
    ),
    Stage(
        "auto: forward search first at the end",
        (AUTO,),
        methods={"tacit.solvers.auto:AutoSolver:finish": _as_the_projection},
    ),
    # Forward search
    Stage(
        "plan guidance",
        FORWARD,
        methods={
            "tacit.solvers.forward_search:ForwardSearch:_guide": _nothing(None),
        },
    ),
    Stage("guidance: one plan", (MAFS,), {"guidance.plans": 1}),
    Stage("guidance: time to follow", (MAFS,), {"guidance.evaluations_per_step": 0}),
    Stage("novelty list", FORWARD, core={"novelty": 0}),
    Stage("tables", (AUTO, MAFS, FULL), core={"table_bytes": 0}),
    Stage("weights of others' actions", FORWARD, core={"mafs_largest_weight": 1}),
    Stage(
        "wishes",
        FORWARD,
        methods={
            "tacit.party.mafs.searching:Searching:_expects_disclosures": _nothing(False),
        },
    ),
    Stage("wishes: expected disclosures", (MAFS,), core={"expected_disclosures": 0}),
    # The ranking `goal`
    Stage("goal: inferred achievers", ONLINE, {"ranking.alike": 2.0}),
    Stage("goal: real plans", ONLINE, core={"joint_plans": 0, "searches": 0}),
    Stage("goal: real plans of all agents", ONLINE, core={"joint_plans": 0}),
    Stage("goal: real plans after relaxed ones", ONLINE, core={"searches": 0}),
    Stage("goal: promise", ONLINE, core={"promise": 0}),
    Stage("goal: pauses", ONLINE, core={"pauses": 0}),
    Stage("goal: second achievers dearer", ONLINE, core={"goal_second_achiever_cost": 0}),
)

READ = """
#include <cstdlib>
#include <string>

namespace tacit::tuning {

inline double number(const char *name, double usual) {
    const char *set = std::getenv("%s");
    std::string all = set ? set : "", key = std::string(";") + name + "=";
    std::size_t at = all.find(key);
    return at == std::string::npos ? usual : std::stod(all.substr(at + key.size()));
}

}  // namespace tacit::tuning
"""


def adjustable_core() -> Path:
    """A folder with a core that reads its numbers from the environment, built if need be."""
    sources = BUILD / "source"
    shutil.rmtree(sources, ignore_errors=True)
    for part in ("CMakeLists.txt", "src/core", "tests/core"):
        target = sources / part
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy2
        copy(ROOT / part, target)
    adjust(sources / "src/core")
    made = BUILD / "build"
    configure = ["cmake", "-S", str(sources), "-B", str(made), "-G", "Ninja"]
    configure += ["-DCMAKE_BUILD_TYPE=Release", f"-DPython_EXECUTABLE={sys.executable}"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command in (configure, ["cmake", "--build", str(made), "--target", "_core"]):
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"PATH": path}
        )
    return made


def adjust(core: Path) -> None:
    """Put reading of numbers, and all switches, into the text of a core."""
    _adjust_numbers(core / "util/tuning.hpp")
    for name, places in SWITCHES.items():
        for file, old, new in places:
            _switch(core / file, old, new, name)


def _adjust_numbers(header: Path) -> None:
    """No longer constants of the compiler."""
    text = header.read_text(encoding="utf-8")
    pattern = r"inline constexpr ([\w:]+) (\w+) =([^;]+);"
    known = {name for _, name, _ in re.findall(pattern, text)} | set(SWITCHES)
    for stage in STAGES:
        if unknown := set(stage.core) - known:
            sys.exit(f"{stage.name}: tuning.hpp has no {', '.join(sorted(unknown))}")
    text = re.sub(pattern, r'inline const \1 \2 = static_cast<\1>(number("\2",\3));', text)
    first = text.index("namespace tacit::tuning")
    header.write_text(text[:first] + READ % NUMBERS + text[first:], encoding="utf-8")


def _switch(file: Path, old: str, new: str, name: str) -> None:
    text = file.read_text(encoding="utf-8")
    if text.count(old) != 1:
        sys.exit(f"{file.name}: the text that the switch '{name}' changes is not there once")
    read = f'(tacit::tuning::number("{name}", 1) != 0)'
    include = '#include "util/tuning.hpp"\n'
    changed = text.replace(old, new.replace("is_on", read))
    file.write_text(changed if include in text else include + changed, encoding="utf-8")
