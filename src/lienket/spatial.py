"""Spatial mechanisms of bodies and joints: `lk.spatial.Mechanism`, and solids: `lk.spatial.box`, ..."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .foundation.lazy_import import lazy_module
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
from .system import System

if TYPE_CHECKING:
    from .analysis.mechanism_check.result import MechanismCheck
    from .assembly.arguments import Numbers, StartLike

__all__ = [
    "Mechanism", "SpatialBody", "SpatialSolid", "box", "capsule", "cone", "cylinder", "disc", "line", "particle",
    "plate", "ring", "rod", "shell", "sphere", "tube",
]  # fmt: skip


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

    def check(
        self,
        start: StartLike | None = None,
        coordinates: str = "relative",
        values: Numbers | None = None,
        *,
        guess: Numbers | None = None,
    ) -> MechanismCheck:
        """Return what the mechanism is before any run: freedom, redundant rows, loops, bodies that float.

        The true freedom n - rank G at an assembled position stands beside the count of Kutzbach. Both agree up to the
        redundant rows, each of which is named with what it holds, the joints that hold it already, and a freer kind of
        joint that would remove it. The result prints as a table.

        Parameters
        ----------
        start : mapping, optional
            Coordinates that are kept, as in `System.consistent`.
        coordinates : str
            "relative" or "absolute": those in which the mechanism is assembled.
        values : mapping, optional
            Numbers of parameters, as in `System.at`.
        guess : mapping, optional
            Guess of other coordinates.

        Returns
        -------
        MechanismCheck
            ``.freedom .gruebler .redundant .proposals .loops .floating .warnings .problem``.

        Raises
        ------
        ModelError
            With all faults of the mechanism; bodies without joints are no fault here.

        Examples
        --------
        >>> door = lk.spatial.Mechanism("door")
        >>> leaf = door.body("leaf", mass=20.0, inertia=(3, 4, 1), centre=(0.4, 0, 1))
        >>> for name, z in (("lower", 0.2), ("upper", 1.8)):
        ...     hinge = door.revolute(name, door.ground.at(0, 0, z), leaf.at(0, 0, z))
        >>> found = door.check()
        >>> found.gruebler, found.freedom, found.redundant[-1].row
        (-4, 1, 'turn about y')
        """
        checked: MechanismCheck = lazy_module("lienket.analysis.mechanism_check.check").check(
            self, start, coordinates, values, guess
        )
        return checked
