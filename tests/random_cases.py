"""The number of random cases of a property: a quarter of them in `make test`, all of them in `make test-slow`."""

import os

import pytest
from hypothesis import settings

SHARE = float(os.environ.get("LIENKET_CASES", "0.25"))
FEWEST_CASES = 20


def share_of(count):
    """Return the number of cases to try in this run."""
    return max(min(count, FEWEST_CASES), round(count * SHARE))


def random_cases(count, **more):
    """Return a decorator for a property with `given`: reproducible cases, no deadline."""
    options = {"derandomize": True, "deadline": None, "database": None} | more
    chosen = settings(max_examples=share_of(count), **options)

    def mark(test):
        return pytest.mark.cases(chosen(test))

    return mark
