"""Tables in machine code (Python functions: test_callables.py)."""

import math

import numpy as np
import pytest
from compiling import values

import lienket as lk
from lienket import der, t
from lienket.compiled.emit.llvm_module import module
from lienket.compiled.functions.plan import Plan, vector
from lienket.compiled.graph.graph import Graph
from lienket.compiled.machine.function import CompiledFunction, FunctionInfo
from lienket.compiled.machine.object_code import LoadedCode, object_code
from lienket.language.data_functions.table import KINDS, OUTSIDE

x, y = lk.coordinates("x y")
m, g, k = lk.parameters("m g k")
KNOTS = [-1.0, -0.3, 0.0, 0.4, 1.5, 2.0]
HEIGHTS = [0.2, -0.1, 0.5, 0.9, 0.3, 0.35]
NUMBERS = {"m": 2.0}


def machine(table, orders=(0, 1, 2, 3, 4)):
    """Return the table and its derivatives as machine code: a function of q."""
    graph = Graph()
    graph.input()
    argument = graph.input()
    roots = [graph.data_call(table, (order,), argument) for order in orders]
    text = module(graph, [("t", 0), ("q", 0)], [Plan("f", (vector("values", roots),))], 1, 0)
    return CompiledFunction(
        FunctionInfo("f", (("out", (len(roots),)),), 0, 1, 0.0, (1, 0, 0)), LoadedCode(object_code(text)), 0, False
    )


def same(table, points):
    computed = values(machine(table), np.reshape(points, (-1, 1)))
    for order in range(5):
        expected = np.array([table.value(point, order) for point in points])
        sizes = np.nanmax(np.abs(expected[np.isfinite(expected)]), initial=0.0)
        np.testing.assert_allclose(computed[:, order], expected, rtol=1e-13, atol=1e-13 * sizes)


def around(knots, rng, count=200):
    """Return points between, at, close to and beyond the knots."""
    low, high = knots[0], knots[-1]
    wide = high - low
    beside = [np.nextafter(a, way) for a in knots for way in (-math.inf, math.inf)]
    return np.array([*rng.uniform(low, high, count), *knots, *beside, low - wide, high + wide, low - 1e-9, math.nan])


@pytest.mark.parametrize("outside", OUTSIDE)
@pytest.mark.parametrize("kind", KINDS)
def test_machine_code_agrees_with_the_table(kind, outside):
    table = lk.table("road", KNOTS, HEIGHTS, kind, outside)
    same(table, around(KNOTS, np.random.default_rng(1)))


@pytest.mark.parametrize("outside", OUTSIDE)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [2, 3, 5000])
def test_tables_of_few_and_many_points(kind, outside, count):
    rng = np.random.default_rng(count)
    knots = np.cumsum(rng.uniform(0.1, 1, count))
    table = lk.table("road", knots, rng.normal(size=count), kind, outside)
    same(table, around(knots if count < 10 else knots[:: count // 10], rng))


def test_two_tables_and_two_orders_in_one_function():
    """Two tables keep separate data: z'' = one(z) + 2 other(z) + one'(z)."""
    one = lk.table("one", KNOTS, HEIGHTS)
    other = lk.table("other", [-2, 3], [1, 5], "linear")
    z, s = lk.coordinates("z"), lk.parameters("s")
    slope = one(s).diff(s).xreplace({s: z})
    system = lk.System("both", [z], kinetic=der(z) ** 2 / 2, forces={z: one(z) + 2 * other(z) + slope})
    for position in (-0.9, 0.1, 1.7):
        expected = one.value(position) + 2 * other.value(position) + one.value(position, 1)
        assert system.at([position], [0.0]).accelerations[0] == pytest.approx(expected, rel=1e-14)


def test_a_measured_motion_is_prescribed():
    """For y = road(t): y'' = road''(t) and the reaction m (g + road''); for y = road(x) the chain rule."""
    times = np.linspace(0, 5, 501)
    road = lk.table("road", times, np.sin(times) * np.exp(-times / 3))
    point = lk.System(
        "point",
        [x, y],
        kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2,
        potential=m * g * y,
        forces={x: -k * x},
        values={"m": 2.0, "g": 9.81, "k": 3.0},
    )
    lifted = point.constrain("lift", y - road(t))
    for time in (0.0, 0.003, 1.0, 2.4711, 5.0):
        state = lifted.at([0.3, road.value(time)], [0.0, road.value(time, 1)], time)
        up = road.value(time, 2)
        np.testing.assert_allclose(state.accelerations, [-3 * 0.3 / 2, up], rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(state.multipliers, [2 * (9.81 + up)], rtol=1e-13)
    on_path = point.constrain("path", y - road(x))
    for position, speed in ((0.2, 1.0), (1.7, -2.0), (4.2, 0.3)):
        f, f1, f2 = (road.value(position, order) for order in range(3))
        state = on_path.at([position, f], [speed, f1 * speed], 0.0)
        ahead = (-3 / 2 * position - f1 * (9.81 + f2 * speed**2)) / (1 + f1**2)
        np.testing.assert_allclose(state.accelerations, [ahead, f1 * ahead + f2 * speed**2], rtol=1e-12)


def test_measured_motion_is_nan_beyond_its_end():
    road = lk.table("road", [0, 1, 2], [0, 1, 0])
    system = lk.System("point", [x], kinetic=m * der(x) ** 2 / 2, forces={x: road(t)}, values=NUMBERS)
    evaluation = system.compile().evaluate([1.0, 2.0, 2.5, 0.5], [0.0], [0.0])
    np.testing.assert_allclose(evaluation.accelerations[:, 0], [0.5, 0.0, math.nan, 0.375], atol=1e-15)
