"""AlongMechanism: joints, bodies, elements and points of a mechanism along a run."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ...foundation.arrays import Array
from ...kernels.of_mechanism import OfMechanism
from ...results.row_values import RowValues

if TYPE_CHECKING:
    from ...model.bodies import Place
    from ...results.mechanism import Parts
    from ...system import System


class AlongMechanism(OfMechanism):
    """Base of Trajectory: what a mechanism does at the N rows of a run."""

    system: System
    _numbers: RowValues

    @cached_property
    def _mechanism(self) -> Parts:
        """Bodies and joints, for `OfMechanism`."""
        from .parts import parts_along

        return parts_along(self.system.numeric_system, self._numbers)

    def point(self, place: Place) -> Array:
        """Return the place of a point of a body at the rows, in the axes of the ground.

        Parameters
        ----------
        place : Place
            Place on a body of the mechanism, ``body.at(x, y)``.

        Returns
        -------
        ndarray
            Coordinates (N x 2 in the plane, N x 3 in space).

        Raises
        ------
        LienketError
            If the system has no bodies, or not this one.

        Examples
        --------
        >>> pendulum = lk.planar.Mechanism("pendulum")
        >>> rod = pendulum.body("rod", mass=1.0, length=0.5)
        >>> hinge = pendulum.revolute("hinge", pendulum.ground.at(0, 0), rod.at(0, 0))
        >>> run = pendulum.system().simulate(times=[0, 1])
        >>> run.point(rod.at(0.5, 0))[0]
        array([0.5, 0. ])
        """
        run = self._numbers.run
        names = self.system.numeric_system.symbols.parameters
        numbers = dict(zip(names, run.problem.parameters.tolist(), strict=False))
        from ...results.mechanism.points import point_of

        return point_of(self._mechanism, place, numbers, run.t)
