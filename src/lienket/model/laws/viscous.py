"""Viscous: a force against the sliding velocity, independent of the reaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ...foundation.frozen_dataclass import dataclass
from .fields import expression
from .law import Law, Numbers, Report, report_negative
from .law_force import LawForce, viscous_push
from .slip import check_slip

if TYPE_CHECKING:
    from ..constraint import Constraint


@dataclass(frozen=True)
class Viscous(Law):
    """Force c = -coefficient slip (d slip/d q')^T that a constraint also exerts, against the sliding velocity.

    Parameters
    ----------
    coefficient : expression
        Force per velocity.
    slip : expression
        Sliding velocity, linear in q'.

    Examples
    --------
    >>> x, y = lk.coordinates("x y")
    >>> block = lk.System("block", [x, y], kinetic=der(x)**2 + der(y)**2, potential=20*y)
    >>> oiled = block.constrain("floor", y, law=lk.laws.Viscous(4, slip=der(x)))
    >>> oiled.at([0, 0], [1, 0]).accelerations.round(9) + 0
    array([-2.,  0.])
    """

    kind: ClassVar[str] = "viscous"
    about: ClassVar[str] = "A force against the sliding velocity `slip`, independent of the reaction."
    dissipates: ClassVar[bool] = True

    coefficient: Any = expression("Force over velocity.")
    slip: Any = expression("The sliding velocity, linear in the velocities.", None, required=True)

    def force(self, name: str, coordinates: Sequence[Any]) -> LawForce:
        """Return the force c = -coefficient slip (d slip/d q')^T; `name` and `coordinates` as in `Law.force`."""
        return LawForce(push=viscous_push(self.coefficient, self.slip, coordinates))

    def check(self, constraint: Constraint, coordinates: Sequence[Any], report: Report) -> None:
        """Report faults of the slip; `constraint`, `coordinates` and `report` as in `Law.check`."""
        super().check(constraint, coordinates, report)
        check_slip(self.slip, coordinates, report)

    def check_numbers(self, number: Numbers, report: Report) -> None:
        """Report a negative coefficient; `number` and `report` as in `Law.check_numbers`."""
        report_negative(number, report, coefficient=self.coefficient)

    @property
    def sliding_velocity(self) -> Any:
        """Sliding velocity."""
        return self.slip
