"""Parts of reactions: forces on points and components, whatever the expressions of the constraints.

The forces are compared with closed solutions and with Newton's and Euler's equations of each body.
"""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der
from lienket.model.cartesian_points import cartesian_points
from lienket.results.pins import pins
from lienket.results.reaction_parts import reaction_parts

x, y = lk.coordinates("x y")
m, l, g = lk.parameters("m l g")
STRICT = {"rtol": 1e-11, "atol": 1e-12}


def parts_of(motion):
    """Return the values of the parts by constraint and what they act on."""
    parts = reaction_parts(motion.system.statement, motion.reactions)
    return {(part.constraint, part.text(motion.coordinate_names)): part.values for part in parts}


ROD = {
    "squares": x**2 + y**2 - l**2,
    "a factor": -250 * (x**2 + y**2 - l**2),
    "a root": sp.sqrt(x**2 + y**2) - l,
    "a power": (x**2 + y**2) ** 3 - l**6,
    "a ratio": l**2 / (x**2 + y**2) - 1,
    "a factor that moves": (2 + sp.sin(x)) * (x**2 + y**2 - l**2),
    "an exponential": sp.exp(x**2 + y**2 - l**2) - 1,
}


@pytest.mark.parametrize("form", ROD)
def test_the_tension_of_a_pendulum_does_not_depend_on_the_expression(form):
    """T = m g cos(theta) + m l theta'^2, theta from the vertical."""
    values = {m: 1.3, l: 0.9, g: 9.81}
    pendulum = lk.System(
        "pendulum", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y, values=values
    ).constrain("rod", ROD[form])
    motion = pendulum.simulate(start={"x": 0.6, "x'": 1.5}, guess={"y": -0.7}, times=np.linspace(0, 2, 1001), **STRICT)
    cosine, speed = -motion["y"] / 0.9, np.hypot(motion["x'"], motion["y'"])
    tension = 1.3 * 9.81 * cosine + 1.3 * speed**2 / 0.9
    ((key, force),) = parts_of(motion).items()
    assert key == ("rod", "(x, y)")
    np.testing.assert_allclose(force, tension, rtol=1e-7)
    line = motion.plot("reactions").axes[0].get_lines()[0]
    np.testing.assert_array_equal(line.get_ydata(), force)


def test_a_rod_between_two_particles_has_one_tension():
    """Two free particles turn about their centre of mass: T = m1 m2/(m1 + m2) l w^2."""
    x1, y1, x2, y2 = lk.coordinates("x1 y1 x2 y2")
    kinetic = (2 * (der(x1) ** 2 + der(y1) ** 2) + 3 * (der(x2) ** 2 + der(y2) ** 2)) / 2
    pair = lk.System("pair", [x1, y1, x2, y2], kinetic=kinetic)
    pair = pair.constrain("rod", 7 * lk.catalogue.rod((x1, y1), (x2, y2), 2))
    start = {"x1": 0, "y1": 0, "x2": 2, "y2": 0, "x1'": 0, "y1'": 0, "x2'": 0, "y2'": 4}
    parts = parts_of(pair.simulate(start=start, until=1, **STRICT))
    assert list(parts) == [("rod", "(x1, y1), (x2, y2)")]
    np.testing.assert_allclose(parts["rod", "(x1, y1), (x2, y2)"], 6 / 5 * 2 * 2**2, rtol=1e-9)


def test_normal_force_and_friction_are_one_force_and_a_normal_force_alone_keeps_its_sign():
    sliding = lk.System("block", [x, y], kinetic=der(x) ** 2 + der(y) ** 2, potential=2 * g * y, values={g: 10.0})
    rough = sliding.constrain("floor", y, law=lk.laws.Coulomb(mu=0.75, slip=der(x)))
    (force,) = parts_of(rough.simulate(start={"x'": 10.0}, until=0.1)).items()
    assert force[0] == ("floor", "(x, y)")
    np.testing.assert_allclose(force[1], 20 * 1.25, rtol=1e-9)
    (force,) = parts_of(sliding.constrain("ceiling", -y).simulate(until=0.1)).items()
    assert force[0] == ("ceiling", "y")
    np.testing.assert_allclose(force[1], 20, rtol=1e-9)


# Slider-crank: crank pivoted at (0, 0) with its centre at s, rod with its centre at a, slider on the x axis.

SIZES = {"r": 0.21, "L": 0.58, "s": 0.1, "a": 0.23, "m1": 2.0, "m2": 1.35, "m3": 0.92, "J1": 0.03, "J2": 0.047}
GRAVITY, MOMENT = 9.81, 6.7
TIMES = np.linspace(0, 0.6, 121)


def newton_euler(phi, speed):
    """Return the forces on the rod at crank pin and wrist pin and the force of the guide on the slider, 5 numbers.

    Unknown are these forces and phi''; the equations are those of slider, rod and crank one by one. The accelerations
    are those of the closed kinematics r sin(phi) = L sin(theta), the rod at the angle -theta.
    """
    r, L, s, a, m1, m2, m3, J1, J2 = SIZES.values()
    theta = np.arcsin(r * np.sin(phi) / L)
    ct, st, cp, sp_ = np.cos(theta), np.sin(theta), np.cos(phi), np.sin(phi)
    rate = r * cp * speed / (L * ct)
    gain, rest = r * cp / (L * ct), (L * st * rate**2 - r * sp_ * speed**2) / (L * ct)  # theta'' = gain phi'' + rest
    along = lambda d: (-r * sp_ - d * st * gain, -r * cp * speed**2 - d * (ct * rate**2 + st * rest))  # noqa: E731
    across = (r * cp - a * ct * gain, -r * sp_ * speed**2 - a * (ct * rest - st * rate**2))
    slider, rod = along(L), along(a)
    # Unknowns Px, Py, Wx, Wy, phi''. Moments about the centre of the rod; psi'' = -theta''.
    matrix = [
        [0, 0, 1, 0, m3 * slider[0]],
        [1, 0, 1, 0, -m2 * rod[0]],
        [0, 1, 0, 1, -m2 * across[0]],
        [-a * st, -a * ct, (L - a) * st, (L - a) * ct, J2 * gain],
        [r * sp_ * -1, r * cp, 0, 0, J1 + m1 * s**2],
    ]
    right = [
        -m3 * slider[1],
        m2 * rod[1],
        m2 * (across[1] + GRAVITY),
        -J2 * rest,
        MOMENT - m1 * GRAVITY * s * cp,
    ]
    Px, Py, Wx, Wy, _ = np.linalg.solve(np.array(matrix, dtype=float), np.array(right, dtype=float))
    return Px, Py, Wx, Wy, Wy + m3 * GRAVITY


def slider_crank(rewritten):
    """State every body with its own Cartesian coordinates; `rewritten` combines the two rows of a pin."""
    x1, y1, phi1, x2, y2, phi2, x3, y3 = q = lk.coordinates("x1 y1 phi1 x2 y2 phi2 x3 y3")
    r, L, s, a, m1, m2, m3, J1, J2 = p = lk.parameters(" ".join(SIZES))
    bodies = ((m1, x1, y1), (m2, x2, y2), (m3, x3, y3))
    kinetic = sum(mass * (der(u) ** 2 + der(v) ** 2) / 2 for mass, u, v in bodies)
    units = dict.fromkeys((x1, y1, x2, y2, x3, y3), "m") | {phi1: "rad", phi2: "rad"}
    units |= dict.fromkeys((r, L, s, a), "m") | dict.fromkeys((m1, m2, m3), "kg") | dict.fromkeys((J1, J2), "kg m^2")
    crank, rod = ((sp.cos(angle), sp.sin(angle)) for angle in (phi1, phi2))
    at = lambda u, v, d, e: (u + d * e[0], v + d * e[1])  # noqa: E731
    weight, torque = lk.parameters("weight torque")  # per unit of mass
    units |= {weight: "m/s^2", torque: "N m"}
    system = lk.System(
        "slider-crank", q, kinetic=kinetic + J1 * der(phi1) ** 2 / 2 + J2 * der(phi2) ** 2 / 2, units=units,
        potential=sum(mass * weight * v for mass, _, v in bodies), forces={phi1: torque},
        values=dict(zip(p, SIZES.values(), strict=True)) | {weight: GRAVITY, torque: MOMENT},
    )  # fmt: skip
    catalogue = lk.catalogue
    pivot = catalogue.fixed_point(at(x1, y1, -s, crank), (0, 0))
    crank_pin = catalogue.pin(at(x1, y1, r - s, crank), at(x2, y2, -a, rod))
    wrist_pin = catalogue.pin(at(x2, y2, L - a, rod), (x3, y3))
    pinned = system.constrain("pivot", rewritten(pivot)).constrain("crank pin", rewritten(crank_pin))
    return pinned.constrain("wrist pin", rewritten(wrist_pin)).constrain("guide", y3)


REWRITTEN = {
    "as stated": lambda rows: rows,
    "with a factor": lambda rows: [-30 * row for row in rows],
    "combined": lambda rows: [rows[0] + rows[1], rows[0] - 2 * rows[1]],
}


@pytest.mark.parametrize("form", REWRITTEN)
def test_pins_of_a_slider_crank_agree_with_newton_and_euler(form):
    start = {"phi1": 0.5, "phi1'": 2.0}
    guess = {"x2": 0.4, "x3": 0.74, "phi2": -0.17}
    motion = slider_crank(REWRITTEN[form]).simulate(start=start, guess=guess, times=TIMES, **STRICT)
    expected = np.array([newton_euler(*state) for state in zip(motion["phi1"], motion["phi1'"], strict=True)]).T
    parts = parts_of(motion)
    crank_pin, wrist_pin = np.hypot(*expected[:2]), np.hypot(*expected[2:4])
    np.testing.assert_allclose(parts["crank pin", "(x1, y1), (x2, y2)"], crank_pin, rtol=1e-6)
    np.testing.assert_allclose(parts["wrist pin", "(x2, y2), (x3, y3)"], wrist_pin, rtol=1e-6)
    np.testing.assert_allclose(parts["guide", "y3"], expected[4], rtol=1e-6, atol=1e-6)
    forces, moments, *_ = motion.plot("reactions").axes
    assert (forces.get_ylabel(), moments.get_ylabel()) == ("force [N]", "moment [N m]")
    names = [[text.get_text() for text in axes.get_legend().get_texts()] for axes in (forces, moments)]
    assert {"crank pin on (x1, y1), (x2, y2)", "guide on y3"} <= set(names[0])
    assert all(name.endswith((" on phi1", " on phi2")) for name in names[1])


def test_a_pin_between_angles_shows_the_magnitude_of_its_multipliers():
    """The same slider-crank in phi, theta and x: the multipliers of the pin on the slider are the force there."""
    phi, theta, x3 = lk.coordinates("phi theta x3")
    r, L, s, a, m1, m2, m3, J1, J2 = (sp.Symbol(name) for name in SIZES)
    weight, torque = sp.symbols("weight torque")
    centre = (r * sp.cos(phi) + a * sp.cos(theta), r * sp.sin(phi) - a * sp.sin(theta))
    kinetic = ((J1 + m1 * s**2) * der(phi) ** 2 + J2 * der(theta) ** 2 + m3 * der(x3) ** 2) / 2
    kinetic += m2 * (der(centre[0]) ** 2 + der(centre[1]) ** 2) / 2
    units = {phi: "rad", theta: "rad", x3: "m", r: "m", L: "m", s: "m", a: "m", m1: "kg", m2: "kg", m3: "kg"}
    units |= {J1: "kg m^2", J2: "kg m^2", weight: "m/s^2", torque: "N m"}
    values = dict(zip((r, L, s, a, m1, m2, m3, J1, J2), SIZES.values(), strict=True))
    system = lk.System(
        "slider-crank", [phi, theta, x3], kinetic=kinetic, units=units, forces={phi: torque},
        potential=m1 * weight * s * sp.sin(phi) + m2 * weight * centre[1],
        values=values | {weight: GRAVITY, torque: MOMENT},
    )  # fmt: skip
    end = (r * sp.cos(phi) + L * sp.cos(theta), r * sp.sin(phi) - L * sp.sin(theta))
    system = system.constrain("wrist pin", lk.catalogue.pin(end, (x3, 0)))
    assert pins(system.statement) == ("wrist pin",)
    motion = system.simulate(start={"phi": 0.5, "phi'": 2.0}, guess={"theta": 0.17}, times=TIMES, **STRICT)
    expected = np.array([newton_euler(*state) for state in zip(motion["phi"], motion["phi'"], strict=True)]).T
    axes = {axes.get_title(loc="left"): axes for axes in motion.sampled(1000).plot("reactions").axes}["multipliers"]
    assert axes.get_ylabel() == "λ [N]"
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    drawn = axes.get_lines()[names.index("wrist pin, magnitude")]
    np.testing.assert_allclose(np.linalg.norm(motion.multipliers, axis=1), np.hypot(*expected[2:4]), rtol=1e-6)
    np.testing.assert_allclose(drawn.get_ydata(), np.linalg.norm(motion.sampled(1000).multipliers, axis=1), rtol=1e-12)


def test_rows_without_a_common_angle_are_not_a_pin():
    units = {x: "m", y: "m", m: "kg"}
    plate = lk.System("plate", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, units=units)
    assert pins(plate.constrain("stops", [x - 1, y - 2]).statement) == ()


def points_of(names, kinetic, units=None):
    system = lk.System("bodies", lk.coordinates(names), kinetic=kinetic, units=units)
    return [tuple(system.statement.names[i] for i in point) for point in cartesian_points(system.statement)]


def test_points_are_recognised_by_their_names_and_their_inertia():
    x1, y1, z1, x2, y2, c = lk.coordinates("x1 y1 z1 x2 y2 c")
    M = sp.Symbol("M")
    plane = (der(x1) ** 2 + der(y1) ** 2) * m / 2
    assert points_of("x1 y1", plane) == [("x1", "y1")]
    assert points_of("x1 y1 z1", plane + m * der(z1) ** 2 / 2) == [("x1", "y1", "z1")]
    assert points_of("x1 y1 z1", plane + M * der(z1) ** 2 / 2) == [("x1", "y1")]
    both = plane + m * (der(x2) ** 2 + der(y2) ** 2) / 2  # two bodies of equal mass
    assert points_of("x1 y1 x2 y2", both) == [("x1", "y1"), ("x2", "y2")]
    eccentric = plane + m * der(c) * (der(y1) * sp.cos(c) - der(x1) * sp.sin(c)) + der(c) ** 2
    assert points_of("x1 y1 c", eccentric) == [("x1", "y1")]


def test_other_coordinates_are_not_taken_for_points():
    x1, y1, x2 = lk.coordinates("x1 y1 x2")
    M = sp.Symbol("M")
    assert points_of("x1 x2", m * (der(x1) ** 2 + der(x2) ** 2)) == []  # on one line
    assert points_of("x1 y1", m * der(x1) ** 2 + M * der(y1) ** 2) == []  # a cart and its load
    assert points_of("x1 y1", m * (der(x1) ** 2 + der(y1) ** 2 + der(x1) * der(y1))) == []  # oblique axes
    assert points_of("x1 y1", m * (der(x1) ** 2 + der(y1) ** 2), {x1: "px", y1: "ell"}) == []
    turning = lk.coordinates("theta_x theta_y")
    kinetic = m * sum(der(angle) ** 2 for angle in turning)
    assert points_of("theta_x theta_y", kinetic, dict.fromkeys(turning, "rad")) == []
