"""The rule of benchmarks/compare.py for a slower case: more than 3 % slower, and beyond the spread of the rounds."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))

from comparison.verdict import Ratios, ratios, verdict


@pytest.mark.parametrize(
    ("low", "median", "high", "best", "expected"),
    [
        (0.99, 1.00, 1.01, 1.00, "same"),
        (1.01, 1.02, 1.03, 1.02, "same"),  # clear, but within 3 %
        (0.98, 1.06, 1.20, 1.06, "same"),  # beyond 3 %, but within the spread
        (1.02, 1.06, 1.08, 1.00, "same"),  # the best times do not agree: the machine was disturbed
        (1.02, 1.04, 1.06, 1.04, "slower"),
        (0.94, 0.96, 0.98, 0.96, "faster"),
        (0.90, 0.95, 1.02, 0.95, "same"),
        (0.90, 0.95, 0.98, 1.00, "same"),
        (0.97, 0.98, 0.99, 0.98, "same"),
    ],
)
def test_a_verdict_needs_three_percent_and_a_spread_on_one_side_of_one(low, median, high, best, expected):
    assert verdict(Ratios(median, low, high, best)) == expected


def test_slower_one_way_is_faster_the_other_way():
    pairs = [(1.0, 1.05), (1.0, 1.04), (1.01, 1.07), (1.0, 1.04), (1.02, 1.06)]
    assert verdict(ratios(pairs)) == "slower"
    assert verdict(ratios([(new, old) for old, new in pairs])) == "faster"


def test_rounds_that_were_disturbed_on_one_side_do_not_make_a_case_slower():
    assert verdict(ratios([(1.0, 1.0), (1.0, 1.01), (1.0, 0.99), (1.0, 1.8), (1.0, 1.0)])) == "same"
    assert verdict(ratios([(1.0, 1.0), (1.0, 1.2), (1.0, 1.1), (1.0, 1.8), (1.0, 1.3)])) == "same"
