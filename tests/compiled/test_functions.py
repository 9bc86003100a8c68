"""Every function of the formula language as machine code, against SymPy's own evaluation."""

import math

import numpy as np
import pytest
import sympy as sp
from compiling import by_sympy, compiled, values

from lienket.language.functions import FUNCTIONS

x, y = sp.symbols("x y", real=True)
DOMAIN = {"asin": (-1, 1), "acos": (-1, 1), "log": (0, 30), "exp": (-30, 30), "sinh": (-30, 30), "cosh": (-30, 30)}
TWO = {"atan2", "min", "max"}
NAN, INFINITY = math.nan, math.inf


def pow_(a, b):
    return sp.Pow(a, b, evaluate=False)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_function_agrees_with_sympy(name):
    arguments = (x, y) if name in TWO else (x,)
    e = FUNCTIONS[name].sympy(*arguments)
    low, high = DOMAIN.get(name, (-50, 50))
    points = np.random.default_rng(sum(map(ord, name))).uniform(low, high, (100, 2))
    computed, expected = values(compiled([e], [x, y]), points), by_sympy([e], [x, y], points)
    np.testing.assert_allclose(computed, expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize(
    "e",
    [
        sp.sqrt(x), x**3, x**-2, x ** sp.Rational(3, 2), x ** sp.Rational(-1, 2), x ** sp.Rational(1, 3), x**y,
        x**sp.Rational(7, 2), x**17, 1 / (x * y), 2**x, x**-y, sp.sqrt(x * y) / y, x / (y + 1) + y / (x + 1),
        sp.Max(x, y, 3), sp.Min(x, y, x * y), sp.exp(-x) * sp.cos(20 * y), sp.pi * x - sp.E, x * sp.sqrt(2) / 3,
        sp.Piecewise((x, x < y), (y**2, True)), sp.Piecewise((1, x <= 1), (x, y >= 2), (sp.sin(x), True)),
        sp.Piecewise((x, sp.Ne(x, y)), (0, True)), sp.tan(x) ** 2 + 1, sp.cos(x - y) - sp.cos(x) * sp.cos(y),
    ],
    ids=str,
)  # fmt: skip
def test_every_form_agrees_with_sympy(e):
    points = np.random.default_rng(5).uniform(0.1, 3, (100, 2))
    computed, expected = values(compiled([e], [x, y]), points), by_sympy([e], [x, y], points)
    np.testing.assert_allclose(computed, expected, rtol=1e-12, atol=1e-14)


EDGES = [
    (sp.atan2(y, x), [(1, 0), (-1, 0), (0, 1), (0, -1), (2, 2), (-3, 3)],
     [0, math.pi, math.pi / 2, -math.pi / 2, math.pi / 4, 3 * math.pi / 4]),
    (sp.sqrt(x), [(0, 0), (4, 0)], [0, 2]),
    (sp.Min(x, y), [(1, 1), (2, 3), (-0.0, 0.0)], [1, 2, 0]),
    (sp.Max(x, y), [(1, 1), (2, 3)], [1, 3]),
    (sp.Abs(x), [(0, 0), (-2, 0), (-0.0, 0)], [0, 2, 0]),
    (sp.sign(x), [(0, 0), (-2, 0), (3e-300, 0)], [0, -1, 1]),
    (sp.Piecewise((1, x < y), (2, True)), [(1, 1), (1, 2)], [2, 1]),
    (sp.Piecewise((1, x <= y), (2, True)), [(1, 1), (2, 1)], [1, 2]),
    (sp.Piecewise((1, sp.Eq(x, y)), (2, True)), [(1, 1), (2, 1)], [1, 2]),
    (sp.asin(x), [(1, 0), (-1, 0), (0, 0)], [math.pi / 2, -math.pi / 2, 0]),
    (sp.acos(x), [(1, 0), (-1, 0)], [0, math.pi]),
    (x**y, [(0, 2), (2, 0), (1, 1e9)], [0, 1, 1]),
    (sp.sin(x), [(0, 0), (1e300, 0), (1e9, 0), (math.pi, 0)], [0, math.sin(1e300), math.sin(1e9), math.sin(math.pi)]),
    (sp.exp(x), [(800, 0), (-800, 0)], [INFINITY, 0]),
    (1 / x, [(0.0, 0)], [INFINITY]),
]  # fmt: skip


@pytest.mark.parametrize(("e", "points", "expected"), EDGES, ids=[str(e) for e, _, _ in EDGES])
def test_edges(e, points, expected):
    np.testing.assert_allclose(values(compiled([e], [x, y]), points)[:, 0], expected, rtol=1e-15, atol=0)


def test_outside_the_domain_is_nan():
    outside = [sp.sqrt(x), sp.log(x), sp.asin(x - 1), x ** sp.Rational(1, 3), x ** sp.Rational(3, 2)]
    assert np.all(np.isnan(values(compiled(outside, [x, y]), [(-2.0, 1.0)])))


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
@pytest.mark.parametrize("bad", [NAN, INFINITY, -INFINITY])
def test_nan_in_gives_nan_out_and_infinity_never_crashes(name, bad):
    arguments = (x, y) if name in TWO else (x,)
    f = compiled([FUNCTIONS[name].sympy(*arguments)], [x, y])
    for point in ((bad, 0.5), (0.5, bad), (bad, bad)):
        (computed,) = values(f, [point])[0]
        if any(math.isnan(a) for a, _ in zip(point, arguments, strict=False)):
            assert math.isnan(computed), (name, point)


def test_divisor_that_is_identically_zero_gives_nan():
    """sin^2 + cos^2 - 1 = 0 is recognized on the graph; a branch that is not taken has no effect."""
    below = sp.sin(x) ** 2 + sp.cos(x) ** 2 - 1
    f = compiled([1 / below, y / below, sp.Piecewise((y / below, x > 5), (1, True))], [x, y])
    np.testing.assert_array_equal(values(f, [(0.3, 2.0)]), [[NAN, NAN, 1.0]])


def test_case_with_nan_gives_nan():
    cases = [sp.Piecewise((1, x < y), (2, True)), sp.Piecewise((1, sp.Ne(x, y)), (2, True)), sp.sign(x), sp.Abs(x)]
    f = compiled(cases, [x, y])
    assert np.all(np.isnan(values(f, [(NAN, 1.0)])))


def test_sines_are_right_to_the_last_place():
    """Sine and cosine are within 1 ulp, also near multiples of pi/2, in all SIMD lanes and beyond the fast range."""
    rng = np.random.default_rng(3)
    quadrants = np.arange(-4000, 4000) * (math.pi / 2)
    points = np.concatenate([rng.uniform(-1e4, 1e4, 2000), quadrants, rng.uniform(-1e8, 1e8, 500), [1e10, -1e15]])
    for shift in range(5):  # the position in a group of four changes
        symbols = sp.symbols("a:6")
        f = compiled([g(symbols[shift]) for g in (sp.sin, sp.cos)] + [sp.sin(s) for s in symbols], symbols)
        columns = np.zeros((len(points), 6))
        columns[:, shift] = points
        computed = values(f, columns)[:, :2]
        expected = by_sympy([sp.sin(x), sp.cos(x)], [x], points[:, None])
        assert np.max(np.abs(computed - expected) / np.spacing(np.abs(expected))) <= 1.0
