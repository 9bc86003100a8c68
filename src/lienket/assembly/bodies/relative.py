"""A mechanism of absolute coordinates in relative ones, in which it is assembled."""

from __future__ import annotations

from ...foundation.frozen_dataclass import replace
from ...language.symbols import coordinates
from ...mechanism.statement import constraints_of
from ...mechanism.tree import absolute_joint, cut_joints, spanning_tree
from ...model.statement import Statement
from ..description import numeric_system
from ..numeric_system import NumericSystem


def relative_system(system: NumericSystem) -> NumericSystem:
    """Return the mechanism of a system in relative coordinates, with the constraints of its joints alone."""
    statement = system.code.statement()
    absolute = statement.free.mechanism
    assert absolute is not None  # noqa: S101  # called for mechanisms only
    there = {c.name for c in statement.constraints if c.of_mechanism}
    joints = tuple(j for j in absolute.joints if j.name in there or j.kind == "free")
    description = replace(absolute, absolute=False, joints=joints, cut=cut_joints(absolute.bodies, joints))
    tree = spanning_tree(description)
    if tree.floating:  # bodies whose joints have been released: a free joint each
        free = tuple(absolute_joint(description.body[name], absolute.planar) for name in tree.floating)
        joints = (*joints, *(replace(j, name=f"{j.name} of its own") for j in free))
        description = replace(description, joints=joints, cut=cut_joints(absolute.bodies, joints))
        tree = spanning_tree(description)
    symbols = tuple(coordinates(x) for x in tree.coordinates)
    zero = (statement.free.potential * 0,) * len(symbols)
    free_statement = replace(statement.free, coordinates=symbols, forces=zero, mechanism=description)
    held = tuple(c for c in constraints_of(description, symbols) if c.name in there or c.name.endswith("_unit"))
    return numeric_system(Statement(statement.name, free_statement, held))
