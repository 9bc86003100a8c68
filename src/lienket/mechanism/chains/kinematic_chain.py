"""Chain of links from the ground: the matrix T = t_1 ... t_k of its last link and its derivatives (theory 11).

The derivative by the variable of joint i has Omega_i inserted after t_i. Transformed to the ground,
S_i = B_i Omega_i B_i^-1 with B_i = t_1 ... t_i, it is a left factor, so that no product is differentiated or formed
twice:

    d_i T = t_1 ... t_i Omega_i t_(i+1) ... t_k = S_i T,        d_i d_j T = S_i S_j T   (i before j in the chain)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import sympy as sp
from sympy import ImmutableMatrix as Matrix

from ...errors import Faults
from ...language.expression import Coordinate, Expression, ExpressionLike
from ...language.symbols import is_coordinate_like
from ...language.traversal import subexpressions
from .joints import Link, fixed_pair
from .link_motion import QUARTER_TURN, Motion, motion_of
from .transmission import Transmission, point

ZERO: Matrix = Matrix.zeros(3, 3)


@dataclass(frozen=True, init=False)
class KinematicChain:
    """A series of links, the first on the ground. `chain[:2]` is its beginning, `chain + [link]` a longer one.

    Each body of a tree has a separate chain; the chains share their first links. `at` is always a point (x, y) in the
    frame of the last link; positions, velocities and accelerations are in the axes of the ground, 2 x 1.
    """

    links: tuple[Link, ...]

    def __init__(self, links: Iterable[Link] = ()) -> None:
        object.__setattr__(self, "links", tuple(links))

    def __len__(self) -> int:
        return len(self.links)

    def __getitem__(self, part: slice) -> KinematicChain:
        """Return the chain of the links from the ground to some link."""
        if not isinstance(part, slice) or part.start not in (None, 0) or part.step not in (None, 1):
            raise TypeError("a chain begins on the ground: write chain[:2] for its first two links")
        return KinematicChain(self.links[part])

    def __add__(self, more: Iterable[Link]) -> KinematicChain:
        return KinematicChain((*self.links, *(more.links if isinstance(more, KinematicChain) else more)))

    @cached_property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Coordinates that move the chain, in the order of the joints."""
        by_link = (sorted(filter(is_coordinate_like, subexpressions(link.variable)), key=str) for link in self.links)
        return tuple(dict.fromkeys(x for coordinates in by_link for x in coordinates))

    # The matrices

    @cached_property
    def transmission(self) -> Transmission:
        """Product T = t_1 ... t_k by its angle and displacement."""
        return self._products[-1]

    @property
    def T(self) -> Matrix:
        """Matrix T = t_1 ... t_k, 3 x 3: a point r of the last link is at T r."""
        return self.transmission.matrix

    @property
    def angle(self) -> Expression:
        """Angle of the last link to the ground."""
        return self.transmission.angle

    @cached_property
    def generators(self) -> tuple[Matrix, ...]:
        """Generators S_i = B_i Omega_i B_i^-1 of the joints, 3 x 3 each, with d_i T = S_i T."""
        pairs = zip(self._products[1:], self.links, strict=True)
        return tuple(product.transformed(link.omega) for product, link in pairs)

    def derivative(self, by: Coordinate) -> Matrix:
        """Return dT/dq by the coordinate `by`, 3 x 3: sum of d_i T (d variable_i/dq)."""
        return _sum(dT * factor for dT, factor in zip(self._joint_derivatives, self._factors(by), strict=True))

    def second_derivative(self, by: Coordinate, and_by: Coordinate) -> Matrix:
        """Return d2T/dq dp by the coordinates `by` and `and_by`, 3 x 3."""
        second_factors = [factor.diff(and_by) for factor in self._factors(by)]
        first = _sum(dT * factor for dT, factor in zip(self._joint_derivatives, second_factors, strict=True))
        return first + self._second_joint_derivatives(self._factors(by), self._factors(and_by))

    @cached_property
    def motion(self) -> Motion:
        """Velocity and acceleration of the last link."""
        return motion_of(self.links, self._products)

    @cached_property
    def rate(self) -> Matrix:
        """Rate T' = sum of d_i T variable_i', 3 x 3, in the short form of `link_motion`."""
        R = self.T[:2, :2]
        return _with_row(self.motion.omega * R * QUARTER_TURN, self.motion.v)

    @cached_property
    def second_rate(self) -> Matrix:
        """Second rate T'' = sum of d_i T variable_i'' + sum of d_i d_j T variable_i' variable_j', 3 x 3.

        It is computed in the short form of `link_motion`.
        """
        R, motion = self.T[:2, :2], self.motion
        return _with_row(motion.alpha * R * QUARTER_TURN - motion.omega**2 * R, motion.a)

    # Points

    def position(self, at: Iterable[ExpressionLike] = (0, 0)) -> Matrix:
        """Return the position T r of a point of the last link."""
        return _upper(self.T * column(at))

    def velocity(self, at: Iterable[ExpressionLike] = (0, 0)) -> Matrix:
        """Return the velocity of a point: T' r = sum of d_iT r q_i' (theory 11)."""
        return _upper(self.rate * column(at))

    def acceleration(self, at: Iterable[ExpressionLike] = (0, 0)) -> Matrix:
        """Return the acceleration of a point: sum of d_iT r q_i'' + sum of d_i d_jT r q_i' q_j' (theory 11)."""
        return _upper(self.second_rate * column(at))

    def jacobian(self, at: Iterable[ExpressionLike], coordinates: Iterable[Coordinate]) -> Matrix:
        """Return the derivatives of the position of a point by the coordinates, 2 x n: columns d_iT r."""
        r = column(at)
        return Matrix.hstack(*(_upper(self.derivative(q) * r) for q in coordinates))

    # Private

    @cached_property
    def _products(self) -> tuple[Transmission, ...]:
        """Products B_0 = 1, B_1 = t_1, B_2 = t_1 t_2, ..., B_k = T."""
        products = [Transmission()]
        for link in self.links:
            products.append(products[-1] @ link.t)
        return tuple(products)

    def _factors(self, by: Coordinate) -> list[Expression]:
        """Return d variable_i/dq for each joint."""
        return [link.variable.diff(by) for link in self.links]

    @cached_property
    def _joint_derivatives(self) -> tuple[Matrix, ...]:
        """Derivatives d_i T = S_i T of the joints."""
        return tuple(S * self.T for S in self.generators)

    def _second_joint_derivatives(self, first: list[Expression], second: list[Expression]) -> Matrix:
        """Return the sum of d_i d_j T first_i second_j."""
        k = range(len(self.links))
        pairs = ((min(i, j), max(i, j), first[i] * second[j]) for i in k for j in k)
        return _sum(self.generators[i] * self._joint_derivatives[j] * factor for i, j, factor in pairs if factor != 0)


def column(at: Iterable[ExpressionLike]) -> Matrix:
    """Return the column (x, y, 1) of a point in the frame of its link."""
    faults = Faults()
    x, y = fixed_pair(at, "at", faults)
    faults.raise_any("The point")
    return point(x, y)


def _sum(terms: Iterable[Matrix]) -> Matrix:
    """Return the sum of 3 x 3 matrices."""
    return sum(terms, start=ZERO)


def _with_row(block: sp.MatrixBase, last: sp.MatrixBase) -> Matrix:
    """Return [block, last; 0, 0], 3 x 3."""
    return Matrix(sp.Matrix.vstack(sp.Matrix.hstack(block, last), sp.zeros(1, 3)))


def _upper(vector: sp.MatrixBase) -> Matrix:
    """Return the first two entries of a column."""
    return Matrix(vector[:2, 0])
