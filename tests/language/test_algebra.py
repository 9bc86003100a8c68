"""The algebra engine: translation between SymPy and SymEngine without loss, equal tidy forms, right zero tests."""

import math

import pytest
import symengine as se
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from random_cases import random_cases

import lienket as lk
from lienket import der
from lienket.language.engine.engine import Engine
from lienket.language.engine.zero_test import vanishes
from lienket.language.simplify.tidy import tidy

x, y = lk.coordinates("x y")
m, a, b = lk.parameters("m a b")
ATOMS = [x, y, der(x), der(y), m, a, b, lk.t]
EXACT = random_cases(300)

numbers = st.sampled_from([sp.Integer(n) for n in (-3, -1, 1, 2)] + [sp.Rational(1, 2), sp.Rational(-2, 3)])
atoms = st.sampled_from(ATOMS)
angles = st.builds(lambda p, q, i, j: i * p + j * q, atoms, atoms, st.integers(-2, 2), st.integers(-2, 2))
waves = st.builds(lambda f, u: f(u), st.sampled_from([sp.sin, sp.cos]), angles)


def combined(inner):
    two = st.tuples(inner, inner)
    return st.one_of(
        two.map(lambda p: p[0] + p[1]),
        two.map(lambda p: p[0] * p[1]),
        st.tuples(inner, st.sampled_from([2, 3, -1])).map(
            lambda p: p[0] ** p[1] if p[1] > 0 else p[0] / (p[0] ** 2 + 1)
        ),
    )


expressions = st.recursive(st.one_of(numbers, atoms, waves), combined, max_leaves=12)


def value(expression, engine, shift):
    """Return a number to 30 digits at an arbitrary point."""
    point = {s: se.Rational(7 * i + 3 + shift, 11) for i, s in enumerate([*engine.q, *engine.v, engine.t])}
    point |= {se.Symbol(p.name): se.Rational(5 * i + 2 + shift, 7) for i, p in enumerate((m, a, b))}
    return expression.subs(point).n(200, real=True)


def rebuilt(e):
    """Return the expression as SymPy's constructors evaluate and order it."""
    return e.func(*[rebuilt(argument) for argument in e.args]) if e.args and not e.is_Derivative else e


@EXACT
@given(expressions)
def test_translation_there_and_back_equals_sympys_own_form(e):
    engine = Engine([x, y])
    back = engine.outward(engine.inward(e))
    assert sp.srepr(back) == sp.srepr(rebuilt(back))
    assert vanishes(Engine([x, y]).inward(sp.expand(back - e)))


@EXACT
@given(st.lists(st.integers(-2, 2), min_size=5, max_size=5), st.sampled_from([sp.sin, sp.cos, sp.tan]))
def test_angles_get_the_sign_that_sympy_prefers(factors, function):
    q = [lk.coordinates(name) for name in ("q1", "q2", "q10", "alpha", "Z")]
    e = function(sp.Add(*[i * c for i, c in zip(factors, q, strict=True)]))
    engine = Engine(q)
    inside = se.Add(*[i * c for i, c in zip(factors, engine.q, strict=True)])
    translated = engine.outward(getattr(se, function.__name__)(inside))
    assert sp.srepr(translated) == sp.srepr(e)


@EXACT
@given(expressions)
def test_tidy_changes_nothing_but_the_form(e):
    engine = Engine([x, y])
    inside = engine.inward(e)
    for shift in (0, 1):
        one, other = value(inside, engine, shift), value(tidy(inside), engine, shift)
        assert abs(one - other) <= 1e-40 * (1 + abs(one))


@EXACT
@given(expressions)
def test_sums_in_sympy_have_no_like_terms_left(e):
    engine = Engine([x, y])
    tidied = engine.outward(tidy(engine.inward(e)))
    assert sp.srepr(tidied) == sp.srepr(rebuilt(tidied))


@pytest.mark.parametrize(
    ("long", "short"),
    [
        (sp.sin(x) ** 2 + sp.cos(x) ** 2, sp.S.One),
        (m * a**2 * sp.sin(x) ** 2 + m * a**2 * sp.cos(x) ** 2, m * a**2),
        (sp.cos(x) * sp.cos(y) + sp.sin(x) * sp.sin(y), sp.cos(x - y)),
        (sp.sin(x) * sp.cos(y) + sp.cos(x) * sp.sin(y), sp.sin(x + y)),
        (2 * sp.sin(x) ** 2 + sp.cos(x) ** 2, 1 + sp.sin(x) ** 2),
        (m * sp.sin(x) ** 2, m * sp.sin(x) ** 2),
        (m * a**2 + m * b**2 + 2 * m * a * b * sp.cos(y), m * (a**2 + b**2 + 2 * a * b * sp.cos(y))),
        (-m * a - m * b, -m * (a + b)),
        (m / (x - a) ** 2 + m * b / (x - a) ** 2, m * (1 + b) / (x - a) ** 2),
        (a / (x + y + m + b) ** 12, a / (x + y + m + b) ** 12),
        (sp.cos(x) / sp.cos(x) ** 3 * sp.sin(y) ** 2 + sp.cos(y) ** 2 / sp.cos(x) ** 2, sp.cos(x) ** -2),
    ],
)
def test_tidy_form_is_natural(long, short):
    engine = Engine([x, y])
    assert engine.outward(tidy(engine.inward(long))) == short


def test_terms_are_collected_by_velocity():
    engine = Engine([x, y])
    e = m * a * der(x) ** 2 + m * b * der(x) ** 2 + m * a * der(x) * der(y)
    assert engine.outward(tidy(engine.inward(e))) == m * (a + b) * der(x) ** 2 + m * a * der(x) * der(y)


@pytest.mark.parametrize(
    ("expression", "is_zero"),
    [
        (sp.sin(2 * x) - 2 * sp.sin(x) * sp.cos(x), True),
        (sp.sqrt(x**2 + 2 * x + 1) - x - 1, True),  # at the positive test points
        (sp.exp(x) * sp.exp(-x) - 1, True),
        ((x + y) ** 7 - sp.expand((x + y) ** 7), True),
        (x * (sp.cos(y) ** 2 + sp.sin(y) ** 2 - 1), True),
        (sp.sin(x) - x + x**3 / 6, False),
        (sp.Float(1e-9) * x, False),
        (x - x * (1 + sp.Rational(1, 10**20)), False),
        (sp.log(x) - sp.log(y), False),
        (sp.S.Zero, True),
    ],
)
def test_zero_is_decided_by_values(expression, is_zero):
    assert vanishes(Engine([x, y]).inward(expression)) is is_zero


@pytest.mark.parametrize("at", [(-1.3, 0.4), (0.4, -1.3), (2.0, 1.0)])
@pytest.mark.parametrize(
    "expression",
    [sp.Abs(x * y), sp.Max(x, y, 1), sp.Min(x**2, y), sp.sign(x) * y**2, sp.Abs(sp.Max(x, y)) ** 3,
     sp.Piecewise((x**2, x > y), (sp.Abs(x), True)),
     sp.Max(y, sp.Piecewise((x**2, x > y), (x, True), evaluate=False), evaluate=False)],
)  # fmt: skip
def test_derivatives_of_kinks_are_slopes(expression, at):
    engine = Engine([x, y])
    slope = engine.outward(engine.derivative(engine.inward(expression), engine.q[0]))
    h = 1e-6
    low, high = (float(expression.subs({x: at[0] + d, y: at[1]})) for d in (-h, h))
    assert float(slope.subs({x: at[0], y: at[1]})) == pytest.approx((high - low) / (2 * h), abs=1e-8)


def test_every_function_of_the_language_survives_the_engine():
    from lienket.language.functions import FUNCTIONS

    engine = Engine([x, y])
    for function in FUNCTIONS.values():
        arguments = [x, y][: function.least]
        e = function.sympy(*arguments, evaluate=False)
        assert engine.outward(engine.inward(e)) == e
        slope = engine.outward(engine.derivative(engine.inward(e), engine.q[0]))
        assert math.isfinite(float(slope.subs({x: 0.3, y: 0.7})))
