"""One link of a chain: where its joint sits on the link before, and how the joint moves it.

    t = P exp(variable Omega),    dt/d(variable) = t Omega,    d2t/d(variable)2 = t Omega^2   (theory 11)

P is where the joint sits, Omega one of the planar generators: a rotation, or a displacement along a direction.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp
from sympy import ImmutableMatrix as Matrix
from sympy.core.function import AppliedUndef

from ..foundation.frozen_dataclass import dataclass
from ..language.as_expression import as_expression
from ..language.faults import Faults, short_text
from ..language.symbols import is_coordinate_like, t
from ..language.traversal import find
from .transmission import OMEGA, SHIFT_X, SHIFT_Y, Transmission


@dataclass(frozen=True)
class Link:
    """A transmission matrix and its joint: `t`, the generator `omega` (3 x 3) and the joint's `variable`.

    `variable` is mostly a coordinate; any function of coordinates and time will do, such as -2*phi for a gear or
    omega0*t for a shaft that turns evenly. Made by `revolute`, `prismatic` and `rigid`.
    """

    t: Transmission
    omega: Matrix
    variable: Any


def revolute(angle: Any, at: Iterable[Any] = (0, 0), turned: Any = 0) -> Link:
    """A link that turns by `angle` about the point `at` of the link before.

    `turned` is the angle between the two at angle = 0. Paper 003 has revolute(phi2, at=(l, 0)) for t_2.
    """
    faults = Faults()
    variable = _variable(angle, "the angle", faults)
    place = _placed(at, turned, faults)
    faults.raise_any("The revolute joint")
    return Link(place @ Transmission(variable), OMEGA, variable)


def prismatic(distance: Any, along: Any = 0, at: Iterable[Any] = (0, 0), turned: Any = 0) -> Link:
    """A link that slides by `distance` from the point `at` of the link before, in the direction of the angle `along`.

    It keeps the fixed angle `turned` to the link before; `along` is measured from the axes of the link before too.
    """
    faults = Faults()
    variable = _variable(distance, "the distance", faults)
    heading = _constant(along, "along", faults)
    place = _placed(at, turned, faults)
    faults.raise_any("The prismatic joint")
    inner = heading - place.angle  # the direction in the axes of the link itself
    omega = sp.cos(inner) * SHIFT_X + sp.sin(inner) * SHIFT_Y
    slid = Transmission(sp.S.Zero, variable * sp.cos(inner), variable * sp.sin(inner))
    return Link(place @ slid, omega, variable)


def rigid(at: Iterable[Any] = (0, 0), turned: Any = 0) -> Link:
    """A link fixed to the one before: its origin at the point `at` there, turned by `turned`."""
    faults = Faults()
    place = _placed(at, turned, faults)
    faults.raise_any("The rigid link")
    return Link(place, OMEGA, sp.S.Zero)


def fixed_pair(given: Iterable[Any], where: str, faults: Faults) -> tuple[Any, Any]:
    """Two expressions without anything that moves, such as the coordinates of a point in its body's frame."""
    entries = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    if len(entries) != 2:
        faults.add(where, f"a pair (x, y) was expected, not {short_text(given)}")
        return sp.S.Zero, sp.S.Zero
    x, y = (_constant(e, where, faults) for e in entries)
    return x, y


def _placed(at: Iterable[Any], turned: Any, faults: Faults) -> Transmission:
    x, y = fixed_pair(at, "at", faults)
    return Transmission(_constant(turned, "turned", faults), x, y)


def _variable(given: Any, where: str, faults: Faults) -> Any:
    variable = as_expression(given, where, faults)
    if find(variable, sp.Derivative):
        faults.add(
            where, f"{short_text(variable)} has velocities in it", "A joint is moved by coordinates and time only."
        )
    return variable


def _constant(given: Any, where: str, faults: Faults) -> Any:
    expression = as_expression(given, where, faults)
    # What moves here would be missing from every derivative: each joint has the one variable it is named for.
    if find(expression, AppliedUndef) or t in find(expression, sp.Symbol):
        moving = [short_text(x) for x in find(expression, AppliedUndef) if is_coordinate_like(x)]
        what = f"{short_text(expression)} moves" + (f" with {', '.join(sorted(moving))}" if moving else "")
        faults.add(where, what, "Let a prismatic or revolute joint before this one make that motion.")
    return expression
