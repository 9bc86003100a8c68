"""Bodies that roll: the rattleback of Kane and Levinson and a small fast coin."""

import numpy as np
import sympy as sp

import lienket as lk
from lienket import der

from .problem import Problem, expect, from_file, published
from .spatial import angular_velocity, turn

RATTLEBACK = (2, 0, 1)  # yaw, roll, pitch
COIN = (2, 1, 0)  # yaw, tilt, roll


def below(angles, semi, h, of=sp):
    """Return the height of a rattleback's centre of mass, and the contact point relative to the centre of mass.

    With n the direction down in the body and s = sqrt(a^2 n1^2 + b^2 n2^2 + c^2 n3^2), the contact is at
    (a^2 n1, b^2 n2, c^2 n3)/s - (0, 0, h), and the centre of mass is s - h n3 above the ground.
    """
    n = (turn(0, angles[1], of) @ turn(1, angles[2], of)).T[:, 2]
    s = of.sqrt(sum(k**2 * e**2 for k, e in zip(semi, n, strict=True)))
    return s - h * n[2], np.array([k**2 * e / s for k, e in zip(semi, n, strict=True)]) - np.array([0, 0, h])


def rattleback() -> Problem:
    """State an ellipsoid that rolls and reverses its spin (Kane and Levinson 1982); z down, the ground is z = 0."""
    params = published()["rattleback"]["params"]
    a, b, c, h, m, g = lk.parameters("a b c h m g")
    x, y, z, *angles = q = lk.coordinates("x y z yaw roll pitch")
    height, contact = below(angles, (a, b, c), h)
    omega = angular_velocity(RATTLEBACK, angles, [der(e) for e in angles])
    J = np.array([[0.0002, -0.00002, 0], [-0.00002, 0.0016, 0], [0, 0, 0.0017]])
    free = lk.System(
        "rattleback",
        q,
        kinetic=m * (der(x) ** 2 + der(y) ** 2 + der(z) ** 2) / 2 + omega @ J @ omega / 2,
        potential=-m * g * z,
        values=params,
    )
    R = turn(2, angles[0]) @ turn(0, angles[1]) @ turn(1, angles[2])
    slip = R @ np.cross(omega, contact)
    system = free.constrain("contact", z + height).constrain("rolling", [der(x) + slip[0], der(y) + slip[1]])
    return Problem("rattleback", system, rattleback_start(params), rattleback_expected())


def rattleback_start(params):
    """Return the start: roll and pitch half a degree, spin -5 rad/s about the body's z, no slip."""
    angles = [0.0, np.deg2rad(0.5), np.deg2rad(0.5)]
    height, contact = below(angles, (params["a"], params["b"], params["c"]), params["h"], np)
    omega = np.array([0.0, 0.0, -5.0])
    # omega is linear in the rates of the angles; its columns by unit rates.
    columns = [angular_velocity(RATTLEBACK, angles, unit, np) for unit in np.eye(3)]
    rates = np.linalg.solve(np.column_stack(columns), omega)
    v = -turn(0, angles[1], np) @ turn(1, angles[2], np) @ np.cross(omega, contact)
    return ([0, 0, -height, *angles], [*v, *rates])


def rattleback_expected():
    """Return the angular velocity in the body, and the first reversal of the spin between 2.65 and 2.9 s."""

    def omega(row):
        return angular_velocity(RATTLEBACK, row.q[3:], row.v[3:], np)

    reversal = (
        expect(2.65, "spin still negative", lambda row: np.sign(omega(row)[2]), -1, 16),
        expect(2.9, "spin reversed", lambda row: np.sign(omega(row)[2]), 1, 16),
    )
    return from_file("rattleback", {"body omega": omega}) + reversal


def rolling_coin() -> Problem:
    """State a coin of radius 1 cm that spins at 10 pi rad/s, tilted by 1 degree (Exudyn, after Rill and Schaeffer).

    Centre (x, y, z), turns yaw about z, tilt about y, roll about the coin's axis x; the lowest point is r below the
    centre along the coin's steepest line.
    """
    params = published()["rolling_coin"]["params"]
    m, r, g = lk.parameters("m r g")
    x, y, z, *angles = q = lk.coordinates("x y z yaw tilt roll")
    yaw, tilt, _ = angles
    omega = angular_velocity(COIN[:2], angles[:2], [der(yaw), der(tilt)])  # in axes that do not roll with the coin
    omega[0] += der(angles[2])
    moments = [m * r**2 / 2, m * r**2 / 4, m * r**2 / 4]
    free = lk.System(
        "rolling coin",
        q,
        kinetic=(m * (der(x) ** 2 + der(y) ** 2 + der(z) ** 2) + moments @ omega**2) / 2,
        potential=m * g * z,
        values=params,
    )
    slip = turn(2, yaw) @ turn(1, tilt) @ np.cross(omega, [0, 0, -r])
    touching = free.constrain("contact", z - r * sp.cos(tilt))
    system = touching.constrain("rolling", [der(x) + slip[0], der(y) + slip[1]])
    radius, first, spin = params["r"], np.deg2rad(1.0), 10 * np.pi
    centre = [radius * np.sin(first), 0, radius * np.cos(first)]
    start = ([*centre, 0, first, 0], [0, spin * centre[0], 0, spin, 0, 0])

    def lowest(row):
        up = turn(2, row.q[3], np) @ turn(1, row.q[4], np) @ [0, 0, radius]
        return (row.q[:3] - up)[:2]

    quantities = {"disc centre xyz": lambda row: row.q[:3], "contact point x,y": lowest}
    return Problem("rolling_coin", system, start, from_file("rolling_coin", quantities, scale=radius))
