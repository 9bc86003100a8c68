"""Velocity and acceleration of the last link of a chain, computed link by link.

These are the sums of theory 11, sum of d_iT q_i' and so on, collected by link: each link adds its motion relative to
the frame before it. With d from the origin of one link to that of the next, omega and alpha the angular velocity and
acceleration of the former, and s the displacement of a sliding joint along the direction u (both in the axes of the
ground, J d = d turned by a right angle):

    v += omega J d + s' u,      a += alpha J d - omega^2 d + 2 omega s' J u + s'' u

So a chain of k links has k terms in v where the sum over d_iT has k^2/2.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp
from sympy import ImmutableMatrix as Matrix

from ...foundation.frozen_dataclass import dataclass
from ...language.expression import Expression
from ...language.symbols import der
from .joints import Link
from .transmission import OMEGA, Transmission

QUARTER_TURN: Matrix = Matrix(OMEGA[:2, :2])  # rotation of a plane vector by a right angle


@dataclass(frozen=True)
class Motion:
    """Motion of a frame: `omega` and `alpha` of its angle, velocity `v` and acceleration `a` of its origin, 2 x 1."""

    omega: Expression
    alpha: Expression
    v: Matrix
    a: Matrix


def motion_of(links: Sequence[Link], frames: Sequence[Transmission]) -> Motion:
    """Return the motion of the last link; `frames` are the products t_1 ... t_i, from the ground (no link) on."""
    omega, alpha = sp.S.Zero, sp.S.Zero
    v, a = sp.zeros(2, 1), sp.zeros(2, 1)
    for link, before, after in zip(links, frames[:-1], frames[1:], strict=True):
        rate, second = der(link.variable), der(link.variable, 2)
        d = Matrix([after.x - before.x, after.y - before.y])
        v += omega * (QUARTER_TURN * d)
        a += alpha * (QUARTER_TURN * d) - omega**2 * d
        turn, u = link.omega[1, 0], Matrix((after.matrix * link.omega)[:2, 2])  # one of them is zero
        v += rate * u
        a += 2 * omega * rate * (QUARTER_TURN * u) + second * u
        omega, alpha = omega + turn * rate, alpha + turn * second
    return Motion(omega, alpha, Matrix(v), Matrix(a))
