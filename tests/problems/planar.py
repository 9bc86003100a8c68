"""Planar mechanisms in their own coordinates: Andrews' squeezer, a four-bar linkage, two pendulums on a circle."""

from pathlib import Path

import numpy as np
from sympy import cos, sin

import lienket as lk
from lienket import der

from .problem import Problem, expect, from_file, published

MODELS = Path(__file__).parents[2] / "examples" / "models"


def andrews() -> Problem:
    """State Andrews' squeezer, Test Set for IVP Solvers 2.4, chapter II-13; its multipliers have the other sign."""
    entry = published()["andrews"]
    start = entry["initial_state"]
    quantities = {
        "q": lambda row: row.q,
        "v": lambda row: row.v,
        "a": lambda row: row.accelerations,
        "lambda": lambda row: -row.multipliers,
    }
    at_start = (
        expect(0.0, "a", quantities["a"], start["check_a0"], 15),
        expect(0.0, "lambda", quantities["lambda"], start["check_lambda0"], 15),
    )
    system = lk.load(MODELS / "andrews_squeezer.toml")
    return Problem("andrews", system, (start["q"], start["v"]), at_start + from_file("andrews", quantities))


def particle(name, m, forces, potential, values):
    """State a particle (x, y) on the circle x^2 + y^2 = 1."""
    x, y = lk.coordinates("x y")
    free = lk.System(name, [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, forces=forces(x, y),
                     potential=potential(y), values=values)  # fmt: skip
    return free.constrain("circle", x**2 + y**2 - 1)


def a01_pendulum() -> Problem:
    """State IFToMM A01: a pendulum in Cartesian coordinates for 100 s."""
    entry = published()["A01_pendulum"]
    m, g = lk.parameters("m g")
    system = particle("pendulum", m, lambda x, y: {}, lambda y: m * g * y, {"m": 1, "g": entry["params"]["g"]})
    start = entry["initial_state"]
    quantities = {"(x,y)": lambda row: row.q}
    return Problem("a01_pendulum", system, (start["q"], start["v"]), from_file("A01_pendulum", quantities))


def sundials_pendulum() -> Problem:
    """State the pendulum of SUNDIALS' cvPendulum with a period of exactly 2."""
    entry = published()["sundials_pendulum"]
    g = lk.parameters("g")
    system = particle("pendulum of period 2", 1, lambda x, y: {}, lambda y: g * y, entry["params"])
    start = entry["initial_state"]
    quantities = {"(x,y,vx,vy)": lambda row: [*row.q, *row.v]}
    return Problem("sundials_pendulum", system, (start["q"], start["v"]), from_file("sundials_pendulum", quantities))


def arevalo() -> Problem:
    """State x'' = 2 y + lam x, y'' = -2 x + lam y on the unit circle: x = sin t^2, lam = -4 t^2 (Arevalo 1995).

    The gradient of the constraint is 2 (x, y), so that our multiplier is half of lam.
    """
    system = particle("accelerated on a circle", 1, lambda x, y: {x: 2 * y, y: -2 * x}, lambda y: 0, {})
    start = ([np.sin(1.0), np.cos(1.0)], [2 * np.cos(1.0), -2 * np.sin(1.0)])
    quantities = {"(x,y)": lambda row: row.q, "lam": lambda row: 2 * row.multipliers[0]}
    return Problem("arevalo", system, start, from_file("arevalo", quantities), t0=1.0)


def exudyn_double_pendulum() -> Problem:
    """State two point masses on two rods by their distances."""
    entry = published()["exudyn_double_pendulum"]
    m, L, g = lk.parameters("m L g")
    x1, y1, x2, y2 = q = lk.coordinates("x1 y1 x2 y2")
    free = lk.System("double pendulum", q, kinetic=m * sum(der(c) ** 2 for c in q) / 2, potential=m * g * (y1 + y2),
                     values=entry["params"])  # fmt: skip
    upper = free.constrain("upper rod", x1**2 + y1**2 - L**2)
    system = upper.constrain("lower rod", (x2 - x1) ** 2 + (y2 - y1) ** 2 - L**2)
    l = entry["params"]["L"]
    quantities = {"x1,y1,x2,y2": lambda row: row.q}
    start = ([l, 0, 2 * l, 0], [0] * 4)
    return Problem("exudyn_double_pendulum", system, start, from_file("exudyn_double_pendulum", quantities))


def modelica_system(absolute: bool):
    """State the Modelica double pendulum: two boxes, in relative angles or by the six coordinates of two bodies."""
    params = published()["modelica_double_pendulum"]["params"]
    mass = params["rho"] * params["w"] ** 2 * params["L"]
    m, J, L, d, g = lk.parameters("m J L d g")
    values = {"m": mass, "J": mass * (params["L"] ** 2 + params["w"] ** 2) / 12}
    values |= {k: params[k] for k in ("L", "d", "g")}
    if not absolute:
        a, b = lk.coordinates("phi1 phi2")
        x, y = L * cos(a), L * sin(a)
        centres = [(x / 2, y / 2, a), (x + L * cos(a + b) / 2, y + L * sin(a + b) / 2, a + b)]
        return lk.System("double pendulum", [a, b], kinetic=energy(m, J, centres), dissipation=d * der(a) ** 2 / 2,
                         potential=m * g * (centres[0][1] + centres[1][1]), values=values)  # fmt: skip
    q = x1, y1, a1, x2, y2, a2 = lk.coordinates("x1 y1 a1 x2 y2 a2")
    free = lk.System(
        "double pendulum of bodies",
        q,
        kinetic=energy(m, J, [q[:3], q[3:]]),
        potential=m * g * (y1 + y2),
        dissipation=d * der(a1) ** 2 / 2,
        values=values,
    )
    pivot = free.constrain("pivot", [x1 - L * cos(a1) / 2, y1 - L * sin(a1) / 2])
    joint = [x2 - L * cos(a2) / 2 - x1 - L * cos(a1) / 2, y2 - L * sin(a2) / 2 - y1 - L * sin(a1) / 2]
    return pivot.constrain("joint", joint)


def energy(m, J, bodies):
    """Return the kinetic energy of equal bodies (x, y, angle)."""
    return sum(m * (rate(x) ** 2 + rate(y) ** 2) / 2 + J * rate(angle) ** 2 / 2 for x, y, angle in bodies)


def rate(e):
    """Return the time derivative de/dt."""
    return e.diff(lk.t)


def modelica_relative() -> Problem:
    """State the Modelica double pendulum in relative angles, without constraints."""
    quantities = {"phi1,w1,phi2,w2": lambda row: [row.q[0], row.v[0], row.q[1], row.v[1]]}
    expected = from_file("modelica_double_pendulum", quantities)
    return Problem("modelica_relative", modelica_system(False), ([0, 0], [0, 0]), expected)


def modelica_absolute() -> Problem:
    """State the Modelica double pendulum in absolute coordinates: six with four constraints."""
    quantities = {"phi1,w1,phi2,w2": lambda row: [row.q[2], row.v[2], row.q[5] - row.q[2], row.v[5] - row.v[2]]}
    L = published()["modelica_double_pendulum"]["params"]["L"]
    start = ([L / 2, 0, 0, 3 * L / 2, 0, 0], [0] * 6)
    expected = from_file("modelica_double_pendulum", quantities)
    return Problem("modelica_absolute", modelica_system(True), start, expected)
