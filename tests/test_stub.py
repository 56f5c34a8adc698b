"""The typed stub of the native core says what the core has: no more, no less."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import tacit
from tacit import native

STUB = ast.parse((Path(tacit.__file__).parent / "_core.pyi").read_text())
CORE = native._core


def names_in(body: list[ast.stmt]) -> set[str]:
    found: set[str] = set()
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return {name for name in found if not name.startswith("_")}


def public(thing: object) -> set[str]:
    return {name for name in dir(thing) if not name.startswith("_")}


def test_the_stub_names_everything():
    assert names_in(STUB.body) == public(CORE)


CLASSES = [n for n in STUB.body if isinstance(n, ast.ClassDef) and n.name != "GroundingLimit"]


@pytest.mark.parametrize("node", CLASSES, ids=lambda node: node.name)
def test_a_class_has_the_members_of_its_stub(node):
    assert names_in(node.body) == public(getattr(CORE, node.name))


def test_wrong_types_are_refused():
    with pytest.raises(TypeError):
        CORE.Program("no list", [], False)
    with pytest.raises(ValueError, match="one owner"):
        CORE.Program([0], [], False)
