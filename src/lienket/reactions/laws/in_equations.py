"""Laws as they are written on paper, beside the equations of motion (theory 9).

    c = friction (d slip/d q')^T + ...,      friction = -m(|slip|) |lambda| sign(slip)

lambda is the multiplier of the constraint itself. Conditions that are no equations become remarks: a unilateral contact
pushes only, and a contact with friction sticks where it can.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy as sp

from ...elimination.forms.laws import Laws
from ...elimination.forms.remarks import Remark
from ...model.constraint import Constraint
from ...model.contacts import contacts
from ...model.laws import Coulomb
from .coulomb import coefficient
from .law_force import Column
from .of_constraint import law_force


def laws_in_equations(
    constraints: Sequence[Constraint], coordinates: Sequence[Any], multipliers: Sequence[Any], names: Iterable[str]
) -> Laws:
    """The laws of constraints; `multipliers` belong to the rows of all but programs, `names` are taken already."""
    pushes: dict[str, tuple[Any, ...]] = {}
    frictions: dict[Any, Any] = {}
    remarks: list[Remark] = []
    followed: list[Any] = []
    place = 0
    for c in constraints:
        own, law = law_force(c, coordinates), c.law
        if isinstance(law, Coulomb):
            symbol = sp.Symbol(f"friction({c.name})", real=True)
            frictions[symbol] = friction(law, multipliers[place])
            pushes[c.name] = _entries(own.push, symbol, own.direction, coordinates)
        elif own.push:
            pushes[c.name] = _entries(own.push, sp.S.Zero, (), coordinates)
        if contacts((c,)):
            remarks += _contact_remarks(c, multipliers[place])
            followed.append(multipliers[place])
        place += len(c.expressions) if not c.drives else 0
    return Laws(pushes, frictions, tuple(multipliers), tuple(followed), tuple(remarks), frozenset(names))


def friction(law: Coulomb, multiplier: Any) -> Any:
    """The force along the slip that dry friction exerts while it slides; what is viscous comes on top."""
    sign = sp.sign(law.slip) if law.smooth is None else sp.tanh(law.slip / law.smooth)
    return -coefficient(law, sp.Abs(law.slip)) * _normal(law, multiplier) * sign


def _normal(law: Coulomb, multiplier: Any) -> Any:
    return multiplier if law.unilateral else sp.Abs(multiplier)


def _entries(push: Column, along: Any, direction: Column, coordinates: Sequence[Any]) -> tuple[Any, ...]:
    """The column push + along direction, n entries."""
    first, second = dict(push), dict(direction)
    return tuple(first.get(x, sp.S.Zero) + along * second.get(x, sp.S.Zero) for x in coordinates)


def _contact_remarks(constraint: Constraint, multiplier: Any) -> list[Remark]:
    """When a contact pushes, and when it sticks."""
    (contact,) = contacts((constraint,))
    gap, zero = constraint.expressions[0], sp.S.Zero
    found: list[Remark] = []
    if contact.unilateral:
        conditions = ((gap, ">=", zero), ", ", (multiplier, ">=", zero), ", ", (multiplier * gap, "==", zero))
        impact = f"; impacts by {contact.law.impact.capitalize()}'s law with restitution "
        found.append((f"{contact.name} only pushes: ", *conditions, impact, contact.law.restitution, "."))
    if contact.sticks:
        law = contact.law
        static = law.mu if law.mu_static is None else law.mu_static
        held = sp.Symbol(f"{multiplier.name}_t")
        limit = (sp.Abs(held), "<=", static * _normal(law, multiplier))
        place = (held, " in place of ", friction(law, multiplier))
        found.append(
            (f"{contact.name} sticks with ", (law.slip, "==", zero), " and ", *place, " as long as ", limit, ".")
        )
    return found
