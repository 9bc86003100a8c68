"""Paper 004: A q'' + q* D q0 = Q with its matrix D, and the symmetric choice of D."""

import pytest
import sympy as sp
from conftest import CASES, MODELS, evaluated

import lienket as lk
from lienket import der

sin, cos = sp.sin, sp.cos
CASE_NAMES = ["slider_pendulum", "hammer_crusher"]


def free(name):
    return lk.load(MODELS / f"{name}.toml").free


def test_slider_pendulum_as_printed():
    m1, m2, a, c, g, inertia = lk.parameters("m1 m2 a c g I")
    q1, q2 = lk.coordinates("q1 q2")
    form = free("slider_pendulum").matrix_form("paper")
    assert sp.ImmutableMatrix([[m1 + m2, m2 * a * cos(q2)], [m2 * a * cos(q2), inertia + m2 * a**2]]) == form.A
    k = m2 * a * sin(q2)
    half = k / 2
    expected = sp.zeros(4)
    expected[1, 1], expected[2, 3], expected[3, 2] = -k, half, -half
    assert expected == form.D
    assert sp.ImmutableMatrix([-c * q1, -m2 * g * a * sin(q2)]) == form.Q
    assert form.q_star == sp.ImmutableMatrix([[der(q1), der(q2), 0, 0], [0, 0, der(q1), der(q2)]])
    assert form.q_0 == sp.ImmutableMatrix([der(q1), der(q2), der(q1), der(q2)])
    assert form.velocity_terms().expand() == sp.ImmutableMatrix([-k * der(q2) ** 2, 0])


def test_hammer_crusher_as_corrected():
    m2, e, r, g, M = lk.parameters("m2 e r g M")
    q1, q2 = lk.coordinates("q1 q2")
    form = free("hammer_crusher").matrix_form("paper")
    kappa = m2 * e * r * sin(q2)
    assert sp.Matrix([[0, 0], [-2 * kappa, -kappa]]) == form.block(0)  # erratum 54: minus
    assert sp.Matrix([[kappa, kappa / 2], [-kappa / 2, 0]]) == form.block(1)
    terms = [-2 * kappa * der(q1) * der(q2) - kappa * der(q2) ** 2, kappa * der(q1) ** 2]
    assert form.velocity_terms().expand() == sp.ImmutableMatrix(terms)
    weight = m2 * g * e * sin(q1 + q2)  # erratum 55: the sum of the angles in both rows
    Q = sp.Matrix([M - m2 * g * r * sin(q1) - weight, -weight])
    assert (form.Q - Q).expand().is_zero_matrix


@pytest.mark.parametrize("name", CASE_NAMES)
@pytest.mark.parametrize(("kind", "key"), [("paper", "D_canonical"), ("christoffel", "D_christoffel")])
def test_matrix_at_the_check_values(name, kind, key):
    case = CASES[name]
    form = free(name).matrix_form(kind)
    for row, expected in zip(evaluated(form.D, case), case["expected"][key], strict=True):
        assert row == pytest.approx(expected, rel=1e-12, abs=1e-15)
    terms = evaluated(form.velocity_terms(), case)
    assert terms == pytest.approx(case["expected"]["quadratic_term"], rel=1e-12, abs=1e-15)
    star = [entry for row in evaluated(form.q_star, case) for entry in row]
    assert star == pytest.approx([entry for row in case["expected"]["qstar"] for entry in row])
    assert evaluated(form.q_0, case) == pytest.approx(case["expected"]["q0"])


@pytest.mark.parametrize("model", sorted(path.stem for path in MODELS.glob("*.toml")))
@pytest.mark.parametrize("kind", ["paper", "christoffel"])
def test_matrix_form_reproduces_the_free_equations(model, kind):
    system = free(model)
    form = system.matrix_form(kind)
    difference = form.velocity_terms() - form.remainder + system.N
    assert difference.applyfunc(lambda e: sp.simplify(e.expand())).is_zero_matrix
    assert form.Q == system.Q and form.A == system.A


def test_christoffel_blocks_are_the_symmetric_parts():
    system = free("hammer_crusher")
    paper, christoffel = system.matrix_form("paper"), system.matrix_form("christoffel")
    for i in range(2):
        block = paper.block(i)
        assert ((block + block.T) / 2 - christoffel.block(i)).expand().is_zero_matrix


def test_time_derivative_of_inertia_minus_twice_christoffel_matrix_is_skew():
    x, y, z = lk.coordinates("x y z")
    m, J = lk.parameters("m J")
    A = [[m * (1 + z**2), m * sin(y), x * z], [m * sin(y), J + x**2 * y**2, y], [x * z, y, m + sp.exp(x)]]
    free_system = lk.System("curved", [x, y, z], inertia=A).free
    n, v = 3, sp.Matrix([der(x), der(y), der(z)])
    skew = {}
    for kind in ("christoffel", "paper"):
        form = free_system.matrix_form(kind)
        C = sp.Matrix.vstack(*[v.T * form.block(i) for i in range(n)])
        S = sp.Matrix(A).diff(lk.t) - 2 * C
        skew[kind] = bool((S + S.T).applyfunc(sp.simplify).is_zero_matrix)
    assert skew == {"christoffel": True, "paper": False}  # theory 12: the paper's choice lacks this property


def test_remainder_holds_what_the_matrix_cannot_express():
    x, y = lk.coordinates("x y")
    m, w = lk.parameters("m w")
    t = lk.t
    T = m * (1 + t**2 * x**2) * der(x) ** 2 / 2 + m * der(y) ** 2 / 2 + w * t * y * der(x) + w * x * y**2
    form = lk.System("rheonomic", [x, y], kinetic=T).free.matrix_form()
    # -(dA/dt) q' + Qg + Q0 by hand
    expected = [-2 * m * t * x**2 * der(x) - w * y - w * t * der(y) + w * y**2, w * t * der(x) + 2 * w * x * y]
    assert (form.remainder - sp.Matrix(expected)).expand().is_zero_matrix


def test_unknown_kind_is_refused_by_name():
    with pytest.raises(lk.LienketError, match=r"'papers'.*'paper' and 'christoffel'"):
        free("hammer_crusher").matrix_form("papers")
