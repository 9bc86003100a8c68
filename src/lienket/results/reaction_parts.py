"""Reactions of the constraints in parts that have a physical meaning.

The generalized reaction r = G^T lambda + c does not depend on how a constraint is written: if g is multiplied by a
factor or raised to a power, lambda changes and r does not. Its entry r_i has the unit of energy over that of the
coordinate q_i, a force for a length and a moment for an angle, so a norm over all entries adds newtons to newton
metres. The parts are therefore

    on one coordinate                            r_i, with its sign
    on a point in Cartesian coordinates          |(r_x, r_y)|, the force on the point

A force that stays along one axis of the point is the component on that coordinate, with its sign. On a point the
magnitude does not depend on the directions of the axes either. It is the tension of a rod, the force in a pin, the
resultant of normal force and friction of a contact. A constraint between two points exerts equal magnitudes on both,
which are one part; so are the tension of a rope at its load and at its winch.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..foundation.arrays import Array, BoolArray
from ..foundation.frozen_dataclass import dataclass
from ..model.cartesian_points import cartesian_points
from ..model.statement import Statement

EQUAL_VALUES = 1e-9  # [1] difference of two forces, relative to the largest, up to which they are equal


@dataclass(frozen=True, eq=False)
class ReactionPart:
    """Part of a reaction along a run: a component on one coordinate or the magnitude of the force on points.

    `points` are the indices of the coordinates, by point: ((2,),) for one coordinate, ((0, 1),) for a point,
    ((0, 1), (2, 3)) for forces of equal values on two. `values` (N) are NaN while the constraint does not act.
    """

    constraint: str
    points: tuple[tuple[int, ...], ...]
    values: Array

    @property
    def magnitude(self) -> bool:
        """Whether the values are magnitudes of a vector."""
        return any(len(point) > 1 for point in self.points)

    def text(self, names: tuple[str, ...]) -> str:
        """Return what the part acts on, as in "(x1, y1), (x2, y2)" or "phi"."""
        texts = [(", ".join(names[i] for i in point), len(point)) for point in self.points]
        return ", ".join(text if count == 1 else f"({text})" for text, count in texts)


def reaction_parts(statement: Statement, reactions: Mapping[str, Array]) -> tuple[ReactionPart, ...]:
    """Return the parts of the generalized reactions (N x n each), without those that are zero throughout.

    A constraint whose reaction vanishes altogether keeps all its parts.
    """
    points = cartesian_points(statement)
    grouped = {i for point in points for i in point}
    groups = sorted([*points, *((i,) for i in range(len(statement.coordinates)) if i not in grouped)])
    parts: list[ReactionPart] = []
    for name, reaction in reactions.items():
        acting: BoolArray = np.any(np.nan_to_num(reaction), axis=0)
        present = [group for group in groups if acting[list(group)].any()]
        single = [tuple(i for i in group if acting[i]) for group in present]  # the coordinates on which it acts
        chosen = [one if len(one) == 1 else group for one, group in zip(single, present, strict=True)]
        parts += _joined(
            [ReactionPart(name, (group,), _values(reaction, group)) for group in chosen or groups], statement
        )
    return tuple(parts)


def _values(reaction: Array, group: tuple[int, ...]) -> Array:
    """Return the component on one coordinate, or the magnitude over the coordinates of a point."""
    return reaction[:, group[0]] if len(group) == 1 else np.linalg.norm(reaction[:, list(group)], axis=1)


def _joined(parts: list[ReactionPart], statement: Statement) -> list[ReactionPart]:
    """Join the parts of one constraint that have one unit and equal each other at all rows, if one is a magnitude."""
    joined: list[ReactionPart] = []
    for part in parts:
        for k, other in enumerate(joined):
            if _same_unit(part, other, statement) and _equal(part.values, other.values):
                joined[k] = ReactionPart(other.constraint, (*other.points, *part.points), other.values)
                break
        else:
            joined.append(part)
    return joined


def _same_unit(a: ReactionPart, b: ReactionPart, statement: Statement) -> bool:
    """Return whether one part is a magnitude and both are forces in one unit: on points, or by the stated units."""
    if a.magnitude and b.magnitude:
        return True
    units = dict(statement.units)
    labels = [units.get(statement.coordinates[part.points[0][0]]) for part in (a, b)]
    return (a.magnitude or b.magnitude) and labels[0] is not None and labels[0] == labels[1]


def _equal(a: Array, b: Array) -> bool:
    """Return whether two curves are equal up to rounding, with gaps at the same rows."""
    largest = float(np.max(np.nan_to_num(np.abs(a)), initial=0.0))
    return bool(np.allclose(a, b, rtol=0.0, atol=EQUAL_VALUES * largest, equal_nan=True))
