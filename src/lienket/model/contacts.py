"""Modes of contacts: the statement extended by the constraints and signs of the modes of its contacts.

A contact with Coulomb friction slides or sticks, a unilateral one may be open. While a contact sticks it is under one
more constraint, slip = 0; while it slides the signs of slip and of its multiplier are fixed numbers.
`with_contact_modes` adds these constraints and numbers to a statement; compiled code treats them like all others:

    floor                  the row of the contact
    floor, sticking        slip = 0, for a contact with friction; never active while the friction is smooth
    direction(floor)       1, -1 or 0: the sign of slip, 0 while it sticks
    sense(floor)           1 or -1: the sign of its multiplier

The field `Constraint.holds` of a sticking constraint names its contact, and `Statement.signs` lists the signs. Names
decide nothing: if a user calls a constraint "floor, sticking", the internal one is "floor, sticking 2".
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from itertools import count

import sympy as sp

from ..language.expression import Expression, Symbol
from .constraint import Constraint
from .contact import contacts
from .laws.contact_signs import direction_of, sense_of
from .statement import Statement


def has_contact_modes(statement: Statement) -> bool:
    """Return whether the statement already holds the signs of its contacts."""
    return bool(statement.signs)


@lru_cache(maxsize=128)
def with_contact_modes(statement: Statement) -> Statement:
    """Return the statement with the sticking constraints and signs of its contacts; itself if it has no contacts.

    The sticking constraints follow all others and act only in the sticking mode of their contact.
    """
    all_contacts = contacts(statement.constraints)
    if not all_contacts or has_contact_modes(statement):
        return statement
    sticking: list[Constraint] = []
    for c in all_contacts:
        if c.frictional:
            name = _unused(f"{c.name}, sticking", [x.name for x in (*statement.every_constraint, *sticking)])
            sticking.append(Constraint(name, "velocity", 1, (c.slip,), holds=c.name))
    signs: list[tuple[Symbol, Expression]] = []
    for c in all_contacts:
        if c.sticks:
            signs.append((direction_of(c.name), sp.S.Zero))
        signs.append((sense_of(c.name), sp.S.One))
    constraints = (*statement.constraints, *sticking)
    return replace(
        statement,
        constraints=constraints,
        values=(*statement.values, *signs),
        signs=tuple(symbol for symbol, _ in signs),
    )


def _unused(name: str, used: Collection[str]) -> str:
    """Return the name, with the least number 2, 3, ... appended with which it is not in use."""
    numbered = (f"{name} {k}" for k in count(2))
    return name if name not in used else next(candidate for candidate in numbered if candidate not in used)
