"""The mechanisms as robot programs see them: planar trees of revolute joints, closed by pins.

Link i turns about a pin on its parent (or on the ground). Its frame lies in that pin, its angle is the sum of the joint
angles up to it. A closure pins a point of one link to a point of another, or to the ground.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import numpy as np

from .andrews import Andrews
from .chain import Chain
from .problems import GRAVITY, FourBars, Problem, Rods
from .run import Cannot

Point = tuple[float, float]


@dataclass(frozen=True)
class Link:
    """The parent (-1 is the ground), the pin in the parent's frame, mass, centre in the own frame, inertia about it."""

    parent: int
    pin: Point
    mass: float
    centre: Point
    inertia: float


@dataclass(frozen=True)
class Closure:
    """A point of one link meets a point of another; -1 is the ground."""

    first: int
    at: Point
    second: int
    there: Point


@dataclass(frozen=True)
class Spring:
    """A spring from a point of a link to a point of the ground."""

    link: int
    at: Point
    ground: Point
    stiffness: float
    length: float


@dataclass(frozen=True)
class Tree:
    """Links in an order in which parents come first; joint angles = `joints` times the problem's coordinates.

    `back` gives the coordinates from the joint angles where there are more of them.
    """

    links: list[Link]
    closures: list[Closure]
    joints: np.ndarray
    gravity: float
    torques: dict[int, float] = field(default_factory=dict)
    springs: list[Spring] = field(default_factory=list)
    back: Callable[[np.ndarray], np.ndarray] | None = None

    def absolute(self, joints: np.ndarray) -> np.ndarray:
        """Return the angles of the links from those of the joints; also for their rates."""
        found = np.zeros(len(self.links))
        for i, link in enumerate(self.links):
            found[i] = joints[i] + (found[link.parent] if link.parent >= 0 else 0.0)
        return found

    def relative(self, angles: np.ndarray) -> np.ndarray:
        """Return the angles of the joints from those of the links."""
        return np.array(
            [x - (angles[i.parent] if i.parent >= 0 else 0.0) for x, i in zip(angles, self.links, strict=True)]
        )

    def coordinates(self, joints: np.ndarray) -> np.ndarray:
        """Return the problem's coordinates from the joint angles."""
        return np.linalg.solve(self.joints, joints) if self.back is None else self.back(joints)


def tree_of(problem: Problem, without: str) -> Tree:
    """Return the tree of a problem; the carriage is none, for the reason `without`."""
    if isinstance(problem.case, Chain):
        return chain_tree(problem.case)
    if isinstance(problem.case, Andrews):
        return squeezer_tree(problem.case)
    if isinstance(problem.case, Rods):
        return rods_tree(problem.case)
    if isinstance(problem.case, FourBars):
        return four_bars_tree(problem.case)
    raise Cannot(without)


def chain_tree(case: Chain) -> Tree:
    """Return the chain from the origin to the pin (d, 0)."""
    links, before = [], 0.0
    for i, (m, length) in enumerate(zip(case.masses, case.lengths, strict=True)):
        links.append(Link(i - 1, (before, 0.0), m, (length / 2, 0.0), m * length**2 / 12))
        before = length
    end = Closure(case.n - 1, (before, 0.0), -1, (case.distance, 0.0))
    return Tree(links, [end], np.eye(case.n) - np.eye(case.n, k=-1), case.gravity)


def four_bars_tree(case: FourBars) -> Tree:
    """Rocker, coupler, rocker, coupler ...; each coupler hangs on its rocker and is pinned to the next one's tip."""
    links, closures, joints = [], [], np.zeros((2 * case.N + 1, 2 * case.N + 1))
    for i in range(case.N + 1):
        links.append(Link(-1, (float(i), 0.0), 1.0, (0.5, 0.0), 1 / 12))
        joints[2 * i, i] = 1.0
        if i < case.N:
            links.append(Link(2 * i, (1.0, 0.0), 1.0, (0.5, 0.0), 1 / 12))
            closures.append(Closure(2 * i + 1, (1.0, 0.0), 2 * i + 2, (1.0, 0.0)))
            joints[2 * i + 1, [case.N + 1 + i, i]] = 1.0, -1.0
    return Tree(links, closures, joints, GRAVITY)


def rods_tree(case: Rods) -> Tree:
    """Return the same tree: robot programs choose coordinates themselves."""
    tree = four_bars_tree(case)
    angles = np.kron(np.eye(2 * case.N + 1), [0.0, 0.0, 1.0])
    return replace(tree, joints=tree.joints @ angles, back=lambda joints: case.bodies(tree.coordinates(joints)))


def squeezer_tree(case: Andrews) -> Tree:
    """Crank and rod; body 3 on B; body 5 with 4, body 7 with 6, both on A. The rod's end E meets 3, 4 and 6."""
    k = SimpleNamespace(**dict(zip(case.names, case.numbers, strict=True)))
    links = [
        Link(-1, (0.0, 0.0), k.m1, (k.ra, 0.0), k.I1),
        Link(0, (k.rr, 0.0), k.m2, (-k.da, 0.0), k.I2),
        Link(-1, (k.xb, k.yb), k.m3, (k.sb, -k.sa), k.I3),
        Link(-1, (k.xa, k.ya), k.m5, (k.ta, k.tb), k.I5),
        Link(3, (k.zt, 0.0), k.m4, (0.0, k.ea - k.e), k.I4),
        Link(-1, (k.xa, k.ya), k.m7, (-k.ub, -k.ua), k.I7),
        Link(5, (0.0, -k.u), k.m6, (k.zf - k.fa, 0.0), k.I6),
    ]
    ends = {2: (0.0, -k.ss), 4: (0.0, -k.e), 6: (k.zf, 0.0)}
    closures = [Closure(1, (-k.d, 0.0), link, point) for link, point in ends.items()]
    joints = np.eye(7)[[0, 1, 2, 4, 3, 6, 5]]
    spring = Spring(2, (k.sd, -k.sc), (k.xc, k.yc), k.c0, k.l0)
    return Tree(links, closures, joints, 0.0, {0: k.mom}, [spring])
