"""Random planar and spatial mechanisms, assembled at a known state, built through the public interface.

All bodies are placed first; the places of a joint are then chosen so that it is satisfied there at coordinates that are
drawn too. So loops are closed by construction, and no number comes from the package.
"""

from dataclasses import dataclass, field

import numpy as np
import sympy as sp
from independent_mechanics import (
    X,
    Y,
    Z,
    constraint_matrix,
    frame,
    jet,
    joint_jet,
    null_space,
    parameters_of,
    times,
    turn_jet,
    turned,
)
from random_parts import drawn_parts

import lienket as lk

EULER = ("_e0", "_e1", "_e2", "_e3")
SUFFIXES = {
    "revolute": ("",),
    "prismatic": ("",),
    "screw": ("",),
    "weld": (),
    "slot": ("_distance", "_angle"),
    "cylindrical": ("_distance", "_angle"),
    "universal": ("_angle1", "_angle2"),
    "spherical": EULER,
    "xyz": ("_angle1", "_angle2", "_angle3"),
    "planar": ("_x", "_y", "_angle"),
    "free": ("_x", "_y", "_z", *EULER),
}
PLANAR_KINDS = ("revolute", "revolute", "prismatic", "slot", "free", "weld")
SPATIAL_KINDS = tuple(kind for kind in SUFFIXES if kind != "slot")
SIMPLE_AXES = (X, -X, Y, -Y, Z, -Z)
SMALLEST = 0.05  # [1] least singular value of the independent rows: nearer to singular positions digits are lost


@dataclass
class Spot:
    """A place: rotation R and position r on a body, which may move with time: r + r1 t + r2 t^2/2, R Rot(z, w t)."""

    body: str
    R: np.ndarray
    r: np.ndarray
    drift: np.ndarray = field(default_factory=lambda: np.zeros((2, 3)))
    w: float = 0.0
    turns: int = 0

    @property
    def angle(self):
        """Angle of the axes in the plane, with whole turns."""
        return float(np.arctan2(self.R[1, 0], self.R[0, 0]) + 2 * np.pi * self.turns)

    def jet(self):
        still = jet([self.R, 0 * self.R, 0 * self.R], [self.r, *self.drift])
        return times(still, turn_jet(Z, (0, self.w, 0)))


@dataclass
class Link:
    """A joint with its coordinates `q` in the drawn position."""

    name: str
    kind: str
    coordinates: list
    q: np.ndarray
    axis: np.ndarray = None
    second_axis: np.ndarray = None
    pitch: float = 0.0
    first: Spot = None
    second: Spot = None

    @property
    def euler(self):
        return self.coordinates[-1:] and self.coordinates[-1].endswith("_e3")


@dataclass
class Body:
    name: str
    mass: float
    centre: np.ndarray
    J: np.ndarray


class Drawn:
    """A random mechanism: bodies, joints (`links`), elements (`parts`), and a consistent state."""

    def __init__(self, seed, planar, bodies=3, loops=0, parts=3, moving=False, rigid=False):
        self.planar, self.moving = planar, moving
        self.kinds = PLANAR_KINDS if planar else SPATIAL_KINDS
        self.free_suffixes = ("_x", "_y", "_angle") if planar else SUFFIXES["free"]
        self.free_joint = Link("", "free", [], None)
        for attempt in range(500):
            self.rng = np.random.default_rng([seed, attempt, planar])
            self._draw(bodies, loops, parts)
            if self._is_fit(rigid):
                break
        else:
            raise AssertionError(f"seed {seed}: no mechanism found")

    def __repr__(self):
        kinds = " ".join(x.kind + ("*" if x.name in self.cut else "") for x in self.links)
        return f"{kinds} + {' '.join(part.kind for part in self.parts)}"

    # Drawing

    def _draw(self, bodies, loops, parts):
        self.place, self.bodies, self.links, self.parts = {"ground": np.eye(4)}, [], [], []
        self.gravity = self._vector(10)
        for k in range(bodies):
            self._add_body(f"B{k + 1}")
        for _ in range(loops):
            self._close_loop()
        self.links = [self.links[k] for k in self.rng.permutation(len(self.links))]
        self.coordinate = {x: (link, k) for link in self.links for k, x in enumerate(link.coordinates)}
        self.body = {body.name: body for body in self.bodies}
        self.cut = cut_joints(self.links)
        self.names = [x for link in self.links if link.name not in self.cut for x in link.coordinates]
        self.q = np.array([link.q[k] for link, k in map(self.coordinate.get, self.names)])
        if self.planar:
            self._count_turns()
        self.parts = drawn_parts(self, parts)

    def _count_turns(self):
        """Find the angles of the bodies along the tree, and turn places of cut joints so that theirs are as drawn."""
        self.angle, todo = {"ground": 0.0}, sorted(self.links, key=lambda x: x.name in self.cut)
        while todo:
            link = next(x for x in todo if {x.first.body, x.second.body} & set(self.angle))
            todo.remove(link)
            own = {"revolute": 0, "slot": 1, "free": 2}.get(link.kind)
            turn = (0.0 if own is None else link.q[own]) + link.first.angle - link.second.angle
            one, other = link.first.body, link.second.body
            if one in self.angle and other in self.angle:
                link.second.turns = round((turn + self.angle[one] - self.angle[other]) / (2 * np.pi))
            elif one in self.angle:
                self.angle[other] = self.angle[one] + turn
            else:
                self.angle[one] = self.angle[other] - turn

    def _add_body(self, name):
        rng = self.rng
        points = rng.normal(size=(4, 3)) * 0.3
        S = points.T @ points
        J = np.trace(S) * np.eye(3) - S
        centre = rng.uniform(-0.4, 0.4, 3)
        if self.planar:
            J, centre = np.diag([0, 0, J[2, 2]]), centre * [1, 1, 0]
        elif rng.random() < 0.3:
            J = np.diag(np.diag(J))
        parent = rng.choice(list(self.place))
        self.bodies.append(Body(name, rng.uniform(0.5, 2), centre, J))
        if rng.random() < 0.35:  # neither place is turned: the body goes where the joint leads it
            one, other = (frame(np.eye(3), self._vector(0.6)) for _ in range(2))
            self.place[name] = np.eye(4)
            first, second = self._ends(parent, name)
            link = self._link(first, second)
            J = joint_jet(link, self.planar, np.array([link.q, 0 * link.q, 0 * link.q]))[0]
            link.first, link.second = Spot(first, np.eye(3), one[:3, 3]), Spot(second, np.eye(3), other[:3, 3])
            step = one @ J @ np.linalg.inv(other)
            self.place[name] = self.place[parent] @ (step if second == name else np.linalg.inv(step))
        else:
            self.place[name] = frame(self._rotation(), self._vector(1.0))
            self._link(*self._ends(parent, name), fitted=True)

    def _close_loop(self):
        first, second = self.rng.choice(list(self.place), 2, replace=False)
        self._link(first, second, fitted=True)

    def _ends(self, parent, name):
        return (name, parent) if self.rng.random() < 0.4 else (parent, name)

    def _link(self, first, second, fitted=False):
        rng = self.rng
        kind = rng.choice(self.kinds)
        name = f"J{len(self.links) + 1}"
        suffixes = self.free_suffixes if kind == "free" else SUFFIXES[kind]
        link = Link(name, kind, [name + x for x in suffixes], None, self._axis(), self._axis(), rng.uniform(-2, 2))
        if self.planar and kind == "revolute":
            link.axis = Z
        while abs(link.axis @ link.second_axis) > 0.7 and not self.planar:
            link.second_axis = self._axis()
        link.q = np.array([rng.uniform(-1, 1) * (0.5 if x in ("_x", "_distance") else 1) for x in suffixes])
        if suffixes[-4:] == EULER:
            link.q[-4:] = parameters_of(self._rotation()) * rng.choice([-1, 1])
        self.links.append(link)
        if fitted:
            at = frame(self._rotation(), self._vector(1.0))
            J = joint_jet(link, self.planar, np.array([link.q, 0 * link.q, 0 * link.q]))[0]
            ends = (np.linalg.inv(self.place[body]) @ T for body, T in ((first, at), (second, at @ J)))
            link.first, link.second = (Spot(b, T[:3, :3], T[:3, 3]) for b, T in zip((first, second), ends, strict=True))
            if self.moving:
                for spot in (link.first, link.second):
                    if rng.random() < 0.4:
                        spot.drift, spot.w = np.array([self._vector(1), self._vector(1)]), rng.uniform(-1, 1)
        return link

    def _vector(self, size):
        return self.rng.uniform(-size, size, 3) * ([1, 1, 0] if self.planar else 1)

    def _axis(self):
        if self.planar:
            n = self._vector(1)
        else:
            n = SIMPLE_AXES[self.rng.integers(6)] if self.rng.random() < 0.5 else self.rng.normal(size=3)
        return n / np.linalg.norm(n)

    def _rotation(self):
        n = Z if self.planar else self._axis()
        return turned(n, self.rng.uniform(-2, 2))

    # State

    def _is_fit(self, rigid):
        G, b = constraint_matrix(self, self.names, self.q)
        D, least = null_space(G)
        self.freedom = D.shape[1]
        if least < SMALLEST or (self.freedom == 0) != rigid or (rigid and b.any()):
            return False
        v = np.linalg.lstsq(G, -b, rcond=None)[0] if len(G) else np.zeros(len(self.names))
        self.v = v + D @ self.rng.uniform(-1.5, 1.5, self.freedom)
        return bool(np.abs(G @ self.v + b).max(initial=0.0) < 1e-12 and np.abs(self.v).max(initial=0.0) < 10)

    # Building

    def build(self):
        """Return the mechanism of the package."""
        self.values, room = {}, lk.planar if self.planar else lk.spatial
        self._symbols = np.random.default_rng(len(self.links) + len(self.parts))
        m = room.Mechanism("drawn", gravity=self._flat(self.gravity), values=self.values)
        handles = {"ground": m.ground}
        for body in self.bodies:
            J = body.J[2, 2] if self.planar else body.J
            centre = self._flat(body.centre)
            handles[body.name] = m.body(body.name, mass=self.number(body.mass), inertia=J, centre=centre)
        for link in self.links:
            ends = [self._at(handles[spot.body], spot) for spot in (link.first, link.second)]
            getattr(m, "spherical" if link.kind == "xyz" else link.kind)(link.name, *ends, **self._options(link))
        for part in self.parts:
            part.build(m, handles, self)
        m._values.update(self.values)
        return m

    def number(self, x):
        """Return a number, now and then as a parameter with this value."""
        if self._symbols.random() > 0.08:
            return float(x)
        symbol = lk.parameters(f"p{len(self.values)}")
        self.values[symbol] = float(x)
        return symbol

    def _flat(self, r):
        return [float(x) for x in (r[:2] if self.planar else r)]

    def _at(self, handle, spot):
        r = [self.number(x) for x in self._flat(spot.r)]
        w = spot.w * lk.t if spot.w else 0
        for k, (speed, acceleration) in enumerate(np.transpose(spot.drift)[: len(r)]):
            r[k] = r[k] + speed * lk.t + acceleration * lk.t**2 / 2 if speed else r[k]
        if self.planar:
            return handle.at(*r, angle=spot.angle + w)
        if np.array_equal(spot.R, np.eye(3)):
            return handle.at(*r)
        if not spot.w:
            return handle.at(*r, rotation=spot.R)
        own = sp.Matrix([[sp.cos(w), -sp.sin(w), 0], [sp.sin(w), sp.cos(w), 0], [0, 0, 1]])
        return handle.at(*r, rotation=sp.Matrix(spot.R.tolist()) * own)

    def _options(self, link):
        """Return the further arguments of a joint; the length of an axis does not matter."""
        axis = self._flat(link.axis * 1.7)
        if link.kind == "universal":
            return {"axes": (axis, self._flat(link.second_axis))}
        if link.kind == "screw":
            return {"axis": axis, "pitch": self.number(link.pitch)}
        if link.kind == "xyz":
            return {"angles": "xyz"}
        turns = ("weld", "free", "spherical") + (("revolute",) if self.planar else ())
        return {} if link.kind in turns else {"axis": axis}


def cut_joints(links):
    """Return the names of the joints whose bodies are connected already, in the order of statement."""
    groups, cut = {}, []
    for link in links:
        a, b = (groups.setdefault(spot.body, {spot.body}) for spot in (link.first, link.second))
        if a is b:
            cut.append(link.name)
            continue
        a |= b
        groups.update(dict.fromkeys(b, a))
    return cut
