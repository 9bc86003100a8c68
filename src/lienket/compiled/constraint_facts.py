"""ConstraintFacts: what rooms of numbers need of a constraint, without its formulas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ..foundation.frozen_dataclass import dataclass

if TYPE_CHECKING:
    from ..model.constraint import Constraint
    from ..model.laws import Law

FACTS_CACHED = 1024  # [constraints] whose facts are cached
LAMBDA, SCALED, ASSUMED = "lambda", "scaled", "assumed"


@dataclass(frozen=True)
class ContactFacts:
    """Contact: its name, whether it can open, has friction, and can stick.

    `sticking` is the name of the constraint slip = 0, empty if it is not among the constraints. `normal` says what the
    normal force is: "lambda", "scaled" (nu lambda), or "assumed" (taken to be lambda, since nothing tells nu).
    """

    name: str
    unilateral: bool
    frictional: bool
    sticks: bool
    sticking: str = ""
    normal: str = LAMBDA


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
    def assumes_normal_force(self) -> bool:
        """Whether it is a contact with friction for which lambda is taken as the normal force."""
        return self.contact is not None and self.contact.frictional and self.contact.normal == ASSUMED

    @property
    def hidden(self) -> bool:
        """Whether it is a program that other programs imply."""
        return self.kind == "program" and not self.drives


def contacts_among(constraints: Iterable[ConstraintFacts]) -> tuple[ContactFacts, ...]:
    """Return the contacts among constraints, in order, with the names of their sticking constraints."""
    constraints = tuple(constraints)
    sticking = {c.holds: c.name for c in constraints if c.holds is not None}
    found = [c.contact for c in constraints if c.contact is not None]
    return tuple(replace(c, sticking=sticking.get(c.name, "")) for c in found)


@lru_cache(maxsize=FACTS_CACHED)
def constraint_facts(constraint: Constraint) -> ConstraintFacts:
    """Return the facts of a constraint."""
    from ..model.contact import contacts

    contact, law, nu = next(iter(contacts((constraint,))), None), constraint.law, constraint.normal_factor
    normal = ASSUMED if nu is None else LAMBDA if nu == 1 else SCALED
    return ConstraintFacts(
        constraint.name,
        constraint.kind,
        constraint.level,
        len(constraint.expressions),
        tuple(name for name, _ in constraint.drives),
        constraint.following.may_deviate,
        constraint.holds,
        None
        if contact is None
        else ContactFacts(contact.name, contact.unilateral, contact.frictional, contact.sticks, normal=normal),
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
