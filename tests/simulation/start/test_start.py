"""Consistent start values: closed solutions, projection theorems, values kept and the choice of the assembly."""

import subprocess
import sys

import numpy as np
import pytest
import sympy as sp
from starting import MODELS, four_bar, model, null_space, point, residuals, rocker_angles

import lienket as lk
from lienket import der
from lienket.errors import StartError

ROUNDING = 1e-13


# Closed solutions


@pytest.mark.parametrize("phi", [0.0, 0.7, 2.0, -2.5])
def test_a_slider_crank_has_the_two_assemblies_of_its_formula(phi):
    """From r sin(phi) = L sin(theta): theta or pi - theta; theta' = r cos(phi) phi'/(L cos(theta))."""
    r, L = 0.21, 0.58
    theta = np.arcsin(r * np.sin(phi) / L)
    start = model("slider_crank").consistent({"phi": phi, "phi'": 2.0})
    assert start["phi"] == phi
    assert start["phi'"] == 2.0
    assert start["theta"] == pytest.approx(theta, abs=1e-14)
    assert start["theta'"] == pytest.approx(2 * r * np.cos(phi) / (L * np.cos(theta)), abs=1e-13)
    assert len(start.others) == 1
    assert np.cos(start.others[0][1] - (np.pi - theta)) == pytest.approx(1, abs=1e-14)
    assert start.others[0][0] == phi


def test_the_guess_chooses_the_assembly():
    crank = model("slider_crank")
    theta = np.arcsin(0.21 * np.sin(0.7) / 0.58)
    start = crank.consistent({"phi": 0.7}, guess={"theta": 2.6})
    assert start["theta"] == pytest.approx(np.pi - theta, abs=1e-14)
    assert start.others[0][1] == pytest.approx(theta, abs=1e-13)


@pytest.mark.parametrize("alpha", [0.3, 1.1, 2.4, -1.7])
def test_a_four_bar_has_the_two_assemblies_of_freudenstein(alpha):
    start = four_bar().consistent({"alpha": alpha}, guess={"beta": 0.6, "gamma": 1.6})
    assert len(start.others) == 1
    rockers = sorted(np.mod([start["gamma"], start.others[0][2]], 2 * np.pi))
    assert np.allclose(rockers, rocker_angles(alpha), rtol=0, atol=1e-12)


def test_andrews_squeezer_takes_its_published_start():
    """Test Set for IVP Solvers 2.4, II-13: the position at t = 0 to all printed digits."""
    published = {
        "beta": -0.0617138900142764496358948458001, "Theta": 0.0, "gamma": 0.455279819163070380255912382449,
        "Phi": 0.222668390165885884674473185609, "delta": 0.487364979543842550225598953530,
        "Omega": -0.222668390165885884674473185609, "eps": 1.23054744454982119249735015568,
    }  # fmt: skip
    guess = {name: round(value, 1) for name, value in published.items() if name not in ("beta", "Theta")}
    start = model("andrews_squeezer").consistent({k: published[k] for k in ("beta", "Theta")}, guess=guess)
    assert np.allclose(start.q, list(published.values()), rtol=0, atol=1e-14)
    assert np.array_equal(start.v, np.zeros(7))


def test_a_prescribed_motion_sets_position_and_velocity():
    """For x = a sin(w t), x' = a w cos(w t) follows from the term g_t of the velocity condition."""
    system, (x, _, _) = point()
    driven = system.constrain("shaken", x - 0.4 * sp.sin(5 * lk.t))
    start = driven.consistent({"y": 2.0, "z'": -1.0}, t=0.3)
    assert start.t == 0.3
    assert np.allclose(start.q, [0.4 * np.sin(1.5), 2, 0], rtol=0, atol=1e-15)
    assert np.allclose(start.v, [2 * np.cos(1.5), 0, -1], rtol=0, atol=1e-15)


def test_a_knife_edge_runs_ahead():
    """Without side slip y' = tan(theta) x'; the wheels turn with phi' = -(v +- b theta')/a."""
    carriage = model("carriage")
    start = carriage.consistent({"theta": 0.4, "x'": 1.2, "theta'": 0.5})
    ahead = 1.2 / np.cos(0.4)
    expected = [1.2, 1.2 * np.tan(0.4), 0.5, -(ahead + 0.36 * 0.5) / 0.14, -(ahead - 0.36 * 0.5) / 0.14]
    assert np.allclose(start.v, expected, rtol=1e-14, atol=0)
    assert np.array_equal(start.q, [0, 0, 0.4, 0, 0])
    assert start.other_velocities == ()


def test_a_nonlinear_constraint_on_velocities_has_two_solutions():
    """Appell and Hamel: z' = +-k sqrt(x'^2 + y'^2); the guess chooses."""
    particle, speed = model("appell_hamel"), 0.75 * 5.0
    start = particle.consistent({"x'": 3.0, "y'": 4.0}, guess={"z'": -1.0})
    assert start["z'"] == pytest.approx(-speed, rel=1e-15)
    assert [v[2] for v in start.other_velocities] == [pytest.approx(speed, rel=1e-14)]
    assert np.array_equal(particle.consistent().v, np.zeros(3))


def test_nearest_velocity_is_found_where_newton_fails():
    """With x' = 1 alone, z'^2 = k^2 (1 + y'^2) leaves y' free; the velocity nearest to rest has y' = 0."""
    start = model("appell_hamel").consistent({"x'": 1.0})
    assert start["x'"] == 1.0
    assert start["y'"] == pytest.approx(0, abs=1e-5)
    assert start["z'"] == pytest.approx(0.75, rel=1e-9)  # the positive one of two mirror images


# Theorems


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.toml")), ids=lambda path: path.stem)
@pytest.mark.parametrize("seed", range(4))
def test_every_example_starts_from_a_part_of_its_state(path, seed):
    """Fixed values of a consistent state are kept, and the remaining ones satisfy the constraints."""
    system, rng = lk.load(path), np.random.default_rng(seed)
    names = [str(x.func) for x in system.coordinates]
    names += [f"{name}'" for name in names]
    guess = dict(zip(names, rng.uniform(0.2, 1.2, len(names)), strict=True))
    values = {p: 1.0 for p in system.parameters if p not in system.values}
    whole = system.consistent(guess=guess, values=values, others=False)
    assert residuals(system, whole, values) <= ROUNDING
    half = len(names) // 2
    fixed = {name: whole[name] for name in names[:half] if rng.random() < 0.4}
    near = {name: whole[name] + 0.02 * rng.normal() for name in names[:half] if name not in fixed}
    start = system.consistent(fixed, values, guess=near, others=False)
    assert residuals(system, start, values) <= ROUNDING
    assert kept(fixed, start)
    fixed = {name: whole[name] for k, name in enumerate(names) if k < half or rng.random() < 0.4}
    start = system.consistent(fixed, values, others=False)
    assert residuals(system, start, values) <= ROUNDING
    assert np.array_equal(start.q, whole.q)
    assert kept(fixed, start)


def kept(values, start):
    """Return True if the start keeps all values to rounding; a row they alone determine may change the last bit."""
    return all(start[name] == pytest.approx(value, rel=1e-13, abs=1e-13) for name, value in values.items())


@pytest.mark.parametrize("seed", range(5))
def test_velocities_change_least_in_the_metric_of_inertia(seed):
    """D^T A (v - guess) = 0 for every motion D that the constraints and the fixed values leave free."""
    system, rng = model("double_pendulum_cartesian"), np.random.default_rng(seed)
    names = ["x1", "y1", "x2", "y2"]
    guess = dict(zip([f"{x}'" for x in names], rng.normal(size=4), strict=True))
    fixed = {"y2'": guess.pop("y2'")}
    q = {"x1": 0.54, "y1": -0.72, "x2": 0.54, "y2": -1.37}
    start = system.consistent({**q, **fixed}, guess=guess)
    assert start["y2'"] == fixed["y2'"]
    here = system.at(start.q, start.v)
    D = null_space(np.vstack([here.G, [0, 0, 0, 1]]))
    assert D.shape[1] == 1
    change = start.v - np.array([guess.get(f"{x}'", start[f"{x}'"]) for x in names])
    assert np.max(np.abs(D.T @ here.A @ change)) <= 1e-14
    assert residuals(system, start) <= ROUNDING


def test_positions_on_a_plane_are_projected_along_its_normal_in_the_metric_of_inertia():
    """For a linear constraint q = guess + A^-1 G^T lambda exactly, with G A^-1 G^T lambda = -g."""
    system, (x, y, z) = point(x=1.0, y=4.0, z=0.5)
    plane = system.constrain("plane", x + 2 * y - z - 3)
    start = plane.consistent(guess={"x": 1.0, "y": -1.0, "z": 0.5})
    G, W = np.array([1.0, 2.0, -1.0]), np.array([1.0, 0.25, 2.0])
    guess = np.array([1.0, -1.0, 0.5])
    assert np.allclose(start.q, guess - W * G * (G @ guess - 3) / (G @ (W * G)), rtol=0, atol=1e-15)
    held = plane.consistent({"z": 0.5}, guess={"x": 1.0, "y": -1.0})
    G[2] = 0.0
    assert np.allclose(held.q, guess - W * G * (guess @ [1, 2, -1] - 3) / (G @ (W * G)), rtol=0, atol=1e-15)


@pytest.mark.parametrize("seed", range(12))
def test_random_nets_of_rods_start_from_a_part_of_a_known_state(seed):
    """Rods of the lengths of a random position join points in a plane: fixed values stay, the others fit."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 6))
    names = " ".join(f"x{k} y{k}" for k in range(count))
    system, q = point("net", names, **{name: float(rng.uniform(0.1, 10)) for name in names.split()})
    position = rng.normal(size=2 * count)
    for k in range(1, count):
        dx, dy = q[2 * k] - q[2 * k - 2], q[2 * k + 1] - q[2 * k - 1]
        length2 = (position[2 * k] - position[2 * k - 2]) ** 2 + (position[2 * k + 1] - position[2 * k - 1]) ** 2
        system = system.constrain(f"rod {k}", dx**2 + dy**2 - length2)
    coordinates = names.split()
    chosen = list(rng.choice(2 * count, size=count, replace=False))
    fixed = {coordinates[i]: position[i] for i in chosen}
    guess = {name: position[i] + 0.05 * rng.normal() for i, name in enumerate(coordinates) if i not in chosen}
    start = system.consistent({**fixed, "x0'": 1.0}, guess=guess, others=False)
    assert residuals(system, start) <= ROUNDING
    assert kept(fixed, start)
    assert start["x0'"] == 1.0


# Choice of the solution


@pytest.mark.parametrize("name", ["slider_crank", "double_pendulum_cartesian", "appell_hamel", "andrews_squeezer"])
def test_request_for_other_assemblies_does_not_change_the_start(name):
    system = model(name)
    for values in ({}, {"x'": 1.0} if name == "appell_hamel" else {}):
        alone, among = system.consistent(values, others=False), system.consistent(values)
        assert np.array_equal(alone.q, among.q)
        assert np.array_equal(alone.v, among.v)
        assert alone.others == ()
        again = system.consistent(values)
        assert np.array_equal(again.others, among.others)


def test_other_assemblies_satisfy_the_constraints_and_keep_the_values():
    squeezer = model("andrews_squeezer")
    start = squeezer.consistent({"beta": 0.4}, guess={"gamma": 0.45, "Phi": 0.2, "delta": 0.5, "eps": 1.2})
    assert start.others
    for q in (start.q, *start.others):
        assert q[0] == 0.4
        assert max(squeezer.at(q, start.v).audit.position.values()) <= ROUNDING
    gaps = [np.linalg.norm(a - b) for i, a in enumerate(start.others) for b in (start.q, *start.others[:i])]
    assert min(gaps) > 1e-3


def test_assemblies_differ_in_determined_coordinates_only():
    """With x1 fixed, y1 = +-sqrt(L1^2 - x1^2) are two assemblies for any direction of the lower rod."""
    start = model("double_pendulum_cartesian").consistent({"x1": 0.3}, guess={"y1": -0.8, "x2": 0.3, "y2": -1.4})
    y1 = np.sqrt(0.81 - 0.09)
    assert start["y1"] == pytest.approx(-y1, abs=1e-14)
    assert [q[1] for q in start.others] == [pytest.approx(y1, abs=1e-13)]
    assert model("double_pendulum_cartesian").consistent(guess={"x1": 0.9, "x2": 0.9, "y2": -0.6}).others == ()


def test_angles_stay_within_half_a_turn_of_the_guess():
    start = four_bar().consistent({"alpha": 0.3}, guess={"beta": 20.0, "gamma": -15.0})
    assert abs(start["beta"] - 20) <= np.pi
    assert abs(start["gamma"] + 15) <= np.pi


@pytest.mark.parametrize("radius", [1e-6, 1.0, 1e6])
def test_guess_at_the_centre_of_a_circle_is_projected_in_any_unit(radius):
    """At the centre all directions are equally near, and Newton's step is zero."""
    system, (x, y, _) = point()
    start = system.constrain("circle", x**2 + y**2 - sp.Float(radius) ** 2).consistent({"y'": 1.0})
    assert np.hypot(*start.q[:2]) == pytest.approx(radius, rel=1e-12)
    assert start["x"] * start["x'"] + start["y"] == pytest.approx(0, abs=1e-9 * radius)


def test_singular_row_is_not_accepted_as_a_solution():
    """At theta = pi/2 Newton's step is 1e16 long, and all residuals near such an angle are rounding."""
    start = model("slider_crank").consistent({"phi": 0.0}, guess={"theta": np.pi / 2})
    assert np.sin(start["theta"]) == pytest.approx(0, abs=1e-12)
    assert abs(start["theta"] - np.pi / 2) <= np.pi


# States at which a row vanishes or is redundant


def test_dead_points_are_accepted_as_they_are():
    """With all bars on one line the rows of the loop are dependent, and the position needs no correction."""
    bars = four_bar(1.0, 2.0, 1.0, 2.0)
    start = bars.consistent({"alpha": 0.0, "beta": 0.0, "gamma": 0.0})
    assert np.array_equal(start.q, np.zeros(3))
    assert np.array_equal(bars.consistent().q, np.zeros(3))
    moved = bars.consistent({"alpha": 0.0, "beta": 0.0, "gamma": 0.0, "alpha'": 1.0, "gamma'": -1.0})
    assert moved["beta'"] == pytest.approx(-1.0, abs=1e-15)  # alpha' + 2 beta' = gamma' on the other branch


@pytest.mark.parametrize("guess", [{}, {"phi": 0.1, "theta": 0.05}])
def test_a_crank_at_its_dead_point(guess):
    """At x = r + L crank and rod are on one line, a double root."""
    phi, theta, x = lk.coordinates("phi theta x")
    free = lk.System("crank", [phi, theta, x], kinetic=der(phi) ** 2 + der(theta) ** 2 + der(x) ** 2)
    crank = free.constrain("pin", [sp.cos(phi) + 3 * sp.cos(theta) - x, sp.sin(phi) - 3 * sp.sin(theta)])
    start = crank.consistent({"x": 4.0}, guess=guess)
    assert start["x"] == 4.0
    assert np.allclose(start.q[:2], 0, rtol=0, atol=1e-6)  # accurate to the square root of rounding
    assert residuals(crank, start) <= 1e-13


def test_redundant_constraints_are_accepted():
    system, (x, y, z) = point()
    bound = system.constrain("sphere", x**2 + y**2 + z**2 - 1).constrain("again", 2 * x**2 + 2 * y**2 + 2 * z**2 - 2)
    start = bound.consistent({"x": 0.6, "x'": 1.0}, guess={"y": 0.5, "z": 0.1})
    assert start["x"] == 0.6
    assert residuals(bound, start) <= ROUNDING


def test_coordinates_without_mass_follow_their_constraints():
    a, b, s = lk.coordinates("a b s")
    system = lk.System("pulley", [a, b, s], kinetic=der(a) ** 2 + der(b) ** 2)
    system = system.constrain("cam", a - s**2).constrain("cord", s - b - lk.parameters("p"))
    start = system.consistent({"b": 0.5, "b'": 2.0}, {"p": 0.25})
    assert np.allclose(start.q, [0.5625, 0.5, 0.75], rtol=0, atol=1e-15)
    assert np.allclose(start.v, [3.0, 2.0, 2.0], rtol=0, atol=1e-14)


def test_programs_with_feedback_and_acceleration_constraints_leave_the_start_free():
    system, (x, y, z) = point()
    led = system.constrain("lift", lk.Program(y - 2, drives={"winch": {y: 1}}, feedback=3))
    led = led.constrain("push", der(z, 2) - 3).constrain("wall", x - 1)
    start = led.consistent({"y": 0.0, "y'": 1.0})
    assert np.array_equal(start.q, [1, 0, 0])
    assert np.array_equal(start.v, [0, 1, 0])
    kept = system.constrain("lift", lk.Program(y - 2, drives={"winch": {y: 1}}))
    assert kept.consistent({"x": 1}).q[1] == 2
    with pytest.raises(StartError, match="lift"):
        kept.consistent({"y": 0.0})


# Whole states


def test_consistent_state_is_returned_unchanged():
    crank = model("slider_crank")
    q, v = crank.consistent({"phi": 0.7, "phi'": 2.0})
    for state in ((q, v), [list(q), list(v)], np.array([q, v]), ({"phi": q[0], "theta": q[1]}, tuple(v))):
        start = crank.consistent(state)
        assert np.array_equal(start.q, q)
        assert np.array_equal(start.v, v)
    again = crank.consistent(crank.consistent((q, v)))
    assert np.array_equal(again.q, q)
    assert not again.q.flags.writeable
    with pytest.raises(AttributeError):
        again.q = q


def test_rounded_state_is_corrected():
    """A state rounded to seven digits is corrected by the smallest motion, within its rounding."""
    crank = model("slider_crank")
    exact = crank.consistent({"phi": 0.7, "phi'": 2.0})
    q, v = np.round(exact.q, 7), np.round(exact.v, 7)
    start = crank.consistent((q, v))
    assert residuals(crank, start) <= ROUNDING
    assert np.max(np.abs([start.q - q, start.v - v])) <= 1e-7
    zero = model("rolling_disc").consistent({"y": 0.3, "x": 1e-17, "phi": 0.0}, {"r": 0.3})
    assert zero["x"] == pytest.approx(0, abs=1e-16)


def test_checking_a_state_imports_no_heavy_library():
    script = (
        "import sys, lienket as lk; crank = lk.System('p', [lk.coordinates('x'), lk.coordinates('y')],"
        " inertia=[[1, 0], [0, 1]]); x, y = crank.coordinates; s = crank.constrain('rod', x**2 + y**2 - 1);"
        " s.consistent(([0.6, 0.8], [0.8, -0.6])); s.consistent(([0.6000001, 0.8], [0.8, -0.6]));"
        " print(*sorted({name.split('.')[0] for name in sys.modules}))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603
    assert {"scipy", "numba", "matplotlib"} & set(run.stdout.split()) == set()
