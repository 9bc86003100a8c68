"""Planar mechanisms of bodies and joints: `lk.planar.Mechanism`."""

from __future__ import annotations

from collections.abc import Iterable

from .mechanism.building.planar import PlanarBody, PlanarBuilder
from .system import System

__all__ = ["Mechanism", "PlanarBody"]


class Mechanism(PlanarBuilder):
    """Builder of a planar mechanism; `system` freezes what is there.

    Parameters
    ----------
    name : str
        Name of the mechanism.
    gravity : pair
        Acceleration of falling bodies in the ground's axes.
    values : mapping, optional
        Default numbers of parameters.

    Examples
    --------
    >>> pendulum = lk.planar.Mechanism("pendulum")
    >>> rod = pendulum.body("rod", mass=1.0, length=0.5)
    >>> hinge = pendulum.revolute("hinge", pendulum.ground.at(0, 0), rod.at(0, 0))
    >>> pendulum.system().at([0.0], [0.0]).accelerations.round(2)
    array([-29.43])
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
