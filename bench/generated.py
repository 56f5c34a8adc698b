"""Generated problems that numbers are chosen on: two to twelve agents, and nobody's benchmark.

Each is a domain with parameters and a seed; the names are made of these. The texts are written
under `build/`, once.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tacit.domains import DOMAINS

FOLDER = Path(__file__).resolve().parents[1] / "build" / "generated"
SIZES: tuple[tuple[str, dict[str, int]], ...] = (
    *(("blocksworld", {"arms": arms, "blocks": 12}) for arms in (2, 4, 8, 12)),
    ("depot", {"depots": 1, "distributors": 1, "drivers": 1, "trucks": 2, "crates": 6}),
    ("depot", {"depots": 2, "distributors": 2, "drivers": 1, "trucks": 2, "crates": 10}),
    ("depot", {"depots": 3, "distributors": 3, "drivers": 2, "trucks": 3, "crates": 14}),
    (
        "depot",
        {"depots": 4, "distributors": 4, "drivers": 2, "trucks": 4, "crates": 18, "spare": 2},
    ),
    (
        "depot",
        {"depots": 5, "distributors": 5, "drivers": 2, "trucks": 4, "crates": 16, "spare": 2},
    ),
    ("elevators", {"areas": 2, "floors": 4, "slow": 1, "fast": 1, "passengers": 8}),
    ("elevators", {"areas": 2, "floors": 6, "slow": 1, "fast": 2, "passengers": 12, "seats": 3}),
    ("elevators", {"areas": 3, "floors": 4, "slow": 2, "fast": 2, "passengers": 14, "seats": 3}),
    ("elevators", {"areas": 4, "floors": 4, "slow": 2, "fast": 4, "passengers": 16, "seats": 3}),
    *(
        ("driverlog", {"drivers": n, "trucks": n, "packages": 2 * n, "junctions": 10})
        for n in (4, 8)
    ),
    ("secrets", {"couriers": 3, "offices": 5, "letters": 6, "parcels": 4}),
    ("sensors", {"rovers": 6, "stations": 8, "sites": 12, "sensors": 6, "goals": 12}),
)
SMALL: tuple[tuple[str, dict[str, int]], ...] = (
    ("elevators", {"areas": 2, "floors": 2, "slow": 1, "fast": 1, "passengers": 3}),
    ("elevators", {"areas": 2, "floors": 2, "slow": 1, "fast": 2, "passengers": 3}),
    ("elevators", {"areas": 3, "floors": 2, "slow": 1, "fast": 1, "passengers": 4}),
    ("zenotravel", {"planes": 2, "people": 3, "cities": 4}),
    ("zenotravel", {"planes": 3, "people": 3, "cities": 5}),
    ("logistics", {"cities": 3, "places": 2, "planes": 2, "packages": 3}),
    ("driverlog", {"drivers": 2, "trucks": 2, "packages": 3, "junctions": 4}),
    ("rovers", {}),
    ("sensors", {}),
    ("secrets", {}),
    ("depot", {}),
    ("blocksworld", {"arms": 2, "blocks": 5}),
    ("freight", {}),
)
"""Small enough for cheapest plans with a proof; empty: the domain's own small ones."""
SEEDS = (0, 1)


def generated(
    seeds: tuple[int, ...] = SEEDS, kinds: tuple[tuple[str, dict[str, int]], ...] = SIZES
) -> Iterator[Path]:
    """The folders of all of them, or of others that differ in their seed."""
    for domain, sizes in kinds:
        for seed in seeds:
            yield written(domain, sizes, seed)


def written(domain: str, size: str | dict[str, int], seed: int) -> Path:
    """The folder of one of them, of a named size or with these parameters."""
    name = size if isinstance(size, str) else "-".join(f"{key}{n}" for key, n in size.items())
    folder = FOLDER / domain / f"{name}-seed{seed}"
    if not (folder / "problem.pddl").is_file():
        made = DOMAINS.get(domain).generate(size, seed)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "domain.pddl").write_text(made.domain, encoding="utf-8")
        (folder / "problem.pddl").write_text(made.problem, encoding="utf-8")
    return folder
