"""Constraints on velocities: knife edge, sleigh, and two that are nonlinear in the velocities."""

import numpy as np
from sympy import cos, sin, sqrt

import lienket as lk
from lienket import der

from .problem import Problem, expect, from_file, published


def knife_edge() -> Problem:
    """State a knife edge on an inclined plane (Bloch): m x'' = m g sin(alpha) - lam sin(phi).

    The closed solution has lam = 2 m g sin(alpha) sin(Omega t). Our multiplier acts in the direction in which
    the constraint's expression grows, so that it is -lam.
    """
    params = published()["knife_edge"]["params"]
    Omega, alpha = np.pi / 3, np.pi / 4
    m, Theta, g, a = lk.parameters("m Theta g alpha")
    x, y, phi = lk.coordinates("x y phi")
    free = lk.System(
        "knife edge",
        [x, y, phi],
        kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2 + Theta * der(phi) ** 2 / 2,
        potential=-m * g * sin(a) * x,
        values={"m": params["m"], "Theta": params["Theta"], "g": params["g"], "alpha": alpha},
    )
    system = free.constrain("edge", der(x) * sin(phi) - der(y) * cos(phi))
    force = 2 * params["m"] * params["g"] * np.sin(alpha)
    multipliers = tuple(
        expect(t, "lam", lambda row: -row.multipliers, [force * np.sin(Omega * t)], 16, scale=force)
        for t in (1.0, 2.5, 6.0)
    )
    expected = from_file("knife_edge", {"(x,y,phi)": lambda row: row.q}) + multipliers
    return Problem("knife_edge", system, ([0, 0, 0], [0, 0, Omega]), expected)


def chaplygin_sleigh() -> Problem:
    """State a sleigh on a blade at (x, y), its centre of mass a ahead; the closed solution is a tanh and a sech."""
    entry = published()["chaplygin_sleigh"]
    m, J, a = lk.parameters("m I a")
    x, y, phi = lk.coordinates("x y phi")
    X, Y = x + a * cos(phi), y + a * sin(phi)
    free = lk.System(
        "Chaplygin sleigh",
        [x, y, phi],
        kinetic=m * (X.diff(lk.t) ** 2 + Y.diff(lk.t) ** 2) / 2 + J * der(phi) ** 2 / 2,
        values=entry["params"],
    )
    system = free.constrain("blade", -der(x) * sin(phi) + der(y) * cos(phi))
    start = entry["initial_state"]
    expected = from_file("chaplygin_sleigh", {"(x,y,phi)": lambda row: row.q}) + speeds(entry["params"])
    return Problem("chaplygin_sleigh", system, (start["q"], start["v"]), expected)


def speeds(params):
    """Return U tanh(k t) along the blade and w0 sech(k t) about it, with w0 = 1."""
    about = params["I"] + params["m"] * params["a"] ** 2
    U = np.sqrt(about / params["m"])
    k = params["m"] * params["a"] * U / about
    ahead = lambda row: [row.v[0] * np.cos(row.q[2]) + row.v[1] * np.sin(row.q[2]), row.v[2]]  # noqa: E731
    return tuple(expect(t, "u, w", ahead, [U * np.tanh(k * t), 1 / np.cosh(k * t)], 15) for t in (1.0, 5.0, 20.0))


def appell_hamel() -> Problem:
    """State a particle with z' = c sqrt(x'^2 + y'^2) (Appell, Hamel): straight in plan, with constant multiplier."""
    entry = published()["appell_hamel"]
    m, c, g = lk.parameters("m c g")
    x, y, z = lk.coordinates("x y z")
    free = lk.System(
        "Appell and Hamel",
        [x, y, z],
        kinetic=m * (der(x) ** 2 + der(y) ** 2 + der(z) ** 2) / 2,
        potential=m * g * z,
        values=entry["params"],
    )
    system = free.constrain("cone of velocities", der(z) - c * sqrt(der(x) ** 2 + der(y) ** 2))
    quantities = {"(x,y,z)": lambda row: row.q, "|lambda| with A=dg/dv": lambda row: np.abs(row.multipliers)}
    start = entry["initial_state"]
    return Problem("appell_hamel", system, (start["q"], start["v"]), from_file("appell_hamel", quantities))


def constant_speed() -> Problem:
    """State a particle that falls with constant speed V."""
    entry = published()["constant_speed"]
    m, V, g = lk.parameters("m V g")
    x, y = lk.coordinates("x y")
    free = lk.System("constant speed", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y,
                     values=entry["params"])  # fmt: skip
    system = free.constrain("speed", der(x) ** 2 + der(y) ** 2 - V**2)
    start = entry["initial_state"]
    return Problem(
        "constant_speed", system, (start["q"], start["v"]), from_file("constant_speed", {"(x,y)": lambda row: row.q})
    )
