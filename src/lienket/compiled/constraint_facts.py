"""ConstraintFacts: what rooms of numbers need of a constraint, without its formulas."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from ..foundation.frozen_dataclass import dataclass

if TYPE_CHECKING:
    from ..model.constraint import Constraint
    from ..model.laws import Law

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
    zero, None for all others. `contact` are the facts of a contact. `has_law`: it is not ideal; `depends_on_reaction`:
    the force of its law is proportional to its multiplier; `loses_energy`: its law cannot supply energy, since nothing
    at it moves by itself.
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
    depends_on_reaction: bool = False
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

    contact, law = next(iter(contacts((constraint,))), None), constraint.law
    return ConstraintFacts(
        constraint.name,
        constraint.kind,
        constraint.level,
        len(constraint.expressions),
        tuple(name for name, _ in constraint.drives),
        constraint.following.may_deviate,
        constraint.holds,
        None if contact is None else ContactFacts(contact.name, contact.unilateral, contact.frictional, contact.sticks),
        law is not None,
        law is not None and law.depends_on_reaction,
        law is not None and _loses_energy(constraint, law),
    )


def _loses_energy(constraint: Constraint, law: Law) -> bool:
    """Return whether a law only takes energy: nothing prescribes a motion of its constraint or of its slip."""
    import sympy as sp

    if not law.dissipates or constraint.rheonomic:
        return False
    slip = law.sliding_velocity
    return slip is None or slip.xreplace(dict.fromkeys(slip.atoms(sp.Derivative), sp.S.Zero)) == 0
