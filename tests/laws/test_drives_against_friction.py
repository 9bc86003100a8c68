"""Drives along motions with laws that are not ideal: the torque that a motion was simulated with is found again.

With friction the reaction of a contact is unknown and drives its friction: columns G^T - mu d s (d slip/d q')^T.
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
    """Crank phi, rod theta; the slider at x_B in a guide that holds its end at y = 0."""
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
START = {"phi": 0.8, "phi'": 4.0, "theta": -0.24}


@pytest.mark.parametrize("law", LAWS)
def test_the_torque_of_a_slider_crank_with_friction_is_found_again(law):
    """The guide is pressed from both sides, the slider turns back twice in every revolution."""
    run = slider_crank(LAWS[law], TORQUE).simulate(
        start={"phi": 0.8, "phi'": 4.0}, guess={"theta": -0.24, "y": 0.0}, until=1.5, rtol=1e-10, atol=1e-12
    )
    assert run.outcome.complete
    found = slider_crank(LAWS[law]).drive(run, drives={"M": {phi: 1}})
    wanted = 6 * np.sin(4 * run.t) + 9
    if law in ("coulomb", "static"):
        assert len(run.events["guide turns"]) > 2 and len(run.events["guide stops"]) > 2
    np.testing.assert_allclose(found.drives["M"], wanted, atol=1e-8)
    for name in ("joint", "guide"):
        np.testing.assert_allclose(found.reactions[name], run.reactions[name], atol=1e-7)
    np.testing.assert_allclose(found.multipliers, run.multipliers[:, : found.multipliers.shape[1]], atol=1e-7)
    assert found.audit.good, found.audit.warnings
    assert found.audit.unique
