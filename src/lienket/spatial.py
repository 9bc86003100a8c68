"""Spatial mechanisms of bodies and joints: `lk.spatial.Mechanism`, and solids: `lk.spatial.box`, ..."""

from __future__ import annotations

from .mechanism.building.solids.solid import SpatialSolid
from .mechanism.building.solids.spatial import (
    box,
    capsule,
    cone,
    cylinder,
    disc,
    line,
    particle,
    plate,
    ring,
    rod,
    shell,
    sphere,
    tube,
)
from .mechanism.building.spatial import SpatialBody, SpatialBuilder
from .system.builder import SystemBuilder

__all__ = [
    "Mechanism", "SpatialBody", "SpatialSolid", "box", "capsule", "cone", "cylinder", "disc", "line", "particle",
    "plate", "ring", "rod", "shell", "sphere", "tube",
]  # fmt: skip


class Mechanism(SystemBuilder, SpatialBuilder):
    """Builder of a spatial mechanism; `system` freezes what is there.

    Parameters
    ----------
    name : str
        Name of the mechanism.
    gravity : three numbers
        Acceleration of falling bodies in the ground's axes.
    values : mapping, optional
        Default numbers of parameters.
    inputs : iterable, optional
        Functions of time that are no coordinates, see `lk.inputs`; efforts may contain them.

    Examples
    --------
    >>> pendulum = lk.spatial.Mechanism("pendulum")
    >>> bob = pendulum.body("bob", mass=2.0, inertia=(0.1, 0.1, 0.1), centre=(1, 0, 0))
    >>> hinge = pendulum.revolute("hinge", pendulum.ground.at(), bob.at(), axis=(0, 1, 0))
    >>> pendulum.system().at([0.0], [0.0]).accelerations.round(3)
    array([9.343])
    """
