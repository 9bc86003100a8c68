"""Inertia matrix, velocity terms and energies of bodies on chains (theory 11).

    T = sum of tr(T' H T'^T)/2,     a_ij = sum of tr(d_iT H d_jT^T),     N_i = -sum of tr(d_iT H (T'')^T) without q''

The traces are evaluated by mass, centre and moment, see `bodies`, which leaves no sin^2 + cos^2 behind. A System
needs `kinetic_energy` only; `inertia_matrix` and `velocity_terms` are the matrices of A q'' = Q + N.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import sympy as sp
from sympy import ImmutableMatrix as Matrix

from ...errors import Faults
from ...language.as_expression import as_expression
from ...language.expression import Coordinate, Expression, ExpressionLike
from ...language.short_text import short_text
from ...language.symbols import der
from .bodies import Body
from .transmission import direction


def kinetic_energy(bodies: Iterable[Body]) -> Expression:
    """Return the kinetic energy T = sum of tr(T' H T'^T)/2; also for joints moved by time."""
    terms = []
    for body in bodies:
        motion = body.chain.velocity(body.centre), body.chain.motion.omega
        terms.append(_trace(body, motion, motion) / 2)
    return sp.Add(*terms)


def potential_energy(bodies: Iterable[Body], gravity: Iterable[ExpressionLike]) -> Expression:
    """Return V = -sum of m gravity^T T c, the potential energy of the weights at the mass centres.

    `gravity` is the acceleration (gx, gy) in the axes of the ground: (0, -g) if y points up, (0, g) if it points down.
    """
    field = direction(*expression_pair(gravity, "gravity"))[:2, 0]
    return -sp.Add(*(body.mass * field.dot(body.chain.position(body.centre)) for body in bodies))


def inertia_matrix(bodies: Iterable[Body], coordinates: Sequence[Coordinate]) -> Matrix:
    """Return A with a_ij = sum of tr(d_iT H d_jT^T) over the bodies, n x n (paper 003, eq. 25, corrected)."""
    n = len(coordinates)
    A = sp.zeros(n, n)
    for body in bodies:
        derivatives = _derivatives(body, coordinates)
        for i in range(n):
            for j in range(i, n):
                A[i, j] += _trace(body, derivatives[i], derivatives[j])
                A[j, i] = A[i, j]
    return Matrix(A)


def velocity_terms(bodies: Iterable[Body], coordinates: Sequence[Coordinate]) -> Matrix:
    """Return N of A q'' = Q + N, n x 1: N_i = -sum of tr(d_iT H (T'')^T) with q'' = 0.

    For joints that are moved by coordinates alone these are the quadratic forces G_i of theory 11.
    """
    no_acceleration = {der(q, 2): sp.S.Zero for q in coordinates}
    N = sp.zeros(len(coordinates), 1)
    for body in bodies:
        second_rate = (
            body.chain.acceleration(body.centre).xreplace(no_acceleration),
            body.chain.motion.alpha.xreplace(no_acceleration),
        )
        N -= sp.Matrix([_trace(body, derivative, second_rate) for derivative in _derivatives(body, coordinates)])
    return Matrix(N)


def expression_pair(entry: Iterable[ExpressionLike], where: str) -> tuple[Expression, Expression]:
    """Return two expressions, such as the components of a force."""
    faults = Faults()
    entries = tuple(entry) if isinstance(entry, Iterable) and not isinstance(entry, str) else (entry,)
    if len(entries) != 2:
        faults.add(where, f"a pair (x, y) was expected, not {short_text(entry)}")
    first, second, *_ = *(as_expression(e, where, faults) for e in entries), 0, 0
    faults.raise_any("The mechanism")
    return first, second


# A derivative X of T applied to a body: X c of its mass centre, 2 x 1, and the derivative of its angle.
BodyDerivative = tuple[Matrix, Expression]


def _derivatives(body: Body, coordinates: Sequence[Coordinate]) -> list[BodyDerivative]:
    """Return d_iT applied to the body for each coordinate."""
    J = body.chain.jacobian(body.centre, coordinates)
    return [(J[:, i], body.chain.angle.diff(q)) for i, q in enumerate(coordinates)]


def _trace(body: Body, left: BodyDerivative, right: BodyDerivative) -> Expression:
    """Return tr(X H Y^T) = m (X c)^T (Y c) + J x y."""
    return body.mass * left[0].dot(right[0]) + body.moment * left[1] * right[1]
