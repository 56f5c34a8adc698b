"""What all others together know of an agent: certain, guessed by each attack, and in bits.

Four runs of each problem, factored, profile `tacit`, ranking `goal`: with nothing disclosed (k =
0), the default online run, the offline search for the smallest budget, and half of the largest
agent's edges. With k = 0 and at 50 % nothing is searched. Rows go to a CSV file as they come
(`--store`), and what is in it is not run again; `--tables` prints the table of docs/leakage.md. A
run that finds no plan in time is not metered.

    python bench/leakage.py --first 8 --store docs/results/leakage.csv
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from measure import DOMAINS, measured, problems
from rows import keep, stored

import tacit
from tacit import watch
from tacit.central.leaking import leakage_in, leakage_of
from tacit.central.session import Limits, Session
from tacit.leakage.attacks import ATTACKS
from tacit.leakage.guessable import Score
from tacit.leakage.measure import Leakage
from tacit.leakage.view import frames_of_budget
from tacit.profile import profile
from tacit.public.run_options import RunOptions
from tacit.public.settings import Count, Tokens

NOTHING, ONLINE, SMALLEST, HALF = MODES = ("k = 0", "online", "smallest", "50 %")
QUIET, CLASSES, PER_USE = "quiet", "count classes", "tokens per use"
"""Online runs that are to tell less: by another ranking, where classes count, by other tokens."""
BEFORE, NOTHING_BEFORE = "online, rounds", "k = 0, rounds"
"""Rows of the version before agents took turns while grounding; they are kept, not made."""
FRAMES, ALL = "frames", "strongest"
"""The strongest attack that uses frames alone, and the strongest of all."""
NAMES = (FRAMES, ALL, *ATTACKS)
FIELDS = (
    *("problem", "mode", "outcome", "k", "agents", "disclosed", "edges", "initial"),
    *("pairs", "undisclosed", "certain", "classes", "bits_a", "bits_b", "bits_b_all"),
    *(f"{name}_{what}" for name in NAMES for what in ("guessed", "right")),
    *("seconds", "seconds_meter", "seconds_per_agent"),
)
Row = Mapping[str, str | int | float]


def run(folder: Path, mode: str, seconds: float) -> dict[str, str | int | float]:
    ranking = "quiet" if mode == QUIET else "goal"
    options = RunOptions(drive="roundrobin", record=True, ranking=ranking)
    settings = profile("tacit")
    if mode == CLASSES:
        settings = msgspec.structs.replace(settings, count=Count.CLASSES)
    if mode == PER_USE:
        settings = msgspec.structs.replace(settings, tokens=Tokens.PER_USE)
    is_online = mode in (ONLINE, QUIET, CLASSES, PER_USE)
    session = Session(tacit.load(folder), settings, options, online=is_online)
    limits = Limits(seconds, clock=time.process_time)
    outcome = ""
    if mode in (NOTHING, HALF):
        k = 0 if mode == NOTHING else math.ceil(session.largest / 2)
        session.disclose(k)
        ledger = session.coordinator.ledger
        before = [*session.instance.transcript.frames, *session.transcript.frames]
        start = time.process_time()
        found = leakage_in(session, frames_of_budget(before, ledger, k), ledger)
    else:
        with watch.limited(10 * seconds):  # turns without a search, too, on a busy machine
            result = session.online(limits) if is_online else session.first(limits)
        k, outcome = result.k, result.outcome.value
        if not result.solved:
            return {"outcome": outcome, "k": k, "agents": len(session.instance.agents)}
        start = time.process_time()
        found = leakage_of(session, result)
    spent = time.process_time() - start
    return {"outcome": outcome, "k": k, **summed(found), "seconds_meter": round(spent, 2)} | {
        "seconds_per_agent": round(spent / max(1, len(found)), 2)
    }


def summed(found: Mapping[str, Leakage]) -> dict[str, int | float]:
    """Over all agents."""
    if any(own.admits is False for own in found.values()):
        raise AssertionError("an owner's own graph is excluded")
    owns = list(found.values())
    row: dict[str, int | float] = {
        "agents": len(owns),
        "disclosed": sum(own.disclosed for own in owns),
        "edges": sum(own.total or 0 for own in owns),
        "initial": sum(own.initial.edges for own in owns if own.initial),
        "pairs": sum(own.guessed.score.pairs for own in owns if own.guessed.score),
        "undisclosed": sum(own.guessed.score.undisclosed for own in owns if own.guessed.score),
        "certain": sum(len(own.certain) for own in owns),
        "classes": sum(own.classes for own in owns),
        "bits_a": round(sum(own.bits_a for own in owns), 3),
        "bits_b": round(sum(own.bits_b.learned for own in owns), 3),
        "bits_b_all": round(sum(own.bits_b.all for own in owns), 3),
    }
    for name in NAMES:
        scores = [_score(own.guessed.scores, name) for own in owns]
        row[f"{name}_guessed"] = sum(score.guessed for score in scores)
        row[f"{name}_right"] = sum(score.right for score in scores)
    return row


def _score(scores: Mapping[str, Score], name: str) -> Score:
    if name in scores:
        return scores[name]
    able = [score for attack, score in scores.items() if name == ALL or attack != "own"]
    return max(able, key=lambda score: score.strength)


def measure_all(args: argparse.Namespace) -> None:
    done = {(row["problem"], row["mode"]) for row in stored(args.store)}
    for domain in args.domains:
        for folder in problems(domain, "factored")[: args.first]:
            name = f"{domain}/{folder.name}"
            for mode in args.modes:
                if (name, mode) in done:
                    continue
                try:
                    work = measured(lambda f=folder, m=mode: run(f, m, args.seconds), timeout=900)
                    found, seconds = work.result, round(work.seconds, 1)
                except TimeoutError:
                    found, seconds = {"outcome": "time"}, args.seconds
                row = {"problem": name, "mode": mode, **found, "seconds": seconds}
                keep(args.store, row, FIELDS)
                print(name, mode, seconds, file=sys.stderr, flush=True)


# Tables


HEAD = (
    *("domain", "run", "edges", "disclosed", "certain", "undisclosed", "base rate"),
    *("precision", "recall", "lift", "precision, own", "recall, own", "bits"),
)


def tables(rows: Sequence[Mapping[str, str]]) -> Iterable[str]:
    """Per domain and run, over all problems: what was disclosed, what the strongest attack names
    from frames alone, and with what observers know of themselves, and the share of bits learned.
    """
    yield _line(HEAD)
    yield _line(["---", "---", *["--:"] * (len(HEAD) - 2)])
    for domain in DOMAINS:
        for mode in MODES:
            found = [r for r in rows if r["mode"] == mode and r["problem"].startswith(f"{domain}/")]
            if found:
                yield _line([domain if mode == MODES[0] else "", mode, *_cells(found)])


MEASURES = {
    "*k* = 0, rounds": NOTHING_BEFORE,
    "*k* = 0, turns": NOTHING,
    "default, rounds": BEFORE,
    "default, turns": ONLINE,
    "`quiet`": QUIET,
    "`--count classes`": CLASSES,
    "`--tokens per-use`": PER_USE,
}
COSTS = (
    *("domain", "run", "solved", "*k*", "sum", "certain", "classes"),
    *("precision", "recall", "bits", "CPU s"),
)


def measures(rows: Sequence[Mapping[str, str]]) -> Iterable[str]:
    """Per domain and measure, what it brings, and what it costs in k, in the sum and in CPU; where
    it solved all problems that the default was run on.
    """
    yield _line(COSTS)
    yield _line(["---", "---", *["--:"] * (len(COSTS) - 2)])
    for domain in DOMAINS:
        for place, (name, mode) in enumerate(MEASURES.items()):
            found = [r for r in rows if r["mode"] == mode and r["problem"].startswith(f"{domain}/")]
            is_whole = all(row["disclosed"] for row in found)  # what is not solved is not metered
            if found and is_whole and len(found) == _problems(rows, domain):
                yield _line([domain if place == 0 else "", name, *_costs(found)])


def _problems(rows: Sequence[Mapping[str, str]], domain: str) -> int:
    return sum(r["mode"] == ONLINE and r["problem"].startswith(f"{domain}/") for r in rows)


def _costs(rows: Sequence[Mapping[str, str]]) -> list[str]:
    def total(name: str) -> float:
        return sum(float(row[name]) for row in rows)

    guessed, right = total("frames_guessed"), total("frames_right")
    solved = sum(row["outcome"] == "solved" for row in rows)
    counts = (f"{int(total(n)):,}" for n in ("k", "disclosed", "certain", "classes"))
    rates = (right / guessed if guessed else 0.0, right / max(1, total("undisclosed")))
    share = 100 * total("bits_b") / max(1, total("bits_b_all"))
    cells = [f"{rate:.2f}" for rate in rates]
    is_run = bool(rows[0]["outcome"])
    seconds = total("seconds") - total("seconds_meter")
    cpu = f"{max(0.0, seconds):.1f}" if is_run else "–"
    return [str(solved) if is_run else "–", *counts, *cells, f"{share:.2f} %", cpu]


def _cells(rows: Sequence[Mapping[str, str]]) -> list[str]:
    def total(name: str) -> float:
        return sum(float(row[name]) for row in rows)

    def rates(name: str) -> tuple[float, float]:
        guessed, right = total(f"{name}_guessed"), total(f"{name}_right")
        return right / guessed if guessed else 0.0, right / max(1, total("undisclosed"))

    base = total("undisclosed") / max(1, total("pairs"))
    (precision, recall), own = rates(FRAMES), rates(ALL)
    counts = (f"{int(total(n)):,}" for n in ("edges", "disclosed", "certain", "undisclosed"))
    lift = precision / base if base else 0.0
    share = total("bits_b") / max(1, total("bits_b_all"))
    cells = [f"{base:.3f}", f"{precision:.2f}", f"{recall:.2f}", f"{lift:.1f}"]
    return [*counts, *cells, f"{own[0]:.2f}", f"{own[1]:.2f}", f"{100 * share:.2f} %"]


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=8, help="problems per domain")
    parser.add_argument("--domains", nargs="+", default=DOMAINS, choices=DOMAINS)
    modes = (*MODES, QUIET, CLASSES, PER_USE)
    parser.add_argument("--modes", nargs="+", default=modes, choices=modes)
    parser.add_argument("--seconds", type=float, default=30.0, help="of CPU time per run")
    parser.add_argument("--store", type=Path, default=Path("docs/results/leakage.csv"))
    parser.add_argument("--tables", action="store_true", help="print tables; run nothing")
    args = parser.parse_args()
    if not args.tables:
        measure_all(args)
    for table in (tables, measures):
        for line in table(stored(args.store)):
            print(line)
        print()


if __name__ == "__main__":
    main()
