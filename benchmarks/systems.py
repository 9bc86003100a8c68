"""Systems shared by several benchmarks, stated with the public interface of lienket only.

The package may cache results of a statement. A `mark` is appended to every name of a system, so that a system with a
new mark is not in any cache of this process.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sympy as sp
from peers import andrews
from sympy import cos, sin

import lienket as lk
from lienket import der

MODELS = Path(__file__).parent.parent / "examples" / "models"
SQUEEZER = MODELS / "andrews_squeezer.toml"


def marked(names: str, mark: str) -> str:
    """Return the names, each with the mark appended."""
    return " ".join(name + mark for name in names.split())


def pendulum(n: int, relative: bool, mark: str = "") -> tuple[list[Any], Any, Any]:
    """Return coordinates, T and V of n point masses on n rods, y up; angles to the vertical or to the previous rod."""
    q = [lk.coordinates(f"q{i}{mark}") for i in range(1, n + 1)]
    g = lk.parameters(f"g{mark}")
    x, y, T, V = sp.S.Zero, sp.S.Zero, sp.S.Zero, sp.S.Zero
    for i in range(n):
        m, length = lk.parameters(f"m{i + 1}{mark} l{i + 1}{mark}")
        angle = sp.Add(*q[: i + 1]) if relative else q[i]
        x, y = x + length * sp.sin(angle), y - length * sp.cos(angle)
        T += m * (der(x) ** 2 + der(y) ** 2) / 2
        V += m * g * y
    return q, T, V


def squeezer(mark: str = "") -> lk.System:
    """Return Andrews' squeezer, 7 coordinates and 6 rows in three loops, with symbols and values of its parameters."""
    case = andrews.squeezer()
    q = lk.coordinates(marked("beta Theta gamma Phi delta Omega eps", mark))
    p = lk.parameters(marked(" ".join(case.names), mark))
    T, V, forces, loops = andrews.energies(case, q, [der(x) for x in q], p, sp)
    system = lk.System(
        f"squeezer{mark}", q, kinetic=T, potential=V, forces={q[0]: forces[0]},
        values=dict(zip(p, case.numbers, strict=True)),
    )  # fmt: skip
    for k in range(3):
        system = system.constrain(f"loop {k + 1}", loops[2 * k : 2 * k + 2])
    return system


def closed_chain(n: int) -> lk.System:
    """Return a planar chain of n links in absolute angles whose end is fixed (for n = 2: kept on the x axis)."""
    angles = lk.coordinates(" ".join(f"phi{i}" for i in range(1, n + 1)))
    m, length = (lk.parameters(" ".join(f"{letter}{i}" for i in range(1, n + 1))) for letter in "ml")
    g, d = lk.parameters("g d")
    x = y = T = V = sp.Integer(0)
    for phi, mass, long in zip(angles, m, length, strict=True):
        middle = x + long / 2 * sp.cos(phi), y + long / 2 * sp.sin(phi)
        T += mass * (der(middle[0]) ** 2 + der(middle[1]) ** 2) / 2 + mass * long**2 / 24 * der(phi) ** 2
        V += mass * g * middle[1]
        x, y = x + long * sp.cos(phi), y + long * sp.sin(phi)
    free = lk.System(f"closed chain of {n}", angles, kinetic=T, potential=V)
    return free.constrain("end", [x - d, y] if n > 2 else y)


def relative_chain(n: int) -> lk.System:
    """Return the open chain of n links in relative angles."""
    angles = lk.coordinates(" ".join(f"phi{i}" for i in range(1, n + 1)))
    m, length, g = lk.parameters("m l g")
    x = y = phi = T = V = sp.Integer(0)
    for angle in angles:
        phi = phi + angle
        middle = x + length / 2 * sp.cos(phi), y + length / 2 * sp.sin(phi)
        T += m * (der(middle[0]) ** 2 + der(middle[1]) ** 2) / 2 + m * length**2 / 24 * der(phi) ** 2
        V += m * g * middle[1]
        x, y = x + length * sp.cos(phi), y + length * sp.sin(phi)
    return lk.System(f"chain of {n}", angles, kinetic=T, potential=V)


def gripped_masses() -> lk.System:
    """Return two masses on a line; the first oscillates, the second is periodically gripped and released."""
    x, y = lk.coordinates("x y")
    masses = lk.System(
        "masses", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=(x**2 + y**2) / 2,
        forces={x: sp.Rational(1, 10) * sp.sin(lk.t)},
    )  # fmt: skip
    grip = lk.Event("grip", when=sp.sin(7 * lk.t), direction="rising", add={"hold": der(x) - der(y)})
    drop = lk.Event("drop", when=sp.sin(7 * lk.t), direction="falling", release="hold")
    return masses.watch(grip, drop)


def slider_crank(rough: bool, mark: str = "") -> lk.System:
    """Return a slider-crank: crank phi, rod x, y, theta, slider s, z; with or without friction in its guide."""
    r, length, J1, m2, J2, m3, g, M, mu = lk.parameters(marked("r length J1 m2 J2 m3 g M mu", mark))
    phi, x, y, theta, s, z = lk.coordinates(marked("phi x y theta s z", mark))
    kinetic = J1 * der(phi) ** 2 + m2 * (der(x) ** 2 + der(y) ** 2) + J2 * der(theta) ** 2
    kinetic += m3 * (der(s) ** 2 + der(z) ** 2)
    values = {r: 0.1, length: 0.3, J1: 0.02, m2: 0.5, J2: 0.004, m3: 0.8, g: 9.81, M: 1.0, mu: 0.2}
    bodies = lk.System(
        "slider-crank", [phi, x, y, theta, s, z], kinetic=kinetic / 2, potential=g * (m2 * y + m3 * z),
        forces={phi: M}, values=values,
    )  # fmt: skip
    crank_pin = [x - length / 2 * cos(theta) - r * cos(phi), y - length / 2 * sin(theta) - r * sin(phi)]
    bodies = bodies.constrain("crank pin", crank_pin)
    bodies = bodies.constrain("slider pin", [x + length / 2 * cos(theta) - s, y + length / 2 * sin(theta) - z])
    return bodies.constrain("guide", z, law=lk.Coulomb(mu, slip=der(s)) if rough else None)


def slider_crank_start(system: lk.System) -> Any:
    """Return a consistent state of the slider-crank; the crank turns with 10 rad/s."""
    return system.consistent({"phi": 0.3, "phi'": 10.0}, guess={"x": 0.2, "theta": -0.1, "s": 0.39})


def belt() -> lk.System:
    """Return a mass on a spring and a moving belt, which sticks and slips."""
    m, k, g, mu, static, V = lk.parameters("m k g mu mu_static V")
    x, y = lk.coordinates("x y")
    kinetic, potential = m * (der(x) ** 2 + der(y) ** 2) / 2, k * x**2 / 2 + m * g * y
    values = {m: 1, k: 4, g: 10, mu: 0.2, static: 0.3, V: 0.5}
    mass = lk.System("belt", [x, y], kinetic=kinetic, potential=potential, values=values)
    return mass.constrain("belt", y, law=lk.Coulomb(mu, slip=der(x) - V, mu_static=static))
