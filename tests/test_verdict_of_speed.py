"""The rule by which benchmarks/compare.py calls a case slower: beyond 3 % and beyond the spread of the rounds."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))

from comparison.verdict import Spread, spread, verdict


@pytest.mark.parametrize(
    ("low", "median", "high", "said"),
    [
        (0.99, 1.00, 1.01, "same"),
        (1.01, 1.02, 1.03, "same"),  # clear, but within 3 %
        (0.98, 1.06, 1.20, "same"),  # beyond 3 %, but within the spread
        (1.02, 1.04, 1.06, "slower"),
        (0.94, 0.96, 0.98, "faster"),
        (0.90, 0.95, 1.02, "same"),
        (0.97, 0.98, 0.99, "same"),
    ],
)
def test_a_verdict_needs_three_percent_and_a_spread_on_one_side_of_one(low, median, high, said):
    assert verdict(Spread(median, low, high)) == said


def test_slower_one_way_is_faster_the_other_way():
    ratios = [1.05, 1.02, 1.07, 1.04, 1.06]
    assert verdict(spread(ratios)) == "slower"
    assert verdict(spread([1 / r for r in ratios])) == "faster"


def test_one_round_that_was_disturbed_does_not_make_a_case_slower():
    assert verdict(spread([1.0, 1.01, 0.99, 1.8, 1.0])) == "same"


def test_a_single_round_has_no_spread():
    assert spread([1.1]) == Spread(1.1, 1.1, 1.1)
