"""What each stage of the policy is worth: runs with it and without it.

A *stage* is a way of planning, or of choosing what to disclose, that can be left out without making
an answer wrong. Per stage and way to run (online with the default solver, online with forward
search alone, and the projection with everything disclosed): how many problems are solved, what
agents disclose, and CPU seconds. Problems are four in even positions per CoDMAP domain, and
generated ones with a seed of their own. A stage that does not pay here is deleted; that is the only
decision made here, and every number that stays is set on odd positions.

A stage is left out by changing numbers: of `tacit.policy`, or of the core's `tuning.hpp`, for which
the core is built once more under build/ablate. Rows go to a CSV file as they come (`--store`), and
what is in it is not run again.

    python bench/ablate.py --store build/ablation.csv
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from rows import keep, stored

ROOT = Path(__file__).resolve().parents[1]
BUILDS = ROOT / "build" / "ablate"
EVEN = (4, 8, 14, 20)
SEED = 2
WAYS = ("auto", "mafs", "full")
FIELDS = ("stage", "way", "problem", "outcome", "largest", "sum", "seconds")
ENGINES = ("climb", "lazy", "landmarks", "width", "random")
NEVER = 1_000_000_000


@dataclass(frozen=True)
class Stage:
    """What to change to leave it out: `GROUP.NAME` of the policy, names of the core's tuning."""

    name: str
    policy: dict[str, object] = field(default_factory=dict)
    tuning: dict[str, int] = field(default_factory=dict)


def _without(engine: str) -> Stage:
    rest = tuple(name for name in ENGINES if name != engine)
    return Stage(f"engine {engine}", {"planner.portfolio": rest})


STAGES = (
    Stage("nothing left out"),
    Stage(
        "pessimistic projection",
        {"pessimistic.evaluations": 1, "pessimistic.evaluations_again": 1},
    ),
    Stage("pessimistic search again", {"pessimistic.evaluations_again": 12_000}),
    Stage("plan guidance", {"guidance.plans": 0}),
    Stage("repairs in bulk", {"repair.single_answers": NEVER}),
    Stage("switch after prefixes", {"repair.prefixes_before_switch": 500}),
    *map(_without, ENGINES),
    Stage("longer searches after one in vain", {"online.more_states": 0}),
    Stage("a repair per ledger", {"online.repairs": 0}),
    Stage("growth after searches in vain", {"online.growth": NEVER}),
    Stage("doubling when it is late", {"online.patience": 1.0}),
    Stage("inferred achievers", {"ranking.alike": 2.0}),
    Stage("goal: real plans", tuning={"goal_evaluations": 0, "goal_evaluations_in_vain": 0}),
    Stage("goal: any plan", tuning={"goal_any_plan_evaluations": 0}),
    Stage("goal: alternatives", tuning={"goal_plans_per_edge": 1}),
    Stage("goal: turns skipped", tuning={"goal_turns_skipped_growth": 0}),
    Stage("goal: pauses after searches", tuning={"goal_pause_growth": 0}),
    Stage("goal: second achievers dearer", tuning={"goal_second_achiever_cost": 0}),
    Stage("dead actions", tuning={"dead_actions_pair_words": 0, "dead_actions_visits": 0}),
    Stage("novelty list", tuning={"mafs_novelty_bytes": 0}),
    Stage("weights of others' actions", tuning={"mafs_largest_weight": 1}),
    Stage("others' actions dearer", tuning={"mafs_foreign_action_cost": 1}),
    Stage("private actions counted again", tuning={"mafs_private_action_count": 1}),
    Stage("preferred actions, forward search", tuning={"mafs_preferred_boost": 0}),
    Stage("preferred actions, planner", tuning={"preferred_boost": 0}),
    Stage("wishes for preferred actions", tuning={"mafs_preferred_wish": 0}),
    Stage("remembered values", tuning={"remembered_bytes": 0}),
)


def core_of(stage: Stage) -> Path | None:
    """A folder with a core that has other numbers, built if it is not there."""
    if not stage.tuning:
        return None
    folder = BUILDS / re.sub(r"\W+", "-", stage.name)
    sources = folder / "source"
    for part in ("CMakeLists.txt", "src/core", "tests/core"):
        target = sources / part
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy2
        if not target.exists():
            copy(ROOT / part, target)
    header = sources / "src/core/util/tuning.hpp"
    text = (ROOT / "src/core/util/tuning.hpp").read_text(encoding="utf-8")
    for name, value in stage.tuning.items():
        text, count = re.subn(rf"(\b{name} =)[^;]+;", rf"\g<1> {value};", text)
        if count != 1:
            sys.exit(f"tuning.hpp has no number '{name}'")
    header.write_text(text, encoding="utf-8")
    made = folder / "build"
    configure = ["cmake", "-S", str(sources), "-B", str(made), "-G", "Ninja"]
    configure += ["-DCMAKE_BUILD_TYPE=Release", f"-DPython_EXECUTABLE={sys.executable}"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command in (configure, ["cmake", "--build", str(made), "--target", "_core"]):
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"PATH": path}
        )
    return made


def run_stage(stage: Stage, args: argparse.Namespace) -> None:
    """In a process of its own, since most of Tacit reads the policy when it is imported."""
    core = core_of(stage)
    environment = os.environ | ({"TACIT_CORE_DIR": str(core)} if core else {})
    command = [sys.executable, __file__, "--only", stage.name, "--store", str(args.store)]
    command += ["--seconds", str(args.seconds)]
    subprocess.run(command, check=True, env=environment)


def work(stage: Stage, store: Path, seconds: float) -> None:
    """Measure one stage in this process, which has imported nothing of Tacit before."""
    from tacit import policy

    policy.POLICY = changed_policy(policy.POLICY, stage.policy)
    from generated import generated
    from measure import DOMAINS, measured, problems

    folders = [problems(domain)[place - 1] for domain in DOMAINS for place in EVEN]
    folders += generated((SEED,))
    done = {(row["stage"], row["way"], row["problem"]) for row in stored(store)}
    for folder in folders:
        name = f"{folder.parent.name}/{folder.name}"
        for way in WAYS:
            if (stage.name, way, name) in done:
                continue
            made = measured(lambda: run(folder, way, seconds))  # noqa: B023
            row = {"stage": stage.name, "way": way, "problem": name, **made.result}
            keep(store, row | {"seconds": round(made.seconds, 2)}, FIELDS)


def changed_policy(policy: object, changes: dict[str, object]) -> object:
    from dataclasses import replace

    for name, value in changes.items():
        group, number = name.split(".")
        part = replace(getattr(policy, group), **{number: value})
        policy = replace(policy, **{group: part})
    return policy


def run(folder: Path, way: str, seconds: float) -> dict[str, str | int]:
    import time

    import tacit
    from tacit.central.session import Limits, Session
    from tacit.profile import profile
    from tacit.public.run_options import RunOptions

    solver, online = ("projection", False) if way == "full" else (way, True)
    options = RunOptions(solver, drive="roundrobin")
    session = Session(tacit.load(folder), profile("tacit"), options, online=online)
    limits = Limits(seconds, clock=time.process_time)
    result = session.online(limits) if online else session.at(session.largest, limits)
    return {
        "outcome": result.outcome.value,
        "largest": result.ledger.largest,
        "sum": result.ledger.sum,
    }


def show(rows: list[dict[str, str]]) -> None:
    """Per stage and way, what is lost, and means over the problems solved with and without it."""
    whole = {(row["way"], row["problem"]): row for row in rows if row["stage"] == STAGES[0].name}
    print("| left out | way | solved | lost | gained | disclosed, sum | CPU s |")
    print("|---|---|---|---|---|---|---|")
    for stage in STAGES:
        for way in WAYS:
            own = [row for row in rows if row["stage"] == stage.name and row["way"] == way]
            pairs = [
                (whole[way, row["problem"]], row) for row in own if (way, row["problem"]) in whole
            ]
            if not pairs:
                continue
            solved = [[row["outcome"] == "solved" for row in pair] for pair in pairs]
            both = [pair for pair, is_solved in zip(pairs, solved, strict=True) if all(is_solved)]
            sums = (
                [fmean(float(pair[n]["sum"]) for pair in both) for n in (0, 1)] if both else [0, 0]
            )
            times = [sum(float(pair[n]["seconds"]) for pair in pairs) for n in (0, 1)]
            lost = sum(old and not new for old, new in solved)
            gained = sum(new and not old for old, new in solved)
            disclosed, seconds = (f"{old:.1f} → {new:.1f}" for old, new in (sums, times))
            solved_now = f"{sum(new for _, new in solved)} of {len(pairs)}"
            columns = (stage.name, way, solved_now, lost, gained, disclosed, seconds)
            print("|", " | ".join(map(str, columns)), "|")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--store", type=Path, default=ROOT / "build" / "ablation.csv")
    parser.add_argument("--seconds", type=float, default=10.0, help="CPU seconds per run")
    parser.add_argument("--only", help="measure this stage, in this process")
    args = parser.parse_args()
    names = {stage.name: stage for stage in STAGES}
    if args.only is not None:
        work(names[args.only], args.store, args.seconds)
        return
    for stage in STAGES:
        run_stage(stage, args)
        print(f"{stage.name}: measured", file=sys.stderr)
    show(stored(args.store))


if __name__ == "__main__":
    main()
