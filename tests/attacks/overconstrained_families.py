"""Random linkages with more rows than they need, whose freedom is known from geometry.

    grid          layers of parallelograms, each with several equal cranks on a rigid coupler
    bennett       Bennett's linkage: four bars in space, a/sin(alpha) = b/sin(beta)
    goldberg      Goldberg's five-bar linkage: two of Bennett's linkages without their common bar
    in_space      a planar chain of bars with hinges of five rows, each body with six coordinates
    door          a body on several hinges of five rows
    scissors      a scissor lift of 2 to 8 stages whose left joints are guided along a vertical line

A builder takes a random generator and returns an Overconstrained system. Lengths that must be equal are one parameter
or, at random, several parameters of equal value. Source of the spatial linkages: G. T. Bennett, "A new mechanism",
Engineering 76 (1903); M. Goldberg, "New five-bar and six-bar linkages in three dimensions", Trans. ASME 65 (1943).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import sympy as sp
from sympy import atan, cos, sin, tan

import lienket as lk
from lienket import der

GRAVITY = 9.81  # [m/s^2]


@dataclass(frozen=True)
class Overconstrained:
    """System with redundant rows, a state q, v (n each) on its constraints, and its true freedom.

    `minimal` (None without a short closed form) is the same system in `freedom` coordinates, `embedding` (n) are the
    positions q in these, and s, s_rate the state that corresponds to q, v.
    """

    system: lk.System
    q: np.ndarray
    v: np.ndarray
    freedom: int
    minimal: lk.System | None = None
    embedding: tuple = ()
    s: np.ndarray | None = None
    s_rate: np.ndarray | None = None

    @property
    def rank(self) -> int:
        """Rank of all rows at the state."""
        return len(self.q) - self.freedom

    def positions(self, s: Sequence[float]) -> np.ndarray:
        """Return the positions q (n) at minimal coordinates s."""
        return np.array(_function(self.minimal.coordinates, self.embedding)(np.asarray(s, float)), float)

    def velocities(self, s: Sequence[float], s_rate: Sequence[float]) -> np.ndarray:
        """Return the velocities q' (n) at minimal coordinates s and their rates."""
        columns = [[sp.diff(e, c) for e in self.embedding] for c in self.minimal.coordinates]
        values = [_function(self.minimal.coordinates, column)(np.asarray(s, float)) for column in columns]
        return np.array(values, float).T @ np.asarray(s_rate, float)

    @property
    def reversed(self) -> lk.System:
        """The system with its constraints, and the rows within each, in reverse order."""
        stated, system = self.system.constraints, self.system
        for constraint in stated:
            system = system.release(constraint.name)
        return _constrained(system, [(c.name, list(c.expressions)[::-1]) for c in reversed(stated)])


def grid(rng: np.random.Generator) -> Overconstrained:
    """Return 1 to 3 layers of 3 to 5 equal cranks, all bodies by x, y and angle; a layer has one freedom."""
    layers, cranks = int(rng.integers(1, 4)), int(rng.integers(3, 6))
    values = {"m": rng.uniform(0.5, 2), "J": rng.uniform(0.01, 0.1), "g": GRAVITY}
    m, J, g = lk.parameters("m J g")
    free, rows, T, V, places = [], [], 0, 0, {}
    angles = [lk.coordinates(f"s{k}") for k in range(layers)]
    base, turned, gaps = (sp.Integer(0), sp.Integer(0)), None, np.cumsum([0, *rng.uniform(0.4, 1, cranks - 1)])
    at = (sp.Integer(0), sp.Integer(0))
    for k in range(layers):
        lengths = _equal_lengths(rng, f"l{k}", cranks, rng.uniform(0.3, 1), values)
        xp, yp, phip = lk.coordinates(f"xp{k} yp{k} phip{k}")
        l0 = lengths[0]
        top = (at[0] + l0 * cos(angles[k]), at[1] + l0 * sin(angles[k]))
        for i in range(cranks):
            d = sp.Rational(f"{gaps[i]:.3f}")
            x, y, phi = lk.coordinates(f"x{k}{i} y{k}{i} phi{k}{i}")
            half = lengths[i] / 2
            foot = (d, 0) if turned is None else (base[0] + d * cos(turned), base[1] + d * sin(turned))
            rows.append((f"foot {k}{i}", [x - half * cos(phi) - foot[0], y - half * sin(phi) - foot[1]]))
            pin = [x + half * cos(phi) - xp - d * cos(phip), y + half * sin(phi) - yp - d * sin(phip)]
            rows.append((f"pin {k}{i}", pin))
            free += [x, y, phi]
            places |= {x: at[0] + d + l0 / 2 * cos(angles[k]), y: at[1] + l0 / 2 * sin(angles[k]), phi: angles[k]}
            T += m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(phi) ** 2 / 2
            V += m * g * y
        free += [xp, yp, phip]
        places |= {xp: top[0], yp: top[1], phip: sp.Integer(0)}
        T += 2 * m * (der(xp) ** 2 + der(yp) ** 2) / 2 + J * der(phip) ** 2 / 2
        V += 2 * m * g * yp
        base, turned, at = (xp, yp), phip, top
    order = rng.permutation(len(rows))
    s, s_rate = rng.uniform(0.4, 1.2, layers) * rng.choice([-1, 1], layers) - 1.6, rng.normal(size=layers)
    rows = [rows[k] for k in order]
    return _embedded("grid of parallelograms", free, rows, values, (T, V), places, angles, s, s_rate)


def door(rng: np.random.Generator) -> Overconstrained:
    """Return a body with Cardan angles on 2 to 6 hinges of five rows on one line; one freedom."""
    x, y, z, a, b, c = free = lk.coordinates("x y z a b c")
    m, Jx, Jy, Jz, e, tilt, g = lk.parameters("m Jx Jy Jz e tilt g")
    values = {"m": rng.uniform(5, 30), "Jx": rng.uniform(5, 10), "Jy": rng.uniform(5, 10), "Jz": rng.uniform(1, 3)}
    values |= {"e": rng.uniform(0.2, 0.6), "tilt": rng.uniform(0.02, 0.3), "g": GRAVITY}
    R = _cardan(a, b, c)
    turning = (der(a) - der(c) * sin(b), der(b) * cos(a) + der(c) * cos(b) * sin(a))
    turning += (der(c) * cos(b) * cos(a) - der(b) * sin(a),)
    T = (
        m * sum(der(w) ** 2 for w in (x, y, z)) / 2
        + sum(I * w**2 for I, w in zip((Jx, Jy, Jz), turning, strict=True)) / 2
    )
    V = m * g * (z * cos(tilt) - x * sin(tilt))
    rows = []
    for k in range(int(rng.integers(2, 7))):
        h = lk.parameters(f"h{k}")
        values[f"h{k}"] = round(rng.uniform(-1, 1), 3)
        point = sp.Matrix([x, y, z]) - R * sp.Matrix([e, 0, -h]) - sp.Matrix([0, 0, h])
        rows.append((f"hinge {k}", [*point, R[0, 2], R[1, 2]]))
    s = lk.coordinates("s")
    places = {x: e * cos(s), y: e * sin(s), z: sp.Integer(0), a: sp.Integer(0), b: sp.Integer(0), c: s}
    return _embedded("door", free, rows, values, (T, V), places, (s,), rng.uniform(-3, 3, 1), rng.normal(size=1))


def scissors(rng: np.random.Generator) -> Overconstrained:
    """Return a lift of 2 to 8 stages of crossed bars, some left joints in a vertical guide; one freedom."""
    stages = int(rng.integers(2, 9))
    values = {"m": rng.uniform(0.5, 2), "J": rng.uniform(0.05, 0.3), "g": GRAVITY}
    m, J, g = lk.parameters("m J g")
    halves = _equal_lengths(rng, "l", 2 * stages, rng.uniform(0.3, 0.8), values)
    s = lk.coordinates("s")
    free, rows, T, V, places = [], [], 0, 0, {}
    ends = []  # of each stage: left and right joints, bottom and top
    for k in range(stages):
        bars = []
        for j, side in enumerate("ab"):
            x, y, phi = lk.coordinates(f"x{side}{k} y{side}{k} phi{side}{k}")
            l = halves[2 * k + j]
            way = (l * cos(phi), l * sin(phi))
            bars.append(((x - way[0], y - way[1]), (x + way[0], y + way[1]), (x, y)))
            free += [x, y, phi]
            l0 = halves[0]
            places |= {x: l0 * cos(s), y: (2 * k + 1) * l0 * sin(s), phi: s if side == "a" else sp.pi - s}
            T += m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(phi) ** 2 / 2
            V += m * g * y
        rows.append((f"middle {k}", _difference(bars[0][2], bars[1][2])))
        ends.append((bars[0][0], bars[1][0], bars[1][1], bars[0][1]))
    for k in range(stages - 1):
        rows.append((f"left {k}", _difference(ends[k][2], ends[k + 1][0])))
        rows.append((f"right {k}", _difference(ends[k][3], ends[k + 1][1])))
    rows += [("foot", list(ends[0][0])), ("slide", [ends[0][1][1]])]
    guided = rng.permutation(stages)[: int(rng.integers(1, stages + 1))]
    rows += [(f"guide {k}", [ends[k][2][0]]) for k in guided]
    rows = [rows[k] for k in rng.permutation(len(rows))]
    return _embedded(
        "scissor lift", free, rows, values, (T, V), places, (s,), rng.uniform(0.3, 1.2, 1), rng.normal(size=1)
    )


def bennett(rng: np.random.Generator) -> Overconstrained:
    """Return Bennett's linkage in three joint angles with a closing joint of five rows; one freedom."""
    alpha, beta = _twists(rng, 2)
    a = rng.uniform(0.2, 1)
    values = {"a": a, "b": a * np.sin(beta) / np.sin(alpha), "alpha": alpha, "beta": beta}
    A, B, al, be = lk.parameters("a b alpha beta")
    angles = lk.coordinates("th1 th2 th3")
    s = lk.coordinates("s")
    ratio = sin((be + al) / 2) / sin((be - al) / 2)
    places = dict(zip(angles, (s, 2 * atan(ratio / tan(s / 2)), -s), strict=True))
    bars = [(A, al), (B, be), (A, al), (B, be)]
    return _open_chain("Bennett linkage", rng, angles, bars, values, places, s)


def goldberg(rng: np.random.Generator) -> Overconstrained:
    """Return Goldberg's linkage in four joint angles with a closing joint of five rows; one freedom.

    Two of Bennett's linkages (a, alpha; b, beta) and (c, gamma; b, beta) have the bar b in common, which is taken
    away; the bars a and c that meet there are made one, of length a + c and twist alpha + gamma.
    """
    alpha, beta, gamma = _twists(rng, 3)
    a = rng.uniform(0.2, 1)
    unit = a / np.sin(alpha)
    values = {"a": a, "b": unit * np.sin(beta), "c": unit * np.sin(gamma), "alpha": alpha, "beta": beta, "gamma": gamma}
    A, B, C, al, be, ga = lk.parameters("a b c alpha beta gamma")
    angles = lk.coordinates("th1 th2 th3 th4")
    s = lk.coordinates("s")
    second = 2 * atan(sin((be + al) / 2) / sin((be - al) / 2) / tan(s / 2))  # at the end of a in the first linkage
    first = -second - sp.pi  # at the beginning of c in the second linkage
    other = 2 * atan(sin((be + ga) / 2) / sin((be - ga) / 2) / tan(first / 2))
    places = dict(zip(angles, (s, other, -first, -other + sp.pi - s), strict=True))
    bars = [(A + C, al + ga), (B, be), (C, ga), (A, al), (B, be)]
    return _open_chain("Goldberg linkage", rng, angles, bars, values, places, s)


def in_space(rng: np.random.Generator) -> Overconstrained:
    """Return a planar closed chain of 4 or 5 bars; bodies have six coordinates, hinges five rows; 1 or 2 freedoms."""
    bars = int(rng.integers(3, 5))  # that move
    values = {"m": rng.uniform(0.5, 2), "J": rng.uniform(0.1, 0.5), "g": GRAVITY}
    m, J, g = lk.parameters("m J g")
    lengths = [lk.parameters(f"l{k}") for k in range(bars + 1)]
    free, rows, T, V = [], [], 0, 0
    before = (sp.zeros(3, 1), sp.eye(3))  # end of the bar before, and its axes
    for k in range(bars):
        x, y, z, a, b, c = body = lk.coordinates(f"x{k} y{k} z{k} a{k} b{k} c{k}")
        R, centre, half = _cardan(a, b, c), sp.Matrix([x, y, z]), sp.Matrix([lengths[k] / 2, 0, 0])
        rows.append((f"hinge {k}", _hinge(before, (centre - R * half, R))))
        before = (centre + R * half, R)
        free += body
        T += m * sum(der(w) ** 2 for w in (x, y, z)) / 2 + J * sum(der(w) ** 2 for w in (a, b, c)) / 2
        V += m * g * y
    rows.append((f"hinge {bars}", _hinge(before, (sp.Matrix([lengths[bars], 0, 0]), sp.eye(3)))))
    L, directions = closed_polygon(rng, bars)
    values |= {f"l{k}": L[k] for k in range(bars + 1)}
    system = lk.System("chain in space", free, kinetic=T, potential=V, values=values)
    q, v = _planar_state(L, directions, _planar_rates(rng, L, directions))
    return Overconstrained(_constrained(system, rows), q, v, bars - 2)


FAMILIES: dict[str, Callable[[np.random.Generator], Overconstrained]] = {
    f.__name__: f for f in (grid, bennett, goldberg, in_space, door, scissors)
}


def random_linkage(seed: int) -> tuple[str, Overconstrained]:
    """Return the name of a family and one of its linkages; the families take turns."""
    name = list(FAMILIES)[seed % len(FAMILIES)]
    return name, FAMILIES[name](np.random.default_rng([20031, seed]))


# Parts


def _function(coordinates: Sequence, expressions: Sequence) -> Callable[[np.ndarray], list]:
    """Return a numeric function of the coordinates."""
    plain = [sp.Symbol(f"s{k}") for k in range(len(coordinates))]
    named = dict(zip(coordinates, plain, strict=True))
    return sp.lambdify([plain], [sp.sympify(e).xreplace(named) for e in expressions], "numpy")


def _constrained(system: lk.System, rows: Sequence) -> lk.System:
    """Return the system with the constraints (name, rows)."""
    for name, expressions in rows:
        system = system.constrain(name, expressions)
    return system


def _embedded(name, free, rows, values, energy, places, coordinates, s, s_rate) -> Overconstrained:
    """Return the system, and the same in minimal coordinates by substitution of `places` for its coordinates."""
    system = lk.System(name, list(free), kinetic=energy[0], potential=energy[1], values=values)
    numbers = {lk.parameters(key): sp.Float(x) for key, x in values.items()}
    places = {x: sp.sympify(e).xreplace(numbers) for x, e in places.items()}
    rates = {der(x): sum((sp.diff(e, c) * der(c) for c in coordinates), sp.Integer(0)) for x, e in places.items()}
    T, V = (sp.sympify(e).xreplace(rates).xreplace(places).xreplace(numbers) for e in energy)
    minimal = lk.System(f"{name} in minimal coordinates", list(coordinates), kinetic=T, potential=V)
    embedding = tuple(places[x] for x in free)
    s, s_rate = np.asarray(s, float), np.asarray(s_rate, float)
    empty = np.zeros(0)
    made = Overconstrained(system, empty, empty, len(coordinates), minimal, embedding, s, s_rate)
    state = (made.positions(s), made.velocities(s, s_rate))
    return Overconstrained(_constrained(system, rows), *state, len(coordinates), minimal, embedding, s, s_rate)


def _open_chain(name, rng, angles, bars, values, places, s) -> Overconstrained:
    """Return the chain of bars (length, twist), the last one the ground, closed by a joint of five rows.

    A bar is Rz(angle) Tx(length) Rx(twist) after Denavit and Hartenberg; there are point masses at the joints.
    """
    values |= {"m": rng.uniform(0.5, 2), "J": rng.uniform(0.05, 0.2), "g": GRAVITY}
    m, J, g = lk.parameters("m J g")
    R, p, T, V = sp.eye(3), sp.zeros(3, 1), 0, 0
    for angle, (length, twist) in zip(angles, bars[:-1], strict=True):
        R = R * _about_z(angle)
        p = p + R * sp.Matrix([length, 0, 0])
        R = R * _about_x(twist)
        speed = [sum(sp.diff(x, q) * der(q) for q in angles) for x in p]
        T += m * sum(w**2 for w in speed) / 2 + J * der(angle) ** 2 / 2
        V += m * g * p[2]
    length, twist = bars[-1]
    axis = R * sp.Matrix([0, 0, 1])
    closing = [p[0] + length, p[1], p[2], axis[0], cos(twist) * axis[1] - sin(twist) * axis[2]]
    begin = np.array([rng.uniform(0.4, 2.6)])
    rows = [("closing joint", closing)]
    return _embedded(name, angles, rows, values, (T, V), places, (s,), begin, 2 * rng.normal(size=1))


def _twists(rng: np.random.Generator, count: int) -> np.ndarray:
    """Return angles of twist between 0.3 and 1.3 that differ by at least 0.2."""
    while True:
        twists = rng.uniform(0.3, 1.3, count)
        if np.min(np.diff(np.sort(twists))) > 0.2:
            return twists


def _equal_lengths(rng, name: str, count: int, value: float, values: dict) -> list:
    """Return symbols of equal lengths: one parameter for all, or one for each, at random; add their values."""
    value = round(float(value), 4)
    if rng.random() < 0.5:
        values[name] = value
        return [lk.parameters(name)] * count
    values |= {f"{name}_{k}": value for k in range(count)}
    return [lk.parameters(f"{name}_{k}") for k in range(count)]


def _difference(first: Sequence, second: Sequence) -> list:
    """Return the differences of two points."""
    return [x - y for x, y in zip(first, second, strict=True)]


def _about_z(angle) -> sp.Matrix:
    return sp.Matrix([[cos(angle), -sin(angle), 0], [sin(angle), cos(angle), 0], [0, 0, 1]])


def _about_x(angle) -> sp.Matrix:
    return sp.Matrix([[1, 0, 0], [0, cos(angle), -sin(angle)], [0, sin(angle), cos(angle)]])


def _cardan(a, b, c) -> sp.Matrix:
    """Return R = Rz(c) Ry(b) Rx(a)."""
    about_y = sp.Matrix([[cos(b), 0, sin(b)], [0, 1, 0], [-sin(b), 0, cos(b)]])
    return _about_z(c) * about_y * _about_x(a)


def _hinge(first: tuple, second: tuple) -> list:
    """Return the rows of a hinge between frames (point, axes): equal points, and parallel z-axes."""
    axis = second[1][:, 2]
    return [*(second[0] - first[0]), axis.dot(first[1][:, 0]), axis.dot(first[1][:, 1])]


def closed_polygon(rng: np.random.Generator, bars: int) -> tuple[np.ndarray, np.ndarray]:
    """Return lengths (bars + 1, the last of the ground along x) and directions (bars) of a polygon far from a line."""
    while True:
        directions = rng.uniform(-np.pi, np.pi, bars)
        lengths = rng.uniform(0.4, 1.2, bars)
        end = np.array([lengths @ np.cos(directions), lengths @ np.sin(directions)])
        turn = np.arctan2(end[1], end[0])
        directions -= turn
        corners = np.abs(np.sin(np.diff(np.append(directions, 0.0))))
        if np.hypot(*end) > 0.3 and corners.min() > 0.3 and abs(np.sin(directions[0])) > 0.3:
            return np.append(lengths, np.hypot(*end)), directions


def _planar_rates(rng, lengths, directions) -> np.ndarray:
    """Return random rates of the directions that keep the polygon closed."""
    bars = len(directions)
    J = np.array([-lengths[:bars] * np.sin(directions), lengths[:bars] * np.cos(directions)])
    drawn = rng.normal(size=bars)
    return drawn - np.linalg.pinv(J) @ (J @ drawn)


def _planar_state(lengths, directions, rates) -> tuple[np.ndarray, np.ndarray]:
    """Return q, v of the bodies x, y, z, a, b, c of a planar chain."""
    q, v, end, speed = [], [], np.zeros(2), np.zeros(2)
    for length, c, w in zip(lengths, directions, rates, strict=False):
        way, turn = length * np.array([np.cos(c), np.sin(c)]), length * w * np.array([-np.sin(c), np.cos(c)])
        q += [*(end + way / 2), 0, 0, 0, c]
        v += [*(speed + turn / 2), 0, 0, 0, w]
        end, speed = end + way, speed + turn
    return np.array(q, float), np.array(v, float)
