"""ConstraintFacts: what rooms of numbers need of a constraint, without its formulas."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from ..foundation.frozen_dataclass import dataclass

if TYPE_CHECKING:
    from ..model.constraint import Constraint

FACTS_CACHED = 1024  # [constraints] whose facts are cached


@dataclass(frozen=True)
class ContactFacts:
    """Contact: its name, whether it can open, has friction, and can stick.

    `sticking` is the name of the constraint slip = 0, empty if it is not among the constraints.
    """

    name: str
    unilateral: bool
    frictional: bool
    sticks: bool
    sticking: str = ""


@dataclass(frozen=True)
class ConstraintFacts:
    """Constraint in numbers: its name, kind, level (0, 1, 2), number of rows, and names of the drives of a program.

    `may_deviate`: the motion may deviate from the program. `holds` is the contact whose slip the constraint keeps at
    zero, None for all others. `contact` are the facts of a contact. `has_law`: it is not ideal; `loses_energy`: its law
    cannot supply energy, since nothing at it moves by itself.
    """

    name: str
    kind: str
    level: int
    rows: int
    drives: tuple[str, ...] = ()
    may_deviate: bool = False
    holds: str | None = None
    contact: ContactFacts | None = None
    has_law: bool = False
    loses_energy: bool = False

    @property
    def hidden(self) -> bool:
        """Whether it is a program that other programs imply."""
        return self.kind == "program" and not self.drives


def contacts_among(constraints: Iterable[ConstraintFacts]) -> tuple[ContactFacts, ...]:
    """Return the contacts among constraints, in order, with the names of their sticking constraints."""
    constraints = tuple(constraints)
    sticking = {c.holds: c.name for c in constraints if c.holds is not None}
    found = [c.contact for c in constraints if c.contact is not None]
    return tuple(ContactFacts(c.name, c.unilateral, c.frictional, c.sticks, sticking.get(c.name, "")) for c in found)


@lru_cache(maxsize=FACTS_CACHED)
def constraint_facts(constraint: Constraint) -> ConstraintFacts:
    """Return the facts of a constraint."""
    from ..model.contact import contacts

    contact = next(iter(contacts((constraint,))), None)
    return ConstraintFacts(
        constraint.name,
        constraint.kind,
        constraint.level,
        len(constraint.expressions),
        tuple(name for name, _ in constraint.drives),
        constraint.following.may_deviate,
        constraint.holds,
        None if contact is None else ContactFacts(contact.name, contact.unilateral, contact.frictional, contact.sticks),
        constraint.law is not None,
        constraint.law is not None and _loses_energy(constraint),
    )


def _loses_energy(constraint: Constraint) -> bool:
    """Return whether the force of a law opposes a slip that vanishes with the velocities, at a resting constraint."""
    import sympy as sp

    from ..model.laws import Coulomb, Viscous

    law = constraint.law
    if not isinstance(law, Coulomb | Viscous):
        return False
    rest = law.slip.xreplace(dict.fromkeys(law.slip.atoms(sp.Derivative), sp.S.Zero))
    return not constraint.rheonomic and rest == 0
