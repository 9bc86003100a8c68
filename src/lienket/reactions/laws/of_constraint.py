"""Selection of the force by the law of a constraint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...model.constraint import Constraint
from ...model.laws import Coulomb, Exerted, Viscous
from .coulomb import coulomb
from .law_force import LawForce
from .viscous import viscous

if TYPE_CHECKING:
    from ...constraints import ConstraintRows


def law_force(constraint: Constraint | ConstraintRows, coordinates: Sequence[Any]) -> LawForce:
    """Return the force of the law of a constraint; zero if it is ideal or only unilateral."""
    law = constraint.law
    if isinstance(law, Coulomb):
        return coulomb(constraint.name, law, coordinates)
    if isinstance(law, Viscous):
        return LawForce(push=viscous(law.coefficient, law.slip, coordinates))
    if isinstance(law, Exerted):
        return LawForce(push=law.forces)
    return LawForce()
