"""Verdicts at a state of Sarrus' linkage: decided in numbers, without formulas of the elimination.

A platform is carried by two legs of two links each, which fold in perpendicular planes. It moves along a straight line
(P. T. Sarrus, Comptes rendus 36, 1853). Each leg lets the platform turn about its own hinges only: that the platform
does not turn about the vertical is said twice, so that one row is redundant at every position.
"""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der, derivation
from lienket.elimination import chain

LINK, ARM, GRAVITY = 0.5, 0.3, 9.81
BEND, RATE = 0.7, 0.4  # the links of a leg have the angles pi - b and b


def turned(a, b, c):
    """Return R = Rz(c) Ry(b) Rx(a)."""
    return sp.rot_axis3(-c) * sp.rot_axis2(-b) * sp.rot_axis1(-a)


def leg(name, platform, across):
    """Return coordinates and constraints of two links in the plane of the z-axis and the axis that is not `across`."""
    along, q, constraints = 1 - across, [], []
    end = (-ARM, sp.Integer(0))
    for k in range(2):
        u, z, angle = lk.coordinates(f"u{name}{k} z{name}{k} a{name}{k}")
        half = (LINK / 2 * sp.cos(angle), LINK / 2 * sp.sin(angle))
        constraints.append((f"hinge {name}{k}", [u - half[0] - end[0], z - half[1] - end[1]]))
        q, end = [*q, u, z, angle], (u + half[0], z + half[1])
    position, R = platform
    point = position + R[:, along] * -ARM
    axis = R[:, across]
    rows = [point[across], point[along] - end[0], point[2] - end[1], axis[along], axis[2]]
    return q, [*constraints, (f"platform {name}", rows)]


def sarrus():
    """Return the linkage and a state on its constraints at which the platform rises."""
    pose = lk.coordinates("X Y Z a b c")
    platform = (sp.Matrix(pose[:3]), turned(*pose[3:]))
    legs = [leg("A", platform, 0), leg("B", platform, 1)]
    q = [*pose, *legs[0][0], *legs[1][0]]
    kinetic = sum(der(x) ** 2 for x in q) / 2
    system = lk.System("Sarrus", q, kinetic=kinetic, potential=GRAVITY * pose[2])
    for _, constraints in legs:
        for name, rows in constraints:
            system = system.constrain(name, rows)
    c, s = LINK * np.cos(BEND), LINK * np.sin(BEND)
    links = [-ARM - c / 2, s / 2, np.pi - BEND, -ARM - c / 2, 1.5 * s, BEND]
    rates = [s / 2, c / 2, -1, s / 2, 1.5 * c, 1]
    state = [0, 0, 2 * s, 0, 0, 0, *links, *links], [0, 0, 2 * c, 0, 0, 0, *rates, *rates]
    return system, np.array(state[0]), RATE * np.array(state[1])


def test_the_redundant_row_of_sarrus_linkage_is_found_in_numbers(monkeypatch):
    def refuse(*arguments, **more):
        raise AssertionError("verdicts at a state need no formulas of the elimination")

    system, q, v = sarrus()
    for name in ("stages", "condition_of"):
        monkeypatch.setattr(derivation, name, refuse)
    monkeypatch.setattr(chain, "add", refuse)
    state = system.at(q, v)
    verdicts = state.verdicts
    assert [name for name, verdict in verdicts.items() if verdict.status != "independent"] == ["platform B"]
    verdict = verdicts["platform B"]
    assert (verdict.status, len(verdict.rows), verdict.always) == ("redundant", 1, True)
    assert len(q) - (len(state.G) - 1) == 1  # its freedom
    # With the angle b of the links and c, s = l cos b, l sin b: T = (4 + s^2 + 9 c^2) b'^2/2, V = 2 g s, Z = 2 s.
    c, s = LINK * np.cos(BEND), LINK * np.sin(BEND)
    bending = (8 * s * c * RATE**2 - 2 * GRAVITY * c) / (4 + s**2 + 9 * c**2)
    expected = [0, 0, 2 * c * bending - 2 * s * RATE**2, 0, 0, 0]
    assert state.accelerations[:6] == pytest.approx(expected, abs=1e-10)
