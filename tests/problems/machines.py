"""Problems for step control and speed: a four-bar, the carriage, a stiff one, a light cart under a heavy pendulum.

Their references come from quadratures and Taylor series of the reduced equations; see tests/data/README.md.
"""

from pathlib import Path

import numpy as np
from sympy import cos, sin

import lienket as lk
from lienket import der

from .problem import Problem, from_file, published

MODELS = Path(__file__).parents[2] / "examples" / "models"


def four_bar() -> Problem:
    """State crank, coupler and rocker of uniform rods by their angles to the horizon for 10 s; the crank turns over."""
    entry = published()["four_bar"]
    params = entry["params"]
    g, distance = lk.parameters("g distance")
    angles = lk.coordinates("crank coupler rocker")
    lengths, masses = lk.parameters("l1 l2 l3"), lk.parameters("m1 m2 m3")
    T = V = x = y = 0
    for a, l, m in zip(angles, lengths, masses, strict=True):
        X, Y = x + l * cos(a) / 2, y + l * sin(a) / 2
        T += m * (X.diff(lk.t) ** 2 + Y.diff(lk.t) ** 2 + l**2 * der(a) ** 2 / 12) / 2
        V += m * g * Y
        x, y = x + l * cos(a), y + l * sin(a)
    free = lk.System("four-bar", angles, kinetic=T, potential=V, values=params)
    system = free.constrain("loop", [x - distance, y])
    quantities = {"angles": lambda row: row.q, "rates": lambda row: row.v}
    start = (entry["initial_state"]["q"], entry["initial_state"]["v"])
    return Problem("four_bar", system, start, from_file("four_bar", quantities))


POSE = {"x,y,theta": lambda row: row.q[:3], "phi1,phi2": lambda row: row.q[3:]}


def carriage() -> Problem:
    """State the carriage of paper 002 for 100 s with constant wheel torques; its start, backwards, is unstable."""
    entry = published()["carriage"]
    tau1, tau2 = lk.parameters("tau1 tau2")
    system = carriage_with([tau1, tau2], entry["params"])
    return Problem("carriage", system, carriage_start(system, entry), from_file("carriage", POSE))


def carriage_stiff() -> Problem:
    """State the carriage with stiff spring-dampers (k, d) to wheel shafts turning by -V t/a -+ swing sin(pace t).

    The dampers have a time constant of a^2 (m0 + 2 m1 + 2 C/a^2)/(2 d), about 0.07 ms; the motion takes seconds.
    """
    entry = published()["carriage_stiff"]
    k, d, V, a, swing, pace = lk.parameters("k d V a swing pace")
    _, _, _, phi1, phi2 = lk.load(MODELS / "carriage.toml").coordinates
    torques = []
    for phi, side in ((phi1, -1), (phi2, 1)):
        shaft = -V * lk.t / a + side * swing * sin(pace * lk.t)
        torques.append(k * (shaft - phi) + d * (shaft.diff(lk.t) - der(phi)))
    system = carriage_with(torques, entry["params"])
    return Problem("carriage_stiff", system, carriage_start(system, entry), from_file("carriage_stiff", POSE))


def carriage_with(torques, values):
    """Return the carriage of the model file with other torques on its wheels and some numbers changed."""
    loaded = lk.load(MODELS / "carriage.toml")
    numbers = {p: number for p, number in loaded.values.items() if p.name not in values} | values
    forces = dict(zip(loaded.coordinates[3:], torques, strict=True))
    system = lk.System(
        "carriage", loaded.coordinates, kinetic=loaded.statement.free.kinetic, forces=forces, values=numbers
    )
    for constraint in loaded.constraints:
        system = system.constrain(constraint.name, list(constraint.expressions))
    return system


def carriage_start(system, entry):
    """Return the start: speed v ahead and turning rate w, with the wheels rolling."""
    v, w = entry["initial_state"]["v"], entry["initial_state"]["w"]
    a, b = (float(system.values[p]) for p in lk.parameters("a b"))
    return ([0] * 5, [v, 0, w, -(v + b * w) / a, -(v - b * w) / a])


def light_cart() -> Problem:
    """State a cart of 1 mg on a rail with a pendulum of 1 kg, released from 1 rad: the bob falls almost straight.

    Whenever the bob passes below the cart, the cart is thrown to the other side within a microsecond: theta' reaches
    3000 rad/s.
    """
    entry = published()["light_cart"]
    m, M, L, g = lk.parameters("m M L g")
    x, theta = lk.coordinates("x theta")
    X, Y = x + L * sin(theta), -L * cos(theta)
    system = lk.System(
        "light cart",
        [x, theta],
        kinetic=m * der(x) ** 2 / 2 + M * (X.diff(lk.t) ** 2 + Y.diff(lk.t) ** 2) / 2,
        potential=M * g * Y,
        values=entry["params"],
    )
    # In these coordinates A loses the digits of m/M whenever theta passes 0; the rod as a constraint does not.
    quantities = {"x,theta": lambda row: row.q, "x',theta'": lambda row: row.v}
    expected = from_file("light_cart", quantities, least=1e-8)
    return Problem("light_cart", system, ([0, entry["initial_state"]["theta"]], [0, 0]), expected)


def light_cart_rod() -> Problem:
    """State the light cart with the bob's X, Y and the rod as a constraint."""
    entry = published()["light_cart"]
    m, M, L, g = lk.parameters("m M L g")
    x, X, Y = lk.coordinates("x X Y")
    free = lk.System(
        "light cart and rod",
        [x, X, Y],
        kinetic=m * der(x) ** 2 / 2 + M * (der(X) ** 2 + der(Y) ** 2) / 2,
        potential=M * g * Y,
        values=entry["params"],
    )
    system = free.constrain("rod", (X - x) ** 2 + Y**2 - L**2)
    theta = entry["initial_state"]["theta"]
    quantities = {
        "x,theta": lambda row: [row.q[0], np.arctan2(row.q[1] - row.q[0], -row.q[2])],
        "x',theta'": lambda row: [
            row.v[0],
            np.hypot(row.v[1] - row.v[0], row.v[2]) * np.sign(row.v[2] * (row.q[1] - row.q[0])),
        ],
    }
    start = ([0, np.sin(theta), -np.cos(theta)], [0, 0, 0])
    return Problem("light_cart_rod", system, start, from_file("light_cart", quantities))
