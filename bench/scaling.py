"""Does grounding scale with the ground task? Generated logistics and rovers, 1×, 4×, 16× and 64×.

1× is about the size of the largest CoDMAP problem of the domain (logistics 15-1: 670 ground
actions, rovers p29: 9,668). Printed: ground actions per CPU second, for grounding and factoring
alone and with parsing, best of a few runs.

    python bench/scaling.py
"""

from __future__ import annotations

from measure import measured

from tacit.central.instance import Instance
from tacit.domains import DOMAINS
from tacit.pddl.reader import read_texts
from tacit.pddl.source import Source

SIZES: dict[str, list[tuple[str, dict[str, int]]]] = {
    "logistics": [
        ("1x", {"cities": 5, "places": 1, "planes": 2, "packages": 15}),
        ("4x", {"cities": 8, "places": 1, "planes": 3, "packages": 36}),
        ("16x", {"cities": 13, "places": 1, "planes": 3, "packages": 80}),
        ("64x", {"cities": 26, "places": 1, "planes": 5, "packages": 120}),
    ],
    "rovers": [
        ("1x", {"rovers": 10, "waypoints": 45, "objectives": 8, "cameras": 15, "goals": 6}),
        ("4x", {"rovers": 20, "waypoints": 80, "objectives": 11, "cameras": 30, "goals": 10}),
        ("16x", {"rovers": 40, "waypoints": 140, "objectives": 16, "cameras": 60, "goals": 16}),
        ("64x", {"rovers": 80, "waypoints": 250, "objectives": 22, "cameras": 120, "goals": 25}),
    ],
}


def work(domain: str, problem: str) -> tuple[int, float, float]:
    import time

    start = time.process_time()
    description = read_texts(Source("domain.pddl", domain), Source("problem.pddl", problem))
    parsed = time.process_time()
    instance = Instance(description, {})
    grounded = time.process_time()
    actions = sum(len(instance.local(agent).arrays.schema) for agent in instance.agents)
    return actions, parsed - start, grounded - parsed


def main() -> None:
    print(f"{'problem':14} {'actions':>9} {'parse s':>8} {'ground s':>9} ", end="")
    print(f"{'actions/s':>11} {'to 1x':>6} {'with parse':>11} {'to 1x':>6} {'MiB':>6}")
    for name, sizes in SIZES.items():
        first: tuple[float, float] | None = None
        for label, parameters in sizes:
            made = DOMAINS.get(name).generate(parameters)
            runs = [measured(lambda made=made: work(made.domain, made.problem)) for _ in range(5)]
            actions = runs[0].result[0]
            parse = min(run.result[1] for run in runs)
            ground = min(run.result[2] for run in runs)
            rates = (actions / ground, actions / (parse + ground))
            first = first or rates
            print(
                f"{name + ' ' + label:14} {actions:9,} {parse:8.3f} {ground:9.4f} "
                f"{rates[0]:11,.0f} {rates[0] / first[0]:6.2f} {rates[1]:11,.0f} "
                f"{rates[1] / first[1]:6.2f} {max(run.peak_mib for run in runs):6.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
