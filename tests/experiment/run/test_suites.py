"""Suites: what can be swept."""

from __future__ import annotations

import subprocess

import pytest
from support.sweeps import PROGRAM

from tacit.errors import InputError
from tacit.experiment.run import suite


def test_suites(tmp_path, write_problem):
    tree = tmp_path / "tree"
    for name in ("p10", "p9"):
        write_problem(tree / "unfactored" / "trucks" / name)
    subprocess.run(
        [*PROGRAM, "factor", tree / "unfactored/trucks/p9", "-o", tree / "factored/trucks/p9"],
        check=True,
        capture_output=True,
    )
    found = suite.find([str(tree)])
    assert [(p.name, p.domain, p.form) for p in found] == [
        ("trucks/p9", "trucks", "factored"),
        ("trucks/p9", "trucks", "unfactored"),
        ("trucks/p10", "trucks", "unfactored"),
    ]
    assert len({p.digest for p in found}) == 2  # the two unfactored ones are the same text
    assert all(p.load().agents == ("plane1", "truck0", "truck1") for p in found)
    listing = tree / "list.txt"
    listing.write_text("# some\nunfactored/trucks/p9  # one\n\nrovers/small\n")
    assert [p.name for p in suite.find([str(listing)])] == ["rovers/small", "trucks/p9"]
    assert suite.find([str(tree), str(tree / "unfactored" / "trucks")]) == found
    (tree / "unfactored/trucks/p9/problem.pddl").write_text("; other")
    copy = write_problem(tmp_path / "more" / "trucks" / "p9")
    with pytest.raises(InputError, match="two different problems are called 'trucks/p9'"):
        suite.find([str(tree), str(copy)])


def test_embedded_suites_are_as_large_as_they_say():
    assert {p.name for p in suite.find(["quick"])} == {f"{d}/small" for d in suite.DOMAINS}
    paper = suite.find(["paper"])
    assert len(paper) == len({p.digest for p in paper}) == 140
    assert {p.domain for p in paper} == set(suite.PAPER_DOMAINS)
    assert paper == suite.find(["paper"])
