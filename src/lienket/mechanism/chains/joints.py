"""Links of a chain: the position of a joint on the preceding link, and the motion it permits.

    t = P exp(variable Omega),    dt/d(variable) = t Omega,    d2t/d(variable)2 = t Omega^2   (theory 11)

P is the position of the joint, Omega one of the planar generators: a rotation, or a displacement along a direction.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp
from sympy import ImmutableMatrix as Matrix
from sympy.core.function import AppliedUndef

from ...errors import Faults
from ...foundation.frozen_dataclass import dataclass
from ...language.as_expression import as_expression
from ...language.expression import Expression, ExpressionLike
from ...language.short_text import short_text
from ...language.symbols import is_coordinate_like, t
from ...language.traversal import find
from .transmission import OMEGA, SHIFT_X, SHIFT_Y, Transmission


@dataclass(frozen=True)
class Link:
    """A transmission matrix and its joint: `t`, the generator `omega` (3 x 3) and the joint's `variable`.

    `variable` is usually a coordinate; any function of coordinates and time is allowed, such as -2*phi for a gear or
    omega0*t for a shaft of constant speed. Created by `revolute`, `prismatic` and `rigid`.
    """

    t: Transmission
    omega: Matrix
    variable: Expression


def revolute(angle: ExpressionLike, at: Iterable[ExpressionLike] = (0, 0), turned: ExpressionLike = 0) -> Link:
    """Return a link that turns by `angle` about the point `at` of the preceding link.

    `turned` is the angle between the two at angle = 0. Paper 003 has revolute(phi2, at=(l, 0)) for t_2.
    """
    faults = Faults()
    variable = _variable(angle, "the angle", faults)
    position = _joint_position(at, turned, faults)
    faults.raise_any("The revolute joint")
    return Link(position @ Transmission(variable), OMEGA, variable)


def prismatic(
    distance: ExpressionLike,
    along: ExpressionLike = 0,
    at: Iterable[ExpressionLike] = (0, 0),
    turned: ExpressionLike = 0,
) -> Link:
    """Return a link that slides by `distance` from the point `at` of the preceding link, in the direction `along`.

    `along` is an angle, and `turned` the fixed angle of the link; both are measured from the axes of the preceding
    link.
    """
    faults = Faults()
    variable = _variable(distance, "the distance", faults)
    heading = _constant(along, "along", faults)
    position = _joint_position(at, turned, faults)
    faults.raise_any("The prismatic joint")
    inner = heading - position.angle  # the direction in the axes of the link itself
    omega = sp.cos(inner) * SHIFT_X + sp.sin(inner) * SHIFT_Y
    displacement = Transmission(sp.S.Zero, variable * sp.cos(inner), variable * sp.sin(inner))
    return Link(position @ displacement, omega, variable)


def rigid(at: Iterable[ExpressionLike] = (0, 0), turned: ExpressionLike = 0) -> Link:
    """Return a link fixed to the preceding one: its origin at the point `at` there, turned by `turned`."""
    faults = Faults()
    position = _joint_position(at, turned, faults)
    faults.raise_any("The rigid link")
    return Link(position, OMEGA, sp.S.Zero)


def fixed_pair(entry: Iterable[ExpressionLike], where: str, faults: Faults) -> tuple[Expression, Expression]:
    """Return two constant expressions, such as the coordinates of a point in its body's frame."""
    entries = tuple(entry) if isinstance(entry, Iterable) and not isinstance(entry, str) else (entry,)
    if len(entries) != 2:
        faults.add(where, f"a pair (x, y) was expected, not {short_text(entry)}")
        return sp.S.Zero, sp.S.Zero
    x, y = (_constant(e, where, faults) for e in entries)
    return x, y


def _joint_position(at: Iterable[ExpressionLike], turned: ExpressionLike, faults: Faults) -> Transmission:
    """Return the transmission P from the preceding link to the joint."""
    x, y = fixed_pair(at, "at", faults)
    return Transmission(_constant(turned, "turned", faults), x, y)


def _variable(entry: ExpressionLike, where: str, faults: Faults) -> Expression:
    """Return the variable of a joint; report velocities in it."""
    variable = as_expression(entry, where, faults)
    if find(variable, sp.Derivative):
        faults.add(
            where,
            f"{short_text(variable)} contains velocities",
            "The variable of a joint depends on coordinates and time only.",
        )
    return variable


def _constant(entry: ExpressionLike, where: str, faults: Faults) -> Expression:
    """Return an expression; report coordinates and time in it."""
    expression = as_expression(entry, where, faults)
    # Motion here would be missing from every derivative: a joint has only one variable.
    if find(expression, AppliedUndef) or t in find(expression, sp.Symbol):
        moving = [short_text(x) for x in find(expression, AppliedUndef) if is_coordinate_like(x)]
        dependence = f": it depends on {', '.join(sorted(moving))}" if moving else ""
        what = f"{short_text(expression)} is not constant{dependence}"
        faults.add(where, what, "Insert a prismatic or revolute joint before this one for that motion.")
    return expression
