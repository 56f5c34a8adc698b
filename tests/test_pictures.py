"""The pictures of docs/rankings.md are what the script draws, and the page reads them right."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"


def script():
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pictures_are_up_to_date():
    drawn = dict(script().pictures())
    there = {path.name: path.read_text(encoding="utf-8") for path in DOCS.glob("pictures/*.svg")}
    assert drawn == there, "run python docs/pictures.py"


def reaches(made, edges) -> bool:
    """Can the goal be reached with these edges? Whatever gives a token can be done here."""
    given = {edge.token for edge in edges}
    users = made.USERS.values()
    done = [facts for tokens, facts in users if given.issuperset(made.places(tokens))]
    return any(set(made.GOAL) & set(made.places(facts)) for facts in done)


def test_the_page_says_how_many_edges_each_ranking_takes():
    made = script()
    text = (DOCS / "rankings.md").read_text(encoding="utf-8")
    head = "| " + " | ".join(f"`{name}`" for name in made.SHOWN) + " |"
    row = text.partition(head)[2].split("\n")[2]
    said = [int(number) for number in re.findall(r"\d+", row)]
    found = []
    for name in made.SHOWN:
        edges = made.named(name).edges
        found.append(next(k for k in range(len(edges)) if reaches(made, edges[:k])))
    assert said == found


def test_every_ranking_begins_elsewhere():
    made = script()
    first = {name: made.named(name).edges[0].token for name in made.SHOWN if name != "random"}
    assert len(set(first.values())) == len(first)
