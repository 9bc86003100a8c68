"""Exerted: a generalized force that a constraint exerts besides its ideal reaction, given or measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...foundation.frozen_dataclass import dataclass


@dataclass(frozen=True)
class Exerted:
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

    forces: Any

    def mapped(self, rewrite: Callable[[Any], Any]) -> Exerted:
        """Return a copy in which `rewrite` has been applied to every expression."""
        return Exerted(tuple((x, rewrite(e)) for x, e in self.forces))

    def parts(self) -> dict[str, tuple[Any, int]]:
        """Return every expression by name with the highest derivative order allowed in it."""
        from ...language.symbols import name_of

        return {f"forces[{name_of(x)}]": (e, 1) for x, e in self.forces}
