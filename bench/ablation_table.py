"""The table of an ablation, from its rows: what is lost, and what is gained, without each stage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

Row = dict[str, str]
WHOLE = "nothing left out"
HEAD = ("left out", "way", "solved", "lost", "gained", "disclosed, sum", "CPU s")


def table(rows: Sequence[Row]) -> str:
    """Per stage and way, in the order in which they were measured; disclosed are means over the
    problems solved with and without it, CPU seconds sums over all problems.
    """
    whole = {(row["way"], row["problem"]): row for row in rows if row["stage"] == WHOLE}
    pairs: dict[tuple[str, str], list[tuple[Row, Row]]] = {}
    for row in rows:
        if (row["way"], row["problem"]) in whole:
            both = (whole[row["way"], row["problem"]], row)
            pairs.setdefault((row["stage"], row["way"]), []).append(both)
    stages = list(dict.fromkeys(stage for stage, _ in pairs))
    order = sorted(pairs, key=lambda key: stages.index(key[0]))
    lines = [HEAD, tuple("---" for _ in HEAD), *(_line(key, pairs[key]) for key in order)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _line(key: tuple[str, str], pairs: list[tuple[Row, Row]]) -> tuple[str, ...]:
    solved = [tuple(row["outcome"] == "solved" for row in pair) for pair in pairs]
    both = [pair for pair, is_solved in zip(pairs, solved, strict=True) if all(is_solved)]
    lost = sum(old and not new for old, new in solved)
    gained = sum(new and not old for old, new in solved)
    disclosed = _change(fmean(float(pair[n]["sum"]) for pair in both) for n in (0, 1))
    seconds = _change(sum(float(pair[n]["seconds"]) for pair in pairs) for n in (0, 1))
    now = f"{sum(new for _, new in solved)} of {len(pairs)}"
    return (*key, now, str(lost), str(gained), disclosed, seconds)


def _change(numbers: Iterable[float]) -> str:
    before, after = numbers
    return f"{before:.1f} → {after:.1f}"
