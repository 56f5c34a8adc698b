"""What each stage of the policy is worth: runs with it and without it.

`bench/stages.py` lists the stages and how each is left out. Per stage and way to run (online with
the default solver, with forward search alone, with the projection alone, and the projection with
everything disclosed): how many problems are solved, what agents disclose, and CPU seconds. Problems
are four in even positions per CoDMAP domain, and generated ones with a seed of their own. A stage
that does not pay here is deleted; that is the only decision made here, and every number that stays
is set on odd positions.

Rows go to a CSV file as they come (`--store`), and what is in it is not run again; `--show` prints
the table of what is there.

    python bench/ablate.py --store build/ablation.csv
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from ablation_table import table
from rows import keep, stored
from stages import ROOT, STAGES, WAYS, Stage, adjustable_core

EVEN = (4, 8, 14, 20)
INSTEAD = {"driverlog": (4, 8, 14, 18)}
"""DriverLog's pfile20 alone would take a third of the time."""
SEED = 2
GENERATED = (2, 3, 5, 6, 7, 10, 14, 16, 17)
"""Of the generated problems, in the order of `generated.SIZES`: those that take a second or so."""
LONGEST = (
    *("depot/pfile20", "elevators08/p14", "elevators08/p20"),
    "depot/depots3-distributors3-drivers2-trucks3-crates14-seed2",
)
"""Half of the time goes into these; `--quick` leaves them out."""
FEW = (
    *("blocksworld/probBLOCKS-10-0", "blocksworld/probBLOCKS-17-0"),
    *("blocksworld/arms4-blocks12-seed2", "blocksworld/arms8-blocks12-seed2"),
    *("depot/pfile4", "depot/pfile8", "depot/pfile14"),
    "depot/depots2-distributors2-drivers1-trucks2-crates10-seed2",
    *("driverlog/pfile14", "driverlog/drivers4-trucks4-packages8-junctions10-seed2"),
    *("elevators08/p04", "elevators08/p08"),
    "elevators/areas2-floors4-slow1-fast1-passengers8-seed2",
    *("logistics00/probLOGISTICS-15-1", "rovers/p17", "zenotravel/pfile10"),
    "secrets/couriers3-offices5-letters6-parcels4-seed2",
    "sensors/rovers6-stations8-sites12-sensors6-goals12-seed2",
)
"""Of each family those that tell most in a second; `--few` takes only these."""
FIELDS = ("stage", "way", "problem", "outcome", "largest", "sum", "seconds")


def run_stage(stage: Stage, core: Path, args: argparse.Namespace) -> None:
    """In a process of its own, since most of Tacit reads the policy when it is imported."""
    environment = os.environ | {"TACIT_CORE_DIR": str(core)} | stage.environment
    command = [sys.executable, __file__, "--only", stage.name, "--store", str(args.store)]
    command += ["--seconds", str(args.seconds), "--ways", *args.ways]
    command += ["--quick"] * args.quick + ["--few"] * args.few
    subprocess.run(command, check=True, env=environment)


def work(stage: Stage, args: argparse.Namespace) -> None:
    """Measure one stage in this process, which has imported nothing of Tacit before."""
    stage.leave_out()
    from generated import generated
    from measure import DOMAINS, measured, problems

    places = {domain: INSTEAD.get(domain, EVEN) for domain in DOMAINS}
    folders = [problems(domain)[place - 1] for domain in DOMAINS for place in places[domain]]
    folders += [folder for n, folder in enumerate(generated((SEED,)), 1) if n in GENERATED]
    done = {(row["stage"], row["way"], row["problem"]) for row in stored(args.store)}
    for folder in folders:
        name = f"{folder.parent.name}/{folder.name}"
        if (args.quick and name in LONGEST) or (args.few and name not in FEW):
            continue
        for way in stage.ways:
            if way not in args.ways or (stage.name, way, name) in done:
                continue
            made = measured(lambda: run(folder, way, args.seconds))  # noqa: B023
            row = {"stage": stage.name, "way": way, "problem": name, **made.result}
            keep(args.store, row | {"seconds": round(made.seconds, 2)}, FIELDS)


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--store", type=Path, default=ROOT / "build" / "ablation.csv")
    parser.add_argument("--seconds", type=float, default=10.0, help="CPU seconds per run")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS, help="only these")
    parser.add_argument("--quick", action="store_true", help="without the longest problems")
    parser.add_argument("--few", action="store_true", help="a sample of the problems")
    parser.add_argument("--stages", nargs="+", help="only these, in this order")
    parser.add_argument("--only", help="measure this stage, in this process")
    parser.add_argument("--show", action="store_true", help="the table of what is there")
    args = parser.parse_args()
    names = {stage.name: stage for stage in STAGES}
    if args.only is not None:
        work(names[args.only], args)
        return
    if not args.show:
        core = adjustable_core()
        for stage in [names[name] for name in args.stages] if args.stages else STAGES:
            run_stage(stage, core, args)
            print(f"{stage.name}: measured", file=sys.stderr)
    print(table(stored(args.store)), end="")


if __name__ == "__main__":
    main()
