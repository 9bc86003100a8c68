"""Masses on chains (theory 11).

The equations contain a body by its pseudo-inertia H, the integral of r r^T dm with r = (x, y, 1) in the frame of its
link: T = tr(T' H T'^T)/2. In the plane H follows from the mass m, the mass centre c and the moment of inertia J about
it:

    H = m c c^T + diag(J/2, J/2, 0),      tr(X H Y^T) = m (X c)^T (Y c) + J x y

for derivatives X and Y of T, which turn the link by x and y. A particle has J = 0.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp
from sympy import ImmutableMatrix as Matrix

from ...errors import Faults
from ...foundation.frozen_dataclass import dataclass
from ...language.as_expression import as_expression
from ...language.expression import Expression, ExpressionLike
from .joints import fixed_pair
from .kinematic_chain import KinematicChain
from .transmission import point


@dataclass(frozen=True)
class Body:
    """A mass on the last link of `chain`: `mass`, mass `centre` (x, y) in the frame of that link, `moment` about it.

    Created by `particle` and `rigid_body`. Several bodies may be on one link.
    """

    chain: KinematicChain
    mass: Expression
    centre: tuple[Expression, Expression]
    moment: Expression

    @property
    def H(self) -> Matrix:
        """Pseudo-inertia in the frame of the link, 3 x 3; of its first two diagonal entries only the sum matters."""
        c = point(*self.centre)
        return Matrix(self.mass * c * c.T + sp.diag(self.moment / 2, self.moment / 2, 0))


def particle(chain: KinematicChain, mass: ExpressionLike, at: Iterable[ExpressionLike] = (0, 0)) -> Body:
    """Return a particle of this `mass` at the point `at` of the last link: H = m r r^T."""
    return rigid_body(chain, mass, 0, at)


def rigid_body(
    chain: KinematicChain, mass: ExpressionLike, moment: ExpressionLike, centre: Iterable[ExpressionLike] = (0, 0)
) -> Body:
    """Return a body on the last link with its mass centre at `centre` and its `moment` of inertia about it."""
    faults = Faults()
    m, J = as_expression(mass, "mass", faults), as_expression(moment, "moment", faults)
    c = fixed_pair(centre, "centre", faults)
    faults.raise_any("The body")
    return Body(chain, m, c, J)
