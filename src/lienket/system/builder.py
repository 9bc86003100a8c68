"""SystemBuilder: what both builders of mechanisms ask of a System."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..foundation.lazy_import import lazy_module
from ..mechanism.building.builder import Builder
from . import System

if TYPE_CHECKING:
    from ..analysis.mechanism_check.result import MechanismCheck
    from ..assembly.arguments import Numbers, StartLike


class SystemBuilder(Builder):
    """Base of `lk.planar.Mechanism` and `lk.spatial.Mechanism`: the system of what has been added, and its check."""

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

        The true freedom n - rank G at an assembled position stands beside the count of Gruebler and Kutzbach. Both
        agree up to the redundant rows, each of which is named with what it holds, the joints that hold it already, and
        a freer kind of joint that would remove it. The result prints as a table.

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
        >>> pendulum = lk.planar.Mechanism("pendulum")
        >>> rod = pendulum.body("rod", mass=1.0, length=0.5)
        >>> hinge = pendulum.revolute("hinge", pendulum.ground.at(0, 0), rod.at(0, 0))
        >>> pendulum.check()
        Check of 'pendulum': 1 body, 2 rows of joints and elements
          count by Gruebler  3 x 1 - 2 = 1
          true freedom       1
          redundant rows     0
        """
        checked: MechanismCheck = lazy_module("lienket.analysis.mechanism_check.check").check(
            self, start, coordinates, values, guess
        )
        return checked
