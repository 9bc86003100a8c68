"""Combinations of rows in which all unknowns cancel, and factorization of expressions into powers."""

import random

import pytest
import symengine as se

from lienket.elimination.sampling.point import Point, precise
from lienket.language.simplify.factors import common_powers, divided, factors, product, ratio
from lienket.reactions.hidden_programs.null_rows import null_rows

x, y, z, m = se.symbols("x y z m")


def points():
    source = random.Random(3)
    return [Point({s: precise(source.uniform(0.5, 2)) for s in (x, y, z, m)}) for _ in range(3)]


def test_powers_multiply_back():
    for e in (
        2 * x * m - 2 * y * m,
        x / m + y / (m * z),
        (x - y) ** 2 * 3 / z,
        se.sin(x) * y - y,
        se.Rational(3, 4) * x,
    ):
        number, powers = factors(e)
        assert se.expand(number * product(powers) - se.expand(e)) == 0


def test_common_factors_of_entries_are_divided_out():
    entries = [x**2 - y**2, m * (y - x), se.Integer(0)]
    (base,) = common_powers(entries)
    assert base in (x - y, y - x)
    left = divided(entries, common_powers(entries))
    assert [se.expand(e * base - entry) for e, entry in zip(left, entries, strict=True)] == [0, 0, 0]
    assert common_powers([x / m, y]) == {m: -1}
    assert common_powers([x, y]) == {}


def test_a_ratio_has_no_common_factor():
    assert ratio(x**2 - y**2, x - y) == (x + y, 1)
    above, below = ratio(se.Rational(2, 3) * m * x, 4 * m * (x + y))
    assert se.expand(above * 6 * (x + y) - x * below) == 0
    assert m not in above.free_symbols | below.free_symbols


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_there_are_as_many_null_rows_as_the_rank_lacks_and_they_cancel(lost):
    source = random.Random(lost)
    entries = [x, y, z, m, x * y, x + z, se.Integer(1), se.Integer(0), se.sin(x), y / m]
    rows = [[source.choice(entries) for _ in range(5)] for _ in range(3)]
    weights = [[source.choice(entries[:6]) for _ in range(3)] for _ in range(lost)]
    rows += [[se.Add(*[w * row[j] for w, row in zip(ws, rows, strict=False)]) for j in range(5)] for ws in weights]
    b = [se.Symbol(f"b{i}") for i in range(len(rows))]
    at = [Point({**p.values, **{s: precise(i + 0.3) for i, s in enumerate(b)}}) for p in points()]
    nulls = null_rows(rows, b, at, {x, y, z})
    assert len(nulls) == lost
    for null in nulls:
        for j in range(5):
            assert se.expand(se.Add(*[w * row[j] for w, row in zip(null.weights, rows, strict=True)])) == 0
        assert se.expand(null.rest - se.Add(*[w * e for w, e in zip(null.weights, b, strict=True)])) == 0
        assert common_powers(null.weights) == {}
