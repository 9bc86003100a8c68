"""Simplified fractions are short and have the value of the original everywhere."""

import random
from contextlib import suppress

import pytest
import symengine as se

from lienket.language.simplify import quotient
from lienket.language.simplify.division import exact_quotient
from lienket.language.simplify.quotient import tidy_quotient, tidy_quotients

a, b, x, y, z, q, p = se.symbols("a b x y z q p")
sin, cos = se.sin, se.cos


@pytest.mark.parametrize(
    ("expression", "short"),
    [
        (sin(q) / a + cos(q) ** 2 / (a * sin(q)), 1 / (a * sin(q))),
        ((2 * x - 2 * x * y / z) / (2 * y - 2 * z), -x / z),
        (1 / (1 / a + b**2 / x), a * x / (x + a * b**2)),
        ((a**2 + 2 * a * b + b**2) / (a + b), a + b),
        (a / (a + b) + b / (a + b), se.Integer(1)),
        ((a - b) / (b - a), se.Integer(-1)),
        (a**3 * b / (a**2 + a**2 * x), a * b / (1 + x)),
        ((sin(q) ** 2 + cos(q) ** 2) / (x + y), 1 / (x + y)),
        (x + y, x + y),
        (x / 3 + y / 3, x / 3 + y / 3),
    ],
)
def test_known_fractions(expression, short):
    assert se.expand(tidy_quotient(expression) - short) == 0


def random_fraction(source, depth):
    if depth == 0:
        return source.choice([a, b, x, y, sin(q), cos(q), sin(p), cos(p + q), se.Integer(source.randint(1, 4))])
    left, right = random_fraction(source, depth - 1), random_fraction(source, depth - 1)
    return source.choice([left + right, left * right, left - right, left / (right + 3), left / right, right**2 - left])


def value(expression, source):
    point = {s: se.Rational(source.randint(1, 10**6), 10**5) for s in (a, b, x, y, z, q, p)}
    return expression.subs(point).n(200, real=True)


@pytest.mark.parametrize("seed", range(60))
def test_the_value_stays_the_same(seed):
    source = random.Random(seed)
    before = None
    while before is None:
        expression = random_fraction(source, 3 + seed % 2)
        with suppress(RuntimeError, ZeroDivisionError):  # 0/0: draw another one
            before = value(expression, random.Random(seed))
    tidy = tidy_quotient(expression)
    assert abs(value(tidy, random.Random(seed)) - before) <= 1e-45 * (1 + abs(before))


def test_tidying_twice_does_not_lengthen():
    source = random.Random(3)
    for _ in range(20):
        once = tidy_quotient(random_fraction(source, 3))
        assert len(str(tidy_quotient(once))) <= len(str(once))


def test_large_expressions_are_unchanged():
    large = [(a + b + x + y) ** 6 / (1 + sum((x + k) ** 5 for k in range(9)))]
    assert tidy_quotients(large, limit=50) == large


@pytest.mark.parametrize(
    ("above", "below", "quotient"),
    [
        (x**2 - y**2, x - y, x + y),
        (x**3 + y**3, x + y, x**2 - x * y + y**2),
        (sin(q) ** 2 * a - a * cos(q) ** 2, sin(q) + cos(q), a * sin(q) - a * cos(q)),
        (x**2 + y**2, x + y, None),
        (x / y + 1, x + y, 1 / y),
        (6 * x + 9 * y, 2 * x + 3 * y, se.Integer(3)),
    ],
)
def test_exact_division(above, below, quotient):
    result = exact_quotient(se.expand(above), se.expand(below))
    assert result is None if quotient is None else se.expand(result - quotient) == 0


def test_form_does_not_depend_on_earlier_calls():
    source = random.Random(5)
    expressions = [random_fraction(source, 3) for _ in range(30)]
    expressions.append((-x * y + a * b) / ((b - y) * b))
    forward = [tidy_quotients([e])[0] for e in expressions]
    assert [tidy_quotients([f])[0] for f in forward] == forward
    quotient._TIDY_CACHE.clear()
    backward = [tidy_quotients([f])[0] for f in reversed(forward)][::-1]
    assert backward == forward
