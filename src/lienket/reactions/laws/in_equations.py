"""Laws in the printed equations of motion (theory 9).

    c = friction (d slip/d q')^T + ...,      friction = -m(|slip|) N sign(slip),      N = nu |lambda|

lambda is the multiplier of the law's constraint, nu the normal force per multiplier (`model/normal_force`). Conditions
that are not equations become remarks: a unilateral contact only pushes, and a contact with friction sticks as long as
the friction limit allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy as sp

from ...elimination.forms.laws import Laws
from ...elimination.forms.remarks import Remark
from ...language.expression import Coordinate, Expression, Symbol
from ...model.constraint import Constraint
from ...model.contact import contacts
from ...model.laws.law_force import Column, law_force


def laws_in_equations(
    constraints: Sequence[Constraint],
    coordinates: Sequence[Coordinate],
    multipliers: Sequence[Symbol],
    names: Iterable[str],
) -> Laws:
    """Return the laws of constraints; `multipliers` belong to all rows except programs, `names` are in use already."""
    forces: dict[str, tuple[Expression, ...]] = {}
    frictions: dict[Symbol, Expression] = {}
    remarks: list[Remark] = []
    contact_multipliers: list[Symbol] = []
    row = 0
    for c in constraints:
        force, law = law_force(c, coordinates), c.law
        if law is not None and law.depends_on_reaction:
            symbol = sp.Symbol(f"friction({c.name})", real=True)
            share = force.share * multipliers[row]
            frictions[symbol] = _friction(c, multipliers[row]) if law.has_friction else share
            forces[c.name] = _entries(force.push, symbol, force.direction, coordinates)
        elif force.push:
            forces[c.name] = _entries(force.push, sp.S.Zero, (), coordinates)
        if contacts((c,)):
            remarks += _contact_remarks(c, multipliers[row])
            contact_multipliers.append(multipliers[row])
        row += len(c.expressions) if not c.drives else 0
    return Laws(forces, frictions, tuple(multipliers), tuple(contact_multipliers), tuple(remarks), frozenset(names))


def _friction(constraint: Constraint, multiplier: Symbol) -> Expression:
    """Return the dry friction force along the slip while sliding, without the viscous part."""
    law: Any = constraint.law
    return law.printed_friction(_normal(constraint, multiplier))


def _normal(constraint: Constraint, multiplier: Symbol) -> Expression:
    """Return the normal force: nu lambda of a unilateral contact, otherwise nu |lambda|."""
    (contact,) = contacts((constraint,))
    return contact.force_per_multiplier * (multiplier if contact.unilateral else sp.Abs(multiplier))


def _entries(
    push: Column, friction: Expression, direction: Column, coordinates: Sequence[Coordinate]
) -> tuple[Expression, ...]:
    """Return the column push + friction direction, n entries."""
    first, second = dict(push), dict(direction)
    return tuple(first.get(x, sp.S.Zero) + friction * second.get(x, sp.S.Zero) for x in coordinates)


def _contact_remarks(constraint: Constraint, multiplier: Symbol) -> list[Remark]:
    """Return the remarks on a contact: the complementarity of gap and force, and the condition of sticking."""
    (contact,) = contacts((constraint,))
    gap, zero = constraint.expressions[0], sp.S.Zero
    remarks: list[Remark] = []
    if contact.unilateral:
        conditions = ((gap, ">=", zero), ", ", (multiplier, ">=", zero), ", ", (multiplier * gap, "==", zero))
        impact = f"; impacts by {contact.law.impact_law.capitalize()}'s law with restitution "
        remarks.append((f"{contact.name} only pushes: ", *conditions, impact, contact.law.restitution_coefficient, "."))
    if contact.sticks:
        law = contact.law
        sticking = sp.Symbol(f"{multiplier.name}_t")
        limit = (sp.Abs(sticking), "<=", law.static_coefficient * _normal(constraint, multiplier))
        condition = (contact.slip, "==", zero)
        replacement = (sticking, " in place of ", _friction(constraint, multiplier))
        remarks.append((f"{contact.name} sticks with ", condition, " and ", *replacement, " as long as ", limit, "."))
    return remarks
