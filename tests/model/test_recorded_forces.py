"""A recorded force has the power F . v in the axes it was measured in, and a system moves under it by Newton's law."""

import numpy as np
import pytest
import sympy as sp
from sympy import cos, pi, sin, sqrt

import lienket as lk
from lienket import der
from lienket.model.measurements import path_axes, record
from lienket.model.time_tables import record_times

phi, psi, s = lk.coordinates("phi psi s")
x, y, z = lk.coordinates("x y z")
l, m, R, h = lk.parameters("l m R h")
T = np.linspace(0, 2, 9)
CUT = record({"t": T, "X": 1 - T**2, "Y": T**3 + 2, "Z": 2 * T - 3}, name="cut")
# The scoop of paper 003, section 4: link 1 at the angle phi, link 2 at phi + psi.
SCOOP = (l * cos(phi) + l * cos(phi + psi), l * sin(phi) + l * sin(phi + psi))
HELIX = (R * cos(s), R * sin(s), h * s)


def number(expressions, q, v, time, **values):
    """Return expressions at a state, evaluated by SymPy alone."""
    point = {der(c): float(w) for c, w in zip((phi, psi, s), v, strict=True)}
    point |= {c: float(w) for c, w in zip((phi, psi, s), q, strict=True)}
    point |= {lk.t: time} | {sp.Symbol(k): w for k, w in values.items()}
    matrix = sp.Matrix(expressions)
    return np.array(
        matrix.xreplace({k: w for k, w in point.items() if k.has(sp.Derivative)}).subs(point).evalf(), float
    )


def states(count=5):
    rng = np.random.default_rng(3)
    return [(rng.uniform(0.2, 1.3, 3), rng.uniform(-1, 1, 3), float(rng.uniform(0.1, 1.9))) for _ in range(count)]


PLANE = {
    "given": {"tangent": (1, phi + 2)},
    "velocity": {"tangent": "velocity"},
    "curve": {"curve": lambda X, Y: X**2 + 3 * Y**2 - 1},
    "reverse": {"curve": lambda X, Y: X**2 + 3 * Y**2 - 1, "reverse": True},
    "right": {"curve": lambda X, Y: X - Y, "normal": "right"},
    "path": {"path": ((s, sin(s)), s)},
}
SPACE = {
    "given": {"tangent": (1, s, 2), "normal": (0, 1, s)},
    "helix": {"path": (HELIX, s)},
    "own path": {"path": s},
    "velocity": {"tangent": "velocity", "normal": (1, 0, 0)},
}


@pytest.mark.parametrize("way", PLANE)
def test_the_power_is_that_of_the_force_in_the_plane(way):
    force = CUT.force(SCOOP, ("X", "Y"), axes="path", **PLANE[way])
    V = path_axes(SCOOP, **PLANE[way])
    system = lk.System(
        "arm", [phi, psi, s], kinetic=m * (der(phi) ** 2 + der(psi) ** 2 + der(s) ** 2) / 2, loads=[force]
    )
    for q, v, time in states():
        values = {"l": 1.3, "m": 1.0}
        axes = number(V, q, v, time, **values)
        np.testing.assert_allclose(axes.T @ axes, np.eye(2), atol=1e-12)
        assert np.linalg.det(axes) == pytest.approx(-1 if way == "right" else 1)
        F = axes @ CUT.at([time])[0, :2]
        velocity = number([der(e) for e in SCOOP], q, v, time, **values)[:, 0]
        state = system.at(q, v, time, values)
        assert state.h @ v == pytest.approx(F @ velocity, abs=1e-10)  # h is the applied force, since A is constant


@pytest.mark.parametrize("way", SPACE)
def test_the_power_is_that_of_the_force_in_space(way):
    force = CUT.force(HELIX, axes="path", **SPACE[way])
    V = path_axes(HELIX, **SPACE[way])
    system = lk.System("bead", [phi, psi, s], kinetic=(der(phi) ** 2 + der(psi) ** 2 + der(s) ** 2) / 2, loads=[force])
    for q, v, time in states():
        values = {"R": 0.7, "h": 0.4}
        axes = number(V, q, v, time, **values)
        np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-12)
        assert np.linalg.det(axes) == pytest.approx(1)
        F = axes @ CUT.at([time])[0]
        velocity = number([der(e) for e in HELIX], q, v, time, **values)[:, 0]
        assert system.at(q, v, time, values).h @ v == pytest.approx(F @ velocity, abs=1e-10)


def test_the_trihedral_of_a_helix_is_that_of_frenet():
    V = path_axes(HELIX, path=s)
    w = sqrt(R**2 + h**2)
    t, n = sp.Matrix([-R * sin(s), R * cos(s), h]) / w, sp.Matrix([-cos(s), -sin(s), 0])
    exact = sp.Matrix.hstack(t, n, t.cross(n))
    point = {R: 0.7, h: 0.4, s: 0.9}
    np.testing.assert_allclose(np.array((V - exact).subs(point).evalf(), float), 0, atol=1e-14)


def test_the_normal_of_a_curve_points_where_the_constraint_grows():
    """The normal component has the sign of the multiplier (docs/notation.md)."""
    assert path_axes((x, y), curve=y) == sp.eye(2)
    assert path_axes((x, y), curve=-y) == -sp.eye(2)
    assert path_axes((x, y), curve=y, reverse=True) == -sp.eye(2)
    assert path_axes((x, y), curve=y, normal="right") == sp.diag(1, -1)
    by_function = path_axes((x, y), curve=lambda X, Y: X * Y - 1)
    assert by_function == path_axes((x, y), curve=x * y - 1)
    # Paper 003, eq. 34: the ditch x = y at 45 degrees, V a rotation by theta.
    theta = pi / 4
    rotation = sp.Matrix([[cos(theta), -sin(theta)], [sin(theta), cos(theta)]])
    assert path_axes(SCOOP, curve=lambda X, Y: Y - X) == rotation


def test_fixed_axes_and_those_of_the_path_agree():
    """One force along x, y and along the ditch gives the same equations: R = V^T F (paper 003, eq. 23)."""
    V = path_axes(SCOOP, curve=lambda X, Y: Y - X)
    F = CUT.values[:, :2]
    turned = F @ np.array(V, float)
    along = record({"t": T, "tangential": turned[:, 0], "normal": turned[:, 1]}, name="along")
    arm = {"coordinates": [phi, psi], "kinetic": (der(phi) ** 2 + der(psi) ** 2) / 2, "values": {l: 1.3}}
    fixed = lk.System("arm", **arm, loads=[CUT.force(SCOOP, ("X", "Y"))])
    path = lk.System("arm", **arm, loads=[along.force(SCOOP, axes="path", curve=lambda X, Y: Y - X)])
    for q, v, time in states():
        np.testing.assert_allclose(
            path.at(q[:2], v[:2], time).accelerations, fixed.at(q[:2], v[:2], time).accelerations, atol=1e-12
        )


def test_generalized_forces_need_the_transposed_jacobian():
    """Paper 003 adds V R^(tnb) to generalized forces in (22) and (35), which is right only where dr/dq = 1."""
    way = {"axes": "path", "curve": lambda X, Y: Y - X}
    V = np.array(path_axes(SCOOP, curve=way["curve"]), float)
    arm = lk.System(
        "arm", [phi, psi], kinetic=(der(phi) ** 2 + der(psi) ** 2) / 2, loads=[CUT.force(SCOOP, ("X", "Y"), **way)]
    )
    mass = lk.System(
        "mass", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, loads=[CUT.force((x, y), ("X", "Y"), **way)]
    )
    for q, v, time in states():
        printed = V @ CUT.at([time])[0, :2]
        np.testing.assert_allclose(mass.at(q[:2], v[:2], time).h, printed, atol=1e-12)
        assert np.max(np.abs(arm.at(q[:2], v[:2], time, {l: 1.3}).h - printed)) > 0.1


# Motion


def test_a_mass_moves_under_the_recorded_force():
    """The spline reproduces F = 1 - t^2 and t^3 + 2: x = (t^2/2 - t^4/12)/m, y = (t^5/20 + t^2)/m."""
    mass = lk.System("mass", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, loads=[CUT.force((x, y), ("X", "Y"))])
    motion = mass.simulate({m: 2.5}, start={"x": 0, "x'": 0, "y": 0, "y'": 0}, until=2, times=T)
    exact = np.column_stack([T**2 / 2 - T**4 / 12, T**5 / 20 + T**2]) / 2.5
    np.testing.assert_allclose(motion.q, exact, atol=1e-9)


def test_a_bead_on_a_circle_under_a_recorded_tangential_force():
    """On the circle only the tangential component acts: m R phi'' = F_t."""
    bead = lk.System(
        "bead",
        [x, y],
        kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2,
        loads=[CUT.force((x, y), ("Y", "X"), axes="path", curve=x**2 + y**2 - R**2, reverse=True)],
    ).constrain("circle", x**2 + y**2 - R**2)
    motion = bead.simulate({m: 2.5, R: 0.8}, start={"x": 0.8, "y": 0, "y'": 0}, until=2, times=T)
    angle = (T**5 / 20 + T**2) / (2.5 * 0.8)
    np.testing.assert_allclose(motion.q, 0.8 * np.column_stack([np.cos(angle), np.sin(angle)]), atol=1e-8)


def test_a_run_ends_with_the_record_unless_its_last_value_is_held():
    for outside, complete in (("error", False), ("hold", True)):
        cut = record({"t": T, "X": 0 * T + 1}, outside=outside)
        mass = lk.System("mass", [x], kinetic=der(x) ** 2 / 2, loads=[cut.force((x,))])
        motion = mass.simulate(start={"x": 0, "x'": 0}, until=3)
        assert motion.outcome.complete is complete
    assert motion["x"][-1] == pytest.approx(4.5)


def test_a_system_with_a_recorded_force_is_saved_and_loaded_unchanged(tmp_path):
    mass = lk.System("mass", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, loads=[CUT.force((x, y), ("X", "Y"))])
    lk.save(mass, tmp_path / "mass.toml")
    assert lk.load(tmp_path / "mass.toml") == mass


# Faults


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({}, "3 components are given"),
        ({"components": ("X", "y")}, "did you mean 'Y'"),
        ({"components": ("X", "Y"), "axes": "polar"}, "'fixed' or 'path', not 'polar'"),
        ({"components": ("X", "Y"), "tangent": (1, 0)}, "fixed axes take no tangent"),
        ({"components": ("X", "Y"), "tangent": np.ones(2), "normal": np.ones(2)}, "fixed axes take no tangent, normal"),
        ({"components": ("X", "Y"), "axes": "path", "tangent": np.ones(2), "normal": np.ones(2)}, "'left' or 'right'"),
        ({"components": ("X", "Y"), "axes": "path"}, "stated in exactly one way"),
        ({"components": ("X", "Y"), "axes": "path", "tangent": (1, 0), "curve": y}, "stated in exactly one way"),
        ({"components": ("X", "Y"), "axes": "path", "tangent": (1, 0, 0)}, "2 expressions are expected"),
        ({"components": ("X", "Y"), "axes": "path", "tangent": "speed"}, "or 'velocity', not 'speed'"),
        ({"components": ("X", "Y"), "axes": "path", "tangent": ("x", 1)}, "is not an expression"),
        ({"components": ("X", "Y"), "axes": "path", "tangent": (0, 0)}, "it is zero"),
        ({"components": ("X", "Y"), "axes": "path", "tangent": (1, 0), "normal": (0, 1)}, "'left' or 'right'"),
        ({"components": ("X", "Y"), "axes": "path", "path": 3}, "s is a coordinate, not 3"),
        ({"at": SCOOP, "components": ("X", "Y"), "axes": "path", "curve": x - y}, "so g must be a function of x and y"),
        ({"at": (x, y, z), "axes": "path", "curve": x - y}, "a curve in the plane"),
        ({"at": (x, y, z), "axes": "path", "tangent": (1, 0, 0)}, "in space a normal is needed"),
        ({"at": (x, y, z), "axes": "path", "tangent": (1, 0, 0), "normal": (2, 0, 0)}, "direction of the tangent"),
        ({"at": (x, y, z), "axes": "path", "path": ((s, 2 * s, 0), s)}, "the path is straight"),
        (
            {"at": (x,), "components": ("X",), "axes": "path", "tangent": (1,)},
            "a path needs a point with 2 or 3 coordinates",
        ),
    ],
)
def test_faults_of_a_force(options, what):
    with pytest.raises(lk.ModelError) as caught:
        CUT.force(**({"at": (x, y)} | options))
    assert what in str(caught.value)


def test_record_times_are_those_at_which_the_argument_meets_a_sample():
    """For the argument a t + b the times are (x - b)/a; a position or a parameter in the argument gives no times."""
    table = lk.table("F", [0.0, 1.0, 3.0, 4.0], [0.0, 1.0, 0.0, 2.0])
    delay = lk.parameters("delay")

    def times(argument):
        system = lk.System("mass", [x], kinetic=der(x) ** 2 / 2, forces={x: table(argument)}, values={delay: 1})
        return record_times(system.statement).tolist()

    assert times(lk.t) == [0, 1, 3, 4]
    assert times(2 * lk.t - 1) == [0.5, 1, 2, 2.5]
    assert times(4 - lk.t) == [0, 1, 3, 4]
    assert times(x) == times(lk.t - delay) == times(lk.t + x) == []
