"""Fixtures of tests of the validator."""

from __future__ import annotations

import pytest
from support.kitchen import EVENING, KITCHEN, factored, read

from tacit.pddl.factor_writer import factor
from tacit.pddl.syntax import Description


@pytest.fixture(params=["unfactored", "factored"])
def kitchen(request: pytest.FixtureRequest) -> Description:
    description = read(KITCHEN, EVENING)
    return description if request.param == "unfactored" else factored(factor(description))
