"""Planar mechanisms of bodies and joints: `lk.planar.Mechanism`, and solids: `lk.planar.rod`, ..."""

from __future__ import annotations

from .mechanism.building.planar import PlanarBody, PlanarBuilder
from .mechanism.building.solids.planar import disc, line, particle, plate, polygon, ring, rod
from .mechanism.building.solids.solid import PlanarSolid
from .system.builder import SystemBuilder

__all__ = ["Mechanism", "PlanarBody", "PlanarSolid", "disc", "line", "particle", "plate", "polygon", "ring", "rod"]


class Mechanism(SystemBuilder, PlanarBuilder):
    """Builder of a planar mechanism; `system` freezes what is there.

    Parameters
    ----------
    name : str
        Name of the mechanism.
    gravity : pair
        Acceleration of falling bodies in the ground's axes.
    values : mapping, optional
        Default numbers of parameters.
    inputs : iterable, optional
        Functions of time that are no coordinates, see `lk.inputs`; efforts may contain them.

    Examples
    --------
    >>> pendulum = lk.planar.Mechanism("pendulum")
    >>> rod = pendulum.body("rod", mass=1.0, length=0.5)
    >>> hinge = pendulum.revolute("hinge", pendulum.ground.at(0, 0), rod.at(0, 0))
    >>> pendulum.system().at([0.0], [0.0]).accelerations.round(2)
    array([-29.43])
    """
