"""The examples in docstrings are true. Modules without any are not even imported for it."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import tacit

ROOT = Path(tacit.__file__).parent


def modules() -> list[str]:
    """The modules that have examples, by name."""
    files = [file for file in sorted(ROOT.rglob("*.py")) if ">>> " in file.read_text("utf-8")]
    parts = [file.relative_to(ROOT.parent).with_suffix("").parts for file in files]
    return [".".join(part for part in names if part != "__init__") for names in parts]


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings(name: str) -> None:
    failed, tried = doctest.testmod(pytest.importorskip(name, exc_type=ImportError))
    assert (failed, tried > 0) == (0, True)
