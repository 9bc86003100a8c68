"""The linear system as formulas: closed forms, and equal to the numbers of compiled code."""

import mechanisms
import numpy as np
import pytest
import sympy as sp
from sympy import cos

import lienket as lk
from lienket import LienketError, ModelError, der

m, l, g, r = lk.parameters("m l g r")


def at_values(matrix, system, **more):
    numbers = {p.name: float(x) for p, x in system.values.items()} | more
    values = {s: numbers[s.name] for s in matrix.free_symbols}
    return np.array(matrix.subs(values).tolist(), dtype=float)


def test_a_pendulum_in_both_sets_of_coordinates():
    for system, state in ((mechanisms.pendulum(), None), (mechanisms.pendulum_in_the_plane(), {"y": -l})):
        linear = system.linearize(state, symbolic=True)
        assert sp.Matrix([[0, 1], [-g / l, 0]]) == linear.A
        assert {sp.simplify(root**2 + g / l) for root in linear.eigenvalues} == {0}


def test_the_critical_speed_of_a_disc_is_a_formula():
    """(A + r^2) s^2 = g r - C (C + r^2) W^2/A for m = 1; the other six eigenvalues are zero."""
    A, C, W = lk.parameters("A C W")
    for redundant in (False, True):
        disc = mechanisms.rolling_disc(redundant)
        linear = disc.linearize({"z": r} if redundant else None, {"x": W * r, "spin": W}, symbolic=True)
        s = linear.characteristic.gen
        square = (g * r - C * (C + r**2) * W**2 / A) / (A + r**2)
        assert sp.simplify(linear.characteristic.as_expr() - s**6 * (s**2 - square)) == 0
        assert len(linear.eigenvalues) == 8


@pytest.mark.parametrize("redundant", [False, True])
def test_formulas_and_numbers_are_the_same_system(redundant):
    W = lk.parameters("W")
    disc = mechanisms.rolling_disc(redundant)
    state = {"z": r} if redundant else None
    chosen = ["x", "y", "yaw", "lean", "spin", "yaw'", "lean'", "spin'"]
    outputs = {"push": lk.parameters("lambda_2" if redundant else "lambda_1"), "a": der(disc.coordinates[0], 2)}
    asked = {"inputs": ["g"], "outputs": outputs, "independent": chosen}
    formulas = disc.linearize(state, {"x": W * r, "spin": W}, symbolic=True, **asked)
    q, v = ([0, 0, 0.3, 0, 0, 0], [0.6, 0, 0, 0, 0, 2.0]) if redundant else ([0] * 5, [0.6, 0, 0, 0, 2.0])
    numbers = disc.linearize(q, v, **asked)
    assert formulas.states == numbers.states == tuple(chosen)
    for name in "ABCDT":
        evaluated = at_values(getattr(formulas, name), disc, W=2.0)
        assert evaluated == pytest.approx(getattr(numbers, name), abs=1e-12), name


def test_a_driven_pendulum_at_a_time():
    """On a support that moves by a cos(w t) the hanging pendulum has g - a w^2 cos(w t) in place of g."""
    a, w = lk.parameters("a w")
    x, y = lk.coordinates("x y")
    free = lk.System("driven", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y)
    driven = free.constrain("rod", x**2 + (y - a * cos(w * lk.t)) ** 2 - l**2)
    state = {"y": a * cos(w * lk.t) - l}
    linear = driven.linearize(state, {"y": -a * w * sp.sin(w * lk.t)}, lk.t, symbolic=True)
    assert sp.simplify(linear.A[1, 0] + (g - a * w**2 * cos(w * lk.t)) / l) == 0
    # At another time the formulas hold with that time substituted.
    started = driven.linearize({"y": a - l}, symbolic=True)
    assert sp.simplify(started.A[1, 0] + (g - a * w**2) / l) == 0


def test_values_go_into_the_formulas():
    linear = mechanisms.pendulum().linearize({"theta": sp.pi}, values={"l": 2}, symbolic=True)
    assert sp.Matrix([[0, 1], [g / 2, 0]]) == linear.A


def test_redundant_rows_are_left_out():
    x, y = lk.coordinates("x y")
    twice = (
        mechanisms.pendulum_in_the_plane()
        .constrain("rate", x * der(x) + y * der(y))
        .constrain("again", 2 * x**2 + 2 * y**2 - 2 * l**2)
    )
    assert sp.Matrix([[0, 1], [-g / l, 0]]) == twice.linearize({"y": -l}, symbolic=True).A
    with pytest.raises(LienketError, match="not unique"):
        twice.linearize({"y": -l}, symbolic=True, outputs={"push": lk.parameters("lambda_1")})


def test_faults_of_symbolic_linearization_are_reported():
    plane = mechanisms.pendulum_in_the_plane()
    with pytest.raises(LienketError, match=r"position residual of 'rod' is -l\*\*2"):
        plane.linearize(symbolic=True)
    with pytest.raises(LienketError, match="l cannot be an input"):
        plane.linearize({"y": -l}, symbolic=True, inputs=["l"])
    with pytest.raises(LienketError, match="do not determine all others"):
        plane.linearize({"y": -l}, symbolic=True, independent=["y", "y'"])
    with pytest.raises(ModelError, match="yy is unknown"):
        plane.linearize({"yy": -l}, symbolic=True)


def test_eigenvalues_without_formulas_are_reported():
    x = lk.coordinates("x1 x2 x3")
    k1, k2, k3, c = lk.parameters("k1 k2 k3 c")
    V = (k1 * x[0] ** 2 + k2 * (x[1] - x[0]) ** 2 + k3 * (x[2] - x[1]) ** 2) / 2
    chain = lk.System("chain", x, kinetic=sum(der(e) ** 2 for e in x) / 2, potential=V, dissipation=c * der(x[2]) ** 2)
    linear = chain.linearize(symbolic=True)
    assert linear.characteristic.degree() == 6
    with pytest.raises(LienketError, match="cannot be written as formulas"):
        _ = linear.eigenvalues
