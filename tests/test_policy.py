"""The numbers that steer: few, each with a reason, and none that is another one in disguise."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from support.places import ROOT

from tacit.numbers import Numbers
from tacit.policy import POLICY
from tacit.safety import SAFETY

MOST = 70
"""Whoever adds one finds another that is not needed any more."""


def in_core(header: Path = ROOT / "src/core/util/tuning.hpp") -> list[str]:
    return re.findall(r"inline constexpr [\w:]+ (\w+) = (?:\d|std::size_t\{)", header.read_text())


def test_numbers_are_few():
    assert POLICY.count() + len(in_core()) <= MOST


@pytest.mark.parametrize("numbers", [POLICY, SAFETY], ids=["policy", "safety"])
def test_what_follows_names_a_number_that_does_not(numbers: Numbers):
    every = {
        f"{group.name}.{one.name}": one.metadata
        for group in fields(numbers)  # type: ignore[arg-type]
        for one in fields(getattr(numbers, group.name))
    }
    for name, metadata in every.items():
        assert metadata["why"], name
        if "source" in metadata:
            assert "source" not in every[metadata["source"]], name


def test_a_tuple_counts_its_members():
    own = [value for _, value, metadata in POLICY._each() if "source" not in metadata]
    assert sum(isinstance(value, int | float) for value in own) < POLICY.count()
