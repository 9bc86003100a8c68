"""Exerted: a generalized force that a constraint exerts besides its ideal reaction, given or measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ...foundation.frozen_dataclass import dataclass
from .fields import column
from .law import Law
from .law_force import LawForce


@dataclass(frozen=True)
class Exerted(Law):
    """Given or measured generalized force c(q, q', t) that a constraint exerts in addition to G^T lambda.

    Only the part of c along the motions that the constraints permit affects the motion; the rest only changes lambda.

    Parameters
    ----------
    forces : mapping, Force or list of Force
        Generalized force by coordinate; or lk.Force at points r(q), with c = (dr/dq)^T F, as `lk.laws.record` reads
        them from files.

    Examples
    --------
    >>> x, y = lk.coordinates("x y")
    >>> block = lk.System("block", [x, y], kinetic=der(x)**2 + der(y)**2, potential=20*y)
    >>> pulled = block.constrain("floor", y, law=lk.laws.Exerted({x: -6}))
    >>> pulled.at([0, 0], [1, 0]).accelerations.round(9) + 0
    array([-3.,  0.])
    """

    kind: ClassVar[str] = "exerted"
    about: ClassVar[str] = "A given generalized force that the constraint exerts besides its ideal reaction."

    forces: Any = column("The force by coordinate.")

    def force(self, name: str, coordinates: Sequence[Any]) -> LawForce:
        """Return the given force; `name` and `coordinates` as in `Law.force`."""
        return LawForce(push=self.forces)
