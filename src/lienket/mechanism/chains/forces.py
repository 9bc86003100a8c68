"""Generalized forces by virtual work, as {coordinate: force}, the argument `forces` of a System (theory 11).

a force F at the point r of a link    Q_i = r^T (d_iT)^T F
a moment M on a link                  Q_i = M d(angle of the link)/dq_i
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sympy as sp

from ...errors import Faults
from ...language.as_expression import as_expression
from ...language.expression import Coordinate, Expression, ExpressionLike
from .dynamics import expression_pair
from .kinematic_chain import KinematicChain, column
from .transmission import direction

Forces = dict[Coordinate, Expression]


def force_at(
    chain: KinematicChain,
    at: Iterable[ExpressionLike],
    components: Iterable[ExpressionLike],
    turned: ExpressionLike = 0,
) -> Forces:
    """Return the generalized force of `components` at the point `at` of the last link: Q_i = r^T (d_iT)^T F.

    `components` are along the axes of the ground, or along axes turned from them by the angle `turned`, such as tangent
    and normal of a path: F = V F^(tn) (paper 003, eqs. 22 and 35, with the factor (d_iT r)^T that they leave out).
    """
    u, v = expression_pair(components, "components")
    faults = Faults()
    angle = as_expression(turned, "turned", faults)
    faults.raise_any("The force")
    c, s = sp.cos(angle), sp.sin(angle)
    F, r = direction(c * u - s * v, s * u + c * v), column(at)
    return {q: (r.T * chain.derivative(q).T * F)[0] for q in chain.coordinates}


def moment_on(chain: KinematicChain, moment: ExpressionLike) -> Forces:
    """Return the generalized force of an external `moment` on the last link: Q_i = M d(angle)/dq_i."""
    faults = Faults()
    M = as_expression(moment, "moment", faults)
    faults.raise_any("The moment")
    return {q: M * chain.angle.diff(q) for q in chain.coordinates}


def moment_between(chain: KinematicChain, moment: ExpressionLike) -> Forces:
    """Return the generalized force of a motor: its `moment` on the last link, -moment on the preceding link."""
    return total(moment_on(chain, moment), {q: -Q for q, Q in moment_on(chain[:-1], moment).items()})


def total(*forces: Mapping[Coordinate, Expression]) -> Forces:
    """Return the sum of generalized forces, coordinate by coordinate; a sum that cancels stays as a zero."""
    sums: Forces = {}
    for mapping in forces:
        for q, Q in mapping.items():
            sums[q] = sums.get(q, sp.S.Zero) + Q
    return sums
