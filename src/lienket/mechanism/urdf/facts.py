"""What a URDF file holds: the builder of its mechanism, limits of joints as data, and notes on what is left out."""

from __future__ import annotations

from collections.abc import Mapping

from ...foundation.frozen_dataclass import dataclass
from ..building.spatial import SpatialBuilder


@dataclass(frozen=True)
class JointLimit:
    """Limits of a joint as its file states them; they are data only and act on no motion.

    `lower` and `upper` bound the coordinate, `effort` the torque or force, `velocity` the rate. None: not stated.
    """

    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    velocity: float | None = None


@dataclass(frozen=True, eq=False)
class UrdfFacts:
    """Content of a URDF file.

    Attributes
    ----------
    path : str
        The file.
    name : str
        Name of the robot.
    root : str
        Name of the root link, which is the ground.
    builder : SpatialBuilder
        Builder with all bodies, joints and elements; more can be added to it.
    coordinates : mapping
        Names of the coordinates of each joint, by its name in the file.
    limits : mapping
        JointLimit of each joint that has an element <limit>, by its name in the file.
    notes : tuple of str
        A sentence for everything that is left out or renamed.
    """

    path: str
    name: str
    root: str
    builder: SpatialBuilder
    coordinates: Mapping[str, tuple[str, ...]]
    limits: Mapping[str, JointLimit]
    notes: tuple[str, ...]
