"""Tables and Python functions in expressions: derivatives, translation, comparison, printing, evaluation at points."""

import math
import pickle

import numpy as np
import pytest
import symengine as se
import sympy as sp
from scipy.interpolate import CubicSpline

import lienket as lk
from lienket import der, t
from lienket.elimination.sampling.point import Point, precise
from lienket.errors import LienketError
from lienket.language.data_functions import DataCall, DataDerivative, PythonFunction
from lienket.language.engine.engine import Engine
from lienket.language.engine.zero_test import vanishes
from lienket.language.printing.latex import latex
from lienket.language.printing.mathml import mathml
from lienket.language.printing.text import plain

x, y = lk.coordinates("x y")
m, k = lk.parameters("m k")
KNOTS, HEIGHTS = np.linspace(-3, 3, 13), np.cos(np.linspace(-3, 3, 13))
road = lk.table("road", KNOTS, HEIGHTS, outside="extrapolate")
spring = lk.table("spring", [0, 1, 2], [0, 1, 4])
SPLINE = CubicSpline(KNOTS, HEIGHTS)


def controller(time, z):
    return math.sin(time) * z


u = lk.function("u", controller, 2)

EXPRESSIONS = [
    road(t),
    road(x * y),
    road(x) ** 2 * sp.sin(road(y)),
    road(road(x) + y),
    m * sp.Abs(road(x) - y),
    sp.Max(road(x), y) + sp.Min(x, road(y), 1),
    sp.Piecewise((road(x), road(y) < x), (y, True)),
    sp.sqrt(1 + road(x) ** 2) / (2 + road(y)),
    sp.exp(-road(2 * x - 2 * y)) * sp.atan2(road(x), 1 + y**2),
    road(t * x) * road(0.1) + road(sp.Rational(1, 3)),
]


def number(expression, **at):
    values = {x: at.get("x", 0.3), y: at.get("y", -0.4), t: at.get("t", 0.9), m: 2.0, k: 3.0}
    motion = {s: sp.Float(v, 30) for s, v in values.items()}
    at_numbers = expression.xreplace(motion)
    return float(at_numbers.replace(lambda e: isinstance(e, DataCall), lambda e: e.evalf()).evalf())


# Derivatives


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_sympy_and_the_engine_differentiate_alike_and_as_differences_do(expression):
    engine, h = Engine([x, y]), 1e-5
    inside = engine.inward(expression)
    for outside, symbol in ((x, engine.q[0]), (y, engine.q[1]), (t, engine.t)):
        derivative = engine.outward(engine.derivative(inside, symbol))
        assert not derivative.atoms(sp.Derivative, sp.Subs)
        name = {x: "x", y: "y", t: "t"}[outside]
        middle = {"x": 0.3, "y": -0.4, "t": 0.9}[name]
        difference = (number(expression, **{name: middle + h}) - number(expression, **{name: middle - h})) / (2 * h)
        assert number(derivative) == pytest.approx(difference, rel=1e-6, abs=1e-8)
        if not expression.has(sp.Max, sp.Min, sp.Abs, sp.Piecewise):
            assert number(derivative) == pytest.approx(number(partial(expression, outside)), rel=1e-12)


def partial(expression, symbol):
    """Return the partial derivative by SymPy, with coordinates that do not depend on time."""
    still = {x: sp.Symbol("x"), y: sp.Symbol("y")}
    derivative = sp.diff(expression.xreplace(still), still.get(symbol, symbol))
    return derivative.xreplace({s: c for c, s in still.items()})


def test_second_derivatives_are_those_of_the_spline():
    engine = Engine([x, y])
    inside = engine.inward(road(x * y))
    bend = engine.outward(engine.derivative(engine.derivative(inside, engine.q[0]), engine.q[1]))
    at = 0.3 * -0.4
    assert number(bend) == pytest.approx(float(SPLINE(at, 1) + at * SPLINE(at, 2)), rel=1e-12)
    assert number(der(road(t), 2)) == pytest.approx(float(SPLINE(0.9, 2)), rel=1e-12)
    assert number(der(road(t), 3)) == pytest.approx(float(SPLINE(0.9, 3)), rel=1e-12)


def test_the_chain_rule_in_time():
    assert der(road(x * y)) == sp.diff(road(k), k).subs(k, x * y) * (der(x) * y + x * der(y))
    first, second = DataCall(DataDerivative(u, (1, 0)), t, x), DataCall(DataDerivative(u, (0, 1)), t, x)
    assert der(u(t, x)) == first + second * der(x)
    assert sp.diff(road(m), x) == 0


def test_arguments_that_print_alike_are_distinguished():
    near = np.nextafter(0.1, 1)  # both are written 0.1 by the engine
    engine = Engine([x, y])
    inside = engine.inward(road(0.1 * x) * road(near * x))
    slope = engine.outward(engine.derivative(inside, engine.q[0]))
    assert len(slope.atoms(DataCall)) == 4


# Translation and normal form


@pytest.mark.parametrize("expression", [*EXPRESSIONS, u(t, x), der(u(t, x)), der(road(x), 2)], ids=str)
def test_the_normal_form_is_stable(expression):
    engine = Engine([x, y])
    normal = engine.normal(expression)
    assert engine.normal(normal) == normal == Engine([x, y]).normal(normal)
    assert vanishes(engine.inward(normal - expression))
    assert engine.normal(pickle.loads(pickle.dumps(normal))) == normal  # SymPy reverses some comparisons


def test_a_function_symbol_leads_back_to_its_data():
    engine = Engine([x, y])
    inside = engine.inward(u(t, x))
    (symbol,) = engine.derivative(inside, engine.q[0]).atoms(se.FunctionSymbol)
    assert engine.data_functions == {"u": u}
    assert engine.data_derivative(symbol).data is u and engine.data_derivative(symbol).orders == (0, 1)
    assert symbol.args == (engine.t, engine.q[0])


def test_forks_are_independent_and_joins_contain_both():
    engine = Engine([x, y])
    engine.inward(road(t))
    one, other = engine.fork(), engine.fork()
    one.inward(spring(x))
    other.inward(u(t, x))
    assert set(engine.data_functions) == {"road"}
    assert set(one.joined(other).data_functions) == {"road", "spring", "u"}
    assert one.joined(other).outward(other.inward(u(t, x))) == u(t, x)


def test_two_functions_of_one_name_are_refused():
    engine = Engine([x, y])
    engine.inward(road(t))
    with pytest.raises(LienketError, match="both named 'road'"):
        engine.inward(lk.table("road", [0, 1], [0, 1])(t))


def test_expressions_are_equal_if_the_data_are():
    again = lk.table("road", KNOTS, HEIGHTS, outside="extrapolate")
    assert again(x) == road(x) and hash(again(x)) == hash(road(x)) and again(x) - road(x) == 0
    assert road(x) != spring(x) and road(x) != lk.table("road", [0, 1], [0, 1])(x)
    assert sorted([road(x), spring(x), u(t, x), der(road(t))], key=sp.default_sort_key)
    assert sp.Add(road(x), spring(x), u(t, x)) == sp.Add(u(t, x), spring(x), road(x))
    assert road(x).is_real and road(x).free_symbols == {t} and road(m).free_symbols == {m}
    assert not road(t).atoms(sp.core.function.AppliedUndef)


def test_sympy_does_not_evaluate_calls_at_numbers():
    calls = []
    watched = lk.function("watched", lambda a: calls.append(a) or 0.0)
    assert isinstance(watched(0.5), DataCall) and watched(0.5).evalf() == watched(0.5) and not calls
    assert isinstance(road(0.5), DataCall) and float(road(0.5).evalf()) == pytest.approx(float(SPLINE(0.5)))
    assert sp.simplify(road(x) * k + road(x) * m) == road(x) * (k + m)


# Evaluation at points


def test_zero_test_at_points_separates_identities():
    engine = Engine([x, y])
    inward = engine.inward
    assert vanishes(inward(sp.expand((road(x) + y) ** 2)) - inward((road(x) + y) ** 2))
    assert not vanishes(inward(road(x) - spring(x)))
    assert not vanishes(inward(road(x) - road(y)))
    assert not vanishes(inward(der(road(t)) - road(t)))
    assert not vanishes(inward(der(u(t, k), 2) + u(t, k)))
    point = Point({s: precise(0.1 * i) for i, s in enumerate((engine.t, *engine.q), 1)})
    value = point.number(inward(road(x) * sp.sin(u(t, road(y)))))
    assert value == point.number(inward(road(x) * sp.sin(u(t, road(y)))))  # evaluation is deterministic
    h = 1e-20  # a derivative at a point is the difference quotient there
    ahead = Point({**point.values, engine.q[0]: point.values[engine.q[0]] + precise(h)})
    inside = inward(road(x * y) + u(x, y))
    slope = (ahead.number(inside) - point.number(inside)) / precise(h)
    assert float(slope) == pytest.approx(float(point.number(engine.derivative(inside, engine.q[0]))), rel=1e-12)


# Python functions


def test_derivatives_of_a_python_function_are_available_if_stated():
    slope = lk.function("f", controller, 2, derivatives=[None, lambda time, z: math.sin(time)])
    assert slope.callable_of((0, 0)) is controller and slope.callable_of((0, 1)) is not None
    assert slope.unavailable((0, 0)) == slope.unavailable((0, 1)) == ""
    assert "The derivative of f by its first argument is needed here, but was not given" in slope.unavailable((1, 0))
    assert "second derivative of f" in slope.unavailable((0, 2))
    assert "second argument" in u.unavailable((0, 1)) and "second derivative" in u.unavailable((1, 1))
    assert road.unavailable((5,)) == ""


def test_python_functions_are_equal_if_they_hold_the_same_callables():
    assert lk.function("u", controller, 2) == u and hash(lk.function("u", controller, 2)) == hash(u)
    assert lk.function("u", lambda a, b: 0.0, 2) != u and lk.function("w", controller, 2) != u
    assert lk.function("u", controller, 2, [None, None]) == u
    assert pickle.loads(pickle.dumps(u(t, x))) == u(t, x)
    assert repr(u) == "function 'u' of 2: controller"


def test_all_faults_of_a_function_are_reported_together():
    with pytest.raises(lk.ModelError) as caught:
        lk.function("der", controller, 3, derivatives=[controller, 5])
    text = str(caught.value)
    assert "'der' is a reserved word of the formula language" in text
    assert "call: it cannot be called with 3 numbers" in text
    assert "derivatives[1]: a callable was expected, not 5" in text
    assert "2 are given for 3 arguments" in text
    for arguments in (0, 17, 1.5, True, "2"):
        with pytest.raises(lk.ModelError, match="an integer from 1 to 16"):
            lk.function("u", controller, arguments)
    with pytest.raises(lk.ModelError, match="a callable was expected"):
        lk.function("u", 3.0)
    with pytest.raises(lk.ModelError, match="one callable for each argument"):
        lk.function("u", controller, 2, derivatives=controller)
    with pytest.raises(TypeError, match="u takes 2 arguments, not 1"):
        u(t)
    assert isinstance(lk.function("h", np.hypot, 2), PythonFunction)  # its signature is unknown


# Printing


@pytest.mark.parametrize(
    ("expression", "text", "tex"),
    [
        (road(t), "road(t)", r"\mathrm{road}\left(t\right)"),
        (der(road(t)), "road'(t)", r"\mathrm{road}'\left(t\right)"),
        (m * der(road(t), 2), "m*road''(t)", r"m \mathrm{road}''\left(t\right)"),
        (der(road(t), 4), "road^(4)(t)", r"\mathrm{road}^{(4)}\left(t\right)"),
        (der(road(t)) ** 2, "road'(t)^2", r"\mathrm{road}'\left(t\right)^{2}"),
        (u(t, x), "u(t, x)", r"u\left(t, x\right)"),
        (-k * road(x - y), "-k*road(x - y)", r"-k \mathrm{road}\left(x - y\right)"),
        (sp.diff(u(m, k), k), "D[2](u)(m, k)", r"\partial_{2} u\left(m, k\right)"),
        (sp.diff(u(m, k), m, k, k), "D[1,2,2](u)(m, k)", r"\partial_{1} \partial_{2}^{2} u\left(m, k\right)"),
        (sp.diff(u(m, k), k) ** 2, "(D[2](u)(m, k))^2", r"\left(\partial_{2} u\left(m, k\right)\right)^{2}"),
        (1 / road(t), "1/road(t)", r"\frac{1}{\mathrm{road}\left(t\right)}"),
    ],
)
def test_printing(expression, text, tex):
    assert plain(expression) == text
    assert latex(expression) == tex


def test_printing_in_mathml_and_by_sympy():
    assert mathml(der(road(t))) == (
        "<mrow><msup><mi>road</mi><mo>′</mo></msup><mo>\u2061</mo><mrow><mo>(</mo><mi>t</mi><mo>)</mo></mrow></mrow>"
    )
    assert "<msub><mo>∂</mo><mn>2</mn></msub><mi>u</mi>" in mathml(sp.diff(u(m, k), k))
    assert "<msup><mi>road</mi><mrow><mo>(</mo><mn>4</mn><mo>)</mo></mrow></msup>" in mathml(der(road(t), 4))
    assert str(der(road(t)) * u(t, x)) == "road'(t)*u(t, x(t))"
    assert sp.latex(road(t) ** 2) == r"\operatorname{road}\left(t\right)^{2}"
    assert sp.pretty(road(t), use_unicode=False) == "road(t)"
