"""Contacts as formulas for machine code: conditions of their events, and the quantities that decide their modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from ...language.symbols import t
from ...model.constraint import Constraint
from ...model.contact import Contact, contacts
from ...model.laws.contact_signs import direction_of, sense_of
from ...model.reaction_symbols import multiplier
from ...model.statement import Statement
from ...simulation.contacts.contact_kinds import LIFTS, SLIPS, SLIPS_BACK, STOPS, TOUCHES, TURNS, ContactIndices
from ..numeric_system import Outputs
from .modes import event_kinds


def contact_indices(statement: Statement) -> tuple[ContactIndices, ...]:
    """Return the contacts of a statement with contact modes, by indices."""
    constraints, parameters = statement.every_constraint, list(statement.parameters)
    names = [c.name for c in constraints]
    holding = {c.holds: k for k, c in enumerate(constraints) if c.holds is not None}
    return tuple(
        ContactIndices(
            c.name,
            names.index(c.name),
            holding.get(c.name, -1),
            c.sticks,
            c.unilateral,
            parameters.index(direction_of(c.name)) if c.sticks else -1,
            parameters.index(sense_of(c.name)),
            c.law.impact_law,
            _is_constant(c),
        )
        for c in contacts(statement.constraints)
    )


def contact_conditions(statement: Statement, indices: Sequence[ContactIndices]) -> tuple[list[Any], list[Any]]:
    """Return the conditions of the contact events, contact by contact, and the ratio of static to sliding friction.

    The ratio is 1 for a contact without a jump between its coefficients.
    """
    conditions, ratios = [], []
    constraints = statement.every_constraint
    for contact, at in zip(contacts(statement.constraints), indices, strict=True):
        by_kind = _conditions(contact, constraints[at.normal], at, constraints)
        conditions += [by_kind[kind] for kind, _ in event_kinds(at)]
        ratios.append(contact.law.static_ratio if contact.frictional else sp.S.One)
    return conditions, ratios


def contact_quantities(statement: Statement) -> Outputs:
    """Return the quantities of all contacts at a state as expressions by name; see ContactQuantities."""
    return tuple(
        (f"{k} {name}", e)
        for k, c in enumerate(contacts(statement.constraints))
        for name, e in _quantities(c, statement).items()
    )


def _conditions(
    contact: Contact, normal: Constraint, at: ContactIndices, constraints: Sequence[Constraint]
) -> dict[int, Any]:
    """Return the condition of each kind of event that a contact may have."""
    force, gap, sense = multiplier(contact.name), normal.expressions[0], sense_of(contact.name)
    by_kind = {LIFTS: force, TOUCHES: gap, TURNS: sense * force}
    if contact.sticks:
        limit, friction = _static(contact) * sense * force, multiplier(constraints[at.tangential].name)
        slip = direction_of(contact.name) * contact.slip
        by_kind |= {STOPS: slip, SLIPS: limit - friction, SLIPS_BACK: limit + friction}
    return by_kind


def _is_constant(contact: Contact) -> bool:
    """Return whether the coefficients of friction of a contact depend on parameters alone."""
    if not contact.sticks:
        return False
    coefficients = (sp.S.One * contact.law.sliding_coefficient, _static(contact))
    symbols = set().union(*(e.free_symbols for e in coefficients))
    functions = set().union(*(e.atoms(sp.Function) for e in coefficients))
    return t not in symbols and not functions


def _static(contact: Contact) -> Any:
    """Return the static coefficient of friction per multiplier, mu_static nu; where nothing sticks, that of sliding.

    Smooth friction needs it in impacts, which take no time: there it is Coulomb's, the limit of a small velocity.
    """
    law = contact.law
    return contact.force_per_multiplier * (law.static_coefficient if contact.sticks else law.coefficient_at_slip)


def _quantities(contact: Contact, statement: Statement) -> dict[str, Any]:
    """Return the quantities of a contact at a state as expressions; see ContactQuantities."""
    constraint = next(c for c in statement.constraints if c.name == contact.name)
    gap = constraint.expressions[0] if constraint.level == 0 else sp.S.Zero
    law, zero = contact.law, sp.S.Zero
    quantities = {"gap": gap, "rate": sp.diff(gap, t), "slip": zero, "mu": zero, "mu_static": zero}
    if contact.frictional:
        sliding = contact.force_per_multiplier * law.sliding_coefficient
        quantities |= {"slip": contact.slip, "mu": sliding, "mu_static": _static(contact)}
    slip_rate = sp.diff(contact.slip, t) if contact.frictional else zero
    last = {"slip_rate": slip_rate, "normal": contact.force_per_multiplier}
    return {**quantities, "restitution": law.restitution_coefficient, **last}
