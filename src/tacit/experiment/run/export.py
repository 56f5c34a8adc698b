"""Runs for other tools: a flat table (CSV, Parquet) and the properties of Downward Lab.

The flat table has a line per run and the store's columns; counts per agent are JSON, and a plan is
its steps on one line. In CSV no cell is a formula (`tacit.experiment.cells`). Lab compares
algorithms over problems, so there a run is named after its *level*, which problems share, and not
after its k.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from tacit.errors import InputError, to_install
from tacit.experiment.cells import csv_text
from tacit.experiment.run.levels import budget, largest_of, result_at
from tacit.experiment.run.row import (
    CLEANED,
    COUNTS,
    ITERATIVE,
    LEAKAGE,
    MINIMUM,
    ONLINE,
    RUN_FIELDS,
    SMALLEST,
    Run,
    RunOutcome,
    largest,
)
from tacit.experiment.run.store_layout import COLUMNS

_UNEXPLAINED = (RunOutcome.CRASH, RunOutcome.INVALID_PLAN)


EXPORTED = (
    *COLUMNS,
    *(f"leakage_{name}" for name in LEAKAGE),
    *(f"cleaned_{name}" for name in CLEANED),
)
"""The columns of a table. Behind the store's come sums over agents, and what the cleaned plan is
worth, a column each."""


def flat(run: Run) -> dict[str, Any]:
    """A run as plain values, by column."""
    values: dict[str, Any] = {"unit": run.unit.key, **msgspec.structs.asdict(run.unit)}
    values |= {name: getattr(run, name) for name in RUN_FIELDS}
    values["outcome"] = run.outcome.value
    values["plan"] = " ".join(run.plan.split("\n")).strip()
    for name in COUNTS:
        values[f"{name}_max"] = largest(values[name])
        values[name] = msgspec.json.encode(values[name]).decode()
    values["cleaned"] = msgspec.json.encode(run.cleaned).decode()
    values |= {f"cleaned_{name}": run.cleaned.get(name) for name in CLEANED}
    values["leakage"] = msgspec.json.encode(run.leakage).decode()
    values |= {f"leakage_{name}": run.leaked(name) for name in LEAKAGE}
    return {name: values[name] for name in EXPORTED}


def without_plans(runs: Iterable[Run]) -> list[Run]:
    """The runs without the steps of their plans, which take most of the space."""
    return [msgspec.structs.replace(run, plan="") for run in runs]


def to_csv(runs: Iterable[Run]) -> str:
    """All runs as comma-separated values; unknown values are empty."""
    return csv_text([EXPORTED, *(flat(run).values() for run in runs)])


def write_parquet(runs: Iterable[Run], path: Path) -> None:
    """All runs as a Parquet file."""
    try:
        import pyarrow  # noqa: PLC0415 - an extra, and slow to import
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError:
        needed = "Parquet files need the package 'pyarrow'"
        raise InputError(needed, to_install("parquet")) from None
    schema = pyarrow.schema([(name, _arrow_type(pyarrow, name)) for name in EXPORTED])
    table = pyarrow.Table.from_pylist([flat(run) for run in runs], schema=schema)
    try:
        pyarrow.parquet.write_table(table, path)
    except OSError as error:
        raise InputError(f"cannot write '{path}': {error.strerror or error}") from None


_INTEGERS = {"seed", "ties", "memory_limit", "k", "settled_by", "plan_length", "cost", "makespan"}
_INTEGERS |= {"taken_over", "makespan_paper", "expanded", "evaluated", "generated"}
_INTEGERS |= {f"{name}_max" for name in COUNTS} | {f"cleaned_{name}" for name in CLEANED}


def _arrow_type(pyarrow: Any, name: str) -> Any:
    if name in _INTEGERS:
        return pyarrow.int64()
    if name in ("settles", "changed_over", "optimal"):
        return pyarrow.bool_()
    if name.startswith(("seconds_", "leakage_")) or name in ("time_limit", "started", "ended"):
        return pyarrow.float64()
    return pyarrow.string()


def lab_properties(
    runs: Iterable[Run], levels: Iterable[Fraction] | None = None
) -> dict[str, dict[str, Any]]:
    """The content of a `properties` file of Downward Lab: each run once, or with `levels` each
    level of each problem; bounds (`--minimum`) are no runs.
    """
    units: dict[str, dict[str, Run]] = {}
    for run in runs:
        if run.unit.solver != MINIMUM:
            units.setdefault(run.unit.key, {})[run.asked] = run
    named = _each_run(units.values()) if levels is None else _each_level(units.values(), levels)
    found: dict[str, dict[str, Any]] = {}
    for name, run in named:
        entry = _lab_entry(run, name)
        key = "-".join(entry["id"])
        if key in found:
            raise InputError(
                f"the store has two runs of {' '.join(entry['id'])}",
                "it holds several configurations; export stores of one each",
            )
        found[key] = entry
    return found


def _each_run(units: Collection[Mapping[str, Run]]) -> Iterator[tuple[str, Run]]:
    """Every run, where it has a k under the highest of the store's levels that have this k."""
    levels = _own_levels(units)
    for own in units:
        most = largest_of(own)
        for asked, run in own.items():
            if not asked.isdecimal() or not most:
                yield "0%" if asked == "0" else asked, run
                continue
            fitting = (level for level in levels if budget(level, most) == int(asked))
            yield _percent(max(fitting, default=Fraction(100 * int(asked), most))), run


def _own_levels(units: Iterable[Mapping[str, Run]]) -> list[Fraction]:
    """The levels at which every unit has a run: those of the sweep, as far as k tells them.

    The store has values of k. Each of the unit with most edges stands for one level, a round one
    where that fits, and it is one of the store's if all other units have a run there.
    """
    tried = [own for own in units if any(map(str.isdecimal, own)) and largest_of(own)]
    if not tried:
        return []
    most, widest = max(((largest_of(own) or 0, own) for own in tried), key=lambda one: one[0])
    found: list[Fraction] = []
    for k in sorted(int(asked) for asked in widest if asked.isdecimal()):
        percents = [Fraction(n) for n in range(101)] + [Fraction(100 * k, most)]
        fitting = [n for n in percents if budget(n, most) == k]
        shared = [n for n in fitting if all(result_at(own, n) is not None for own in tried)]
        found += sorted(shared, key=lambda n: (n % 10 != 0, n % 5 != 0, n))[:1]
    return found


def _each_level(
    units: Iterable[Mapping[str, Run]], levels: Iterable[Fraction]
) -> Iterator[tuple[str, Run]]:
    """Every unit at each of these levels, and its runs without a level."""
    wanted = list(levels)
    for own in units:
        for level in wanted:
            run = result_at(own, level)
            if run is not None:
                yield _percent(level), run
        for item in (SMALLEST, ITERATIVE, ONLINE):
            if item in own:
                yield item, own[item]


def _percent(level: Fraction) -> str:
    return f"{float(level):g}%"


def _lab_entry(run: Run, name: str) -> dict[str, Any]:
    unit = run.unit
    seed = f":{unit.seed}" if unit.seed else ""
    seed += "" if unit.ties is None else f":ties-{unit.ties}"
    seed += f":weights-{unit.weights[:8]}" if unit.weights else ""
    seed += f":{unit.planner}" if unit.planner else ""
    algorithm = f"{unit.solver}:{unit.profile}:{unit.ranking}{seed}:{name}"
    problem = unit.problem.partition("/")[2] or unit.problem
    domain = unit.domain if unit.form == "unfactored" else f"{unit.domain}-{unit.form}"
    entry: dict[str, Any] = {
        "id": [algorithm, domain, problem],
        "algorithm": algorithm,
        "domain": domain,
        "problem": problem,
        "coverage": int(run.solved),
        "error": f"tacit-{run.outcome.value.replace(' ', '-')}",
        "unexplained_errors": [run.detail] if run.outcome in _UNEXPLAINED else [],
        "planner_time_limit": unit.time_limit,
        "planner_memory_limit": unit.memory_limit,
        "k": run.k,
        "taken_over": run.taken_over,
        "changed_over": int(run.changed_over),
        "dependencies": run.largest,
        "mode": run.mode,
        "disclosed": largest(run.disclosed),
        "repairs": largest(run.repairs),
        "ledger_largest": run.most_disclosed if run.disclosed else None,
        "ledger_sum": run.sum_disclosed if run.disclosed else None,
        **{f"leakage_{name}": run.leaked(name) for name in LEAKAGE},
        **{f"cleaned_{name}": run.cleaned.get(name) for name in CLEANED},
        "used": largest(run.used),
        "extension": run.made or None,
        "replanned": largest(run.replanned) if run.extension else None,
        "price": largest(run.price) if run.price else None,
        "plan_length": run.plan_length,
        "cost": run.cost,
        "optimal": int(run.optimal) if run.solved else None,
        "makespan": run.makespan,
        "makespan_paper": run.makespan_paper,
        "expansions": run.expanded,
        "evaluations": run.evaluated,
        "generated": run.generated,
        "search_time": run.seconds_search,
        "total_time": run.seconds_total,
    }
    return {name: value for name, value in entry.items() if value is not None}
