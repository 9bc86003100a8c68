"""The motions that benchmarks/simulate.py integrates: statement, start, end time and the exact end positions.

Every problem is stated once, by T, V, forces and constraints as functions of whatever symbols the peer works with. The
references of Andrews' squeezer and of the four-bar N times over are known from elsewhere (Test Set for IVP Solvers 2.4
integrated in quadruple precision; Jacobi's elliptic functions). The others were integrated by an extrapolation method
(Gragg, Bulirsch, Stoer): both carriages in quadruple precision with forward speed and rate of turn as unknowns, in
which there are no constraints, all digits given agree at two step sizes; the four-bar in 80-bit arithmetic, 12 digits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from . import andrews, chain
from .carriage import Carriage

ACCURACIES = (1e-4, 1e-6, 1e-8, 1e-10)
GRAVITY = 9.81
SQUEEZER_START = (
    -0.06171389001427645,
    0.0,
    0.45527981916307037,
    0.22266839016588588,
    0.48736497954384256,
    -0.22266839016588588,
    1.2305474445498212,
)
FOUR_BAR_END = (102.5514962931796, 0.3220589890213, -0.9938408039127)
CARRIAGE_END = (
    1.4184416232436883,
    0.41712070420225575,
    203.09196670000167,
    -1977.1943821539017,
    -932.7214105538933,
)
STIFF_END = (
    9.287817391154677,
    -1.6113612044086792,
    -1.1542635527627872,
    -95.26755729505154,
    -101.2037698521173,
)


class Stated(NamedTuple):
    """Energies, generalized forces, rows that vanish in the positions, rows that vanish in the velocities."""

    kinetic: Any
    potential: Any
    forces: Sequence[Any]
    holonomic: Sequence[Any] = ()
    velocity: Sequence[Any] = ()


@dataclass(frozen=True)
class FourBars:
    """N four-bars in a row: rockers 0 to N on pins at (i, 0), couplers between their tips, all 1 m and 1 kg.

    IFToMM benchmark A02. Coordinates: the absolute angles of the rockers, then those of the couplers. Whenever the
    rockers lie down, the constraints lose N of their rank.
    """

    N: int

    def stated(self, t: Any, q: Any, v: Any, m: Any) -> Stated:
        """Uniform rods; the couplers begin at the tips of the rockers."""
        theta, psi = [q[i] for i in range(self.N + 1)], [q[self.N + 1 + i] for i in range(self.N)]
        T: Any = 0
        V: Any = 0
        rows: list[Any] = []
        for i, angle in enumerate(theta):
            T = T + v[i] ** 2 / 6
            V = V + GRAVITY * m.sin(angle) / 2
            if i < self.N:
                w = v[self.N + 1 + i]
                T = T + (v[i] ** 2 + v[i] * w * m.cos(angle - psi[i]) + w**2 / 3) / 2
                V = V + GRAVITY * (m.sin(angle) + m.sin(psi[i]) / 2)
                rows += [
                    m.cos(angle) + m.cos(psi[i]) - 1 - m.cos(theta[i + 1]),
                    m.sin(angle) + m.sin(psi[i]) - m.sin(theta[i + 1]),
                ]
        return Stated(T, V, [0] * (2 * self.N + 1), rows)

    def angle(self, t: float) -> float:
        """Return the angle of all rockers: upright at t = 0, falling right with 1 rad/s, a pendulum turning over.

        With chi the angle from hanging down: chi'' = -w^2 sin chi, chi' = c at the bottom, c^2 = 1 + 4 w^2, so that
        chi/2 = am(c t/2, 4 w^2/c^2), half a turn after the start.
        """
        from scipy.special import ellipj, ellipk

        square = GRAVITY * ((self.N + 1) / 2 + self.N) / ((self.N + 1) / 3 + self.N)
        c, modulus = np.sqrt(1 + 4 * square), 4 * square / (1 + 4 * square)
        amplitude = ellipj(c * t / 2 - ellipk(modulus), modulus)[3]
        return float(-np.pi / 2 - 2 * amplitude)


@dataclass(frozen=True)
class Rods(FourBars):
    """The same of 2 N + 1 bodies, each with x, y of its middle and an angle: rockers, then couplers; A is diagonal."""

    def stated(self, t: Any, q: Any, v: Any, m: Any) -> Stated:
        """Two rows for every pin: those on the ground, then both ends of each coupler."""
        bodies = range(2 * self.N + 1)
        T = sum((v[3 * i] ** 2 + v[3 * i + 1] ** 2 + v[3 * i + 2] ** 2 / 12) / 2 for i in bodies)
        V = sum(GRAVITY * q[3 * i + 1] for i in bodies)

        def end(i: int, side: int) -> tuple[Any, Any]:
            return q[3 * i] + side * m.cos(q[3 * i + 2]) / 2, q[3 * i + 1] + side * m.sin(q[3 * i + 2]) / 2

        rows: list[Any] = []
        for i in range(self.N + 1):
            x, y = end(i, -1)
            rows += [x - i, y]
        for i in range(self.N):
            for side in (0, 1):
                pairs = zip(end(self.N + 1 + i, 2 * side - 1), end(i + side, 1), strict=True)
                rows += [a - b for a, b in pairs]
        return Stated(T, V, [0] * (6 * self.N + 3), rows)

    def bodies(self, angles: np.ndarray) -> np.ndarray:
        """Return the coordinates from the angles of the rods, rockers first."""
        theta, psi = angles[: self.N + 1], angles[self.N + 1 :]
        c, s, places = np.cos(angles) / 2, np.sin(angles) / 2, np.arange(self.N + 1)
        tips = places + 2 * c[: self.N + 1], 2 * s[: self.N + 1]
        x = np.concatenate([places + c[: self.N + 1], tips[0][: self.N] + c[self.N + 1 :]])
        y = np.concatenate([s[: self.N + 1], tips[1][: self.N] + s[self.N + 1 :]])
        return np.column_stack([x, y, np.concatenate([theta, psi])]).ravel()


@dataclass(frozen=True)
class Problem:
    """One motion: n coordinates, from `start` to the time `until`, where the positions are `reference`.

    `stated(t, q, v, m)` gives the statement in any symbols; `m` has sin, cos and sqrt (SymPy, CasADi). `case` is what
    peers build bodies from.
    """

    name: str
    case: Any
    stated: Callable[[Any, Any, Any, Any], Stated]
    start: tuple[np.ndarray, np.ndarray]
    until: float
    reference: np.ndarray

    @property
    def n(self) -> int:
        """How many coordinates."""
        return len(self.reference)

    def error(self, q: np.ndarray) -> float:
        """Return the largest difference of the end positions, relative where they exceed 1."""
        off = np.abs(np.asarray(q) - self.reference) / np.maximum(1.0, np.abs(self.reference))
        return float(np.max(off)) if np.all(np.isfinite(off)) else np.inf


def squeezer() -> Problem:
    """Andrews' squeezer, 0.03 s from rest, while the crank turns two and a half times."""
    case = andrews.squeezer()
    numbers = list(case.numbers)

    def stated(t: Any, q: Any, v: Any, m: Any) -> Stated:
        return Stated(*andrews.energies(case, q, v, numbers, m))

    return Problem(case.name, case, stated, (np.array(SQUEEZER_START), np.zeros(7)), 0.03, np.array(andrews.Q))


def four_bar() -> Problem:
    """Links of 0.3, 1.0 and 0.7 m on pins 1.2 m apart, under gravity; the short one turns right round, for 10 s."""
    case = chain.Chain(masses=(0.6, 2.0, 1.4), lengths=(0.3, 1.0, 0.7))
    numbers = [float(x) for x in case.parameters]

    def stated(t: Any, q: Any, v: Any, m: Any) -> Stated:
        return Stated(*chain.energies(case, q, v, numbers, m))

    return Problem("four-bar, 10 s", case, stated, crank_start(case, 0.5, 12.0), 10.0, np.array(FOUR_BAR_END))


def crank_start(case: chain.Chain, crank: float, speed: float) -> tuple[np.ndarray, np.ndarray]:
    """Angles and rates of a four-bar whose first link stands at `crank` and turns with `speed`."""
    a, b, c = case.lengths
    gap = np.array([case.distance - a * np.cos(crank), -a * np.sin(crank)])
    long = np.hypot(*gap)
    bend = np.arccos((long**2 + b**2 - c**2) / (2 * long * b))
    coupler = np.arctan2(gap[1], gap[0]) + bend
    rest = gap - b * np.array([np.cos(coupler), np.sin(coupler)])
    phi = np.array([crank, coupler, np.arctan2(rest[1], rest[0])])
    G = chain.end_jacobian(np.array(case.lengths), phi)
    return phi, np.array([speed, *np.linalg.solve(G[:, 1:], -G[:, 0] * speed)])


def four_bars(N: int) -> Problem:
    """N four-bars for 10 s, upright with 1 rad/s; they turn over several times, through their singular positions."""
    case = FourBars(N)
    q, v = np.repeat([np.pi / 2, 0.0], [N + 1, N]), np.repeat([-1.0, 0.0], [N + 1, N])
    reference = np.repeat([case.angle(10.0), 0.0], [N + 1, N])
    return Problem(f"N-four-bar, N = {N}, 10 s", case, case.stated, (q, v), 10.0, reference)


def rods(N: int) -> Problem:
    """Return the same motion in 3 coordinates for each body."""
    case, angles = Rods(N), four_bars(N)
    rockers, couplers = (0.5, 0.0, -1.0), (1.0, 0.0, 0.0)  # x', y' and the rate of turn
    v = np.array([*(rockers * (N + 1)), *(couplers * N)])
    start = case.bodies(angles.start[0]), v
    name = f"N-four-bar of bodies, N = {N}, 10 s"
    return Problem(name, case, case.stated, start, 10.0, case.bodies(angles.reference))


def carriage() -> Problem:
    """Return the carriage under constant torques on its wheels, 100 s: it swings into a circle, 32 times round."""
    case = Carriage(torques=(-2.0, 4.2))
    return Problem("carriage, 100 s", case, case_stated(case), case.start(0.5, 0.3), 100.0, np.array(CARRIAGE_END))


def stiff_carriage() -> Problem:
    """Return the carriage steered by a strong spring and damper between its wheels (fastest mode -7000/s), 10 s."""
    case = Carriage(spring=1e4, damper=1e3, drive=0.2)
    return Problem("stiff carriage, 10 s", case, case_stated(case), case.start(0.0, 0.0), 10.0, np.array(STIFF_END))


def case_stated(case: Carriage) -> Callable[[Any, Any, Any, Any], Stated]:
    """Return the statement of a carriage."""

    def stated(t: Any, q: Any, v: Any, m: Any) -> Stated:
        return Stated(case.kinetic(q, v, m), 0, case.forces(t, q, v, m), (), case.rows(q, v, m))

    return stated


def problems() -> list[Problem]:
    """All of them."""
    return [squeezer(), four_bar(), four_bars(5), four_bars(40), rods(40), carriage(), stiff_carriage()]
