"""Contacts: constraints whose law has several ways to act, and the statement with all of them spelled out.

A contact with Coulomb friction slides or sticks, a unilateral one may be open. While a contact sticks it is under one
more constraint, slip = 0; while it slides the signs of slip and of its multiplier are fixed numbers. `with_contact_modes` adds
these constraints and numbers to a statement, which a machine then sees like any others:

    floor                  its own row
    floor, sticking        slip = 0, for a contact with friction; while that is smooth, it never acts
    direction(floor)       1, -1 or 0: the sign of slip, 0 while it sticks
    sense(floor)           1 or -1: the sign of its multiplier
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import sympy as sp

from ..foundation.frozen_dataclass import dataclass
from ..language.names import STICKING
from .constraint import Constraint
from .laws import Coulomb, Unilateral
from .statement import Statement


@dataclass(frozen=True)
class Contact:
    """One contact: its name, its law, and what it can do."""

    name: str
    law: Any  # Coulomb or Unilateral

    @property
    def unilateral(self) -> bool:
        """Whether it can open."""
        return isinstance(self.law, Unilateral) or bool(self.law.unilateral)

    @property
    def frictional(self) -> bool:
        """Whether there is friction."""
        return isinstance(self.law, Coulomb)

    @property
    def sticks(self) -> bool:
        """Whether it can stick."""
        return self.slip is not None and getattr(self.law, "smooth", None) is None

    @property
    def slip(self) -> Any:
        """The sliding velocity, None without friction."""
        return self.law.slip if isinstance(self.law, Coulomb) else None

    @property
    def sticking(self) -> str:
        """The name of the constraint under which it sticks."""
        return self.name + STICKING


def direction_of(name: str) -> sp.Symbol:
    """The sign of the slip of a contact, 0 while it sticks."""
    return sp.Symbol(f"direction({name})", real=True)


def sense_of(name: str) -> sp.Symbol:
    """The sign of the multiplier of a contact."""
    return sp.Symbol(f"sense({name})", real=True)


def contacts(constraints: tuple[Constraint, ...]) -> tuple[Contact, ...]:
    """The contacts among constraints, in order."""
    return tuple(Contact(c.name, c.law) for c in constraints if isinstance(c.law, Coulomb | Unilateral))


def has_contact_modes(statement: Statement) -> bool:
    """Whether the signs of contacts are among the numbers of a statement already."""
    signs = {sense_of(c.name) for c in contacts(statement.constraints)}
    return any(symbol in signs for symbol, _ in statement.values)


@lru_cache(maxsize=128)
def with_contact_modes(statement: Statement) -> Statement:
    """The statement with what its contacts may need; itself if it has none.

    Constraints under which contacts stick follow all others, and act only when a machine says so.
    """
    found = contacts(statement.constraints)
    if not found or has_contact_modes(statement):
        return statement
    sticking = tuple(Constraint(c.sticking, "velocity", 1, (c.slip,)) for c in found if c.frictional)
    signs: list[tuple[Any, Any]] = []
    for c in found:
        if c.sticks:
            signs.append((direction_of(c.name), sp.S.Zero))
        signs.append((sense_of(c.name), sp.S.One))
    constraints = (*statement.constraints, *sticking)
    return replace(statement, constraints=constraints, values=(*statement.values, *signs))
