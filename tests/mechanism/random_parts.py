"""Elements of random mechanisms: what each exerts and holds, in NumPy, and its call of the package."""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from independent_mechanics import Z, constraint_matrix, effort_wrench, null_space, rope_pulls, turned

import lienket as lk

ALONG = ("motor", "torsion_spring", "torsion_damper", "motion")
HOLDING = ("rod", "rope", "motion", "gear", "rack", "rolling")
KINDS = ("spring", "spring", "damper", "torsion_spring", "torsion_damper", "motor", "force", "torque", *HOLDING)


@dataclass
class Part:
    """An element: `spots` are (body, position), `coordinates` names, `numbers` what it is stated with."""

    kind: str
    name: str
    spots: list = field(default_factory=list)
    coordinates: list = field(default_factory=list)
    numbers: dict = field(default_factory=dict)

    # Independent mechanics

    def _points(self, motion, order=0):
        return [motion.point(body, r)[order] for body, r in self.spots]

    def _line(self, motion):
        """Return the unit vector from the first spot to the second, their distance and its rate."""
        d, rate = (np.subtract(*self._points(motion, k)[::-1]) for k in (0, 1))
        length = np.linalg.norm(d)
        return d / length, length, d @ rate / length

    def _wheel(self, motion):
        """Return the directions n, m of the line, in the ground."""
        n = motion.rotation(self.spots[0][0]) @ turned(Z, self.numbers["angle"]) @ self.numbers["axis"]
        return n, np.cross(Z, n)

    def errors(self, motion):
        """Return what must vanish of the velocities."""
        if self.kind == "rod":
            return [self._line(motion)[2]]
        if self.kind == "rope":
            return [-np.sum(rope_pulls(np.array(self._points(motion))) * self._points(motion, 1))]
        if self.kind == "motion":
            return [motion.rate(self.coordinates[0]) - self.numbers["speed"]]
        if self.kind in ("gear", "rack"):
            one, other = map(motion.rate, self.coordinates)
            return [one - self.numbers["factor"] * other]
        if self.kind == "rolling":
            n, m = self._wheel(motion)
            line, wheel = self.spots[0][0], self.spots[1][0]
            (p, q), (u, v) = self._points(motion), self._points(motion, 1)
            w, turning = motion.turning(line)[0], motion.turning(wheel)[0]
            relative = v - u - np.cross(w, q - p)
            return [m @ relative, n @ relative + self.numbers["radius"] * (turning - w)[2]]
        return []

    def expected(self, motion):
        """Return the effort that follows from the motion, None for what is held."""
        n = self.numbers
        if self.kind == "spring":
            return n["stiffness"] * (self._line(motion)[1] - n["length"])
        if self.kind == "damper":
            return n["damping"] * self._line(motion)[2]
        if self.kind == "motor":
            return n["effort"]
        if self.kind == "torsion_spring":
            link, k = motion.drawn.coordinate[self.coordinates[0]]
            return -n["stiffness"] * (link.q[k] - n["angle"])
        if self.kind == "torsion_damper":
            return -n["damping"] * motion.rate(self.coordinates[0])
        return None

    def exerted(self, motion, effort):
        """Return (body, point, force, torque) for all that it exerts; of a wheel `effort` are both multipliers."""
        n, zero = self.numbers, np.zeros(3)
        if self.kind in ("spring", "damper", "rod"):
            e = self._line(motion)[0] * effort
            pairs = zip(self.spots, self._points(motion), (e, -e), strict=True)
            return [(body, point, force, zero) for (body, _), point, force in pairs]
        if self.kind == "rope":
            points = np.array(self._points(motion))
            return [(s[0], p, effort * f, zero) for s, p, f in zip(self.spots, points, rope_pulls(points), strict=True)]
        if self.kind == "rolling":
            along, across = self._wheel(motion)
            force = effort[0] * across + effort[1] * along
            contact = self._points(motion)[1] - n["radius"] * across
            return [(self.spots[1][0], contact, force, zero), (self.spots[0][0], contact, -force, zero)]
        if self.kind == "torque":
            return [(self.spots[0][0], zero, zero, n["vector"])]
        if self.kind == "force":
            turn = motion.rotation(self.spots[0][0]) @ n["R"] if n["follow"] else np.eye(3)
            return [(self.spots[0][0], self._points(motion)[0], turn @ n["vector"], zero)]
        factors = (1, -n["factor"]) if self.kind in ("gear", "rack") else (1,)
        found = []
        for name, factor in zip(self.coordinates, factors, strict=True):
            link, k = motion.drawn.coordinate[name]
            force, torque = (factor * effort * x for x in effort_wrench(link, k, motion, motion.drawn.planar))
            point = motion.point(link.second.body, link.second.r)[0]
            found += [(link.second.body, point, force, torque), (link.first.body, point, -force, -torque)]
        return found

    # The package

    def build(self, m, handles, drawn):
        """Add the element to a mechanism of the package."""
        flat, n, number = drawn._flat, self.numbers, drawn.number
        spots = [handles[body].at(*(number(x) for x in flat(r))) for body, r in self.spots]
        if self.kind == "rope":
            m.rope(self.name, spots, length=n["length"])
        elif self.kind == "torque":
            value = number(n["vector"][2]) if drawn.planar else flat(n["vector"])
            m.torque(self.name, handles[self.spots[0][0]], value)
        elif self.kind == "force":
            body, r = self.spots[0]
            turn = {"angle": n["angle"]} if drawn.planar else {"rotation": n["R"]}
            m.force(self.name, handles[body].at(*flat(r), **turn), flat(n["vector"]), follow=n["follow"])
        elif self.kind == "motor":
            m.motor(self.name, self.coordinates[0], number(n["effort"]) + lk.t)
        elif self.kind == "motion":
            f = n["position"] + n["speed"] * lk.t + n["acceleration"] * lk.t**2 / 2
            m.motion(self.name, self.coordinates[0], f)
        elif self.kind == "gear":
            m.gear(self.name, *self.coordinates, ratio=number(n["factor"]), phase=n["phase"])
        elif self.kind == "rack":
            m.rack(self.name, *self.coordinates[::-1], radius=number(n["factor"]), phase=n["phase"])
        elif self.kind == "rolling":
            (line, r), _ = self.spots
            at = handles[line].at(*flat(r), angle=n["angle"])
            m.rolling(self.name, at, spots[1], radius=n["radius"], axis=flat(2 * n["axis"]))
        else:
            getattr(m, self.kind)(self.name, *spots, *self.coordinates, **{k: number(x) for k, x in n.items()})


def drawn_parts(drawn, count):
    """Return random elements; one that holds something must leave a freedom and be independent of what is held."""
    parts = []
    for k in range(count):
        part = _part(drawn, f"E{k + 1}")
        if part is None:
            continue
        parts.append(part)
        if part.kind in HOLDING:
            if not _adds_its_rows(drawn, parts):
                parts.pop()
            drawn.parts = parts
    return parts


def _adds_its_rows(drawn, parts):
    """Return whether the last part adds as many independent rows as it has, and leaves a freedom."""
    ranks = []
    for some in (parts[:-1], parts):
        drawn.parts = some
        G, _ = constraint_matrix(drawn, drawn.names, drawn.q)
        D, _ = null_space(G)
        ranks.append((len(G), len(drawn.names) - D.shape[1]))
    (rows, rank), (more, higher) = ranks
    return higher - rank == more - rows and higher < len(drawn.names)


def _part(drawn, name):
    """Return a random element, None if there is no joint or body for it."""
    rng = drawn.rng
    kind = rng.choice(KINDS)
    part = Part(kind, name)
    if kind in ALONG or kind in ("gear", "rack"):
        usable = [x for x in drawn.coordinate if x[-3:-1] != "_e"]
        wanted = 1 if kind in ALONG else 2
        if len(usable) < wanted:
            return None
        part.coordinates = [str(x) for x in rng.choice(usable, wanted, replace=False)]
        values = [link.q[k] for link, k in map(drawn.coordinate.get, part.coordinates)]
        part.numbers = _numbers_along(kind, values, rng)
        return part
    count = {"rope": 3, "force": 1, "torque": 1}.get(kind, 2)
    bodies = list(drawn.place)
    if count == 1:
        bodies.remove("ground")
    if count > len(bodies) or (kind == "rolling" and not drawn.planar):
        return None
    part.spots = [(str(b), drawn._vector(0.7)) for b in rng.choice(bodies, count, replace=False)]
    points = np.array([(drawn.place[b] @ np.r_[r, 1])[:3] for b, r in part.spots])
    length = sum(np.linalg.norm(b - a) for a, b in pairwise(points))
    part.numbers = _numbers_between(kind, length, rng)
    if kind in ("force", "torque"):
        part.numbers["vector"] = drawn._vector(5) if kind == "force" or not drawn.planar else rng.uniform(-5, 5) * Z
    if kind == "force":
        angle = rng.uniform(-2, 2)
        R = turned(Z, angle) if drawn.planar else drawn._rotation()
        part.numbers |= {"R": R, "angle": angle, "follow": bool(rng.random() < 0.5)}
    if kind == "rolling":
        _put_wheel_on_line(part, drawn)
    return part


def _numbers_along(kind, values, rng):
    if kind in ("gear", "rack"):
        factor = rng.uniform(0.3, 2) * rng.choice([-1, 1])
        return {"factor": factor, "phase": values[0] - factor * values[1]}
    return {
        "motor": {"effort": rng.uniform(-3, 3)},
        "torsion_spring": {"stiffness": rng.uniform(1, 5), "angle": rng.uniform(-1, 1)},
        "torsion_damper": {"damping": rng.uniform(0.1, 2)},
        "motion": {"position": values[0], "speed": rng.uniform(-1, 1), "acceleration": rng.uniform(-2, 2)},
    }[kind]


def _numbers_between(kind, length, rng):
    return {
        "spring": {"stiffness": rng.uniform(1, 9), "length": rng.choice([0.0, 0.5])},
        "damper": {"damping": rng.uniform(0.1, 2)},
        "rod": {"length": length},
        "rope": {"length": length},
    }.get(kind, {})


def _put_wheel_on_line(part, drawn):
    """Move the line so that the wheel touches it, on its left side."""
    rng, (line, _), (wheel, r) = drawn.rng, *part.spots
    n, angle, radius = drawn._axis(), rng.uniform(-2, 2), rng.uniform(0.2, 0.6)
    in_body = turned(Z, angle) @ n
    centre = np.linalg.inv(drawn.place[line]) @ drawn.place[wheel] @ np.r_[r, 1]
    start = centre[:3] - radius * np.cross(Z, in_body) + rng.uniform(-1, 1) * in_body
    part.spots[0] = (line, start)
    part.numbers = {"axis": n, "angle": angle, "radius": radius}
