"""The dependency graphs of docs/results/graphs: the easiest problem of each domain that was run.

    python docs/graphs.py CODMAP/unfactored

As in the paper's figure: the agent with most edges, nodes as large as their degree, the initial
state at the end of its row. Which problem is easiest is read from the stored rows; its files are
not part of Tacit. The pictures have no names in them. The table beside them is about what the paper
explains its results with: how unevenly tokens are needed and public facts achieved, and how often
each ranking begins with the same token.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, pstdev

from tacit.central.instance import load
from tacit.central.named_graph import NamedGraph, named_graph
from tacit.central.session import Session
from tacit.draw.graph_svg import bare
from tacit.draw.picture import lay_out
from tacit.experiment.paper import published as paper
from tacit.experiment.report.problems import Case, cases, easiest
from tacit.experiment.run.restore import read_runs
from tacit.experiment.tables.grid import Grid, markdown
from tacit.profile import profile
from tacit.public.run_options import RunOptions

HERE = Path(__file__).parent
ROWS = HERE / "results" / "paper.csv.gz"
FOLDER = HERE / "results" / "graphs"
FIRST = 10
"""So many edges of each ranking are looked at."""


@dataclass(frozen=True)
class Degrees:
    """How uneven a graph is, and which tokens each ranking begins with."""

    edges: int
    layers: tuple[int, int, int, int]
    needed: tuple[float, int]
    achieved: tuple[int, float, int]
    variation: float
    tokens: Mapping[str, int]

    @classmethod
    def of(cls, graphs: Mapping[str, NamedGraph]) -> Degrees:
        """From one graph in the order of each ranking."""
        graph = next(iter(graphs.values()))
        needs = Counter(token for token, _ in graph.needs)
        facts = Counter(fact for _, fact in graph.achieves)
        counts = [facts[n] for n in range(len(graph.facts))]
        layers = (graph.achievers, graph.tokens, graph.actions, graph.facts)
        begins = {
            name: len({edge.token for edge in own.edges[:FIRST]}) for name, own in graphs.items()
        }
        return cls(
            len(graph.edges),
            tuple(map(len, layers)),  # type: ignore[arg-type]
            (fmean(needs.values()), max(needs.values())),
            (min(counts), fmean(counts), max(counts)),
            pstdev(counts) / fmean(counts),
            begins,
        )


def graphs_of(folder: Path) -> dict[str, NamedGraph]:
    """The graph of the agent with most edges, by ranking."""
    instance = load(folder)
    found: dict[str, NamedGraph] = {}
    for ranking in paper.RANKINGS:
        session = Session(instance, profile("paper"), RunOptions(ranking=ranking))
        agent = max(session.totals, key=lambda name: session.totals[name])
        found[ranking] = named_graph(session, agent, ranking)
    return found


def text(found: Sequence[tuple[Case, Degrees]]) -> str:
    """The page beside the pictures."""
    header = ["domain", "problem", "edges", "achievers", "tokens", "actions", "facts"]
    header += ["needs of a token", "achievers of a fact", "variation"]
    header += [f"tokens of {name}" for name in paper.RANKINGS]
    lines = [[case.domain, case.name.partition("/")[2], *_cells(own)] for case, own in found]
    pictures = "\n\n".join(
        f"## {case.domain}\n\n![Dependencies of one agent]({case.domain}.svg)" for case, _ in found
    )
    return f"""# Dependency graphs

The easiest problem of each domain under profile `paper`, the agent with most dependencies. From the
bottom: what achieves tokens (the initial state is a diamond at the end of the row, where it
achieves any), the tokens, the public actions that need them, the public facts that these achieve. A
node of the lower two rows is as large as many lines lead out of it, of the upper two as many lead
into it. Made by `make results CODMAP=…`.

*Needs of a token*: how many actions need one, mean and most. *Achievers of a fact*: fewest, mean,
most, and their *variation* (standard deviation ÷ mean). *Tokens of m1* and so on: how many
different tokens are achieved by the first {FIRST} edges that the ranking discloses.

{markdown(Grid(header, lines))}
{_reading(found)}
{pictures}
"""


def _cells(own: Degrees) -> list[str]:
    return [
        str(own.edges),
        *map(str, own.layers),
        f"{own.needed[0]:.1f}, {own.needed[1]}",
        f"{own.achieved[0]}, {own.achieved[1]:.1f}, {own.achieved[2]}",
        f"{own.variation:.2f}",
        *(str(own.tokens[name]) for name in paper.RANKINGS),
    ]


def _reading(found: Iterable[tuple[Case, Degrees]]) -> str:
    """What the paper explains, and what these numbers say to it."""
    by = {paper.name(case.domain): own for case, own in found}
    uneven = sorted(by, key=lambda name: by[name].variation, reverse=True)
    fewer = [name for name in by if by[name].achieved[1] < by["depot"].achieved[1]]
    again = [
        name
        for name in ("blocksworld", "elevators")
        if name in by and max(by[name].tokens[r] for r in ("m1", "m2")) < by[name].tokens["m3"]
    ]
    return f"""The paper explains its results with such graphs.

- That m1 and m2 return to a token which many actions need, where m3 goes on to others, in
  BlocksWorld and Elevators: m3 begins with more different tokens than both in
  {" and ".join(again) or "neither"}.
- That m4 suits domains whose public facts have many achievers and few: variation is largest in
  {uneven[0]} ({by[uneven[0]].variation:.2f}), then in {uneven[1]}
  ({by[uneven[1]].variation:.2f}); the paper finds m4 good in BlocksWorld and weak in Rovers.
- That in Depot few ways lead to a public fact: {by["depot"].achieved[1]:.1f} actions achieve one on
  average; {" and ".join(fewer) or "no domain"} have fewer.
"""


def main(folder: Path) -> None:
    FOLDER.mkdir(exist_ok=True)
    found: list[tuple[Case, Degrees]] = []
    for case in easiest(cases(read_runs(ROWS)), 1):
        graphs = graphs_of(folder / case.name)
        picture = lay_out(graphs["m1"], widths=(560.0, 560.0), gap=120.0)
        (FOLDER / f"{case.domain}.svg").write_text(bare(picture), encoding="utf-8")
        found.append((case, Degrees.of(graphs)))
    (FOLDER / "index.md").write_text(text(found), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
