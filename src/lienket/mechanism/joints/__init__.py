"""Kinds of joints, a file each; `kind_of` returns that of a joint."""

from __future__ import annotations

from ...model.bodies import Joint
from .cylindrical import Cylindrical
from .free import Free
from .kind import Kind, Relative, Row, Shift, Turn
from .planar_joint import Planar
from .prismatic import Prismatic
from .revolute import Revolute
from .screw import Screw
from .slot import Slot
from .spherical import Spherical, SphericalAngles
from .universal import Universal
from .weld import Weld

__all__ = ["KINDS", "Kind", "Relative", "Row", "Shift", "Turn", "kind_of"]

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Revolute(), Prismatic(), Slot(), Cylindrical(), Screw(), Universal(), Spherical(), Planar(), Weld(), Free(),
    )
}  # fmt: skip
_BY_ANGLES = SphericalAngles()


def kind_of(joint: Joint) -> Kind:
    """Return the kind of a joint."""
    return _BY_ANGLES if joint.angles else KINDS[joint.kind]
