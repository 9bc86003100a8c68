"""Drives along motions with friction: the torque with which a motion was simulated is recovered.

With friction the unknown reaction of a contact also determines its friction: columns G^T - mu d s (d slip/d q')^T.
"""

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

import lienket as lk
from lienket import der, laws, t

m1, m2, m3, J1, J2, r, l, g, mu, nu, b = lk.parameters("m1 m2 m3 J1 J2 r l g mu nu b")
phi, theta, y = lk.coordinates("phi theta y")
VALUES = {m1: 1.0, m2: 1.5, m3: 0.8, J1: 0.05, J2: 0.04, r: 0.3, l: 0.9, g: 9.81, mu: 0.25, nu: 0.35}
TORQUE = 6 * sin(4 * t) + 9


def slider_crank(law, torque=None):
    """Return crank phi and rod theta; the slider at x_B in a guide that holds its end at y = 0."""
    x_c, y_c = r * cos(phi) + l / 2 * cos(theta), r * sin(phi) + l / 2 * sin(theta)
    x_b = r * cos(phi) + l * cos(theta)
    kinetic = (J1 + m1 * r**2 / 4) * der(phi) ** 2 / 2 + J2 * der(theta) ** 2 / 2
    kinetic += m2 * (x_c.diff(t) ** 2 + y_c.diff(t) ** 2) / 2 + m3 * (x_b.diff(t) ** 2 + der(y) ** 2) / 2
    potential = m1 * g * r / 2 * sin(phi) + m2 * g * y_c + m3 * g * y
    forces = {} if torque is None else {phi: torque}
    system = lk.System("slider-crank", [phi, theta, y], kinetic=kinetic, potential=potential, forces=forces,
                       values={key: value for key, value in VALUES.items() if key not in (mu, nu)})  # fmt: skip
    system = system.constrain("joint", r * sin(phi) + l * sin(theta) - y)
    return system.constrain("guide", y, law=law(x_b.diff(t)))


LAWS = {
    "coulomb": lambda slip: lk.Coulomb(0.25, slip=slip),
    "static": lambda slip: lk.Coulomb(0.25, slip=slip, mu_static=0.35, stribeck=0.1, viscous=1.3),
    "viscous": lambda slip: laws.Viscous(2.0, slip=slip),
    "exerted": lambda slip: laws.Exerted({phi: sp.cos(phi), theta: -2 * der(theta)}),
    "smooth": lambda slip: lk.Coulomb(0.25, slip=slip, smooth=0.05),
}


def simulated(law):
    run = slider_crank(LAWS[law], TORQUE).simulate(
        start={"phi": 0.8, "phi'": 4.0}, guess={"theta": -0.24, "y": 0.0}, until=1.5, rtol=1e-10, atol=1e-12
    )
    assert run.outcome.complete, run.outcome
    return run


@pytest.mark.parametrize("law", LAWS)
def test_torque_of_a_slider_crank_with_friction_is_recovered(law):
    """The guide is loaded from both sides, and the slider reverses twice in every revolution."""
    run = simulated(law)
    result = slider_crank(LAWS[law]).drive(run, drives={"M": {phi: 1}})
    wanted = 6 * np.sin(4 * run.t) + 9
    if law in ("coulomb", "static"):
        assert len(run.events["guide turns"]) > 2 and len(run.events["guide stops"]) > 2
    np.testing.assert_allclose(result.drives["M"], wanted, atol=1e-8)
    for name in ("joint", "guide"):
        np.testing.assert_allclose(result.reactions[name], run.reactions[name], atol=1e-7)
    np.testing.assert_allclose(result.multipliers, run.multipliers[:, : result.multipliers.shape[1]], atol=1e-7)
    assert result.audit.ok, result.audit.warnings
    assert result.audit.unique


@pytest.mark.parametrize("law", ["coulomb", "static"])
def test_friction_dissipates_energy_at_every_row(law):
    """F slip <= 0 at every row, also after the normal force has changed its sign."""
    run = simulated(law)
    slip = -0.3 * np.sin(run["phi"]) * run["phi'"] - 0.9 * np.sin(run["theta"]) * run["theta'"]
    pressed = run.multipliers[:, 1:2] * np.array([0.0, 0.0, 1.0])
    power = np.einsum("ti,ti->t", run.reactions["guide"] - pressed, run.v)
    coefficient = 0.25 if law == "coulomb" else 0.25 + 0.1 * np.exp(-np.abs(slip) / 0.1)
    wanted = -coefficient * np.abs(run.multipliers[:, 1] * slip) - (0.0 if law == "coulomb" else 1.3) * slip**2
    assert np.max(power) <= 1e-9
    np.testing.assert_allclose(power, wanted, atol=1e-8)


def test_contact_modes_of_rows_without_history_follow_from_gaps_and_slips():
    """From t, q, v and a alone the torque is that of the simulation."""
    run = simulated("coulomb")
    late = np.flatnonzero(np.diff(run.t) > 0) + 1  # the second of two rows at one time
    rows = [np.ascontiguousarray(x[late]) for x in (run.t, run.q, run.v, run.accelerations)]
    result = slider_crank(LAWS["coulomb"]).drive(tuple(rows), drives={"M": {phi: 1}})
    sure = np.abs(run.multipliers[late, 1]) > 1e-6
    np.testing.assert_allclose(result.drives["M"][sure], (6 * np.sin(4 * run.t) + 9)[late][sure], atol=1e-8)


def test_a_ball_that_is_driven_while_it_bounces_and_slides():
    """Through flight, impacts and sliding, the driving force and the normal force are those of the simulation."""
    x, z = lk.coordinates("x z")
    law = lk.Coulomb(0.2, slip=der(x), unilateral=True, restitution=0.4, viscous=0.1)

    def block(force):
        free = lk.System("block", [x, z], kinetic=2 * (der(x) ** 2 + der(z) ** 2) / 2, potential=2 * 9.81 * z,
                         forces=force)  # fmt: skip
        return free.constrain("floor", z, law=law)

    run = block({x: 3 + sin(t)}).simulate(start={"x": 0.0, "x'": 1.0, "z": 0.1, "z'": 0.0}, until=2.0)
    assert run.outcome.complete, run.outcome
    result = block({}).drive(run, drives={"F": {x: 1}})
    closed = ~np.isnan(run.multipliers[:, 0])
    assert closed.any() and not closed.all()
    np.testing.assert_allclose(result.drives["F"], 3 + np.sin(run.t), atol=1e-8)
    np.testing.assert_allclose(result.multipliers[closed, 0], 2 * 9.81, atol=1e-8)
    np.testing.assert_allclose(result.multipliers[~closed, 0], 0.0, atol=1e-12)
    np.testing.assert_allclose(result.reactions["floor"][~closed], 0.0, atol=1e-12)
    rubbed = -0.2 * 2 * 9.81 - 0.1 * run["x'"][closed]
    np.testing.assert_allclose(result.reactions["floor"][closed, 0], rubbed, atol=1e-8)


def test_a_motion_prescribed_by_an_output_against_friction():
    """x = sin(2 t) for a block on a floor: F = m x'' + mu m g sign(x')."""
    x, z = lk.coordinates("x z")
    free = lk.System("block", [x, z], kinetic=2 * (der(x) ** 2 + der(z) ** 2) / 2, potential=2 * 9.81 * z)
    system = free.constrain("floor", z, law=lk.Coulomb(0.3, slip=der(x)))
    times = np.linspace(0.05, 3, 40)
    result = system.drive({x: sin(2 * t)}, drives={"F": {x: 1}}, times=times)
    wanted = -8 * np.sin(2 * times) + 0.3 * 2 * 9.81 * np.sign(np.cos(2 * times))
    np.testing.assert_allclose(result.drives["F"], wanted, atol=1e-9)
