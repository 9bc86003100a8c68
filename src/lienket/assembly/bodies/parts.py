"""Bodies and joints in numbers: their names, and their results at a state or along a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...foundation.arrays import Array
from ...kernels.evaluation import Evaluation
from ...kernels.of_mechanism import stated_by_formulas
from ...mechanism.dynamics import has_euler_parameters
from ...mechanism.joints.kind import WITH_FALSE_SOLUTIONS
from ...mechanism.tree import angles_of, spanning_tree
from ...model.statement import Statement
from ...results.mechanism import Outline, Parts, parts_of

if TYPE_CHECKING:
    from ...kernels.state import State
    from ...results.row_values import RowValues
    from ..numeric_system import NumericSystem


def mechanism_outline(statement: Statement) -> Outline | None:
    """Return the names of the joints, bodies and elements of a statement; None if it has none."""
    description = statement.free.mechanism
    if description is None:
        return None
    contacts = ((element.name, ()) for element in description.elements if element.kind == "rolling")
    joints = (*((joint.name, joint.coordinates) for joint in description.joints), *contacts)
    bodies = tuple(body.name for body in description.bodies)
    elements = tuple(element.name for element in description.elements)
    tree = spanning_tree(description)
    scalars = tuple(
        tree.coordinates[link.at[-4]] for link in tree.links if has_euler_parameters(link, description.planar)
    )
    false = () if description.planar else tuple(j.name for j in tree.cut if j.kind in WITH_FALSE_SOLUTIONS)
    there = {c.name for c in statement.every_constraint if c.of_mechanism}
    released = tuple(j.name for j in tree.cut if j.kind != "free" and j.name not in there)
    known = set(tree.coordinates)
    turning = (
        {x for j in description.joints for x in angles_of(j) if x not in known} if not description.planar else set()
    )
    wrapped = tuple(k for k, x in enumerate(x for _, names in joints for x in names) if x in turning)
    return Outline(
        description.planar, joints, bodies, elements, description.absolute, scalars, false, wrapped, released
    )


def parts_at(system: NumericSystem, active: tuple[int, ...], parameters: Array, state: State) -> Parts:
    """Return joints, bodies and elements at a state."""
    if system.mechanism is None:
        stated_by_formulas()
    one = (np.array([state.t]), state.q[None].copy(), state.v[None].copy())
    evaluation = Evaluation(system.model(active), (1,), *one, parameters)
    return parts_of(system.mechanism, one[0], [(np.array([0]), evaluation)], single=True)


def parts_along(system: NumericSystem, values: RowValues) -> Parts:
    """Return joints, bodies and elements at the rows of a run."""
    if system.mechanism is None:
        stated_by_formulas()
    return parts_of(system.mechanism, values.run.t, values.groups(), single=False)
