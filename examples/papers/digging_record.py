"""Paper 003, the digging machine over time: the moments of its motors from a record of the soil's force.

python examples/papers/digging_record.py

The scoop is pulled up the line x - y - a = 0 towards the machine (see digging_machine.py), against normal force and
friction of the soil. For each time of the record the script computes the moments M1 and M2, (33), the soil's force
along and across the line, (36), and from these the friction coefficient of the soil.

The record used here is synthetic; the docstring of `record` states its formula.
"""

from dataclasses import dataclass

import numpy as np
import sympy as sp
from board import remark, show, title
from digging_machine import (
    ARM,
    DRIVES,
    JACOBIAN,
    LINE,
    MACHINE,
    SCOOP,
    X,
    Y,
    a,
    b,
    build,
    l,
    machine,
    scoop_acceleration,
)
from sympy import sin

import lienket as lk
from lienket.analysis.identification.identify import identify
from lienket.analysis.identification.result import Identified
from lienket.mechanism.chains import force_at

t = lk.t

START, LENGTH, DURATION = 2.72, 1.0, 3.0  # x at the start in m, distance along the line in m, seconds
FRICTION = 0.35  # coefficient in the synthetic record, to be identified from it


def way(time: object, sine: object = np.sin) -> object:
    """Return the distance covered by the scoop, in m: from rest to rest."""
    turn = 2 * np.pi * time / DURATION
    return LENGTH * (turn - sine(turn)) / (2 * np.pi)


def poses(times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the angles of the arms along the path of the scoop, and their rates (N x 2 each)."""
    length, ratio, offset = (MACHINE[p] for p in (l, b, a))
    x = START - way(times) / np.sqrt(2)
    y = x - offset
    elbow = np.arccos((x**2 + y**2 - length**2 * (1 + ratio**2)) / (2 * ratio * length**2))
    shoulder = np.arctan2(y, x) - np.arctan2(ratio * np.sin(elbow), 1 + ratio * np.cos(elbow))
    q = np.column_stack([shoulder, elbow])
    speed = -LENGTH / DURATION * (1 - np.cos(2 * np.pi * times / DURATION)) / np.sqrt(2)
    v = [np.linalg.solve(JACOBIAN(*pose), [rate, rate]) for pose, rate in zip(q, speed, strict=True)]
    return q, np.array(v)


@dataclass(frozen=True)
class Record:
    """Times and the force of the soil on the scoop in x and y, N each."""

    t: np.ndarray
    X: np.ndarray
    Y: np.ndarray


def record(rows: int = 121, seed: int = 2013) -> Record:
    """Return a SYNTHETIC record in place of a measured one: normal force and friction with the coefficient FRICTION.

    With tau = t/DURATION the soil exerts p = 40 + 420 sin(pi tau)^2 (1 + 0.15 sin(11 pi tau)) newtons normal to the
    line (along -n), and the friction FRICTION*p against the motion (along +t, since the scoop moves along -t). Both
    have normally distributed noise with a standard deviation of 4 N, from NumPy's default_rng(2013).
    """
    times = np.linspace(0, DURATION, rows)
    tau = times / DURATION
    p = 40 + 420 * np.sin(np.pi * tau) ** 2 * (1 + 0.15 * np.sin(11 * np.pi * tau))
    noise = np.random.default_rng(seed).normal(scale=4.0, size=(2, rows))
    V = np.array([[1, -1], [1, 1]]) / np.sqrt(2)  # columns t and n
    force = V @ (np.array([FRICTION * p, -p]) + noise)
    return Record(times, *force)


@dataclass(frozen=True)
class Dig:
    """Results from the record and the motion of the scoop, one row for each time.

    `moments` has M1 and M2 (N x 2) for each choice of drives that keeps the scoop on the line, and under "on time"
    those that also prescribe its position along the line; `along` the corresponding accelerations along the line (N);
    `tangential` and `normal` the soil's force along t and n, `slip` the velocity along t (N each).
    """

    t: np.ndarray
    q: np.ndarray
    moments: dict
    along: dict
    tangential: np.ndarray
    normal: np.ndarray
    slip: np.ndarray

    @property
    def law(self) -> Identified:
        """Coulomb's law fitted to the record: tangential = -mu |normal| sign(slip), with the interval of mu."""
        return identify(self.tangential, self.normal, self.slip)

    @property
    def friction(self) -> float:
        """Coefficient of friction of the fitted law."""
        return float(self.law["mu"].value)


def recorded(soil: Record) -> tuple:
    """Return the force of the soil as functions of time: splines through the record."""
    return lk.table("soil_x", soil.t, soil.X)(t), lk.table("soil_y", soil.t, soil.Y)(t)


def on_time(soil: Record) -> lk.System:
    """Return the machine with two programs: the scoop stays on the line, and its position along it is prescribed."""
    place = (X + Y - 2 * START + a) / sp.sqrt(2) + way(t, sin)
    both = lk.Program([LINE, place], drives=DRIVES["min_norm"])
    return machine(force_at(ARM, SCOOP, recorded(soil)), {}).constrain("line", both)


def dig(soil: Record) -> Dig:
    """Return the moments of the motors at each time of a record, along the path of the scoop."""
    q, v = poses(soil.t)
    systems = {choice: build(choice, recorded(soil)) for choice in DRIVES} | {"on time": on_time(soil)}
    moments, along = {}, {}
    for choice, system in systems.items():
        states = [system.at(*row) for row in zip(q, v, soil.t, strict=True)]
        moments[choice] = np.array([state.reactions["line"] for state in states])
        along[choice] = np.array([scoop_acceleration(state).sum() / np.sqrt(2) for state in states])
    V = np.array([[1, 1], [-1, 1]]) / np.sqrt(2)  # (36): rows t and n
    tangential, normal = V @ np.array([soil.X, soil.Y])
    slip = np.array([(JACOBIAN(*pose) @ rate).sum() for pose, rate in zip(q, v, strict=True)]) / np.sqrt(2)
    return Dig(soil.t, q, moments, along, tangential, normal, slip)


def table_of(found: Dig, every: int = 10) -> None:
    """Print the moments over time."""
    print("\n    time    phi1    phi2   soil t   soil n |  M2 alone | least M1, M2       | on time M1, M2      N, Nm")
    for i in range(0, len(found.t), every):
        least, timed = found.moments["min_norm"][i], found.moments["on time"][i]
        angles = f"{found.t[i]:8.3f}{found.q[i, 0]:8.3f}{found.q[i, 1]:8.3f}"
        soil = f"{found.tangential[i]:9.1f}{found.normal[i]:9.1f}"
        pairs = " |".join(f"{pair[0]:10.1f}{pair[1]:10.1f}" for pair in (least, timed))
        print(f"{angles}{soil} |{found.moments['M1_zero'][i, 1]:10.1f} |{pairs}")


if __name__ == "__main__":
    title("A dig of three seconds with a synthetic record of the soil's force")
    found = dig(record())
    table_of(found)
    remark(
        "M2 alone and the least moments keep the scoop on the line; its motion along the line is free. The last pair "
        "also prescribes the position along the line: two programs, two motors, one solution."
    )
    show(friction=found.friction)
    low, high = found.law["mu"].interval
    remark(
        f"With the noise in the record it lies between {low:.4f} and {high:.4f}; the record was made with {FRICTION}."
    )
