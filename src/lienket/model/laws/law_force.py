"""Force c of a constraint in addition to G^T lambda, for any law.

    c = push + share lambda direction^T

The share of dry friction is that of the normal force times nu, the normal force per lambda (`model/normal_force`). The
push does not depend on the reaction; the second part does and makes the equations unsymmetric. Columns are
((coordinate, expression), ...), zeros left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import sympy as sp

from ...foundation.frozen_dataclass import dataclass
from ...language.expression import Coordinate, Expression
from ...language.symbols import velocity

if TYPE_CHECKING:
    from .law import Law


Column = tuple[tuple[Coordinate, Expression], ...]


class Lawful(Protocol):
    """A constraint or its rows, which may have a law."""

    @property
    def name(self) -> str:
        """Name of the constraint."""

    @property
    def law(self) -> Law | None:
        """Law of the constraint; None if it is ideal."""

    @property
    def normal_factor(self) -> Expression | None:
        """Normal force per multiplier of a contact; None if it is not known."""


@dataclass(frozen=True)
class LawForce:
    """Force c = push + share lambda direction^T that a constraint exerts in addition to G^T lambda.

    Parameters
    ----------
    push : tuple of (coordinate, expression)
        Generalized force that does not depend on the reaction.
    share : expression
        Factor of the multiplier lambda of the constraint, which has one row; 0 for a law without friction.
    direction : tuple of (coordinate, expression)
        Generalized force for share lambda = 1.

    Examples
    --------
    >>> x = lk.coordinates("x")
    >>> lk.laws.LawForce(push=((x, -3*x),)).share
    0
    """

    push: Column = ()
    share: Expression = sp.S.Zero
    direction: Column = ()

    def expressions(self) -> list[Expression]:
        """Return every expression."""
        return [*(e for _, e in self.push), self.share, *(e for _, e in self.direction)]


def slip_gradient(slip: Expression, coordinates: Sequence[Coordinate]) -> Column:
    """Return (d slip/d q')^T as a column."""
    entries = ((x, sp.diff(slip, velocity(x))) for x in coordinates)
    return tuple((x, e) for x, e in entries if e != 0)


def viscous_push(coefficient: Expression, slip: Expression, coordinates: Sequence[Coordinate]) -> Column:
    """Return c = -b slip (d slip/d q')^T as a column."""
    if coefficient == 0:
        return ()
    return tuple((x, -coefficient * slip * e) for x, e in slip_gradient(slip, coordinates))


def law_force(constraint: Lawful, coordinates: Sequence[Coordinate]) -> LawForce:
    """Return the force of the law of a constraint or of its rows; zero if it is ideal."""
    if constraint.law is None:
        return LawForce()
    force, one = (
        constraint.law.force(constraint.name, coordinates),
        sp.S.One,
    )  # one turns plain numbers into expressions
    push, direction = (tuple((x, one * e) for x, e in entries) for entries in (force.push, force.direction))
    nu = constraint.normal_factor if constraint.law.has_friction else None
    return LawForce(push, one * force.share * (one if nu is None else nu), direction)
