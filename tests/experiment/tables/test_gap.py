"""Table 7: what rankings save early."""

from __future__ import annotations

import msgspec
import pytest
from support.reporting import run_of

from tacit.experiment.tables.gap import grid7, table7

PLANS = {
    "early": {5: 40, 25: 22, 50: 20, 100: 20},
    "late": {5: None, 25: 40, 50: 30, 100: 20},
    "never": {5: None, 25: None, 50: None, 100: 20},
}


def rows(plans):
    return [
        msgspec.structs.replace(run_of("d/p", k, cost, ranking=ranking), dependencies={"a": 100})
        for ranking, own in plans.items()
        for k, cost in own.items()
    ]


def test_the_gap_is_the_same_for_all_rankings():
    row = next(row for row in table7(rows(PLANS)) if row.measure == "cost")
    assert (row.first, row.full, row.gap) == (40, 20, 50)
    assert row.closed == pytest.approx(
        {
            ("early", 25): 0.9,
            ("early", 50): 1.0,
            ("late", 25): 0.0,
            ("late", 50): 0.5,
            ("never", 25): 0.0,
            ("never", 50): 0.0,
        }
    )
    assert ["90", "0", "0", "100", "50", "0"] in [line[7:] for line in grid7([row]).rows]


def test_where_there_is_no_gap_nothing_is_closed():
    row = next(row for row in table7(rows({"m1": {5: 20, 25: 20, 100: 20}})))
    assert (row.gap, row.closed) == (0, {})


def test_without_plans_or_levels_there_is_no_table():
    assert table7(rows({"m1": {5: None, 100: None}})) == []
    assert table7([]) == []
