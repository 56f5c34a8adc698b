"""The picture of the home page: one parcel's journey, and what others see of it.

It is drawn from the witness plan of the embedded problem `freight/small`: a lane for each carrier,
a dot for each step, named where it is public. `docs/pictures.py` writes it with the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tacit.domains import DOMAINS

PARCEL = "parcel1"
PUBLIC = ("hand-over", "pick-up", "deliver")
"""Actions that change a public fact."""
WIDTH, HEIGHT = 720, 426
LEFT, TOP, LANE, PITCH = 128, 60, 74, 108
STYLE = """\
.card{fill:#fff;stroke:#d5dadb}.lane{fill:#eef3f3}.name{fill:#455}.text{fill:#233}.dim{fill:#566}
.own{fill:none;stroke:#8a9a9a;stroke-width:2}.public{fill:#00796b}
.link{stroke:#00796b;fill:none;stroke-width:2}.warm{fill:#a8480a}
.edge{stroke:#c2570c;fill:none;stroke-width:2.5;stroke-dasharray:6 4}
text{font-family:system-ui,sans-serif;font-size:19px}
@media(prefers-color-scheme:dark){.card{fill:#1b2022;stroke:#3a4346}.lane{fill:#262e30}
.name{fill:#b9c6c6}.text{fill:#e6eded}.dim{fill:#9fb0b0}.own{stroke:#73868a}.public{fill:#4db6ac}
.link{stroke:#4db6ac}.edge{stroke:#ffa066}.warm{fill:#ffb380}}"""
TIP = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
    'orient="auto"><path class="public" d="M0 0 8 4 0 8z"/></marker></defs>'
)


@dataclass(frozen=True)
class Step:
    """A step of the plan, and where it is drawn."""

    carrier: str
    name: str
    where: str
    x: float
    y: float


def journey() -> list[Step]:
    """The steps until the parcel is delivered; each carrier begins at once."""
    domain = DOMAINS.get("freight")
    words = [line.strip("()").split() for line in domain.generate(domain.resolve("small"), 0).plan]
    last = next(n for n, w in enumerate(words) if w[0] == "deliver" and w[2] == PARCEL)
    clock: dict[str, int] = {}
    handed, timed = 0, []
    for name, carrier, *rest in words[: last + 1]:
        earliest = clock.get(carrier, 0)
        clock[carrier] = 1 + (max(earliest, handed) if name == "pick-up" else earliest)
        handed = clock[carrier] if name == "hand-over" else handed
        timed.append((name, carrier, rest[-1], clock[carrier]))
    gap = (WIDTH - LEFT - 84) / (max(clock.values()) - 1)
    return [
        Step(carrier, name, where, round(LEFT + (time - 1) * gap, 1), middle(carrier))
        for name, carrier, where, time in timed
    ]


def middle(carrier: str) -> float:
    """The middle of a carrier's lane."""
    return TOP + (int(carrier[-1]) - 1) * PITCH + LANE / 2


def drawing() -> str:
    """The whole picture, as SVG."""
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
            "<title>One parcel through the hands of three carriers</title>",
            f"<style>{STYLE}</style>{TIP}",
            box("card", 1, 1, WIDTH - 2, HEIGHT - 2),
            *body(journey()),
            "</svg>\n",
        ]
    )


def body(steps: list[Step]) -> Iterator[str]:
    """The legend, the lanes, what goes between them, and the steps."""
    yield dot("public", 34, 32) + words_at("dim", 50, 38, "public: others see it, as a number")
    yield dot("own", 410, 32) + words_at("dim", 426, 38, "private: nobody else sees it")
    for carrier in sorted({step.carrier for step in steps}):
        yield box("lane", 16, middle(carrier) - LANE / 2, WIDTH - 32, LANE)
        yield words_at("name", 28, middle(carrier) + 6, carrier)
    yield from handed_over(steps)
    yield from dependency(steps)
    for step in steps:
        is_public = step.name in PUBLIC
        yield dot("public" if is_public else "own", step.x, step.y)
        if is_public:
            below = step.name == "pick-up"
            start = step.x - (38 if below else 8)
            yield words_at("text", start, step.y + (29 if below else -16), step.name)


def handed_over(steps: list[Step]) -> Iterator[str]:
    """Between lanes: the public fact that one carrier makes true and the next one needs."""
    for one in (step for step in steps if step.name == "hand-over"):
        other = next(s for s in steps if s.name == "pick-up" and s.where == one.where)
        curve = f"C{one.x} {one.y + 60} {other.x} {other.y - 60} {other.x} {other.y - 11}"
        yield f'<path class="link" marker-end="url(#tip)" d="M{one.x} {one.y + 9}{curve}"/>'
        height = (one.y + other.y) / 2 + 6
        yield words_at("dim", one.x - 8, height, f"{PARCEL} waits at {one.where}", "end")


def dependency(steps: list[Step]) -> Iterator[str]:
    """What Tacit is about: that the second carrier's pick-up makes its hand-over possible."""
    one, other = (s for s in steps if s.carrier == "carrier2" and s.name in PUBLIC)
    top, low = one.y - 34, HEIGHT - 42
    curve = f"C{one.x + 50} {top} {other.x - 50} {top} {other.x - 9} {other.y - 5}"
    yield f'<path class="edge" d="M{one.x + 9} {one.y - 5}{curve}"/>'
    yield f'<path class="edge" d="M34 {low - 6}h46"/>'
    said = "a private dependency: pick-up makes hand-over possible."
    yield words_at("warm", 92, low, said)
    yield words_at("dim", 92, low + 26, "Disclosed one at a time, until there is a plan.")


def dot(kind: str, x: float, y: float) -> str:
    """A step."""
    return f'<circle class="{kind}" cx="{x}" cy="{y}" r="{8 if kind == "public" else 6}"/>'


def box(kind: str, x: float, y: float, width: float, height: float) -> str:
    """A rectangle with round corners."""
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="10"/>'


def words_at(kind: str, x: float, y: float, text: str, anchor: str = "start") -> str:
    """A line of text."""
    return f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>'
