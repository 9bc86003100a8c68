"""Spatial mechanisms of bodies and joints: `lk.spatial.Mechanism`."""

from __future__ import annotations

from collections.abc import Iterable

from .mechanism.building.spatial import SpatialBody, SpatialBuilder
from .system import System

__all__ = ["Mechanism", "SpatialBody"]


class Mechanism(SpatialBuilder):
    """Builder of a spatial mechanism; `system` freezes what is there.

    Parameters
    ----------
    name : str
        Name of the mechanism.
    gravity : three numbers
        Acceleration of falling bodies in the ground's axes.
    values : mapping, optional
        Default numbers of parameters.

    Examples
    --------
    >>> pendulum = lk.spatial.Mechanism("pendulum")
    >>> bob = pendulum.body("bob", mass=2.0, inertia=(0.1, 0.1, 0.1), centre=(1, 0, 0))
    >>> hinge = pendulum.revolute("hinge", pendulum.ground.at(), bob.at(), axis=(0, 1, 0))
    >>> pendulum.system().at([0.0], [0.0]).accelerations.round(3)
    array([9.343])
    """

    def system(self, coordinates: str = "relative", cut: Iterable[str] | None = None) -> System:
        """Return the system of what has been added so far.

        Parameters
        ----------
        coordinates : str
            "relative" for the coordinates of the joints, "absolute" for those of every body.
        cut : iterable of str, optional
            Joints that are to be constraints; the others that close loops follow in the order of statement.

        Returns
        -------
        System
            System with a constraint for every joint that is cut.

        Raises
        ------
        ModelError
            With all faults of the mechanism.
        """
        return System.from_statement(self.statement(coordinates, cut))
