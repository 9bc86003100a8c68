"""A chain of links from the ground: the matrix T = t_1 ... t_k of its last link and the derivatives of it (theory 11).

The derivative by the variable of joint i has Omega_i put in behind t_i. Carried to the ground, S_i = B_i Omega_i B_i^-1
with B_i = t_1 ... t_i, it stands in front, so that no product is ever differentiated or formed twice:

    d_i T = t_1 ... t_i Omega_i t_(i+1) ... t_k = S_i T,        d_i d_j T = S_i S_j T   (i before j in the chain)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp
from sympy import ImmutableMatrix as Matrix

from ..language.faults import Faults
from ..language.symbols import is_coordinate_like
from ..language.traversal import subexpressions
from .joints import Link, fixed_pair
from .link_motion import QUARTER, Motion, motion_of
from .transmission import Transmission, point

ZERO: Matrix = Matrix.zeros(3, 3)


@dataclass(frozen=True, init=False)
class KinematicChain:
    """Links one behind the other, the first on the ground. `chain[:2]` is its beginning, `chain + [link]` a longer one.

    Bodies on a tree have each their own chain; the chains share their first links. `at` is always a point (x, y) in the
    frame of the last link; positions, velocities and accelerations come in the axes of the ground, 2 x 1.
    """

    links: tuple[Link, ...]

    def __init__(self, links: Iterable[Link] = ()) -> None:
        object.__setattr__(self, "links", tuple(links))

    def __len__(self) -> int:
        return len(self.links)

    def __getitem__(self, part: slice) -> KinematicChain:
        """The links from the ground to some link."""
        if not isinstance(part, slice) or part.start not in (None, 0) or part.step not in (None, 1):
            raise TypeError("a chain begins on the ground: write chain[:2] for its first two links")
        return KinematicChain(self.links[part])

    def __add__(self, more: Iterable[Link]) -> KinematicChain:
        return KinematicChain((*self.links, *(more.links if isinstance(more, KinematicChain) else more)))

    @cached_property
    def coordinates(self) -> tuple[Any, ...]:
        """The coordinates that move it, in the order of the joints."""
        inside = (sorted(filter(is_coordinate_like, subexpressions(link.variable)), key=str) for link in self.links)
        return tuple(dict.fromkeys(x for found in inside for x in found))

    # The matrices

    @cached_property
    def transmission(self) -> Transmission:
        """The product T = t_1 ... t_k by its angle and displacement."""
        return self._products[-1]

    @property
    def T(self) -> Matrix:
        """T = t_1 ... t_k, 3 x 3: a point r of the last link is at T r."""
        return self.transmission.matrix

    @property
    def angle(self) -> Any:
        """The angle of the last link to the ground."""
        return self.transmission.angle

    @cached_property
    def generators(self) -> tuple[Matrix, ...]:
        """S_i = B_i Omega_i B_i^-1 for each joint, 3 x 3 each, with d_i T = S_i T."""
        pairs = zip(self._products[1:], self.links, strict=True)
        return tuple(product.carried(link.omega) for product, link in pairs)

    def derivative(self, by: Any) -> Matrix:
        """dT/dq by the coordinate `by`, 3 x 3: sum of d_i T (d variable_i/dq)."""
        return _sum(slope * factor for slope, factor in zip(self._slopes, self._factors(by), strict=True))

    def second_derivative(self, by: Any, and_by: Any) -> Matrix:
        """d2T/dq dp by the coordinates `by` and `and_by`, 3 x 3."""
        bent = [factor.diff(and_by) for factor in self._factors(by)]
        first = _sum(slope * factor for slope, factor in zip(self._slopes, bent, strict=True))
        return first + self._curved(self._factors(by), self._factors(and_by))

    @cached_property
    def motion(self) -> Motion:
        """The velocity and acceleration of the last link."""
        return motion_of(self.links, self._products)

    @cached_property
    def rate(self) -> Matrix:
        """T' = sum of d_i T variable_i', 3 x 3, in the short form of `link_motion`."""
        R = self.T[:2, :2]
        return _with_row(self.motion.omega * R * QUARTER, self.motion.v)

    @cached_property
    def second_rate(self) -> Matrix:
        """T'' = sum of d_i T variable_i'' + sum of d_i d_j T variable_i' variable_j', 3 x 3, in the same form."""
        R, motion = self.T[:2, :2], self.motion
        return _with_row(motion.alpha * R * QUARTER - motion.omega**2 * R, motion.a)

    # Points

    def position(self, at: Iterable[Any] = (0, 0)) -> Matrix:
        """Where a point of the last link is: T r."""
        return _upper(self.T * column(at))

    def velocity(self, at: Iterable[Any] = (0, 0)) -> Matrix:
        """The velocity of a point: T' r = sum of d_iT r q_i' (theory 11)."""
        return _upper(self.rate * column(at))

    def acceleration(self, at: Iterable[Any] = (0, 0)) -> Matrix:
        """The acceleration of a point: sum of d_iT r q_i'' + sum of d_i d_jT r q_i' q_j' (theory 11)."""
        return _upper(self.second_rate * column(at))

    def jacobian(self, at: Iterable[Any], coordinates: Iterable[Any]) -> Matrix:
        """The derivatives of the position of a point by the coordinates, 2 x n: columns d_iT r."""
        r = column(at)
        return Matrix.hstack(*(_upper(self.derivative(q) * r) for q in coordinates))

    # Inside

    @cached_property
    def _products(self) -> tuple[Transmission, ...]:
        """B_0 = 1, B_1 = t_1, B_2 = t_1 t_2, ..., B_k = T."""
        products = [Transmission()]
        for link in self.links:
            products.append(products[-1] @ link.t)
        return tuple(products)

    def _factors(self, by: Any) -> list[Any]:
        return [link.variable.diff(by) for link in self.links]

    @cached_property
    def _slopes(self) -> tuple[Matrix, ...]:
        """d_i T = S_i T for each joint."""
        return tuple(S * self.T for S in self.generators)

    def _curved(self, first: list[Any], second: list[Any]) -> Matrix:
        """The sum of d_i d_j T first_i second_j."""
        k = range(len(self.links))
        pairs = ((min(i, j), max(i, j), first[i] * second[j]) for i in k for j in k)
        return _sum(self.generators[i] * self._slopes[j] * factor for i, j, factor in pairs if factor != 0)


def column(at: Iterable[Any]) -> Matrix:
    """The column (x, y, 1) of a point given in the frame of its link."""
    faults = Faults()
    x, y = fixed_pair(at, "at", faults)
    faults.raise_any("The point")
    return point(x, y)


def _sum(terms: Iterable[Matrix]) -> Matrix:
    return sum(terms, start=ZERO)


def _with_row(block: sp.MatrixBase, last: sp.MatrixBase) -> Matrix:
    """[block, last; 0, 0], 3 x 3."""
    return Matrix(sp.Matrix.vstack(sp.Matrix.hstack(block, last), sp.zeros(1, 3)))


def _upper(three: sp.MatrixBase) -> Matrix:
    return Matrix(three[:2, 0])
