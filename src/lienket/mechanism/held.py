"""Constraints of a mechanism as rows, each with the load of its unit multiplier."""

from __future__ import annotations

from ..foundation.frozen_dataclass import dataclass
from ..language.expression import Expression
from .elements.load import Load
from .scalars.algebra import Scalar


@dataclass(frozen=True, eq=False)
class HeldRow:
    """Row of a constraint, and what its unit multiplier exerts."""

    expression: Scalar
    load: Load


@dataclass(frozen=True, eq=False)
class Held:
    """Constraint of a mechanism: the rows of one name; `level` 0 on positions, 1 on velocities.

    With a `restitution` it is a stop: its row is not negative, and it pushes only.
    """

    name: str
    rows: tuple[HeldRow, ...]
    level: int = 0
    restitution: Expression | None = None
